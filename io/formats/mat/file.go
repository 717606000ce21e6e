package mat

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"

	"tenfold/io/source"
)

// Types of the data elements of a file (MAT-File Format, table 1-1).
const (
	miINT8 = 1 + iota
	miUINT8
	miINT16
	miUINT16
	miINT32
	miUINT32
	miSINGLE
	_
	miDOUBLE
	_
	_
	miINT64
	miUINT64
	miMATRIX
	miCOMPRESSED
	miUTF8
	miUTF16
	miUTF32
)

// headerSize is the bytes before the first element.
const headerSize = 128

// resave is how a file of another version becomes one that can be read.
const resave = "save it again with save('-v7', ...), or scipy.io.savemat"

// orderOf checks the header, and returns the order of bytes of all numbers in the file.
func orderOf(content []byte, file string) (binary.ByteOrder, error) {
	switch {
	case bytes.HasPrefix(content, []byte("MATLAB 7.3 MAT-file")), bytes.HasPrefix(content, []byte("\x89HDF\r\n\x1a\n")):
		return nil, fmt.Errorf("%s: a MAT-file of version 7.3, which is HDF5, expected version 5 to 7: %s", file, resave)
	case isVersion4(content):
		return nil, fmt.Errorf("%s: a MAT-file of version 4, expected version 5 to 7: %s", file, resave)
	case len(content) < headerSize:
		return nil, fmt.Errorf("%s: %d bytes, expected a MAT-file of version 5, whose header alone has %d", file, len(content), headerSize)
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if order.Uint16(content[126:]) != 'M'<<8|'I' {
			continue
		}
		if version := order.Uint16(content[124:]); version != 0x0100 {
			return nil, fmt.Errorf("%s: version %#04x in its header, expected 0x0100, a MAT-file of version 5: %s", file, version, resave)
		}
		return order, nil
	}
	return nil, fmt.Errorf("%s: bytes 126 and 127 are %q, expected MI or IM, as in a MAT-file of version 5", file, content[126:128])
}

// isVersion4 reports whether a file begins with the header of a matrix of version 4: five numbers, of which the first is a type, whose
// bytes in a file of version 5 are text.
func isVersion4(content []byte) bool {
	if len(content) < 20 {
		return false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		kind, complex, name := order.Uint32(content), order.Uint32(content[12:]), order.Uint32(content[16:])
		if kind < 5000 && kind/10%10 <= 5 && kind%10 <= 2 && complex <= 1 && name > 0 && name < 1<<10 {
			return true
		}
	}
	return false
}

// reader cuts a stretch of a file into elements.
type reader struct {
	truths bool // numbers are truth values
	order  binary.ByteOrder
	file   string
	rest   []byte
}

// element is a data element: bytes of a type. Its content may be cut where only a beginning was read.
type element struct {
	kind uint32
	size int // that it is to have
	body []byte
}

// tag returns the tag of the element that bytes begin with: its type and size, and where its content begins. A small element has both in 4 bytes and up
// to 4 bytes of content in the next.
func (r reader) tag(b []byte) (kind uint32, size, body int, err error) {
	if len(b) < 8 {
		return 0, 0, 0, fmt.Errorf("%d bytes, expected the tag of an element, which has 8", len(b))
	}
	kind = r.order.Uint32(b)
	if small := kind >> 16; small > 0 {
		if kind &= 0xffff; small > 4 {
			return 0, 0, 0, fmt.Errorf("a small element of %d bytes, expected at most 4", small)
		}
		return kind, int(small), 4, nil
	}
	if r.order.Uint32(b[4:]) > 1<<31-1 {
		return 0, 0, 0, fmt.Errorf("an element of %d bytes, expected less than 2 GiB", r.order.Uint32(b[4:]))
	}
	return kind, int(r.order.Uint32(b[4:])), 8, nil
}

