// Package scaled centres and scales the columns of sparse matrices. Matrix does it in the formulas, so that the stored matrix stays
// sparse: means and scales (scaled.go, where to begin), products with columns (products.go), and the operator of least squares
// (normal.go). Centered stores the columns instead, where means exceed deviations by so much that formulas lose digits. It knows
// nothing of targets and penalties.
package scaled

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Matrix is G = (X − 1μ')·D(γ), a matrix with its columns centred and scaled, without storing it: X stays sparse. (Hooker & Weng
// 2004, section 5.) Sums over rows are weighted by m_i, the multiplicity of row i.
type Matrix struct {
	X      *sparse.Matrix
	Weight sparse.Weights // m_i by row
	N      float64        // n = Σ m_i

	Mean  []float64 // μ_j = Σ m_i·x_ij / n
	Scale []float64 // γ_j; 0 for a constant column, which removes it from every product
	Norm2 []float64 // g_j = ‖G_j‖² = γ_j²·SS_j, with SS_j = Σ m_i·(x_ij − μ_j)²
	Shift []float64 // what StandardizeFar subtracted from each column of the data to get X; nil: nothing

	// Far reports that the mean of some column exceeds its standard deviation by so much that centring in formulas costs more than
	// six digits, or all; Center keeps them.
	Far bool
}

// Scales lists the names of the choices of γ in Standardize: sd (‖G_j‖² = n), unit (‖G_j‖² = 1), none (γ_j = 1).
var Scales = []string{"sd", "unit", "none"}

// constantBelow is the share of a column's sum of squares up to which its centred sum of squares makes it constant.
const constantBelow = 1e-12

// Subnormal is the sum of squares below which a column is constant: squares beside it have lost their digits, and what it is divided by overflows.
const Subnormal = 0x1p-1000

// farBelow is the share of a column's sum of squares below which its centred sum of squares has lost six digits in differences of
// products of columns.
const farBelow = 1e-6

// IsFar reports whether a column with a sum of squares about its mean, and about zero, is so far from zero that centring in formulas
// costs six digits or more, and yet varies.
func IsFar(centred, raw float64) bool { return centred < farBelow*raw && centred > flat*flat*raw }

// Standardize computes means and scales from all rows of x. weight holds m_i > 0, or nil for 1 each. O(nnz).
func Standardize(x *sparse.Matrix, weight []float64, scale string) (*Matrix, error) {
	rows, cols := x.Dims()
	if weight != nil && len(weight) != rows {
		return nil, fmt.Errorf("%d weights for %d rows", len(weight), rows)
	}
	g := &Matrix{X: x, Weight: weight, N: sparse.Weights(weight).Sum(rows), Mean: make([]float64, cols), Scale: make([]float64, cols)}
	centred, raw := g.squaredSums()
	g.Norm2 = centred
	for j, ss := range centred {
		if math.IsInf(raw[j], 1) {
			return nil, tooLarge(j)
		}
		g.Far = g.Far || IsFar(ss, raw[j])
		if !(ss > max(Subnormal, constantBelow*raw[j])) {
			g.Norm2[j] = 0
			continue
		}
		switch scale {
		case "sd":
			g.Scale[j], g.Norm2[j] = math.Sqrt(g.N/ss), g.N
		case "unit":
			g.Scale[j], g.Norm2[j] = 1/math.Sqrt(ss), 1
		case "none":
			g.Scale[j] = 1
		default:
			return nil, fmt.Errorf("scale %q, expected one of %v", scale, Scales)
		}
	}
	return g, nil
}

// Moments returns the weighted mean of each column, its sum of squares about the mean, 0 for a constant column, and the sum of the
// weights. It is for callers that subtract means from values, not in formulas: a column is constant only if its deviation is rounding
// beside its mean (flat), while Standardize leaves out those of which formulas keep nothing. O(nnz).
func Moments(x *sparse.Matrix, weight []float64) (mean, squares []float64, n float64, err error) {
	rows, cols := x.Dims()
	g := &Matrix{X: x, Weight: weight, N: sparse.Weights(weight).Sum(rows), Mean: make([]float64, cols)}
	squares, raw := g.squaredSums()
	for j, ss := range squares {
		if math.IsInf(raw[j], 1) {
			return nil, nil, 0, tooLarge(j)
		}
		if !(ss > max(Subnormal, flat*flat*raw[j])) {
			squares[j] = 0
		}
	}
	return g.Mean, squares, g.N, nil
}

func tooLarge(column int) error {
	return fmt.Errorf("column %d: the sum of its squares is no finite number; divide it by a power of ten", column)
}

// squaredSums sets the means, and returns SS_j and Σ m_i·x_ij². For binary columns both follow from the sums alone, without
// rounding if the weights are integers; otherwise SS_j is summed about the mean, since the difference of two large sums would lose
// digits.
func (g *Matrix) squaredSums() (centred, raw []float64) {
	if mean, centred, raw, ok := g.X.FullMoments(g.Weight, g.N); ok {
		copy(g.Mean, mean)
		return slices.Clone(centred), raw
	}
	raw = make([]float64, len(g.Mean))
	g.eachRow(func(row sparse.Vec, m float64) { row.AddTo(g.Mean, m) })
	if g.X.Binary() {
		centred = make([]float64, len(g.Mean))
		for j, sum := range g.Mean {
			raw[j] = sum
			centred[j] = sum * (g.N - sum) / g.N
			g.Mean[j] = sum / g.N
		}
		return centred, raw
	}
	for j := range g.Mean {
		g.Mean[j] /= g.N
	}
	centred, stored := make([]float64, len(g.Mean)), make([]float64, len(g.Mean))
	g.eachRow(func(row sparse.Vec, m float64) {
		if g.X.IsFull() {
			addSquares(raw, centred, row.Val, g.Mean, m)
			return
		}
		for k, j := range row.Idx {
			x := row.Val[k]
			d := x - g.Mean[j]
			raw[j] += float64(m * float64(x*x))
			centred[j] += float64(m * float64(d*d))
			stored[j] += m
		}
	})
	if g.X.IsFull() {
		return centred, raw
	}
	for j, mu := range g.Mean { // the zeros, which are not stored
		centred[j] += float64(max(0, g.N-stored[j]) * float64(mu*mu))
	}
	return centred, raw
}

// addSquares adds m·x² to raw and m·(x − mean)² to centred, for each entry of a row that has all.
func addSquares(raw, centred, row, mean []float64, m float64) {
	raw, centred, mean = raw[:len(row)], centred[:len(row)], mean[:len(row)]
	for j, x := range row {
		d := x - mean[j]
		raw[j] += float64(m * float64(x*x))
		centred[j] += float64(m * float64(d*d))
	}
}

func (g *Matrix) eachRow(do func(row sparse.Vec, m float64)) {
	rows, _ := g.X.Dims()
	for i := range rows {
		do(g.X.Row(i), g.RowWeight(i))
	}
}

// RowWeight returns m_i.
func (g *Matrix) RowWeight(i int) float64 { return g.Weight.Of(i) }

// Constant returns the constant columns, rising.
func (g *Matrix) Constant() []int32 {
	var out []int32
	for j, s := range g.Scale {
		if s == 0 {
			out = append(out, int32(j))
		}
	}
	return out
}

// Center returns y − ȳ with the weighted mean ȳ, and TSS = Σ m_i·(y_i − ȳ)².
func (g *Matrix) Center(y []float64) (centred []float64, mean, tss float64) {
	for i, v := range y {
		mean += float64(g.RowWeight(i) * v)
	}
	mean /= g.N
	centred = make([]float64, len(y))
	for i, v := range y {
		d := v - mean
		centred[i] = d
		tss += float64(g.RowWeight(i) * float64(d*d))
	}
	return centred, mean, tss
}

// Unscale returns the coefficient γ_j·β of column j of the data, and subtracts its share μ_j·γ_j·β (with Shift, more) from the
// intercept.
func (g *Matrix) Unscale(j int, beta float64, intercept *float64) float64 {
	b := g.Scale[j] * beta
	*intercept -= float64(b * g.Mean[j])
	if g.Shift != nil {
		*intercept -= float64(b * g.Shift[j])
	}
	return b
}

// StandardizeFar does what Standardize does, but if centring in formulas would cost too many digits (Far), it centres a copy of the
// columns first. O(nnz).
func StandardizeFar(ctx context.Context, x *sparse.Matrix, weight []float64, scale string) (*Matrix, error) {
	g, err := Standardize(x, weight, scale)
	if err != nil || !g.Far {
		return g, err
	}
	near, err := Center(ctx, x, weight, Mean, false)
	if err != nil {
		return nil, err
	}
	if g, err = Standardize(near.X, weight, scale); err != nil {
		return nil, err
	}
	g.Shift = near.Center
	return g, nil
}
