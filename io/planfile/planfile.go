// Package planfile reads and writes plan.json, the frozen plan in the folder of a run, as a text with a checksum. What a plan says is
// package plan's. Planned holds what an experiment file plans, before there is a plan, for sections that others own.
package planfile

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"

	"tenfold/io/files"
)

// Name is the frozen plan, as JSON whose first entry is a checksum of the text without it.
const Name = "plan.json"

// maxBytes is the maximum size of a plan, in bytes: some millions of fits.
const maxBytes = 1 << 31

const (
	open      = "{\n"
	beforeSum = open + " \"checksum\": \"crc32c:"
	end       = "\",\n"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Write stores a plan in a run's folder atomically. text is an object as json.MarshalIndent writes it.
func Write(dir string, text []byte) error {
	rest, ok := bytes.CutPrefix(text, []byte(open))
	if !ok {
		return errors.New("a plan that is no object with a line for each entry")
	}
	return files.Root(dir).Replace(Name, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%08x%s%s", beforeSum, crc32.Checksum(text, castagnoli), end, rest)
		return err
	})
}

// Read returns the text of the plan in a run's folder, without its checksum, which it must match. The error is fs.ErrNotExist if
// there is none.
func Read(dir string) (text []byte, err error) {
	b, err := files.Root(dir).ReadFile(Name, maxBytes)
	if err != nil {
		return nil, err
	}
	const digits = 8
	rest, sealed := bytes.CutPrefix(b, []byte(beforeSum))
	if !sealed {
		return nil, fmt.Errorf("%s: damaged: it has no checksum; tenfold run writes it anew, and fits nothing again", filepath.Join(dir, Name))
	}
	wrong := fmt.Errorf("%s: damaged: it does not match its checksum; tenfold run writes it anew, and fits nothing again", filepath.Join(dir, Name))
	if len(rest) < digits+len(end) || string(rest[digits:][:len(end)]) != end {
		return nil, wrong
	}
	text = b[len(b)-len(rest)+digits+len(end)-len(open):]
	copy(text, open)
	if fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)) != string(rest[:digits]) { // as it is written: a digit in capitals is a bit that changed
		return nil, wrong
	}
	return text, nil
}
