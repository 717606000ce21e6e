package source

import (
	"encoding/csv"
	"errors"
	"fmt"
)

// CSVError returns an error that says where in a file a row of cells is malformed, and how. For a row with too few or too many
// cells, row holds its cells and first the number of cells of the first row.
func CSVError(file string, err error, row []string, first int) error {
	var p *csv.ParseError
	switch {
	case !errors.As(err, &p):
		return fmt.Errorf("%s: %w", file, err)
	case p.Err == csv.ErrFieldCount:
		return fmt.Errorf("%s:%d: the row has %d cells, expected %d as in the first row", file, p.Line, len(row), first)
	case p.Err == csv.ErrBareQuote:
		return fmt.Errorf(`%s:%d:%d: a quote (") inside a cell that does not begin with one; such a cell is quoted, and its quotes are doubled`, file, p.Line, p.Column)
	case p.Err == csv.ErrQuote && p.StartLine != p.Line:
		return fmt.Errorf(`%s:%d:%d: a quoted cell of the row that begins on line %d does not end`, file, p.Line, p.Column, p.StartLine)
	case p.Err == csv.ErrQuote:
		return fmt.Errorf(`%s:%d:%d: a quoted cell that does not end, or has text after its closing quote`, file, p.Line, p.Column)
	}
	return fmt.Errorf("%s:%d:%d: %w", file, p.Line, p.Column, p.Err)
}
