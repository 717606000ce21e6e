package results

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// table is a Parquet file open for reading.
type table struct {
	path string
	file *os.File
	*parquet.File
}

func openTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t := &table{path: path, file: f}
	err = t.guard(func() error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		t.File, err = parquetFile(f, info.Size())
		return err
	})
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// parquetFile reads the footer of a file. The indexes of pages are of no use here: row groups are small and read whole.
// Sizes that damage made too large, and compressions that we do not write, are refused before memory is asked for.
func parquetFile(r io.ReaderAt, size int64) (*parquet.File, error) {
	const magic = "PAR1"
	var tail [4 + len(magic)]byte // the footer's size, and the magic again
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil || string(tail[4:]) != magic {
		return nil, errors.New("it does not end as a Parquet file: cut short, or another format")
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n+int64(len(magic)+len(tail)) > size {
		return nil, fmt.Errorf("damaged: a footer of %d bytes in a file of %d", n, size)
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	for _, g := range f.Metadata().RowGroups {
		for _, c := range g.Columns {
			if codec := c.MetaData.Codec; codec != format.Snappy && codec != format.Uncompressed {
				return nil, fmt.Errorf("compressed with %s; SNAPPY was expected", codec)
			}
		}
	}
	return f, nil
}

func (t *table) close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}

// guard names the file in an error, and makes one of a panic of the Parquet library, which damaged files cause.
func (t *table) guard(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: damaged: %v", t.path, p)
		} else if err != nil {
			err = fmt.Errorf("%s: %w", t.path, err)
		}
	}()
	return read()
}

// decode reads a row group. A column that the file lacks is NULL in every row; one of another type is an error.
func decode[R any](f *parquet.File, group int, columns []column[R]) ([]R, error) {
	g := f.RowGroups()[group]
	d := decoder[R]{rows: make([]R, 0, max(0, min(g.NumRows(), groupRows+batchRows)))} // of ours, none is larger
	for _, absent := range []bool{false, true} {                                       // the number of rows is known when a column has been read
		for _, c := range columns {
			stored := f.Root().Column(c.name)
			if (stored == nil) != absent {
				continue
			}
			if absent {
				for i := range d.rows {
					c.set(&d.rows[i], parquet.NullValue(), nil)
				}
			} else if err := d.column(g, stored, c); err != nil {
				return nil, fmt.Errorf("column %s: %w", c.name, err)
			}
		}
	}
	if int64(len(d.rows)) != g.NumRows() {
		return nil, fmt.Errorf("a group of %d rows has columns of %d", g.NumRows(), len(d.rows))
	}
	return d.rows, nil
}

type decoder[R any] struct {
	rows []R
	full bool // a column has been read, so rows are as many as they can be
	buf  []parquet.Value
}

// batchValues is how many values are taken from a page at a time.
const batchValues = 256

func (d *decoder[R]) column(g parquet.RowGroup, stored *parquet.Column, c column[R]) error {
	if err := c.check(stored); err != nil {
		return err
	}
	pages := g.ColumnChunks()[stored.Index()].Pages()
	defer pages.Close()
	known, n := new(texts), 0
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err == nil {
			n, err = d.page(page, n, func(r *R, v parquet.Value) { c.set(r, v, known) })
			parquet.Release(page)
		}
		if err != nil {
			return err
		}
	}
	if d.full && n != len(d.rows) {
		return fmt.Errorf("it has %d values; others have %d", n, len(d.rows))
	}
	d.full = true
	return nil
}

// check refuses a stored column of another type.
func (c column[R]) check(stored *parquet.Column) error {
	if !stored.Leaf() || stored.Repeated() {
		return errors.New("it holds lists; plain values were expected")
	}
	if is, want := stored.Type().Kind(), c.node.Type().Kind(); is != want {
		return fmt.Errorf("it is of type %s; %s was expected", is, want)
	}
	return nil
}

// page gives a page's values to the rows from n on and returns where the next page goes on.
func (d *decoder[R]) page(page parquet.Page, n int, set func(*R, parquet.Value)) (int, error) {
	if d.buf == nil {
		d.buf = make([]parquet.Value, batchValues)
	}
	err := eachValue(page, d.buf, func(v parquet.Value) error {
		if n == len(d.rows) {
			if d.full {
				return errors.New("it has more values than others")
			}
			d.rows = append(d.rows, *new(R))
		}
		set(&d.rows[n], v)
		n++
		return nil
	})
	return n, err
}

// eachValue takes the values of a page, as many at a time as buf holds.
func eachValue(page parquet.Page, buf []parquet.Value, take func(parquet.Value) error) error {
	values := page.Values()
	for {
		n, err := values.ReadValues(buf)
		for _, v := range buf[:n] {
			if err := take(v); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case n == 0:
			return io.ErrNoProgress
		}
	}
}
