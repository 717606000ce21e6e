package engines

import "tenfold/engines/data"

// Residual tracks the mean squared error of a linear model on held-out rows while coefficients move one at a time. A move takes time
// proportional to the entries of the column. The residual vector does not contain the bias:
//
//	u = y − b₀ − (X − 1c')·b,   true error u + M,   MSE = (Q + 2·M·P + W·M²) / W,
//
// with M = b₀ − bias − c'b, Q = Σ m·u², P = Σ m·u and W = Σ m over the rows. c is the first row's values of columns that have an entry
// in every row, so that the distance of a column from zero costs no digits, and 0 of others.
type Residual struct {
	view    *data.View
	y       []float64
	weight  data.Weights
	u       []float64
	q, p, w float64
	start   float64 // b₀
	moved   float64 // c'b
	shift   float64 // M
}

// NewResidual starts at the constant model b₀ = bias, for the first target of the view, which must be defined on every row.
func NewResidual(view *data.View, bias float64) *Residual {
	_, y := view.Target(0)
	r := &Residual{view: view, y: y, weight: view.Weights(), u: make([]float64, len(y))}
	r.Reset(bias)
	return r
}

// Reset returns to the constant model.
func (r *Residual) Reset(bias float64) {
	r.start, r.moved, r.shift, r.q, r.p, r.w = bias, 0, 0, 0, 0, 0
	for i, y := range r.y {
		m := r.weight.Of(i)
		u := y - bias
		r.u[i] = u
		r.q += float64(m * float64(u*u))
		r.p += float64(m * u)
		r.w += m
	}
}

// Move adds h to the raw coefficient of column j, and sets the model's bias.
func (r *Residual) Move(j int, h, bias float64) {
	col, from := r.view.Matrix().Col(j), 0.0
	if col.Len() == len(r.u) && col.Len() > 0 {
		from = col.At(0)
	}
	r.moved += float64(h * from)
	r.shift = r.start - bias - r.moved
	for k, i := range col.Idx {
		u, m := r.u[i], r.weight.Of(int(i))
		v := u - float64(h*(col.At(k)-from))
		r.u[i] = v
		r.q += float64(m * (float64(v*v) - float64(u*u)))
		r.p += float64(m * (v - u))
	}
}

// MSE returns the present mean squared error, at least 0 whatever the rounding; 0 without rows.
func (r *Residual) MSE() float64 {
	if r.w == 0 {
		return 0
	}
	return max(0, r.q+float64(2*float64(r.shift*r.p))+float64(r.w*float64(r.shift*r.shift))) / r.w
}
