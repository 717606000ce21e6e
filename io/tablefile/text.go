package tablefile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Text says how a table is written as text.
type Text struct {
	rawtext.Dialect `yaml:",inline"`
	Header          bool     `yaml:"header" doc:"the first row names the columns; without it they are named by names, or 1, 2, ..."`
	Names           []string `yaml:"names" doc:"names of the columns of files without a header"`
}

// Validate checks the options by themselves.
func (t Text) Validate() error {
	return errors.Join(checkNames(t.Header, t.Names), t.Dialect.Validate())
}

// Written is a cell of a text file.
type Written struct {
	As      string
	Dialect rawtext.Dialect
	Line    int // 0 if rows are no lines
}

// Missing reports whether nothing is written but blanks.
func (w *Written) Missing() bool { return strings.TrimSpace(w.As) == "" }

// Number returns the number that is written, as the dialect has it.
func (w *Written) Number() (float64, bool) { return w.Dialect.Number(w.As) }

// Text returns what is written.
func (w *Written) Text() string { return w.As }

// Scan reads a file row by row. Names are trimmed of blanks, numbers too; other cells are as they stand.
func (t Text) Scan(ctx context.Context, file string, content []byte, bind Bind) (rows int, err error) {
	if content, err = rawtext.Decode(content, t.Encoding, file); err != nil {
		return 0, err
	}
	rows, _, err = t.ScanText(ctx, file, content, bind)
	return rows, err
}

// ScanText reads a text in UTF-8, as Scan does. It also returns the number of rows that end in a delimiter which the first does not have.
func (t Text) ScanText(ctx context.Context, file string, text []byte, bind Bind) (rows, trailing int, err error) {
	r := t.Cells(text, file)
	record, err := r.Next()
	if err == io.EOF {
		return 0, 0, fmt.Errorf("%s: the file is empty, expected a first row with the names of the columns", file)
	}
	if err != nil {
		return 0, 0, withQuoteHint(err)
	}
	header, err := namesOf(t.Header, t.Names, file, record)
	if err != nil {
		return 0, 0, err
	}
	sinks, err := bind(header)
	if err != nil {
		return 0, 0, t.hintSeparator(header, err)
	}
	if t.Header {
		record, err = r.Next()
	}
	c := Written{Dialect: t.Dialect} // one for all cells: it escapes
	for ; err == nil; record, err = r.Next() {
		rows++
		if rows%(1<<14) == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		c.Line = r.Line()
		for k, s := range sinks {
			if s == nil {
				continue
			}
			c.As = record[k]
			if err := s.AddCell(&c); err != nil {
				return 0, 0, fmt.Errorf("%s: column %q: %w%s", r.Place(k), header[k], err, t.alike(err, header[k+1:], sinks[k+1:], record[k+1:]))
			}
		}
	}
	if err != io.EOF {
		return 0, 0, withQuoteHint(err)
	}
	return rows, r.Trailing, ctx.Err()
}

// withQuoteHint adds the option that helps to an error about a quote.
func withQuoteHint(err error) error {
	if errors.As(err, new(rawtext.QuoteError)) {
		return fmt.Errorf("%w; where quotes mean nothing, say quote: none", err)
	}
	return err
}

// namesOf returns the names of the columns of a file with this first row.
func namesOf(inFirst bool, given []string, file string, first []string) ([]string, error) {
	header := numberedNames(len(first))
	switch {
	case inFirst:
		for k := range first {
			header[k] = strings.TrimSpace(strings.Clone(first[k]))
		}
	case len(given) > 0 && len(given) != len(first):
		return nil, param.Errorf("names", "there are %d, and the rows of %s have %d cells", len(given), file, len(first))
	case len(given) > 0:
		header = slices.Clone(given)
	}
	return header, nil
}

// alike ends an error about a text in a column of numbers: columns behind it in the row that have the same.
func (t Text) alike(err error, header []string, sinks []Sink, record []string) string {
	var text TextFound
	if !errors.As(err, &text) {
		return ""
	}
	var names []string
	for k, s := range sinks {
		if s != nil && errors.As(s.AddCell(&Written{As: record[k], Dialect: t.Dialect}), &text) {
			names = append(names, header[k])
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (so do " + source.Abridge(names) + ")"
}

// ScanSideways reads a file whose rows are columns of data and whose first row has the ids of the rows of data, twice: for
// the names, then for the cells. choose returns, by place, the columns that are samples.
func (t Text) ScanSideways(ctx context.Context, file string, content []byte, choose func(header, samples []string) ([]int, error), bind Bind) (rows int, err error) {
	if content, err = rawtext.Decode(content, t.Encoding, file); err != nil {
		return 0, err
	}
	header, err := t.firstCells(file, content)
	if err != nil {
		return 0, err
	}
	first, err := t.Cells(content, file).Next()
	if err != nil {
		return 0, withQuoteHint(err)
	}
	samples := slices.Clone(first)
	cells, err := choose(header, samples)
	if err != nil {
		return 0, err
	}
	sinks, err := bind(header)
	if err != nil {
		return 0, err
	}
	r := t.Cells(content, file)
	c := Written{Dialect: t.Dialect} // one for all cells: it escapes
	for k, s := range sinks {
		record, err := r.Next()
		if err != nil {
			return 0, withQuoteHint(err)
		}
		if k%64 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for _, column := range cells {
			if s == nil {
				break
			}
			c.As = record[column]
			if err := s.AddCell(&c); err != nil {
				return 0, fmt.Errorf("%s: %q of the sample %q: %w; if the column is no sample, name it in columns.annotations", r.Place(column), header[k], samples[column], err)
			}
		}
	}
	return len(cells), nil
}

// hintSeparator adds to an error about the columns that the whole first row is one cell, where another sign seems to divide
// it.
func (t Text) hintSeparator(header []string, err error) error {
	if len(header) == 1 {
		for _, sign := range []string{";", "\t", ",", "|"} {
			if sign != t.Delimiter && strings.Contains(header[0], sign) {
				return fmt.Errorf("%w; the first row is one cell: does %q divide it? Then say delimiter: %[2]q", err, sign)
			}
		}
	}
	return err
}

// firstCells returns the first cell of every row.
func (t Text) firstCells(file string, content []byte) ([]string, error) {
	r := t.Cells(content, file)
	var names []string
	for {
		record, err := r.Next()
		switch {
		case err == io.EOF && len(names) == 0:
			return nil, fmt.Errorf("%s: the file is empty, expected a first row with the ids of the rows of data", file)
		case err == io.EOF:
			return names, nil
		case err != nil:
			return nil, withQuoteHint(err)
		}
		if most := rawtext.MostNames(int64(len(content))); len(names) == most {
			return nil, fmt.Errorf("%s:%d: row %d of a table on its side, expected at most %d in a file of %d bytes: rows are columns of the data", file, r.Line(), most+1, most, len(content))
		}
		names = append(names, strings.TrimSpace(strings.Clone(record[0])))
		if len(names) == 1 {
			names[0] = cmp.Or(names[0], "id")
		}
	}
}

// numberedNames names n columns by number.
func numberedNames(n int) []string {
	names := make([]string, n)
	for k := range names {
		names[k] = strconv.Itoa(k + 1)
	}
	return names
}
