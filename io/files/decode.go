package files

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"tenfold/engines/kind"
)

// Formats are told by their first bytes, never by the name of the file.
var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zipMagic  = []byte("PK\x03\x04")
)

// decode undoes gzip and, when a member is named, takes that member out of a zip or tar archive (undoing gzip there
// too). Without a member an archive is content like any other: an npz file is a zip. Content that is not compressed
// comes back as it is, without a copy.
func decode(raw []byte, member string) ([]byte, error) {
	if member == "" {
		return gunzip(raw)
	}
	content, err := extract(raw, member)
	if err != nil {
		return nil, err
	}
	return gunzip(content)
}

func gunzip(raw []byte) ([]byte, error) {
	if !bytes.HasPrefix(raw, gzipMagic) {
		return raw, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	// The last four bytes are the decoded size, modulo 2³², of the last gzip member: a good guess of what to allocate.
	size := binary.LittleEndian.Uint32(raw[len(raw)-4:])
	content, err := readAll(r, int64(size), len(raw))
	if err != nil {
		return nil, fmt.Errorf("gzip: after %d decoded bytes: %w", len(content), err)
	}
	return content, nil
}

func extract(raw []byte, member string) ([]byte, error) {
	if bytes.HasPrefix(raw, zipMagic) {
		return fromZip(raw, member)
	}
	return fromTar(raw, member)
}

func fromZip(raw []byte, member string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range z.File {
		if path.Clean(f.Name) != path.Clean(member) || strings.HasSuffix(f.Name, "/") {
			names = append(names, f.Name)
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("zip member %q: %w", member, err)
		}
		defer r.Close()
		content, err := readAll(r, int64(min(f.UncompressedSize64, 1<<62)), len(raw))
		if err != nil {
			return nil, fmt.Errorf("zip member %q: after %d decoded bytes: %w", member, len(content), err)
		}
		return content, nil
	}
	return nil, noMember("zip", member, names)
}

// fromTar reads up to the member and no further; a compressed archive is never held decoded.
func fromTar(raw []byte, member string) ([]byte, error) {
	var in io.Reader = bytes.NewReader(raw)
	if bytes.HasPrefix(raw, gzipMagic) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		in = z
	}
	t := tar.NewReader(in)
	var names []string
	for {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil, noMember("tar", member, names)
		case err != nil && len(names) == 0:
			return nil, fmt.Errorf("member %q was asked for, but the file is neither a zip nor a tar archive: %w", member, err)
		case err != nil:
			return nil, fmt.Errorf("tar: after %d members: %w", len(names), err)
		case path.Clean(h.Name) != path.Clean(member) || h.Typeflag != tar.TypeReg:
			names = append(names, h.Name)
			continue
		}
		content, err := readAll(t, h.Size, len(raw))
		if err != nil {
			return nil, fmt.Errorf("tar member %q: after %d bytes: %w", member, len(content), err)
		}
		return content, nil
	}
}

func noMember(archive, member string, names []string) error {
	return fmt.Errorf("no member %q among the %d of the %s archive%s", member, len(names), archive, kind.DidYouMean(member, names))
}

// readAll reads to the end into one allocation when the size announced is right. An announcement is believed up to
// deflate's best ratio of 1032 on the packed bytes, so that a damaged file cannot ask for all memory.
func readAll(r io.Reader, announced int64, packed int) ([]byte, error) {
	announced = max(0, min(announced, 1032*int64(packed), math.MaxInt/2))
	var b bytes.Buffer
	b.Grow(int(announced) + bytes.MinRead) // ReadFrom wants that much room to see the end
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}
