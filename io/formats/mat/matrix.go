package mat

import (
	"fmt"
	"math"

	"tenfold/engines/numeric/sparse"
	"tenfold/io/source"
)

// addRows adds the rows of a matrix to a builder; across tells that its columns are the samples. In messages rows and columns are those
// of the matrix, from 1.
func (p packed) addRows(in source.Input, x *sparse.Builder, across bool) error {
	if p.class == sparseClass {
		return p.addSparse(in, x, across)
	}
	values, err := p.array(in)
	if err != nil {
		return err
	}
	rows, columns, down, right := p.shape[0], p.shape[1], 1, p.shape[0] // steps between numbers, in the file
	if across {
		rows, columns, down, right = columns, rows, right, down
	}
	var idx []int32
	var val []float64
	for i := range rows {
		idx, val = idx[:0], val[:0]
		for j := range columns {
			v := values.value(i*down + j*right)
			if v == 0 {
				continue
			}
			if math.IsInf(v, 0) {
				return p.notFinite(i, j, v, across)
			}
			idx, val = append(idx, int32(j)), append(val, v)
		}
		if err := x.Add(idx, val); err != nil {
			return fmt.Errorf("%s: variable %s: row %d: %w", p.file, p.name, i+1, err)
		}
	}
	return nil
}

func (p packed) notFinite(i, j int, v float64, across bool) error {
	if across {
		i, j = j, i
	}
	return fmt.Errorf("%s: variable %s: row %d, column %d: value %v, expected a finite number, or NaN where it is missing", p.file, p.name, i+1, j+1, v)
}

// compressedColumns is a sparse matrix: where the entries of each column begin, their rows, rising, and values.
type compressedColumns struct {
	begin, row, value numbers
}

// readColumns checks that all places are in the matrix, and those of a column rising.
func (p packed) readColumns(in source.Input) (c compressedColumns, err error) {
	body, err := p.content(in)
	if err != nil {
		return c, err
	}
	r := reader{order: p.order, file: p.file, rest: body}
	described, err := r.describe()
	if err != nil {
		return c, err
	}
	if c.row, err = r.numbers("rows of its entries", 0); err != nil {
		return c, err
	}
	if c.begin, err = r.numbers("beginnings of its columns", p.shape[1]+1); err != nil {
		return c, err
	}
	end := 0.0
	for j := range p.shape[1] + 1 {
		begin := c.begin.value(j)
		if !(begin >= end) || begin > float64(c.row.len()) || j == 0 && begin != 0 {
			return c, fmt.Errorf("column %d begins at entry %v, expected a number from %v to %d", j+1, begin, end, c.row.len())
		}
		end = begin
	}
	r.truths = described.logical
	if c.value, err = r.numbers("its values", int(end)); err != nil {
		return c, err
	}
	for j := range p.shape[1] {
		before := -1.0
		for k := int(c.begin.value(j)); k < int(c.begin.value(j+1)); k++ {
			i := c.row.value(k)
			if !(i > before) || i >= float64(p.shape[0]) || i != float64(int(i)) {
				return c, fmt.Errorf("column %d has an entry in row %v, expected one from %v to %d", j+1, i+1, before+2, p.shape[0])
			}
			before = i
		}
	}
	return c, nil
}

func (p packed) addSparse(in source.Input, x *sparse.Builder, across bool) error {
	c, err := p.readColumns(in)
	if err != nil {
		return fmt.Errorf("%s: variable %s: %w", p.file, p.name, err)
	}
	columns := p.shape[1]
	if across {
		var idx []int32
		var val []float64
		for j := range columns {
			idx, val = idx[:0], val[:0]
			for k := int(c.begin.value(j)); k < int(c.begin.value(j+1)); k++ {
				v := c.value.value(k)
				if math.IsInf(v, 0) {
					return p.notFinite(j, int(c.row.value(k)), v, true)
				}
				idx, val = append(idx, int32(c.row.value(k))), append(val, v)
			}
			if err := x.Add(idx, val); err != nil {
				return fmt.Errorf("%s: variable %s: column %d: %w", p.file, p.name, j+1, err)
			}
		}
		return nil
	}
	return p.addTurned(in, x, c)
}

// addTurned adds the rows of a matrix that lies column by column. O(entries + rows + columns).
func (p packed) addTurned(in source.Input, x *sparse.Builder, c compressedColumns) error {
	rows, columns := p.shape[0], p.shape[1]
	n := int(c.begin.value(columns))
	if err := allow(in, 8*int64(rows+1)+12*int64(n), p.file, p.name); err != nil {
		return err
	}
	start := make([]int, rows+2)
	for k := range n {
		start[int(c.row.value(k))+2]++
	}
	for i := range rows {
		start[i+2] += start[i+1]
	}
	idx, val := make([]int32, n), make([]float64, n)
	for j := range columns { // start[i+1] is where the next entry of row i goes
		for k := int(c.begin.value(j)); k < int(c.begin.value(j+1)); k++ {
			i, v := int(c.row.value(k)), c.value.value(k)
			if math.IsInf(v, 0) {
				return p.notFinite(i, j, v, false)
			}
			idx[start[i+1]], val[start[i+1]] = int32(j), v
			start[i+1]++
		}
	}
	for i := range rows {
		if err := x.Add(idx[start[i]:start[i+1]], val[start[i]:start[i+1]]); err != nil {
			return fmt.Errorf("%s: variable %s: row %d: %w", p.file, p.name, i+1, err)
		}
	}
	return nil
}
