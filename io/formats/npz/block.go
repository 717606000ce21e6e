package npz

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"

	"tenfold/engines/numeric/sparse"
	"tenfold/io/source"
)

// block is the columns of one part: compressed rows, compressed columns or a dense array, not decoded yet.
type block struct {
	file       string
	rows, cols int
	format     string // csr, csc, dense

	data, indices, indptr array // dense has data only
	added                 int   // entries of coo given again, which were added to the first
}

// layout is the rows of all parts as they are decoded.
type layout struct {
	cols int
	ptr  []int
	idx  []int32
	val  []float64 // nil when all values are one
	room *source.Room
}

func newLayout(cols, rows, entries int, ones bool, room *source.Room) layout {
	l := layout{cols: cols, ptr: make([]int, 1, rows+1), room: room}
	if room == nil {
		l.idx = make([]int32, 0, entries)
	} else {
		l.idx = room.Int32s(entries)[:0]
	}
	switch {
	case ones:
	case room == nil:
		l.val = make([]float64, 0, entries)
	default:
		l.val = room.Float64s(entries)[:0]
	}
	return l
}

func openBlock(in source.Input, role string) (block, error) {
	content, file, err := in.Bytes(role)
	if err != nil {
		return block{}, err
	}
	switch {
	case bytes.HasPrefix(content, []byte("PK")):
		return openSparse(in, file, content)
	case bytes.HasPrefix(content, []byte("\x93NUMPY")):
		return openDense(file, content)
	}
	return block{}, fmt.Errorf("%s: neither an .npz nor an .npy file: it begins with %q", file, content[:min(len(content), 6)])
}

func openDense(file string, content []byte) (block, error) {
	a, err := parseNumbers(file, content)
	if err != nil {
		return block{}, err
	}
	if len(a.shape) != 2 {
		return block{}, fmt.Errorf("%s: shape %v, expected rows × columns", file, a.shape)
	}
	return block{file: file, rows: a.shape[0], cols: a.shape[1], format: "dense", data: a}, nil
}

func openSparse(in source.Input, file string, content []byte) (block, error) {
	z, err := openArchive(in, file, content)
	if err != nil {
		return block{}, err
	}
	if z.members["format.npy"] == nil {
		return block{}, severalArrays(in, file, content)
	}
	b := block{file: file}
	if b.format, err = z.readWord("format.npy"); err != nil {
		return block{}, err
	}
	if b.format == "coo" {
		return openCoordinates(in, z)
	}
	if b.format != "csr" && b.format != "csc" {
		return block{}, fmt.Errorf("%s: format %q, expected csr, csc or coo; save_npz(file, matrix.tocsr()) writes the first", file, b.format)
	}
	var dims array
	if err := z.readLists(&b.data, listed{"shape", &dims}, listed{"indices", &b.indices}, listed{"indptr", &b.indptr}); err != nil {
		return block{}, err
	}
	if err := b.setShape(dims); err != nil {
		return block{}, err
	}
	return b, b.checkLengths()
}

// setShape takes rows and columns from the shape.
func (b *block) setShape(shape array) error {
	if shape.shape[0] != 2 {
		return fmt.Errorf("%s: %d numbers, expected rows and columns", shape.file, shape.shape[0])
	}
	r, c := shape.integerAt(0), shape.integerAt(1)
	const most = 1<<31 - 1
	if r < 0 || c < 0 || r > most || c > most {
		return fmt.Errorf("%s: %d × %d, expected at most %d rows and columns", shape.file, r, c, most)
	}
	b.rows, b.cols = int(r), int(c)
	return nil
}

// checkLengths checks that the lengths of the arrays agree with the shape.
func (b *block) checkLengths() error {
	lines, word := b.rows, "rows"
	if b.format == "csc" {
		lines, word = b.cols, "columns"
	}
	switch n := b.indptr.shape[0]; {
	case n != lines+1:
		return fmt.Errorf("%s: %d numbers, expected %d for %d %s", b.indptr.file, n, lines+1, lines, word)
	case b.data.shape[0] != b.indices.shape[0]:
		return fmt.Errorf("%s: %d data for %d indices", b.file, b.data.shape[0], b.indices.shape[0])
	case b.indptr.integerAt(0) != 0:
		return fmt.Errorf("%s: it begins with %d, expected 0", b.indptr.file, b.indptr.integerAt(0))
	}
	for i := 1; i <= lines; i++ {
		if a, z := b.indptr.integerAt(i-1), b.indptr.integerAt(i); z < a || z > int64(b.data.shape[0]) {
			return fmt.Errorf("%s: number %d (from 0) is %d, expected %d to %d", b.indptr.file, i, z, a, b.data.shape[0])
		}
	}
	return nil
}

// countEntries returns the number of entries to make room for.
func (b block) countEntries() int {
	if b.format != "dense" {
		return int(b.indptr.integerAt(b.indptr.shape[0] - 1))
	}
	n := 0
	for k := range b.rows * b.cols {
		if b.data.floatAt(k) != 0 {
			n++
		}
	}
	return n
}

