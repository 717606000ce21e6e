package files

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
)

// archiveError is an error of an archive, reworded.
type archiveError struct {
	error
	words string
}

func (d archiveError) Error() string { return d.words }
func (d archiveError) Unwrap() error { return d.error }

// rewordArchiveError rewords an error of the libraries that unpack archives.
func rewordArchiveError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return archiveError{err, "it is cut off"}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, tar.ErrHeader):
		return archiveError{err, "a header is damaged"}
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrChecksum):
		return archiveError{err, "damaged: its checksum does not match"}
	case errors.As(err, &corrupt):
		return archiveError{err, "its compressed data are damaged"}
	case errors.Is(err, zip.ErrFormat):
		return archiveError{err, "no zip archive, or one that is cut off"}
	case errors.Is(err, zip.ErrAlgorithm):
		return archiveError{err, "compressed in a way that cannot be read; expected stored or deflated"}
	}
	return err
}
