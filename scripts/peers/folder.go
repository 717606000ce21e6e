package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/numeric/sparse"
	"tenfold/io/formats/npz"
)

// folder is where a problem is written; the first error stays.
type folder struct {
	path string
	err  error
}

func (f *folder) write(name string, content func(w *bufio.Writer) error) {
	if f.err != nil {
		return
	}
	file, err := os.Create(filepath.Join(f.path, name))
	if err != nil {
		f.err = err
		return
	}
	w := bufio.NewWriterSize(file, 1<<20)
	f.err = cmp.Or(content(w), w.Flush(), file.Close())
}

// raw writes numbers as they stand in memory, little-endian: what R reads fastest, and what the digest is of.
func (f *folder) raw(name string, values any) {
	f.write(name, func(w *bufio.Writer) error { return binary.Write(w, binary.LittleEndian, values) })
}

func (f *folder) array(name string, values []float64, shape ...int) {
	f.write(name, func(w *bufio.Writer) error { return npz.WriteFloats(w, values, shape...) })
}

func (f *folder) integers(name string, values []int) {
	f.write(name, func(w *bufio.Writer) error { return npz.WriteIntegers(w, values) })
}

func (f *folder) text(name string, content []byte) {
	f.write(name, func(w *bufio.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// dense writes a table and its responses, by rows.
func (f *folder) dense(part, responses string, x, y *table) {
	f.raw(part+".X.f64", x.values)
	f.raw(part+"."+responses+".f64", y.values)
}

// table writes both as CSV: y1, y2, …, x1, x2, …
func (f *folder) table(name string, x, y *table) {
	f.write(name, func(w *bufio.Writer) error {
		separator := ""
		for _, part := range []struct {
			name string
			*table
		}{{"y", y}, {"x", x}} {
			for j := range part.width {
				w.WriteString(separator + part.name + strconv.Itoa(j+1))
				separator = ","
			}
		}
		for i := range x.height {
			separator = "\n"
			for _, columns := range []*table{y, x} {
				for j := range columns.width {
					w.WriteString(separator + strconv.FormatFloat(columns.value(i, j), 'g', -1, 64))
					separator = ","
				}
			}
		}
		return w.WriteByte('\n')
	})
}

// sparse writes both parts of a problem of ones: raw, and in the formats asked for.
func (f *folder) sparse(train, test *split, formats ...string) error {
	f.raw("columns", []int32{int32(train.columns)})
	for _, part := range []struct {
		name string
		*split
	}{{"train", train}, {"test", test}} {
		f.raw(part.name+".indptr.i32", part.starts)
		f.raw(part.name+".indices.i32", part.ones)
		f.raw(part.name+".y.f64", part.y)
		if slices.Contains(formats, "svm") {
			f.write(part.name+".svm", part.writeLines)
		}
		if slices.Contains(formats, "npz") {
			f.write(part.name+".npz", func(w *bufio.Writer) error { return part.writeMatrix(w) })
			f.array(part.name+".y.npy", part.y, len(part.y))
		}
	}
	return f.err
}

// digest returns the first half of a SHA-256 of the raw files, in the order of their names.
func (f *folder) digest() (string, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".i32") && !strings.HasSuffix(e.Name(), ".f64") && e.Name() != "all.csv" {
			continue
		}
		file, err := os.Open(filepath.Join(f.path, e.Name()))
		if err != nil {
			return "", err
		}
		_, err = io.Copy(sum, file)
		file.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// split is a part of a problem whose columns are 0 and 1: by rows, where the ones are.
type split struct {
	columns int
	starts  []int32
	ones    []int32
	y       []float64
}

func (s *split) add(ones []int32, y float64) {
	if s.starts == nil {
		s.starts = []int32{0}
	}
	s.ones = append(s.ones, ones...)
	s.starts = append(s.starts, int32(len(s.ones)))
	s.y = append(s.y, y)
}

func (s *split) row(i int) []int32 { return s.ones[s.starts[i]:s.starts[i+1]] }

// writeLines writes the format of SVMlight, whose columns count from 1.
func (s *split) writeLines(w *bufio.Writer) error {
	for i, y := range s.y {
		b := strconv.AppendFloat(w.AvailableBuffer(), y, 'g', -1, 64)
		for _, j := range s.row(i) {
			b = strconv.AppendInt(append(b, ' '), int64(j)+1, 10)
			b = append(b, ":1"...)
		}
		if _, err := w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (s *split) writeMatrix(w io.Writer) error {
	var b sparse.Builder
	b.Grow(len(s.y), len(s.ones))
	for i := range s.y {
		if err := b.Add(s.row(i), nil); err != nil {
			return err
		}
	}
	x, err := b.Build(s.columns)
	if err != nil {
		return err
	}
	return npz.WriteSparse(w, x)
}

// table is a dense matrix, by rows.
type table struct {
	height, width int
	values        []float64
}

func newTable(height, width int, value func(i, j int) float64) *table {
	t := &table{height, width, make([]float64, height*width)}
	for i := range height {
		for j := range width {
			t.values[i*width+j] = value(i, j)
		}
	}
	return t
}

func (t *table) value(i, j int) float64 { return t.values[i*t.width+j] }

func (t *table) rows(from, to int) *table {
	return &table{to - from, t.width, t.values[from*t.width : to*t.width]}
}
