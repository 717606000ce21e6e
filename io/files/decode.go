package files

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"tenfold/engines/kind"
	"tenfold/io/scratch"
	"tenfold/io/source"
)

// Formats are told by their first bytes, never by the name of the file.
var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zipMagic  = []byte("PK\x03\x04")
)

// decoder has disk space for content that is larger than memory; without it, all is decoded in memory.
type decoder struct {
	space  *scratch.Space
	memory int64 // for reading what is decoded; 0 for the usual
}

// decode undoes gzip and, when a member is named, takes that member out of a zip or tar archive (undoing gzip there
// too). Without a member an archive is content like any other: an npz file is a zip. Content that is not compressed
// comes back as it is, without a copy.
func (d decoder) decode(raw []byte, member string) ([]byte, error) {
	if member == "" {
		return d.gunzip(raw)
	}
	content, err := d.extract(raw, member)
	if err != nil {
		return nil, err
	}
	return d.gunzip(content)
}

func (d decoder) gunzip(raw []byte) ([]byte, error) {
	if !bytes.HasPrefix(raw, gzipMagic) {
		return raw, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", damaged(err))
	}
	// The last four bytes are the decoded size, modulo 2³², of the last gzip member: a good guess of what to allocate.
	size := binary.LittleEndian.Uint32(raw[len(raw)-4:])
	content, err := d.readAll(r, int64(size), len(raw))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", after(content, err))
	}
	return content, nil
}

func (d decoder) extract(raw []byte, member string) ([]byte, error) {
	if bytes.HasPrefix(raw, zipMagic) {
		return d.fromZip(raw, member)
	}
	return d.fromTar(raw, member)
}

func (d decoder) fromZip(raw []byte, member string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, damaged(err)
	}
	var names []string
	for _, f := range z.File {
		if path.Clean(f.Name) != path.Clean(member) || strings.HasSuffix(f.Name, "/") {
			names = append(names, f.Name)
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("zip member %q: %w", member, damaged(err))
		}
		defer r.Close()
		content, err := d.readAll(r, int64(min(f.UncompressedSize64, 1<<62)), len(raw))
		if err != nil {
			return nil, fmt.Errorf("zip member %q: %w", member, after(content, err))
		}
		return content, nil
	}
	return nil, noMember("zip", member, names)
}

// fromTar reads up to the member and no further; a compressed archive is never held decoded.
func (d decoder) fromTar(raw []byte, member string) ([]byte, error) {
	var in io.Reader = bytes.NewReader(raw)
	if bytes.HasPrefix(raw, gzipMagic) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", damaged(err))
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
			return nil, fmt.Errorf("member %q was asked for, but the file is neither a zip nor a tar archive, or one that is cut off", member)
		case err != nil:
			return nil, fmt.Errorf("tar: after %d members: %w", len(names), damaged(err))
		case path.Clean(h.Name) != path.Clean(member) || h.Typeflag != tar.TypeReg:
			names = append(names, h.Name)
			continue
		case h.Size > ratio*int64(len(raw)): // a sparse file may announce any size, all of it zeros
			return nil, fmt.Errorf("tar member %q: %d bytes, more than the archive can have", h.Name, h.Size)
		}
		content, err := d.readAll(t, h.Size, len(raw))
		if err != nil {
			return nil, fmt.Errorf("tar member %q: %w", member, after(content, err))
		}
		return content, nil
	}
}

// after says how far decoding came.
func after(content []byte, err error) error {
	if errors.As(err, new(bomb)) {
		return err
	}
	return fmt.Errorf("after %d decoded bytes: %w", len(content), damaged(err))
}

func noMember(archive, member string, names []string) error {
	return fmt.Errorf("no member %q among the %d of the %s archive%s", member, len(names), archive, kind.DidYouMean(member, names))
}

// held is how many decoded bytes are held in memory where there is disk space for more.
const held = 256 << 20

// memory is how many bytes reading may take where nobody says.
const memory = 1 << 30

// ratio is the best that deflate can do, and usual what it does at most with data: texts of zeros and commas, say.
const ratio, usual = 1032, 100

// most is how many bytes so many packed ones may unpack to: what packs as well as nothing but a bomb does, as far as a reader, which
// may take eight times as much, has the memory.
func (d decoder) most(packed int) int64 {
	const perByte = 8
	return max(cmp.Or(d.memory, memory)/perByte, usual*int64(packed))
}

// bomb is the error of packed bytes that unpack to more than most.
type bomb struct{ error }

func (d decoder) bomb(packed int) error {
	return bomb{fmt.Errorf("%s unpack to more than %s, as only repetitions do: where they are meant, unpack them yourself", source.Size(int64(packed)), source.Size(d.most(packed)))}
}

// readAll reads to the end into one allocation when the size announced is right. An announcement is believed up to
// deflate's best ratio of 1032 on the packed bytes, so that a damaged file cannot ask for all memory.
func readAll(r io.Reader, announced int64, packed int) ([]byte, error) {
	announced = max(0, min(announced, ratio*int64(packed), math.MaxInt/2))
	var b bytes.Buffer
	b.Grow(int(announced) + bytes.MinRead) // ReadFrom wants that much room to see the end
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

// readAll is that of no more than most, and what is too much for memory goes to disk.
func (d decoder) readAll(r io.Reader, announced int64, packed int) (content []byte, err error) {
	most := d.most(packed)
	r, announced = io.LimitReader(r, most+1), min(announced, most)
	if d.space == nil {
		content, err = readAll(r, announced, packed)
	} else {
		content, err = d.upTo(held, r, announced, packed)
	}
	if err == nil && int64(len(content)) > most {
		return nil, d.bomb(packed)
	}
	return content, err
}

func (d decoder) upTo(held int64, r io.Reader, announced int64, packed int) ([]byte, error) {
	content, err := readAll(io.LimitReader(r, held), min(announced, held), packed)
	if err != nil || int64(len(content)) < held {
		return content, err
	}
	spool, err := d.space.Spool()
	if err != nil {
		return content, err
	}
	if _, err := spool.Write(content); err != nil {
		return content, err
	}
	if _, err := io.Copy(spool, r); err != nil {
		return content, err
	}
	return spool.Map()
}