// next takes an element; whole tells whether all of its content is to be there.
func (r *reader) next(whole bool) (e element, err error) {
	kind, size, body, err := r.tag(r.rest)
	if err != nil {
		return e, err
	}
	e = element{kind: kind, size: size}
	there := r.rest[body:]
	if len(there) < size && whole {
		return e, fmt.Errorf("%d of %d bytes of an element, the rest is missing", len(there), size)
	}
	e.body = there[:min(size, len(there))]
	end := body + size
	if kind != miCOMPRESSED { // which alone is not padded
		end = (end + 7) &^ 7
	}
	r.rest = r.rest[min(end, len(r.rest)):]
	return e, nil
}

// packed is a variable as the file has it, of which no more than the beginning has been decompressed.
type packed struct {
	variable
	order      binary.ByteOrder
	compressed bool
	body       []byte // as it stands in the file: a compressed stream, or the content of the matrix
	offset     int    // of the element, in bytes from the beginning of the file
	file       string
}

// beginning is how many bytes of a compressed variable are read for its name and shape.
const beginning = 4096

// readVariables lists the variables of a file. Elements that are none, such as the data of objects, are passed over.
func readVariables(content []byte, file string) ([]packed, error) {
	order, err := orderOf(content, file)
	if err != nil {
		return nil, err
	}
	var found []packed
	r := reader{order: order, file: file, rest: content[headerSize:]}
	for len(r.rest) > 0 {
		offset := len(content) - len(r.rest)
		if len(r.rest) < 8 && len(bytes.Trim(r.rest, "\x00")) == 0 {
			break
		}
		e, err := r.next(true)
		if err != nil {
			return nil, fmt.Errorf("%s: at byte %d: %w", file, offset, err)
		}
		p := packed{order: order, body: e.body, offset: offset, file: file}
		begin := e.body
		switch e.kind {
		case miCOMPRESSED:
			p.compressed = true
			kind, body, err := p.decompressBeginning()
			if err != nil {
				return nil, fmt.Errorf("%s: at byte %d: a compressed variable: %w", file, offset, err)
			}
			if begin = body; kind != miMATRIX {
				continue
			}
		case miMATRIX:
		default:
			continue
		}
		if len(begin) == 0 { // an empty matrix may have no more than its tag
			continue
		}
		if p.variable, err = (&reader{order: order, file: file, rest: begin}).describe(); err != nil {
			return nil, fmt.Errorf("%s: at byte %d: %w", file, offset, err)
		}
		if p.name != "" {
			found = append(found, p)
		}
	}
	return found, nil
}

// decompressBeginning returns the type of a compressed element, and the first bytes of its content.
func (p packed) decompressBeginning() (kind uint32, body []byte, err error) {
	z, err := zlib.NewReader(bytes.NewReader(p.body))
	if err != nil {
		return 0, nil, err
	}
	defer z.Close()
	begin, err := io.ReadAll(io.LimitReader(z, beginning))
	if err != nil {
		return 0, nil, err
	}
	r := reader{order: p.order, rest: begin}
	e, err := r.next(false)
	return e.kind, e.body, err
}

// content returns that of the variable, decompressed.
func (p packed) content(in source.Input) ([]byte, error) {
	if !p.compressed {
		return p.body, nil
	}
	body, err := p.decompress(in)
	if err != nil {
		return nil, fmt.Errorf("%s: variable %s: %w", p.file, p.name, err)
	}
	return body, nil
}

func (p packed) decompress(in source.Input) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(p.body))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	tag := make([]byte, 8)
	if _, err := io.ReadFull(z, tag); err != nil {
		return nil, err
	}
	_, size, start, err := reader{order: p.order}.tag(tag)
	if err != nil {
		return nil, err
	}
	if start == 4 {
		return tag[start : start+size], nil
	}
	if err := allow(in, int64(size), p.file, p.name); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if n, err := io.Copy(&body, io.LimitReader(z, int64(size))); err != nil {
		return nil, err
	} else if n < int64(size) {
		return nil, fmt.Errorf("%d of %d bytes, the rest is missing", n, size)
	}
	if _, err := io.Copy(io.Discard, io.LimitReader(z, 16)); err != nil { // the checksum at the end
		return nil, err
	}
	return body.Bytes(), nil
}

// allow memory for a variable, where there is anybody to ask.
func allow(in source.Input, bytes int64, file, name string) error {
	if in == nil {
		return nil
	}
	return source.Allow(in, bytes, file, "variable %s", name)
}
