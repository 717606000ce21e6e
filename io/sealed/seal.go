// Package sealed reads and writes Parquet files that notice damage: flat tables with checksums in their footers (seal.go), whose rows
// are structs with a Column for each of their columns (column.go, where to begin). A Table is read by whole row groups (table.go),
// by lines of a group (group.go), by runs of equal values (runs.go) or as texts (records.go); a Writer writes one row by row
// (writer.go). What tables a run has, and what their columns mean, is the caller's: package results.
package sealed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strconv"
)

// Files have two checksums (CRC-32C) in an entry of their footer: of all bytes before the footer, and of the footer with the size
// after it. The Parquet library checks the contents of pages, but neither their headers nor the footer, where a wrong bit changes
// numbers.
const (
	footerChecksum = "tenfold.checksum"
	unsealed       = "crc32c:00000000:00000000"
	// sealMark is what precedes the digits in a footer, as Parquet encodes an entry: the value is a text (0x18) of 0x18 bytes.
	sealMark = footerChecksum + "\x18\x18crc32c:"
	magic    = "PAR1"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// writeChecksums writes the checksums into a complete file, in place of the entry that marks it as unsealed.
func writeChecksums(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	footer, offset, err := footerOf(f, info.Size())
	if err != nil {
		return err
	}
	mark := bytes.LastIndex(footer, []byte(sealMark))
	if mark < 0 {
		return errors.New("its footer has no place for checksums")
	}
	digits := footer[mark+len(sealMark):][:len(unsealed)-len("crc32c:")]
	body, err := sumOf(f, offset)
	if err != nil {
		return err
	}
	copy(digits, fmt.Sprintf("%08x:%08x", body, 0))
	copy(digits[9:], fmt.Sprintf("%08x", crc32.Checksum(footer, castagnoli)))
	_, err = f.WriteAt(digits, offset+int64(mark+len(sealMark)))
	return err
}

// footerOf reads the footer of a file, with the size and the magic after it, and returns where it begins. Sizes that damage made
// too large are rejected before memory is allocated.
func footerOf(r io.ReaderAt, size int64) (footer []byte, offset int64, err error) {
	var tail [4 + len(magic)]byte // the footer's size, and the magic again
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil || string(tail[4:]) != magic {
		return nil, 0, errors.New("it does not end as a Parquet file: cut short, or another format")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	offset = size - n - int64(len(tail))
	if offset < int64(len(magic)) {
		return nil, 0, fmt.Errorf("damaged: a footer of %d bytes in a file of %d", n, size)
	}
	footer = make([]byte, size-offset)
	_, err = r.ReadAt(footer, offset)
	return footer, offset, err
}

// sumOf returns the checksum of the first bytes of a file.
func sumOf(r io.ReaderAt, size int64) (uint32, error) {
	h := crc32.New(castagnoli)
	_, err := io.CopyBuffer(h, io.NewSectionReader(r, 0, size), make([]byte, 1<<18))
	return h.Sum32(), err
}

// sums holds the checksums that a file carries.
type sums struct {
	body uint32 // of all bytes before the footer
	size int64  // number of these bytes
}

// sumsOf reads the checksums in a footer, which must match its own. A footer without any is that of another program.
func sumsOf(footer []byte, offset int64) (sums, error) {
	wrong := errors.New("damaged: its footer does not match its checksum")
	mark := bytes.LastIndex(footer, []byte(sealMark))
	if mark < 0 {
		return sums{}, fmt.Errorf("not a result file of tenfold, or damaged: its footer has no %s", footerChecksum)
	}
	digits := footer[mark+len(sealMark):]
	if len(digits) < len("00000000:00000000") || digits[8] != ':' {
		return sums{}, wrong
	}
	body, err := strconv.ParseUint(string(digits[:8]), 16, 32)
	sum := string(digits[9:17])
	copy(digits[9:], "00000000")
	if err != nil || fmt.Sprintf("%08x", crc32.Checksum(footer, castagnoli)) != sum {
		return sums{}, wrong
	}
	return sums{uint32(body), offset}, nil
}

// VerifyChecksum compares all bytes before the footer with their checksum.
func (t *Table) VerifyChecksum() error {
	if t.compared {
		return nil
	}
	body, err := sumOf(t.reader, t.size)
	if err == nil && body != t.body {
		err = errors.New("damaged: it does not match its checksum")
	}
	t.compared = err == nil
	return err
}

// CheckColumns returns an error if a file has unknown columns or lacks known ones.
func (t *Table) CheckColumns(names []string) error {
	var stored []string
	for _, c := range t.Root().Columns() {
		stored = append(stored, c.Name())
		if !slices.Contains(names, c.Name()) {
			return fmt.Errorf("column %s is not known", c.Name())
		}
	}
	for _, name := range names {
		if !slices.Contains(stored, name) {
			return fmt.Errorf("there is no column %s", name)
		}
	}
	return nil
}

// Names returns the names of the columns.
func Names[R any](columns []Column[R]) (names []string) {
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}
