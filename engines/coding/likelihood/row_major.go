package likelihood

import (
	"context"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/growing"
)

// rowMajor is the columns of a logistic regression in compressed rows, for sparse columns: the Hessian then takes Σ_i |row i|²
// in place of rows · columns², and no dense column is stored.
type rowMajor struct {
	ptr []int32
	col []int32 // number of the column in the regression
	x   []float64
}

// newRowMajor keeps columns by row where it saves time.
const (
	maxDensity = 0.2 // largest share of nonzero entries
	minColumns = 8
)

// newRowMajor returns the columns by row; nil if dense columns cost no more.
func newRowMajor(d *growing.Design, columns []int32) *rowMajor {
	n, entries := d.Rows(), 0
	for _, j := range columns {
		entries += d.X.Col(int(j)).Len()
	}
	if len(columns) < minColumns || float64(entries) > maxDensity*float64(n*len(columns)) {
		return nil
	}
	s := &rowMajor{ptr: make([]int32, n+1), col: make([]int32, entries), x: make([]float64, entries)}
	for _, j := range columns {
		for _, i := range d.X.Col(int(j)).Idx {
			s.ptr[i+1]++
		}
	}
	for i := range n {
		s.ptr[i+1] += s.ptr[i]
	}
	next := append([]int32(nil), s.ptr[:n]...)
	for a, j := range columns {
		col := d.X.Col(int(j))
		for k, i := range col.Idx {
			s.col[next[i]], s.x[next[i]] = int32(a), col.At(k)
			next[i]++
		}
	}
	return s
}

// margins adds Σ_k w_k·x̃_k to h.
func (s *rowMajor) margins(h, w []float64, columns []int32, d *growing.Design) {
	shift := 0.0
	for a, j := range columns {
		shift += float64(w[a] * d.Mean[j])
	}
	for i := range h {
		sum := -shift
		for q := s.ptr[i]; q < s.ptr[i+1]; q++ {
			sum += float64(w[s.col[q]] * s.x[q])
		}
		h[i] += sum
	}
}

// derivatives computes those of Regression.derivatives from
//
//	Σ c·x̃_a·x̃_b = Σ c·x_a·x_b − μ_a·Σ c·x_b − μ_b·Σ c·x_a + μ_a·μ_b·Σ c,   c = m·p(1−p),
//
// which cancels little: the means of such columns are small beside their values.
func (s *rowMajor) derivatives(ctx context.Context, f *Regression, d *growing.Design, ridge float64) (gradient []float64, hessian dense.Triangle) {
	q := len(f.columns)
	second, first, slope := make([]float64, q*q), make([]float64, q), make([]float64, q) // Σ c·x_a·x_b for a ≥ b, Σ c·x_a, Σ miss·x_a
	total, residual := 0.0, 0.0
	for i, p := range f.p {
		m := d.RowWeight(i)
		c, e := float64(m*float64(p*(1-p))), float64(m*(p-f.y[i]))
		total, residual = total+c, residual+e
		row, x := s.col[s.ptr[i]:s.ptr[i+1]], s.x[s.ptr[i]:s.ptr[i+1]]
		for k, a := range row {
			slope[a] += float64(e * x[k])
			cx := float64(c * x[k])
			first[a] += cx
			line := second[int(a)*q : int(a)*q+q]
			for l, b := range row[:k+1] {
				line[b] += float64(cx * x[l])
			}
		}
		if i%growing.CheckInterval == 0 && ctx.Err() != nil {
			break
		}
	}
	gradient, hessian = make([]float64, q+1), dense.NewTriangle(q+1)
	gradient[0], hessian[0] = residual, total
	for a, j := range f.columns {
		mean := d.Mean[j]
		gradient[a+1] = slope[a] - float64(mean*residual) + float64(ridge*f.w[a+1])
		line := hessian.Row(a + 1)
		line[0] = first[a] - float64(mean*total)
		for b := range a + 1 {
			other := d.Mean[f.columns[b]]
			v := second[a*q+b] - float64(mean*first[b]) - float64(other*first[a]) + float64(float64(mean*other)*total)
			if a == b {
				v += ridge
			}
			line[b+1] = v
		}
	}
	return gradient, hessian
}
