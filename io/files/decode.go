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

	"tenfold/engines/suggest"
	"tenfold/io/scratch"
	"tenfold/io/source"
)

// Formats are recognised by their first bytes, never by the name of the file.
var (
	gzipMagic = []byte{0x1f, 0x8b, 8}
	zipMagic  = []byte("PK\x03\x04")
)

// decoder decodes content, with disk space for what is larger than memory; without space, everything is decoded in memory.
type decoder struct {
	space  *scratch.Space
	memory int64 // for reading what is decoded, in bytes; 0 for the default
}

// decode undoes gzip and, if a member is named, extracts that member from a zip or tar archive (undoing gzip there, too).
// Without a member an archive is content like any other: an npz file is a zip. Content that is not compressed is returned
// as it is, without a copy.
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
		return nil, fmt.Errorf("gzip: %w", rewordArchiveError(err))
	}
	// The last four bytes are the decoded size, modulo 2³², of the last gzip member: a good guess of what to allocate.
	size := binary.LittleEndian.Uint32(raw[len(raw)-4:])
	content, err := d.readLimited(r, int64(size), len(raw))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", decodeError(content, err))
	}
	return content, nil
}

func (d decoder) extract(raw []byte, member string) ([]byte, error) {
	if bytes.HasPrefix(raw, zipMagic) {
		return d.extractZip(raw, member)
	}
	return d.extractTar(raw, member)
}

func (d decoder) extractZip(raw []byte, member string) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, rewordArchiveError(err)
	}
	var names []string
	for _, f := range z.File {
		if path.Clean(f.Name) != path.Clean(member) || strings.HasSuffix(f.Name, "/") {
			names = append(names, f.Name)
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("zip member %q: %w", member, rewordArchiveError(err))
		}
		defer r.Close()
		content, err := d.readLimited(r, int64(min(f.UncompressedSize64, 1<<62)), len(raw))
		if err != nil {
			return nil, fmt.Errorf("zip member %q: %w", member, decodeError(content, err))
		}
		return content, nil
	}
	return nil, noMember("zip", member, names)
}

// extractTar reads up to the member and no further; a compressed archive is never held decoded.
func (d decoder) extractTar(raw []byte, member string) ([]byte, error) {
	var in io.Reader = bytes.NewReader(raw)
	if bytes.HasPrefix(raw, gzipMagic) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", rewordArchiveError(err))
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
			return nil, fmt.Errorf("tar: after %d members: %w", len(names), rewordArchiveError(err))
		case path.Clean(h.Name) != path.Clean(member) || h.Typeflag != tar.TypeReg:
			names = append(names, h.Name)
			continue
		case h.Size > maxRatio*int64(len(raw)): // a sparse file may announce any size, all of it zeros
			return nil, fmt.Errorf("tar member %q: %d bytes, more than the archive can have", h.Name, h.Size)
		}
		content, err := d.readLimited(t, h.Size, len(raw))
		if err != nil {
			return nil, fmt.Errorf("tar member %q: %w", member, decodeError(content, err))
		}
		return content, nil
	}
}

// decodeError says how far decoding came.
func decodeError(content []byte, err error) error {
	if errors.As(err, new(bombError)) {
		return err
	}
	return fmt.Errorf("after %d decoded bytes: %w", len(content), rewordArchiveError(err))
}

func noMember(archive, member string, names []string) error {
	return fmt.Errorf("no member %q among the %d of the %s archive%s", member, len(names), archive, suggest.DidYouMean(member, names))
}

// maxInMemory is how many decoded bytes are held in memory if there is disk space for more.
const maxInMemory = 256 << 20

// defaultMemory is how many bytes reading may take by default.
const defaultMemory = 1 << 30

// maxRatio is the best ratio that deflate can reach; usualRatio is the most that it reaches with data, such as texts of
// zeros and commas.
const maxRatio, usualRatio = 1032, 100

// maxDecoded returns how many bytes a number of packed bytes may unpack to: any usual ratio, and beyond that (only bombs
// pack so well) as much as a reader, which may take eight times that, has memory for.
func (d decoder) maxDecoded(packed int) int64 {
	const perByte = 8
	return max(cmp.Or(d.memory, defaultMemory)/perByte, usualRatio*int64(packed))
}

// bombError is the error of packed bytes that unpack to more than allowed.
type bombError struct{ error }

func (d decoder) newBombError(packed int) error {
	return bombError{fmt.Errorf("%s unpack to more than %s, as only repetitions do: where they are meant, unpack them yourself", source.Size(int64(packed)), source.Size(d.maxDecoded(packed)))}
}

// readAll reads to the end, into one allocation if the announced size is right. An announcement is believed up to
// deflate's best ratio, so that a damaged file cannot ask for all memory.
func readAll(r io.Reader, announced int64, packed int) ([]byte, error) {
	announced = max(0, min(announced, maxRatio*int64(packed), math.MaxInt/2))
	var b bytes.Buffer
	b.Grow(int(announced) + bytes.MinRead) // ReadFrom wants that much room to see the end
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

// readLimited reads at most maxDecoded bytes, and puts what exceeds memory on disk.
func (d decoder) readLimited(r io.Reader, announced int64, packed int) (content []byte, err error) {
	most := d.maxDecoded(packed)
	r, announced = io.LimitReader(r, most+1), min(announced, most)
	if d.space == nil {
		content, err = readAll(r, announced, packed)
	} else {
		content, err = d.readOrSpool(maxInMemory, r, announced, packed)
	}
	if err == nil && int64(len(content)) > most {
		return nil, d.newBombError(packed)
	}
	return content, err
}

func (d decoder) readOrSpool(held int64, r io.Reader, announced int64, packed int) ([]byte, error) {
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
