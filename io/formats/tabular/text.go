package tabular

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// written is a cell of a text file.
type written struct {
	as      string
	dialect rawtext.Dialect
	line    int // 0 if rows are no lines
}

func (w *written) missing() bool           { return strings.TrimSpace(w.as) == "" }
func (w *written) number() (float64, bool) { return w.dialect.Number(w.as) }
func (w *written) text() string            { return w.as }

// scanRows reads a file row by row. Names are trimmed of blanks, numbers too; other cells are as they stand.
func (t Text) scanRows(ctx context.Context, file string, content []byte, bind func([]string) ([]sink, error)) (rows int, err error) {
	if content, err = rawtext.Decode(content, t.Encoding, file); err != nil {
		return 0, err
	}
	rows, _, err = t.scanText(ctx, file, content, bind)
	return rows, err
}

// scanText is scanRows of a text in UTF-8. It also returns the number of rows that end in a delimiter which the first does not have.
func (t Text) scanText(ctx context.Context, file string, text []byte, bind func([]string) ([]sink, error)) (rows, trailing int, err error) {
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
	c := written{dialect: t.Dialect} // one for all cells: it escapes
	for ; err == nil; record, err = r.Next() {
		rows++
		if rows%(1<<14) == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		c.line = r.Line()
		for k, s := range sinks {
			if s == nil {
				continue
			}
			c.as = record[k]
			if err := s.addCell(&c); err != nil {
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
func (t Text) alike(err error, header []string, sinks []sink, record []string) string {
	var text textFound
	if !errors.As(err, &text) {
		return ""
	}
	var names []string
	for k, s := range sinks {
		if s != nil && errors.As(s.addCell(&written{as: record[k], dialect: t.Dialect}), &text) {
			names = append(names, header[k])
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (so do " + source.Abridge(names) + ")"
}

// scanSideways reads a file whose rows are columns of data and whose first row has the ids of the rows of data, twice: for
// the names, then for the cells.
func (t Text) scanSideways(ctx context.Context, file string, content []byte, bind func([]string) ([]sink, error)) (rows int, err error) {
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
	cells, annotations, err := t.Columns.samplesAmong(file, header, samples)
	if err != nil {
		return 0, err
	}
	t.beside.Found += len(annotations)
	t.beside.Role("annotation", annotations...)
	sinks, err := bind(header)
	if err != nil {
		return 0, err
	}
	r := t.Cells(content, file)
	c := written{dialect: t.Dialect} // one for all cells: it escapes
	for k, s := range sinks {
		record, err := r.Next()
		if err != nil {
			return 0, withQuoteHint(err)
		}
		if k%64 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for _, at := range cells {
			if s == nil {
				break
			}
			c.as = record[at]
			if err := s.addCell(&c); err != nil {
				return 0, fmt.Errorf("%s: %q of the sample %q: %w; if the column is no sample, name it in columns.annotations", r.Place(at), header[k], samples[at], err)
			}
		}
	}
	return len(cells), nil
}

// samplesAmong returns the columns of a table on its side that are samples, all after the first but the annotations, and the names of those.
func (c Columns) samplesAmong(file string, names, first []string) (cells []int, annotations []string, err error) {
	for _, name := range c.Drop {
		if slices.Contains(first[1:], name) && !slices.Contains(names, name) {
			return nil, nil, param.Errorf("columns.drop", "%q is no row of %s, but one of its columns: name it in columns.annotations", name, file)
		}
	}
	found := make([]bool, len(c.Annotations))
	for at := 1; at < len(first); at++ {
		annotation := false
		for k, pattern := range c.Annotations {
			if data.Matches(pattern, strings.TrimSpace(first[at])) {
				annotation, found[k] = true, true
			}
		}
		if annotation {
			annotations = append(annotations, first[at])
		} else {
			cells = append(cells, at)
		}
	}
	if k := slices.Index(found, false); k >= 0 {
		return nil, nil, param.Errorf("columns.annotations", "%s has no column %q%s", file, c.Annotations[k], suggest.DidYouMean(c.Annotations[k], first[1:]))
	}
	return cells, annotations, nil
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

// firstCells are the first cell of every row.
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
