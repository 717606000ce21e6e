package compiled

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// A compiled file is a header of 64 bytes, a table of sections, and the sections, each beginning at a multiple of 64 (a
// cache line, and more than any number needs). All numbers are little-endian.
//
//	 0  magic     "tenfold\n"
//	 8  version   uint32, of this layout and of the order of sections (walk.go)
//	12  sections  uint32, entries of the table
//	16  length    uint64, of the whole file
//	24  digest    32 bytes, of the data set
//	56  checksum  uint32, CRC-32C of all that follows the header
//	60  header    uint32, CRC-32C of the 60 bytes before
//	64  table     offset and length of each section, uint64 each; the length of a nil slice is the largest number
const (
	magic      = "tenfold\n"
	version    = 10
	headerSize = 64
	entrySize  = 16
	alignment  = 64
	isNil      = math.MaxUint64
)

type header struct {
	Magic    [8]byte
	Version  uint32
	Sections uint32
	Length   uint64
	Digest   [32]byte
	Checksum uint32
	Header   uint32
}

var le = binary.LittleEndian

func castagnoliTable() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func alignUp(n uint64) uint64 { return (n + alignment - 1) / alignment * alignment }

// writeSections writes a compiled file.
func writeSections(w io.Writer, digest string, sections [][]byte) error {
	table, length := tableOf(sections)
	h := header{Version: version, Sections: uint32(len(sections)), Length: length}
	copy(h.Magic[:], magic)
	if n, err := hex.Decode(h.Digest[:], []byte(digest)); err != nil || n != len(h.Digest) {
		return fmt.Errorf("digest %q is not 64 hexadecimal digits", digest)
	}
	check := crc32.New(castagnoliTable())
	if err := writeBody(check, table, sections); err != nil {
		return err
	}
	h.Checksum = check.Sum32()
	head := make([]byte, 0, headerSize)
	head, err := binary.Append(head, le, h)
	if err != nil {
		return err
	}
	le.PutUint32(head[60:], crc32.Checksum(head[:60], castagnoliTable()))
	if _, err := w.Write(head); err != nil {
		return err
	}
	return writeBody(w, table, sections)
}

func tableOf(sections [][]byte) (table []byte, length uint64) {
	length = headerSize + uint64(len(sections))*entrySize
	for _, s := range sections {
		size := uint64(len(s))
		if s == nil {
			size = isNil
		}
		length = alignUp(length)
		table = le.AppendUint64(table, length)
		table = le.AppendUint64(table, size)
		length += uint64(len(s))
	}
	return table, length
}

func writeBody(w io.Writer, table []byte, sections [][]byte) error {
	position := headerSize + uint64(len(table))
	if _, err := w.Write(table); err != nil {
		return err
	}
	for _, s := range sections {
		pad := alignUp(position) - position
		if _, err := w.Write(make([]byte, pad)); err != nil {
			return err
		}
		if _, err := w.Write(s); err != nil {
			return err
		}
		position += pad + uint64(len(s))
	}
	return nil
}

// readSections checks a compiled file and returns its sections, which share its memory. O(size) for the checksum, at
// the speed of memory. Errors say how the file is damaged.
func readSections(file []byte, digest string) ([][]byte, error) {
	var h header
	if len(file) < headerSize {
		return nil, fmt.Errorf("%d bytes, expected a header of %d", len(file), headerSize)
	}
	if _, err := binary.Decode(file[:headerSize], le, &h); err != nil {
		return nil, err
	}
	switch {
	case string(h.Magic[:]) != magic || h.Header != crc32.Checksum(file[:60], castagnoliTable()):
		return nil, errors.New("the header is damaged")
	case h.Version != version:
		return nil, fmt.Errorf("layout version %d, expected %d", h.Version, version)
	case h.Length != uint64(len(file)):
		return nil, fmt.Errorf("%d bytes, expected %d", len(file), h.Length)
	case hex.EncodeToString(h.Digest[:]) != digest:
		return nil, fmt.Errorf("it holds data set %x, expected %s", h.Digest, digest)
	case h.Checksum != crc32.Checksum(file[headerSize:], castagnoliTable()):
		return nil, errors.New("the checksum does not match")
	}
	return cutSections(file, h.Sections)
}

// cutSections returns the n sections of a file. It trusts nothing in the file.
func cutSections(file []byte, n uint32) ([][]byte, error) {
	if uint64(n) > uint64(len(file)-headerSize)/entrySize {
		return nil, fmt.Errorf("a table of %d sections is longer than the file", n)
	}
	sections := make([][]byte, n)
	for k := range sections {
		entry := file[headerSize+k*entrySize:]
		start, size := le.Uint64(entry), le.Uint64(entry[8:])
		if size == isNil {
			continue
		}
		if start%alignment != 0 || start > uint64(len(file)) || size > uint64(len(file))-start {
			return nil, fmt.Errorf("section %d: %d bytes at %d, outside the file of %d", k, size, start, len(file))
		}
		sections[k] = file[start : start+size : start+size]
	}
	return sections, nil
}
