package sealed

import (
	"bufio"
	"os"

	"tenfold/io/flat"
)

// Writer writes a file row by row. A nil Writer has no footer, and can be closed.
type Writer[R any] struct {
	*flat.Writer[R]
	buffer *bufio.Writer
	file   *os.File
}

// NewWriter begins a table of the given name in an empty file.
func NewWriter[R any](file *os.File, name string, columns []Column[R]) *Writer[R] {
	b := bufio.NewWriterSize(file, 1<<16)
	all := make([]flat.Column[R], len(columns))
	for k, c := range columns {
		all[k] = flat.Column[R]{Name: c.Name, Node: c.Node, Get: c.Get}
	}
	return &Writer[R]{flat.NewWriter(b, name, all), b, file}
}

// SetFooter sets entries of the file's footer, names and values.
func (t *Writer[R]) SetFooter(entries [][2]string) {
	if t == nil {
		return
	}
	for _, e := range entries {
		t.Stamp(e[0], e[1])
	}
}

// Close completes the table with its checksums, and leaves the file open.
func (t *Writer[R]) Close() error {
	if t == nil {
		return nil
	}
	t.Stamp(footerChecksum, unsealed)
	if err := t.Writer.Close(); err != nil {
		return err
	}
	if err := t.buffer.Flush(); err != nil {
		return err
	}
	return writeChecksums(t.file)
}
