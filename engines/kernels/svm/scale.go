package svm

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// columnScaling is x ↦ (x − origin)·factor of columns. Only the factor is applied to rows (see points), so zeros stay zeros, but for
// columns that are far from zero: differences of their products would keep few digits. nil leaves rows as they are.
type columnScaling struct {
	origin, factor []float64
	far            []int32 // columns whose origin is subtracted from rows, rising
}

// farFrom is how many times its spread the origin of a column can be from 0 before it is subtracted.
const farFrom = 1000

// newColumnScaling finds the columns that are far from zero.
func newColumnScaling(origin, factor []float64) *columnScaling {
	s := &columnScaling{origin: origin, factor: factor}
	for j, o := range origin {
		if math.Abs(o*factor[j]) > farFrom {
			s.far = append(s.far, int32(j))
		}
	}
	return s
}

// learnDeviations makes the columns of x have mean 0 and variance 1, zeros counted. O(entries + columns).
func learnDeviations(x *sparse.Matrix, weight []float64) (*columnScaling, error) {
	mean, squares, n, err := scaled.Moments(x, weight)
	if err != nil {
		return nil, fmt.Errorf("%w; scale: unit or none needs none", err)
	}
	factor := make([]float64, len(mean))
	for j, ss := range squares {
		if ss > 0 {
			factor[j] = math.Sqrt(n / ss)
		}
	}
	return newColumnScaling(mean, factor), nil
}

// learnUnit makes the columns of x go from 0 to 1. O(entries + columns).
func learnUnit(x *sparse.Matrix) *columnScaling {
	rows, cols := x.Dims()
	origin, factor := make([]float64, cols), make([]float64, cols)
	for j := range cols {
		col := x.Col(j)
		least, most := 0.0, 0.0
		if col.Len() == rows && rows > 0 { // no zeros
			least, most = col.At(0), col.At(0)
		}
		for k := range col.Len() {
			v := col.At(k)
			least, most = min(least, v), max(most, v)
		}
		origin[j] = least
		if most > least {
			factor[j] = 1 / (most - least)
		}
	}
	return newColumnScaling(origin, factor)
}

// shiftedOrigin returns what points call m: where zero is after scaling, 0 for all columns as nil.
func (s *columnScaling) shiftedOrigin() []float64 {
	if s == nil {
		return nil
	}
	move, moved := make([]float64, len(s.origin)), false
	for j, v := range s.origin {
		if _, far := slices.BinarySearch(s.far, int32(j)); !far {
			move[j] = float64(v * s.factor[j])
			moved = moved || move[j] != 0
		}
	}
	if !moved {
		return nil
	}
	return move
}

// scaleRow returns a row with the factors applied, in the storage of buf. Entries of columns that are left out are left out.
func (s *columnScaling) scaleRow(row sparse.Vec, buf *sparse.Vec) sparse.Vec {
	if s == nil {
		return row
	}
	buf.Idx, buf.Val = buf.Idx[:0], buf.Val[:0]
	ones := true
	put := func(j int32, v float64) {
		ones = ones && v == 1
		buf.Idx, buf.Val = append(buf.Idx, j), append(buf.Val, v)
	}
	far := s.far
	putFar := func(x float64) {
		j := far[0]
		put(j, float64((x-s.origin[j])*s.factor[j]))
		far = far[1:]
	}
	for k, j := range row.Idx {
		for len(far) > 0 && far[0] < j {
			putFar(0)
		}
		switch {
		case len(far) > 0 && far[0] == j:
			putFar(row.At(k))
		case s.factor[j] != 0:
			put(j, float64(row.At(k)*s.factor[j]))
		}
	}
	for len(far) > 0 {
		putFar(0)
	}
	if ones {
		return sparse.Vec{Idx: buf.Idx}
	}
	return *buf
}

// scaleMatrix returns the matrix with the factors applied.
func (s *columnScaling) scaleMatrix(x *sparse.Matrix) (*sparse.Matrix, error) {
	if s == nil {
		return x, nil
	}
	rows, cols := x.Dims()
	var b sparse.Builder
	b.Grow(rows, x.NNZ())
	var buf sparse.Vec
	for i := range rows {
		row := s.scaleRow(x.Row(i), &buf)
		if err := b.Add(row.Idx, row.Val); err != nil {
			return nil, err
		}
	}
	return b.Matrix(cols), nil
}
