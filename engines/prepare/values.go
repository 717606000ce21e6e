package prepare

import (
	"fmt"
	"math"

	"tenfold/engines/core/dense"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// fitValues fills missing values (stored as NaN), then discretises or scales.
func (r Recipe) fitValues(p *data.Prepared, l *Learned, train []int32) error {
	if err := r.checkMissing(p.X, p.Features, p.Set); err != nil {
		return err
	}
	if q, _ := firstMissing(p.X); q >= 0 {
		l.Fill = r.fillValues(trainingRows(p.X, train))
		cells := 0
		p.X, cells = fillMissing(p.X, l.Fill)
		p.AddFact(fmt.Sprintf("missing values filled in (%s)", r.Missing), fmt.Sprint(cells))
	}
	r.fitCuts(p, l, train)
	if r.Scale == "sd" {
		_, squares, n, err := sparse.Moments(trainingRows(p.X, train), nil)
		if err != nil {
			return err
		}
		l.Scale = make([]float64, len(squares))
		texts := l.preparedTexts()
		for j, ss := range squares {
			if ss > 0 && !texts.Is(j) {
				l.Scale[j] = math.Sqrt(n / ss)
			}
		}
		p.X = scaleVarying(p.X, l.Scale)
	}
	return nil
}

// fillMissing returns the matrix with its column's fill value in every gap, and the number of gaps.
func fillMissing(x *sparse.Matrix, fill []float64) (full *sparse.Matrix, cells int) {
	full = x.Valued(func(j int32, v float64) float64 {
		if v != v {
			cells++
			return fill[j]
		}
		return v
	})
	return full, cells
}

// scaleVarying returns the matrix with the values of each column multiplied; constant columns, which have the factor 0, stay.
func scaleVarying(x *sparse.Matrix, scale []float64) *sparse.Matrix {
	return x.Valued(func(j int32, v float64) float64 {
		if scale[j] == 0 {
			return v
		}
		return v * scale[j]
	})
}

func (r Recipe) checkMissing(x *sparse.Matrix, features *data.Features, d *data.Dataset) error {
	if r.Missing != "" && r.Missing != "error" {
		return nil
	}
	q, row := firstMissing(x)
	if q < 0 {
		return nil
	}
	ptr, idx, val := x.Rows()
	name := func(q int) string { return columnOf(d, features.Name(int(idx[q]))) }
	others := -1
	for i := 0; i+1 < len(ptr); i++ {
		before := -1
		for k := ptr[i]; k < ptr[i+1]; k++ {
			if v := val[k]; v != v && (before < 0 || name(k) != name(before)) { // all levels of a word are missing together
				others++
				before = k
			}
		}
	}
	return fmt.Errorf("row %s, column %s: the value is missing%s; say how to fill it in with prepare: {missing: mean | median | zero}, or drop-rows where the format offers it",
		d.NameRow(row), name(q), andOthers(others))
}

func andOthers(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", as are %d others", n)
}

// firstMissing returns the first entry without a value and its row, -1 if there is none.
func firstMissing(x *sparse.Matrix) (entry, row int) {
	ptr, _, val := x.Rows()
	if val == nil {
		return -1, -1
	}
	for i := 0; i+1 < len(ptr); i++ {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			if val[q] != val[q] {
				return q, i
			}
		}
	}
	return -1, -1
}

// fillValues returns the replacement of missing values for each column of the training rows that has any. Entries that are not
// stored are zeros and count as such; a column without a known value gets 0.
func (r Recipe) fillValues(x *sparse.Matrix) []float64 {
	rows, cols := x.Dims()
	fill := make([]float64, cols)
	if r.Missing == "zero" {
		return fill
	}
	for j := range fill {
		col := x.Col(j)
		known := make([]float64, 0, col.Len())
		for k := range col.Idx {
			if v := col.At(k); v == v {
				known = append(known, v)
			}
		}
		zeros := rows - col.Len()
		if len(known)+zeros == 0 {
			continue
		}
		if r.Missing == "median" {
			fill[j] = sparse.NewOrdered(known, zeros).Median()
			continue
		}
		sum := dense.Sum(known)
		fill[j] = sum / float64(len(known)+zeros)
	}
	return fill
}
