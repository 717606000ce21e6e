package sealed

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"tenfold/io/files"
	"tenfold/io/flat"
)

// disk is a file that keeps the first error of the system in reading it, which the Parquet library takes for damage.
type disk struct {
	*os.File
	fault atomic.Pointer[error]
}

func (d *disk) ReadAt(p []byte, offset int64) (int, error) {
	n, err := d.File.ReadAt(p, offset)
	if files.Fault(err) {
		d.fault.CompareAndSwap(nil, &err)
	}
	return n, err
}

// failure returns the error that was kept, nil if there is none.
func (d *disk) failure() error {
	if d == nil || d.fault.Load() == nil {
		return nil
	}
	return *d.fault.Load()
}

// Table is a Parquet file open for reading.
type Table struct {
	path   string
	reader io.ReaderAt
	disk   *disk
	*parquet.File
	sums
	compared bool // whether the file was compared with its checksum
}

// Open opens a file, whose footer must match its checksum; its rows are not compared with theirs yet (VerifyChecksum).
func Open(path string) (*Table, error) {
	f, err := files.Root(filepath.Dir(path)).Open(filepath.Base(path))
	if err != nil {
		return nil, err
	}
	t := &Table{path: path, disk: &disk{File: f}}
	err = t.Protect(func() error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		return t.readFooter(t.disk, info.Size())
	})
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// NewTable opens the bytes of a file, as Open does; errors name the path.
func NewTable(path string, r io.ReaderAt, size int64) (*Table, error) {
	t := &Table{path: path}
	return t, t.Protect(func() error { return t.readFooter(r, size) })
}

// readFooter reads the footer of a file. It skips the indexes of pages, because row groups are small and read whole. It rejects
// compressions that this package does not write before memory is allocated.
func (t *Table) readFooter(r io.ReaderAt, size int64) error {
	footer, offset, err := footerOf(r, size)
	if err != nil {
		return err
	}
	if t.sums, err = sumsOf(footer, offset); err != nil {
		return err
	}
	t.reader = r
	if t.File, err = parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	for _, g := range t.Metadata().RowGroups {
		for _, c := range g.Columns {
			if codec := c.MetaData.Codec; codec != format.Snappy && codec != format.Uncompressed {
				return fmt.Errorf("compressed with %s; SNAPPY was expected", codec)
			}
		}
	}
	return nil
}

// Close closes the file.
func (t *Table) Close() error {
	if t == nil {
		return nil
	}
	return t.disk.Close()
}

// Protect calls read. It adds the name of the file to its error, and turns a panic of the Parquet library, which damaged files
// cause, into an error. If the disk failed, the error is that of the disk.
func (t *Table) Protect(read func() error) (err error) {
	defer func() {
		p := recover()
		switch fault := t.disk.failure(); {
		case fault != nil:
			err = fmt.Errorf("%s: %w", t.path, fault)
		case p != nil:
			err = fmt.Errorf("%s: damaged: %v", t.path, p)
		case err != nil:
			err = fmt.Errorf("%s: %w", t.path, err)
		}
	}()
	return read()
}

// blockRows is the number of rows that are decoded column by column before the next ones, so that they stay in a processor's cache.
const blockRows = 512

// DecodeGroup decodes a row group. A column that the file lacks is NULL in every row; one of another type is an error.
func DecodeGroup[R any](t *Table, number int, columns []Column[R]) ([]R, error) {
	g, err := OpenGroup(t, number, columns)
	if err != nil {
		return nil, err
	}
	defer g.Release()
	n := int(t.RowGroups()[number].NumRows())
	if n < 0 || n > 0 && !slices.ContainsFunc(g.columns, func(c groupColumn[R]) bool { return len(c.pages) > 0 }) {
		return nil, fmt.Errorf("a group of %d rows has no columns", n)
	}
	if n > flat.MostRows { // constant columns are tiny in a file, and large in memory
		return nil, fmt.Errorf("a group of %d rows; at most %d were expected", n, flat.MostRows)
	}
	rows := make([]R, 0, n)
	for from := 0; from < n; from += blockRows {
		to := min(from+blockRows, n)
		rows = slices.Grow(rows, to-from)[:to] // the new elements of a slice that only grew are zero
		if err := g.fillRows(rows[from:to], from); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// batchValues is the number of values that are taken from a page at a time.
const batchValues = 256

// checkType returns an error if a stored column has another type.
func (c Column[R]) checkType(stored *parquet.Column) error {
	if !stored.Leaf() || stored.Repeated() {
		return errors.New("it holds lists; plain values were expected")
	}
	if is, want := stored.Type().Kind(), c.Node.Type().Kind(); is != want {
		return fmt.Errorf("it is of type %s; %s was expected", is, want)
	}
	return nil
}

// eachValue calls take for the values of a page, which it reads in batches of len(buf).
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
