package sanitize

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Fprintf writes as fmt.Fprintf does, for names: each text, error and Stringer among args is shown as Line shows it, so that only the format
// begins lines. %q quotes what it is given.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	if false {
		_ = fmt.Sprintf(format, args...) // tells vet to check calls as those of fmt
	}
	shown := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			shown[i] = name(a)
		case error:
			shown[i] = name(a.Error())
		case fmt.Stringer:
			shown[i] = name(a.String())
		default:
			shown[i] = a
		}
	}
	return fmt.Fprintf(w, format, shown...)
}

// Sprintf returns what Fprintf writes.
func Sprintf(format string, args ...any) string {
	var b strings.Builder
	Fprintf(&b, format, args...)
	return b.String()
}

// name is a text that is shown on one line.
type name string

// Format writes the name by a verb of package fmt.
func (n name) Format(f fmt.State, verb rune) {
	text := string(n)
	if verb != 'q' {
		text = Line(text)
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), text)
}

// CSV writes records (RFC 4180) that a spreadsheet takes for texts and numbers.
type CSV struct {
	out         *csv.Writer
	raw, escape bool
}

// NewCSV returns a buffered writer of CSV to w. Unless raw is set, Cell is what it writes of each field. If w is a Writer of this
// package, line feeds in fields are shown, too.
func NewCSV(w io.Writer, raw bool) CSV {
	_, escape := w.(*writer)
	return CSV{csv.NewWriter(bufio.NewWriterSize(w, 1<<16)), raw, escape}
}

// NewTSV returns a writer like that of NewCSV, with tabs between fields.
func NewTSV(w io.Writer, raw bool) CSV {
	c := NewCSV(w, raw)
	c.out.Comma = '\t'
	return c
}

// Write writes a record.
func (c CSV) Write(record []string) error {
	if c.escape || !c.raw && slices.ContainsFunc(record, isFormula) {
		record = slices.Clone(record)
		for i := range record {
			if !c.raw {
				record[i] = Cell(record[i])
			}
			if c.escape {
				record[i] = Line(record[i])
			}
		}
	}
	return c.out.Write(record)
}

// Flush writes what is buffered, and returns the first error of writing.
func (c CSV) Flush() error {
	c.out.Flush()
	return c.out.Error()
}

// Cell returns s with an apostrophe before it if spreadsheets would take it for a formula: if it begins with =, +, -, @, a tab or a
// carriage return, and is not a number.
func Cell(s string) string {
	if isFormula(s) {
		return "'" + s
	}
	return s
}

func isFormula(s string) bool {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil
}
