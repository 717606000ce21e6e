package stagewise

import "math"

// residualCorrelations keeps the residual u and no inner products (parameter lazy). A step costs the entries of its column, a look
// at a feature the entries of that feature's column, and no Gram column is computed.
type residualCorrelations struct {
	d *design
	u []float64
	s float64
}

func newResidualCorrelations(d *design) *residualCorrelations {
	l := &residualCorrelations{d: d, u: make([]float64, len(d.y))}
	d.residual(l.u, nil)
	l.s, _ = d.residualMoments(l.u)
	return l
}

func (r *residualCorrelations) value(k int) float64 {
	col := r.d.cols.Col(int(r.d.column[k]))
	a := 0.0
	if r.d.weight == nil {
		a = col.Dot(r.u)
	} else {
		for q, i := range col.Idx {
			a += float64(float64(r.d.weight[i]*col.At(q)) * r.u[i])
		}
	}
	f := r.d.scales[k]
	return f.gamma * (a - float64(f.mu*r.s))
}

func (r *residualCorrelations) update(k int, h float64) {
	r.d.cols.Col(int(r.d.column[k])).AddTo(r.u, -h)
	r.s -= float64(h * r.d.total[k])
}

func (r *residualCorrelations) offset() float64 { return r.s }

func (r *residualCorrelations) recompute(b []float64) (rss, drift float64) {
	change, s := r.u, r.s
	r.u = make([]float64, len(change))
	r.d.residual(r.u, b)
	r.s, rss = r.d.residualMoments(r.u)
	for i, u := range r.u {
		change[i] -= u
	}
	inner := make([]float64, len(r.d.position))
	r.d.innerProducts(inner, change)
	for j, a := range inner {
		if k := r.d.position[j]; k >= 0 {
			f := r.d.scales[k]
			drift = max(drift, f.gamma*math.Abs(a-float64(f.mu*(s-r.s))))
		}
	}
	return rss, drift
}
