package results

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// run is a range of adjacent rows that agree in some columns.
type run[R any] struct {
	row R   // with these columns set
	to  int // where the run ends in its row group
}

// readRuns reads columns of a row group as runs of equal values. The key columns of the long tables have few runs, so this is much
// faster than decodeGroup. Columns are checked as there.
func readRuns[R any](f *parquet.File, group int, columns []column[R]) ([]run[R], error) {
	g := f.RowGroups()[group]
	if g.NumRows() == 0 {
		return nil, nil
	}
	out := []run[R]{{to: int(g.NumRows())}}
	for _, c := range columns {
		stored := f.Root().Column(c.name)
		if stored == nil {
			for i := range out {
				c.set(&out[i].row, parquet.NullValue(), nil)
			}
			continue
		}
		values, err := c.valueRuns(g, stored)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.name, err)
		}
		out = splitRuns(out, values, c)
	}
	return out, nil
}

// Glance returns the footer of results.parquet, as ReadFooter reads it, and, for each of the named columns, the number of rows with
// each text, much faster than by reading the rows; nil if the file has no such column.
func Glance(path string, names ...string) (footer *Tables, counts []map[string]int, err error) {
	file, err := openTable(path)
	if err != nil {
		return nil, nil, err
	}
	footer = new(Tables)
	err = file.protect(func() error {
		if err := errors.Join(footer.readFooter(file), file.verifyChecksum()); err != nil {
			return err
		}
		for _, name := range names {
			n, err := countTexts(file.File, name)
			if err != nil {
				return err
			}
			counts = append(counts, n)
		}
		return nil
	})
	return footer, counts, errors.Join(err, file.close())
}

// countTexts counts the rows of each text of a column.
func countTexts(f *parquet.File, name string) (map[string]int, error) {
	out := map[string]int{}
	if f.Root().Column(name) == nil {
		return out, nil
	}
	columns := []column[string]{optionalText(name, func(s *string) *string { return s })}
	for g := range f.RowGroups() {
		values, err := readRuns(f, g, columns)
		if err != nil {
			return nil, err
		}
		from := 0
		for _, v := range values {
			out[v.row] += v.to - from
			from = v.to
		}
	}
	return out, nil
}

// splitRuns divides runs where the values of one more column change. Both must end at the same row.
func splitRuns[R any](rows []run[R], values []run[parquet.Value], c column[R]) []run[R] {
	var out []run[R]
	known := new(texts)
	for v, i := 0, 0; i < len(rows); {
		r := rows[i]
		c.set(&r.row, values[v].row, known)
		r.to = min(r.to, values[v].to)
		out = append(out, r)
		if r.to == rows[i].to {
			i++
		}
		if r.to == values[v].to {
			v++
		}
	}
	return out
}

// valueRuns returns the runs of equal values of one column.
func (c column[R]) valueRuns(g parquet.RowGroup, stored *parquet.Column) ([]run[parquet.Value], error) {
	if err := c.checkType(stored); err != nil {
		return nil, err
	}
	pages := g.ColumnChunks()[stored.Index()].Pages()
	defer pages.Close()
	var out []run[parquet.Value]
	at := 0
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = pageRuns(page, func(v parquet.Value, length int) {
				at += length
				if last := len(out) - 1; last >= 0 && parquet.DeepEqual(out[last].row, v) {
					out[last].to = at
				} else {
					out = append(out, run[parquet.Value]{v.Clone(), at})
				}
			})
			parquet.Release(page)
		}
		if err != nil {
			return nil, err
		}
	}
	if int64(at) != g.NumRows() {
		return nil, fmt.Errorf("it has %d values in a group of %d rows", at, g.NumRows())
	}
	return out, nil
}

// pageRuns yields the values of a page: runs of equal 32-bit numbers (values, or indices of a dictionary) at once, all others one
// by one.
func pageRuns(page parquet.Page, yield func(v parquet.Value, length int)) error {
	data, dictionary := page.Data(), page.Dictionary()
	if data.Kind() != encoding.Int32 || page.NumNulls() > 0 {
		return eachValue(page, make([]parquet.Value, batchValues), func(v parquet.Value) error { yield(v, 1); return nil })
	}
	numbers := data.Int32()
	for from := 0; from < len(numbers); {
		to := from + 1
		for to < len(numbers) && numbers[to] == numbers[from] {
			to++
		}
		v := parquet.Int32Value(numbers[from])
		if dictionary != nil {
			v = dictionary.Index(numbers[from])
		}
		yield(v, to-from)
		from = to
	}
	return nil
}
