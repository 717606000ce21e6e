package design

import (
	"tenfold/engines"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// centred says which columns a design centres in memory, not in formulas.
type centred int

const (
	NoColumns  centred = iota
	FarColumns         // those of which formulas lose digits
	// NumericColumns are, besides, those that are nonzero in most rows and have values other than 0 and 1. A step on one that is
	// not centred moves the scores of all rows together, as the intercept does.
	NumericColumns
)

// Centring holds the means that are subtracted from columns in memory. Sparse columns stay as they are.
type Centring struct {
	means   []float64 // by column, 0 if it is not centred; nil if none is
	shifted []int32   // the centred ones
}

// centreColumns subtracts the means of the columns that which names from the design's rows. It returns the sums of squares of all
// columns about their means, 0 for constant ones. O(entries).
func (d *Design) centreColumns(which centred) ([]float64, error) {
	mean, squares, n, err := scaled.Moments(d.X, d.Weight)
	if err != nil || which == NoColumns || d.X.Binary() {
		return squares, err
	}
	isNumeric := make([]bool, len(mean))
	if which == NumericColumns {
		isNumeric = numeric(d.X)
	}
	for j, m := range mean {
		if m != 0 && squares[j] > 0 && (isNumeric[j] || scaled.IsFar(squares[j], squares[j]+float64(n*float64(m*m)))) {
			if d.means == nil {
				d.means = make([]float64, len(mean))
			}
			d.means[j] = m
			d.shifted = append(d.shifted, int32(j))
		}
	}
	if d.means == nil {
		return squares, nil
	}
	d.X = d.Apply(d.X)
	_, squares, _, err = scaled.Moments(d.X, d.Weight)
	return squares, err
}

// numeric reports which columns are nonzero in most rows and have values other than 0 and 1.
func numeric(x *sparse.Matrix) []bool {
	rows, cols := x.Dims()
	nonzero, ones, out := make([]int, cols), make([]int, cols), make([]bool, cols)
	for i := range rows {
		row := x.Row(i)
		for q, j := range row.Idx {
			switch row.At(q) {
			case 0:
			case 1:
				ones[j]++
				fallthrough
			default:
				nonzero[j]++
			}
		}
	}
	for j := range out {
		out[j] = 2*nonzero[j] > rows && ones[j] < nonzero[j]
	}
	return out
}

// Apply returns rows less the means.
func (c *Centring) Apply(x *sparse.Matrix) *sparse.Matrix {
	if c.means == nil {
		return x
	}
	rows, cols := x.Dims()
	size := x.NNZ() + rows*len(c.shifted)/4
	ptr, idx, val := make([]int, 1, rows+1), make([]int32, 0, size), make([]float64, 0, size)
	put := func(j int32, v float64) { idx, val = append(idx, j), append(val, v-c.means[j]) }
	for i := range rows {
		x.VisitWithZeros(i, c.shifted, put)
		ptr = append(ptr, len(idx))
	}
	return sparse.New(cols, ptr, idx, val)
}

// MeanOf returns what is subtracted from column j.
func (c *Centring) MeanOf(j int32) float64 {
	if c.means == nil {
		return 0
	}
	return c.means[j]
}

// Intercepts turns those of centred columns into those of the data's own: b − Σ mean·coefficient, by output. It changes b.
func (c *Centring) Intercepts(b []float64, coefs []engines.Coef) []float64 {
	for _, k := range coefs {
		b[k.Output] -= float64(k.Value * c.MeanOf(int32(k.Feature)))
	}
	return b
}