// allOnes reports whether every value is one (or zero, where zeros are not entries).
func (b block) allOnes() bool {
	if b.format != "dense" {
		return b.data.allOnes(b.countEntries())
	}
	for k := range b.rows * b.cols {
		if v := b.data.floatAt(k); v != 0 && v != 1 {
			return false
		}
	}
	return true
}

func (b block) appendTo(l *layout) error {
	switch b.format {
	case "csr":
		return b.appendCompressed(l, "row", "column", b.cols)
	case "csc":
		return b.appendTransposed(l)
	}
	return b.appendDense(l)
}

// appendCompressed appends the lines of a compressed matrix, be they rows or columns, and checks each.
func (b block) appendCompressed(l *layout, line, index string, width int) (err error) {
	start, n := len(l.idx), b.countEntries()
	if l.idx, err = b.indices.appendIndices(l.idx, n); err != nil {
		return err
	}
	if l.val != nil {
		for k := range n {
			l.val = append(l.val, b.data.floatAt(k))
		}
	}
	first := len(l.ptr)
	for i := range b.indptr.shape[0] - 1 {
		l.ptr = append(l.ptr, start+int(b.indptr.integerAt(i+1)))
		if err := l.checkLine(l.ptr[first+i-1], l.ptr[first+i], index, width); err != nil {
			return fmt.Errorf("%s %d (from 0): %w", line, i, err)
		}
	}
	l.dropZeros(first)
	return nil
}

// appendTransposed appends the rows of a matrix that is compressed by column.
func (b block) appendTransposed(l *layout) error {
	t := newLayout(0, b.cols, b.countEntries(), l.val == nil, l.room)
	if err := b.appendCompressed(&t, "column", "row", b.rows); err != nil {
		return err
	}
	byColumn := sparse.New(b.rows, t.ptr, t.idx, t.val)
	if l.room != nil {
		byColumn = byColumn.On(l.room)
	}
	for i := range b.rows {
		row := byColumn.Col(i)
		l.idx, l.val = append(l.idx, row.Idx...), append(l.val, row.Val...)
		l.ptr = append(l.ptr, len(l.idx))
	}
	return nil
}

func (b block) appendDense(l *layout) error {
	for i := range b.rows {
		for j := range b.cols {
			v := b.data.floatAt(b.data.indexOf(i, j))
			if math.IsInf(v, 0) {
				return fmt.Errorf("row %d, column %d (from 0): value %v, expected a finite number, or NaN where it is missing", i, j, v)
			}
			if v == 0 {
				continue
			}
			l.idx = append(l.idx, int32(j))
			if l.val != nil {
				l.val = append(l.val, v)
			}
		}
		l.ptr = append(l.ptr, len(l.idx))
	}
	return nil
}

// checkLine checks entries from a up to z, one line of the matrix, and sorts them where they do not rise.
func (l *layout) checkLine(a, z int, index string, width int) error {
	line := l.idx[a:z]
	rising, last := true, int32(-1)
	for _, j := range line {
		if j < 0 || int(j) >= width {
			return fmt.Errorf("%s index %d outside 0..%d", index, j, width-1)
		}
		rising = rising && j > last
		last = j
	}
	if l.val != nil {
		for k, v := range l.val[a:z] {
			if math.IsInf(v, 0) {
				return fmt.Errorf("%s %d: value %v, expected a finite number, or NaN where it is missing", index, line[k], v)
			}
		}
	}
	if rising {
		return nil
	}
	if l.val == nil {
		slices.Sort(line)
	} else {
		sort.Sort(entries{line, l.val[a:z]})
	}
	for k := 1; k < len(line); k++ {
		if line[k] == line[k-1] {
			return fmt.Errorf("%s index %d is given twice", index, line[k])
		}
	}
	return nil
}

// dropZeros removes zeros that were stored, from line first on.
func (l *layout) dropZeros(first int) {
	if !slices.Contains(l.val[min(l.ptr[first-1], len(l.val)):], 0) {
		return
	}
	a, to := l.ptr[first-1], l.ptr[first-1]
	for i := first; i < len(l.ptr); i++ {
		for ; a < l.ptr[i]; a++ {
			if l.val[a] != 0 {
				l.idx[to], l.val[to] = l.idx[a], l.val[a]
				to++
			}
		}
		l.ptr[i] = to
	}
	l.idx, l.val = l.idx[:to], l.val[:to]
}

// entries sorts a line by index.
type entries struct {
	idx []int32
	val []float64
}

func (e entries) Len() int           { return len(e.idx) }
func (e entries) Less(a, b int) bool { return e.idx[a] < e.idx[b] }
func (e entries) Swap(a, b int) {
	e.idx[a], e.idx[b] = e.idx[b], e.idx[a]
	e.val[a], e.val[b] = e.val[b], e.val[a]
}
