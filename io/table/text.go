package table

import (
	"bytes"
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
type written string

func (w *written) missing() bool           { return isMissing(string(*w)) }
func (w *written) number() (float64, bool) { return source.ParseNumber(strings.TrimSpace(string(*w))) }
func (w *written) text() string            { return string(*w) }

// scan reads a file row by row. Names are trimmed of blanks, numbers too; other cells are as they stand.
func (t Text) scan(ctx context.Context, file string, content []byte, bind func([]string) ([]sink, error)) (rows int, err error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff"))))
	r.Comma, _ = utf8.DecodeRuneInString(t.Delimiter)
	r.ReuseRecord = true
	record, err := r.Read()
	if err == io.EOF {
		return 0, fmt.Errorf("%s: the file is empty, expected a first row with the names of the columns", file)
	}
	if err != nil {
		return 0, place(file, err)
	}
	header := counted(len(record))
	if t.Header {
		for k := range record {
			header[k] = strings.TrimSpace(strings.Clone(record[k]))
		}
	}
	sinks, err := bind(header)
	if err != nil {
		return 0, err
	}
	if t.Header {
		record, err = r.Read()
	}
	for ; err == nil; record, err = r.Read() {
		rows++
		if rows%(1<<14) == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for k, s := range sinks {
			if s == nil {
				continue
			}
			c := written(record[k])
			if err := s.add(&c); err != nil {
				line, column := r.FieldPos(k)
				return 0, fmt.Errorf("%s:%d:%d: column %q: %w", file, line, column, header[k], err)
			}
		}
	}
	if errors.Is(err, csv.ErrFieldCount) {
		line, _ := r.FieldPos(0)
		return 0, fmt.Errorf("%s:%d: the row has %d cells, expected %d as in the first row", file, line, len(record), len(header))
	}
	if err != io.EOF {
		return 0, place(file, err)
	}
	return rows, ctx.Err()
}

// place says where in the file a row is malformed.
func place(file string, err error) error {
	var p *csv.ParseError
	if !errors.As(err, &p) {
		return fmt.Errorf("%s: %w", file, err)
	}
	return fmt.Errorf("%s:%d:%d: %w", file, p.Line, p.Column, p.Err)
}

// counted names n columns by number.
func counted(n int) []string {
	names := make([]string, n)
	for k := range names {
		names[k] = strconv.Itoa(k + 1)
	}
	return names
}
