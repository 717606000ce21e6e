package source

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
)

// CSVError says where in a file a row of cells is malformed, and how.
func CSVError(file string, err error) error {
	var p *csv.ParseError
	switch {
	case !errors.As(err, &p):
		return fmt.Errorf("%s: %w", file, err)
	case p.Err == csv.ErrBareQuote:
		return fmt.Errorf(`%s:%d:%d: a quote (") inside a cell that does not begin with one; such a cell is quoted, and its quotes are doubled`, file, p.Line, p.Column)
	case p.Err == csv.ErrQuote && p.StartLine != p.Line:
		return fmt.Errorf(`%s:%d:%d: a quoted cell of the row that begins on line %d does not end`, file, p.Line, p.Column, p.StartLine)
	case p.Err == csv.ErrQuote:
		return fmt.Errorf(`%s:%d:%d: a quoted cell that does not end, or has text after its closing quote`, file, p.Line, p.Column)
	}
	return fmt.Errorf("%s:%d:%d: %w", file, p.Line, p.Column, p.Err)
}

// CheckText refuses content that is no text: what it is, by its first bytes.
func CheckText(file string, content []byte) error {
	begin := content[:min(len(content), 1<<10)]
	switch {
	case bytes.HasPrefix(begin, []byte("PK\x03\x04")):
		return fmt.Errorf("%s: a zip archive; say which of its files with {path: ..., member: ...}", file)
	case bytes.HasPrefix(begin, []byte("PAR1")):
		return fmt.Errorf("%s: a Parquet file; say format: parquet", file)
	case bytes.IndexByte(begin, 0) >= 0:
		return fmt.Errorf("%s: no text: it has a zero byte among its first %d", file, len(begin))
	}
	return nil
}
