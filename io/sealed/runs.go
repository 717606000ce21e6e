package sealed

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// Run is a range of adjacent rows that agree in some columns.
type Run[R any] struct {
	Row R   // with these columns set
	End int // where the run ends in its row group
}

// ReadRuns reads columns of a row group as runs of equal values. The key columns of the long tables have few runs, so this is much
// faster than DecodeGroup. Columns are checked as there.
func ReadRuns[R any](t *Table, group int, columns []Column[R]) ([]Run[R], error) {
	g := t.RowGroups()[group]
	if g.NumRows() == 0 {
		return nil, nil
	}
	out := []Run[R]{{End: int(g.NumRows())}}
	for _, c := range columns {
		stored := t.Root().Column(c.Name)
		if stored == nil {
			for i := range out {
				c.Set(&out[i].Row, parquet.NullValue(), nil)
			}
			continue
		}
		values, err := c.valueRuns(g, stored)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		out = splitRuns(out, values, c)
	}
	return out, nil
}

// CountTexts counts the rows of each text of a column.
func (t *Table) CountTexts(name string) (map[string]int, error) {
	out := map[string]int{}
	if t.Root().Column(name) == nil {
		return out, nil
	}
	columns := []Column[string]{OptionalText(name, func(s *string) *string { return s })}
	for g := range t.RowGroups() {
		values, err := ReadRuns(t, g, columns)
		if err != nil {
			return nil, err
		}
		from := 0
		for _, v := range values {
			out[v.Row] += v.End - from
			from = v.End
		}
	}
	return out, nil
}

// splitRuns divides runs where the values of one more column change. Both must end at the same row.
func splitRuns[R any](rows []Run[R], values []Run[parquet.Value], c Column[R]) []Run[R] {
	var out []Run[R]
	known := new(Texts)
	for v, i := 0, 0; i < len(rows); {
		r := rows[i]
		c.Set(&r.Row, values[v].Row, known)
		r.End = min(r.End, values[v].End)
		out = append(out, r)
		if r.End == rows[i].End {
			i++
		}
		if r.End == values[v].End {
			v++
		}
	}
	return out
}

// valueRuns returns the runs of equal values of one column.
func (c Column[R]) valueRuns(g parquet.RowGroup, stored *parquet.Column) ([]Run[parquet.Value], error) {
	if err := c.checkType(stored); err != nil {
		return nil, err
	}
	pages := g.ColumnChunks()[stored.Index()].Pages()
	defer pages.Close()
	var out []Run[parquet.Value]
	row := 0
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = pageRuns(page, func(v parquet.Value, length int) {
				row += length
				if last := len(out) - 1; last >= 0 && parquet.DeepEqual(out[last].Row, v) {
					out[last].End = row
				} else {
					out = append(out, Run[parquet.Value]{v.Clone(), row})
				}
			})
			parquet.Release(page)
		}
		if err != nil {
			return nil, err
		}
	}
	if int64(row) != g.NumRows() {
		return nil, fmt.Errorf("it has %d values in a group of %d rows", row, g.NumRows())
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
