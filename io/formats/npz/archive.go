package npz

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strings"

	"tenfold/io/source"
)

// archive is the members of an .npz file by name.
type archive struct {
	file    string
	content []byte
	members map[string]*zip.File
}

// openArchive refuses one whose members unpack to more than a file of its size may ask for.
func openArchive(in source.Input, file string, content []byte) (archive, error) {
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return archive{}, fmt.Errorf("%s: not an .npz file, which is a zip archive, or one that is cut off", file)
	}
	a := archive{file: file, content: content, members: map[string]*zip.File{}}
	unpacked := int64(0)
	for _, f := range z.File {
		if f.Method != zip.Store {
			unpacked += int64(min(f.UncompressedSize64, 1<<40))
		}
		if err := source.Allow(in, unpacked, file, "members"); err != nil {
			return archive{}, err
		}
		if a.members[f.Name] != nil {
			return archive{}, fmt.Errorf("%s: two members are named %s", file, f.Name)
		}
		a.members[f.Name] = f
	}
	return a, nil
}

// readMember returns the content of a member: in place when it is stored, else decompressed. Its checksum is verified.
func (a archive) readMember(name string) ([]byte, error) {
	f := a.members[name]
	if f == nil {
		return nil, fmt.Errorf("%s: no member %s; expected what scipy.sparse.save_npz writes", a.file, name)
	}
	var body []byte
	var err error
	switch f.Method {
	case zip.Store:
		body, err = a.readStored(f)
	case zip.Deflate:
		body, err = a.inflate(f)
	default:
		err = fmt.Errorf("compression method %d, expected stored or deflated", f.Method)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: member %s: %w", a.file, name, err)
	}
	return body, nil
}

func (a archive) readStored(f *zip.File) ([]byte, error) {
	offset, err := f.DataOffset()
	if err != nil {
		return nil, err
	}
	if room := int64(len(a.content)) - offset; room < 0 || f.UncompressedSize64 > uint64(room) {
		return nil, io.ErrUnexpectedEOF
	}
	body := a.content[offset:][:f.UncompressedSize64]
	if crc32.ChecksumIEEE(body) != f.CRC32 {
		return nil, zip.ErrChecksum
	}
	return body, nil
}

// inflate trusts no declared size: deflate cannot expand more than 1032 times (RFC 1951: 258 bytes from two bits).
func (a archive) inflate(f *zip.File) ([]byte, error) {
	if packed := min(f.CompressedSize64, uint64(len(a.content))); f.UncompressedSize64/1032 > packed {
		return nil, fmt.Errorf("%d bytes cannot come from %d compressed ones", f.UncompressedSize64, packed)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	body := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, err
	}
	_, err = r.Read(make([]byte, 1)) // the checksum is verified at the end
	if err == io.EOF {
		err = nil
	}
	return body, err
}

// readNumbers reads a member that is an array of numbers.
func (a archive) readNumbers(name string) (array, error) {
	body, err := a.readMember(name)
	if err != nil {
		return array{}, err
	}
	return parseNumbers(a.file+": "+strings.TrimSuffix(name, ".npy"), body)
}

// listed is a member that is a list of integers, and where it goes.
type listed struct {
	name string
	into *array
}

// readLists reads the members of a sparse matrix: lists of integers, and data, a list of numbers.
func (a archive) readLists(data *array, integers ...listed) error {
	for _, m := range append(integers, listed{"data", data}) {
		read, err := a.readNumbers(m.name + ".npy")
		if err != nil {
			return err
		}
		if len(read.shape) != 1 || m.into != data && !read.isInteger() {
			return fmt.Errorf("%s: type %s, shape %v, expected a list of integers", read.file, read.dtype, read.shape)
		}
		*m.into = read
	}
	return nil
}

// severalArrays returns the error of an .npz file where one array was expected. It shows how to name one of those that np.savez wrote.
func severalArrays(in source.Input, file string, content []byte) error {
	a, err := openArchive(in, file, content)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(a.members))
	if len(names) == 0 {
		return fmt.Errorf("%s: an .npz file without arrays", file)
	}
	if a.members["format.npy"] != nil {
		return fmt.Errorf("%s: a sparse matrix of scipy, expected one array (.npy)", file)
	}
	return fmt.Errorf("%s: arrays as np.savez writes them (%s), expected one; name it, as in {path: %s, member: %s}", file, source.Abridge(names), file, names[0])
}

// readWord reads a member that is one word of ASCII, as bytes or as code points of four bytes each.
func (a archive) readWord(name string) (string, error) {
	body, err := a.readMember(name)
	if err != nil {
		return "", err
	}
	word, err := parseHeader(a.file+": "+name, body)
	return strings.ReplaceAll(string(word.body), "\x00", ""), err
}
