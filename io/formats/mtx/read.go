package mtx

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tenfold/engines/numeric/sparse"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// block is the entries of a file, of samples by columns, as they come.
type block struct {
	rows, columns int
	row, column   []int32
	value         []float64
	added         int
}

// header is the first line of a file.
type header struct{ coordinate, pattern, whole, symmetric, skew bool }

func readHeader(lines *rawtext.Lines) (h header, err error) {
	if !lines.Next() {
		return h, lines.Errorf("nothing, expected %%%%MatrixMarket matrix coordinate real general, or the like")
	}
	words := bytes.Fields(bytes.ToLower(lines.Line))
	if len(words) != 5 || string(words[0]) != "%%matrixmarket" || string(words[1]) != "matrix" {
		return h, lines.Errorf("found %q, expected %%%%MatrixMarket matrix coordinate real general, or the like", rawtext.Beginning(lines.Line))
	}
	for k, allowed := range [][]string{{"coordinate", "array"}, {"real", "integer", "pattern"}, {"general", "symmetric", "skew-symmetric"}} {
		if word := string(words[2+k]); !slices.Contains(allowed, word) {
			return h, lines.Errorf("a matrix that is %q, expected %s", word, source.Abridge(allowed))
		}
	}
	h.coordinate, h.pattern, h.whole = string(words[2]) == "coordinate", string(words[3]) == "pattern", string(words[3]) == "integer"
	h.skew = string(words[4]) == "skew-symmetric"
	h.symmetric = h.skew || string(words[4]) == "symmetric"
	if h.pattern && !h.coordinate {
		return h, lines.Errorf("an array that is a pattern, expected values")
	}
	return h, nil
}

// begin reads what stands before the entries.
func begin(lines *rawtext.Lines) (h header, size []int, err error) {
	if h, err = readHeader(lines); err == nil {
		size, err = readSize(lines, h)
	}
	return h, size, err
}

// read reads a file; across says that its columns are the samples.
func read(ctx context.Context, in source.Input, content []byte, file string, across bool) (b block, err error) {
	lines := rawtext.LinesOf(content, file)
	h, size, err := begin(lines)
	if err != nil {
		return b, err
	}
	b.rows, b.columns = size[0], size[1]
	if across {
		b.rows, b.columns = b.columns, b.rows
	}
	if most := source.MostColumns(in); b.columns > most {
		return b, lines.Errorf("%d columns, expected at most %d, the most that a file of its size may have here", b.columns, most)
	}
	if err := source.Allow(in, 32*int64(b.rows), file, "%d rows", b.rows); err != nil {
		return b, err
	}
	e := entries{block: &b, header: h, across: across, shape: [2]int{size[0], size[1]}}
	if h.coordinate {
		return b, e.readCoordinates(ctx, lines, size[2])
	}
	return b, e.readArray(ctx, lines)
}

// readSize reads rows, columns, and, of coordinates, how many entries there are.
func readSize(lines *rawtext.Lines, h header) (size []int, err error) {
	for lines.Next() {
		words := bytes.Fields(lines.Line)
		if len(words) == 0 || words[0][0] == '%' {
			continue
		}
		want := 2
		if h.coordinate {
			want = 3
		}
		if len(words) != want {
			return nil, lines.Errorf("%d numbers, expected %d: rows, columns%s", len(words), want, map[bool]string{true: " and entries"}[h.coordinate])
		}
		for _, word := range words {
			n, err := strconv.ParseInt(string(word), 10, 64)
			if err != nil || n < 0 || n > math.MaxInt32 && len(size) < 2 {
				return nil, lines.Errorf("found %q, expected a whole number of 0 or more", rawtext.Beginning(word))
			}
			size = append(size, int(n))
		}
		if h.symmetric && size[0] != size[1] {
			return nil, lines.Errorf("%d × %d, expected as many rows as columns of a symmetric matrix", size[0], size[1])
		}
		return size, nil
	}
	return nil, lines.Errorf("the file ends before the numbers of rows and columns")
}

// entries are read into a block.
type entries struct {
	*block
	header
	across bool
	shape  [2]int
}

