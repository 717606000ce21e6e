package tabular

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"tenfold/io/source"
)

// written is a cell of a text file.
type written struct {
	as    string
	comma bool // before decimals
}

func (w *written) missing() bool           { return isMissing(w.as) }
func (w *written) number() (float64, bool) { return ParseNumber(strings.TrimSpace(w.as), w.comma) }
func (w *written) text() string            { return w.as }

// ParseNumber reads a number whose decimals follow a point, or a comma: then a point is no part of it.
func ParseNumber(text string, comma bool) (float64, bool) {
	if comma {
		if strings.Contains(text, ".") {
			return 0, false
		}
		text = strings.Replace(text, ",", ".", 1)
	}
	return source.ParseNumber(text)
}

// scanRows reads a file row by row. Names are trimmed of blanks, numbers too; other cells are as they stand.
func (t Text) scanRows(ctx context.Context, file string, content []byte, bind func([]string) ([]sink, error)) (rows int, err error) {
	if content, err = source.Decode(content, t.Encoding, file); err != nil {
		return 0, err
	}
	r := t.newReader(content)
	record, err := r.Read()
	if err == io.EOF {
		return 0, fmt.Errorf("%s: the file is empty, expected a first row with the names of the columns", file)
	}
	if err != nil {
		return 0, source.CSVError(file, err, nil, 0)
	}
	header := numberedNames(len(record))
	if t.Header {
		for k := range record {
			header[k] = strings.TrimSpace(strings.Clone(record[k]))
		}
	}
	sinks, err := bind(header)
	if err != nil {
		return 0, t.hintSeparator(header, err)
	}
	if t.Header {
		record, err = r.Read()
	}
	c := written{comma: t.separator()} // one for all cells: it escapes
	for ; err == nil; record, err = r.Read() {
		rows++
		if rows%(1<<14) == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for k, s := range sinks {
			if s == nil {
				continue
			}
			c.as = record[k]
			if err := s.addCell(&c); err != nil {
				line, column := r.FieldPos(k)
				return 0, fmt.Errorf("%s:%d:%d: column %q: %w%s", file, line, column, header[k], err, alike(err, header[k+1:], sinks[k+1:], record[k+1:]))
			}
		}
	}
	if err != io.EOF {
		return 0, source.CSVError(file, err, record, len(header))
	}
	return rows, ctx.Err()
}

// alike ends an error about a text in a column of numbers: columns behind it in the row that have the same.
func alike(err error, header []string, sinks []sink, record []string) string {
	var text textFound
	if !errors.As(err, &text) {
		return ""
	}
	var names []string
	for k, s := range sinks {
		if s != nil && errors.As(s.addCell(&written{as: record[k]}), &text) {
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
	if content, err = source.Decode(content, t.Encoding, file); err != nil {
		return 0, err
	}
	header, err := t.firstCells(file, content)
	if err != nil {
		return 0, err
	}
	sinks, err := bind(header)
	if err != nil {
		return 0, err
	}
	r := t.newReader(content)
	c := written{comma: t.separator()} // one for all cells: it escapes
	for k, s := range sinks {
		record, err := r.Read()
		if err != nil {
			return 0, source.CSVError(file, err, record, rows+1)
		}
		if k%64 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for at, text := range record[1:] {
			if rows = at + 1; s == nil {
				continue
			}
			c.as = text
			if err := s.addCell(&c); err != nil {
				line, column := r.FieldPos(at + 1)
				return 0, fmt.Errorf("%s:%d:%d: %q of the row of data number %d: %w", file, line, column, header[k], at+1, err)
			}
		}
	}
	return rows, nil
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
	r := t.newReader(content)
	r.FieldsPerRecord = -1
	var names []string
	for {
		record, err := r.Read()
		switch {
		case err == io.EOF && len(names) == 0:
			return nil, fmt.Errorf("%s: the file is empty, expected a first row with the ids of the rows of data", file)
		case err == io.EOF:
			return names, nil
		case err != nil:
			return nil, source.CSVError(file, err, nil, 0)
		}
		names = append(names, strings.TrimSpace(strings.Clone(record[0])))
		if len(names) == 1 {
			names[0] = cmp.Or(names[0], "id")
		}
	}
}

func (t Text) newReader(content []byte) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(content))
	r.Comma, _ = utf8.DecodeRuneInString(t.Delimiter)
	r.ReuseRecord = true
	return r
}

func (t Text) separator() bool { return t.Decimal == "," }

// numberedNames names n columns by number.
func numberedNames(n int) []string {
	names := make([]string, n)
	for k := range names {
		names[k] = strconv.Itoa(k + 1)
	}
	return names
}
