package sealed

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// Group is a row group whose pages are in memory, still encoded: lines are decoded on demand, because often only some are needed.
type Group[R any] struct {
	columns []groupColumn[R]
	buf     []parquet.Value
}

type groupColumn[R any] struct {
	Column[R]
	pages []parquet.Page // none if the file lacks the column
	known *Texts
}

// OpenGroup reads the pages of a row group. Columns are checked as in DecodeGroup.
func OpenGroup[R any](t *Table, number int, columns []Column[R]) (*Group[R], error) {
	g := t.RowGroups()[number]
	out := &Group[R]{columns: make([]groupColumn[R], len(columns)), buf: make([]parquet.Value, batchValues)}
	for i, c := range columns {
		out.columns[i] = groupColumn[R]{Column: c, known: new(Texts)}
		stored := t.Root().Column(c.Name)
		if stored == nil {
			continue
		}
		if err := out.columns[i].readPages(g, stored); err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	return out, nil
}

func (c *groupColumn[R]) readPages(g parquet.RowGroup, stored *parquet.Column) error {
	if err := c.checkType(stored); err != nil {
		return err
	}
	pages := g.ColumnChunks()[stored.Index()].Pages()
	defer pages.Close()
	rows := int64(0)
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		c.pages = append(c.pages, page)
		rows += page.NumRows()
	}
	if rows != g.NumRows() {
		return fmt.Errorf("it has %d values in a group of %d rows", rows, g.NumRows())
	}
	return nil
}

// Release frees the pages.
func (g *Group[R]) Release() {
	if g == nil {
		return
	}
	for _, c := range g.columns {
		for _, p := range c.pages {
			parquet.Release(p)
		}
	}
}

// Decode decodes the lines from … to−1 of the group.
func (g *Group[R]) Decode(from, to int) ([]R, error) {
	out := make([]R, to-from)
	return out, g.fillRows(out, from)
}

// fillRows decodes lines of the group, beginning at from, into rows.
func (g *Group[R]) fillRows(rows []R, from int) error {
	for _, c := range g.columns {
		if err := c.fillColumn(rows, from, g.buf); err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	return nil
}

func (c *groupColumn[R]) fillColumn(out []R, from int, buf []parquet.Value) error {
	if len(c.pages) == 0 {
		for i := range out {
			c.Set(&out[i], parquet.NullValue(), c.known)
		}
		return nil
	}
	to := from + len(out)
	n, before := 0, 0 // lines filled so far, rows of earlier pages
	for _, p := range c.pages {
		rows := int(p.NumRows())
		if low, high := max(from-before, 0), min(to-before, rows); low < high {
			part := p.Slice(int64(low), int64(high))
			err := eachValue(part, buf, func(v parquet.Value) error {
				if n == len(out) {
					return errors.New("it has more values than others")
				}
				c.Set(&out[n], v, c.known)
				n++
				return nil
			})
			parquet.Release(part)
			if err != nil {
				return err
			}
		}
		before += rows
	}
	if n != len(out) {
		return fmt.Errorf("it has %d values; others have %d", from+n, to)
	}
	return nil
}