// add adds the value at a place of the matrix, from 0, and at that across the diagonal where it is symmetric.
func (e entries) add(i, j int, v float64) {
	put := func(i, j int, v float64) {
		if e.across {
			i, j = j, i
		}
		if v != 0 {
			e.row, e.column, e.value = append(e.row, int32(i)), append(e.column, int32(j)), append(e.value, v)
		}
	}
	put(i, j, v)
	if e.symmetric && i != j {
		if e.skew {
			v = -v
		}
		put(j, i, v)
	}
}

// number returns a value, of the kind that the header declares.
func (e entries) number(lines *rawtext.Lines, word []byte) (float64, error) {
	v, ok := rawtext.ParseValue(string(word))
	if !ok || e.whole && v != math.Trunc(v) {
		return 0, lines.Errorf("value %q, expected a %s number", rawtext.Beginning(word), map[bool]string{true: "whole", false: "finite"}[e.whole])
	}
	return v, nil
}

func (e entries) readCoordinates(ctx context.Context, lines *rawtext.Lines, n int) error {
	want := 3
	if e.pattern {
		want = 2
	}
	seen := 0
	for lines.Next() {
		if lines.Number%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		words := bytes.Fields(lines.Line)
		if len(words) == 0 || words[0][0] == '%' {
			continue
		}
		if seen++; seen > n {
			return lines.Errorf("entry %d, expected %d as the size says", seen, n)
		}
		if len(words) != want {
			return lines.Errorf("%d words, expected %d: row, column%s", len(words), want, map[bool]string{true: " and value"}[!e.pattern])
		}
		var place [2]int
		for k := range place {
			index, err := strconv.ParseInt(string(words[k]), 10, 64)
			if err != nil || index < 1 || index > int64(e.shape[k]) {
				return lines.Errorf("%s %q, expected a number from 1 to %d", [2]string{"row", "column"}[k], rawtext.Beginning(words[k]), e.shape[k])
			}
			place[k] = int(index) - 1
		}
		v := 1.0
		if !e.pattern {
			var err error
			if v, err = e.number(lines, words[2]); err != nil {
				return err
			}
		}
		if e.skew && place[0] == place[1] && v != 0 {
			return lines.Errorf("value %v on the diagonal of a skew-symmetric matrix, expected none", v)
		}
		e.add(place[0], place[1], v)
	}
	if seen < n {
		return lines.Errorf("the file ends after %d entries, expected %d as the size says", seen, n)
	}
	return nil
}

// readArray reads values column after column; of symmetric matrices from the diagonal down, of skew-symmetric ones from below it.
func (e entries) readArray(ctx context.Context, lines *rawtext.Lines) error {
	begin := func(j int) int {
		switch {
		case e.skew:
			return j + 1
		case e.symmetric:
			return j
		}
		return 0
	}
	i, j := begin(0), 0
	nextColumn := func() { // at the next column where this one has ended
		for j < e.shape[1] && i >= e.shape[0] {
			j++
			i = begin(j)
		}
	}
	nextColumn()
	seen := 0
	for lines.Next() {
		if lines.Number%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if bytes.HasPrefix(bytes.TrimSpace(lines.Line), []byte("%")) {
			continue
		}
		for word := range bytes.FieldsSeq(lines.Line) {
			if j >= e.shape[1] {
				return lines.Errorf("value %d, expected %d as the size says", seen+1, seen)
			}
			v, err := e.number(lines, word)
			if err != nil {
				return err
			}
			e.add(i, j, v)
			seen, i = seen+1, i+1
			nextColumn()
		}
	}
	if j < e.shape[1] {
		return lines.Errorf("the file ends after %d values, the next would be of row %d, column %d", seen, i+1, j+1)
	}
	return nil
}

// addTo adds the rows to a builder.
func (b *block) addTo(x *sparse.Builder, file string) (err error) {
	entries := source.Coordinates{
		Rows: b.rows, N: len(b.row), Value: func(k int) float64 { return b.value[k] },
		At: func(k int) (int, int32) { return int(b.row[k]), b.column[k] },
	}
	b.added, err = entries.EachRow(func(row int, idx []int32, val []float64) error {
		if err := x.Add(idx, val); err != nil {
			return fmt.Errorf("%s: row %d: %w", file, row+1, err)
		}
		return nil
	})
	return err
}
