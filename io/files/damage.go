package files

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
)

// damage is an error of an archive in words.
type damage struct {
	error
	words string
}

func (d damage) Error() string { return d.words }
func (d damage) Unwrap() error { return d.error }

// damaged is what an error of the libraries that unpack archives means.
func damaged(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return damage{err, "it is cut off"}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, tar.ErrHeader):
		return damage{err, "a header is damaged"}
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrChecksum):
		return damage{err, "damaged: its checksum does not match"}
	case errors.As(err, &corrupt):
		return damage{err, "its compressed data are damaged"}
	case errors.Is(err, zip.ErrFormat):
		return damage{err, "no zip archive, or one that is cut off"}
	case errors.Is(err, zip.ErrAlgorithm):
		return damage{err, "compressed in a way that cannot be read; expected stored or deflated"}
	}
	return err
}
