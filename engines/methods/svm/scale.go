package svm

import (
	"fmt"

	"tenfold/engines/core/sparse"
)

// columnScaling is x ↦ (x − origin)·factor of columns. Only the factor is ever applied to rows (see points), so zeros stay zeros. nil
// leaves rows as they are.
type columnScaling struct {
	origin, factor []float64
}

// learnDeviations makes the columns of x have mean 0 and variance 1, zeros counted. O(entries + columns).
func learnDeviations(x *sparse.Matrix, weight []float64) (*columnScaling, error) {
	g, err := sparse.Standardize(x, weight, "sd")
	if err != nil {
		return nil, fmt.Errorf("%w; scale: unit or none needs none", err)
	}
	return &columnScaling{g.Mean, g.Scale}, nil
}

// learnUnit makes the columns of x go from 0 to 1. O(entries + columns).
func learnUnit(x *sparse.Matrix) *columnScaling {
	rows, cols := x.Dims()
	s := &columnScaling{origin: make([]float64, cols), factor: make([]float64, cols)}
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
		s.origin[j] = least
		if most > least {
			s.factor[j] = 1 / (most - least)
		}
	}
	return s
}

// shiftedOrigin is what points call m: where zero is after scaling, 0 for all columns as nil.
func (s *columnScaling) shiftedOrigin() []float64 {
	if s == nil {
		return nil
	}
	move, moved := make([]float64, len(s.origin)), false
	for j, v := range s.origin {
		move[j] = float64(v * s.factor[j])
		moved = moved || move[j] != 0
	}
	if !moved {
		return nil
	}
	return move
}

// scaleRow is a row with the factors applied, in the storage of buf. Entries of columns that are left out are left out.
func (s *columnScaling) scaleRow(row sparse.Vec, buf *sparse.Vec) sparse.Vec {
	if s == nil {
		return row
	}
	buf.Idx, buf.Val = buf.Idx[:0], buf.Val[:0]
	ones := true
	for k, j := range row.Idx {
		if s.factor[j] == 0 {
			continue
		}
		v := float64(row.At(k) * s.factor[j])
		ones = ones && v == 1
		buf.Idx, buf.Val = append(buf.Idx, j), append(buf.Val, v)
	}
	if ones {
		return sparse.Vec{Idx: buf.Idx}
	}
	return *buf
}

// scaleMatrix is the matrix with the factors applied.
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
