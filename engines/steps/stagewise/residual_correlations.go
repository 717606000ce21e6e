package stagewise

import (
	"math"
	"tenfold/engines/steps/stagewise/design"
)

// residualCorrelations keeps the residual u and no inner products (parameter lazy). A step costs the entries of its column, a look
// at a feature the entries of that feature's column, and no Gram column is computed.
type residualCorrelations struct {
	d *design.Design
	u []float64
	s float64
}

func newResidualCorrelations(d *design.Design) *residualCorrelations {
	l := &residualCorrelations{d: d, u: make([]float64, len(d.Y))}
	d.Residual(l.u, nil)
	l.s, _ = d.ResidualMoments(l.u)
	return l
}

// Value returns c of the feature at position k. O(entries of its column).
func (r *residualCorrelations) Value(k int) float64 {
	col := r.d.Cols.Col(int(r.d.Column[k]))
	a := 0.0
	if r.d.Weight == nil {
		a = col.Dot(r.u)
	} else {
		for q, i := range col.Idx {
			a += float64(float64(r.d.Weight[i]*col.At(q)) * r.u[i])
		}
	}
	f := r.d.Scales[k]
	return f.Gamma * (a - float64(f.Mu*r.s))
}

func (r *residualCorrelations) update(k int, h float64) {
	r.d.Cols.Col(int(r.d.Column[k])).AddTo(r.u, -h)
	r.s -= float64(h * r.d.Total[k])
}

// Offset returns s.
func (r *residualCorrelations) Offset() float64 { return r.s }

func (r *residualCorrelations) recompute(b []float64) (rss, drift float64) {
	change, s := r.u, r.s
	r.u = make([]float64, len(change))
	r.d.Residual(r.u, b)
	r.s, rss = r.d.ResidualMoments(r.u)
	for i, u := range r.u {
		change[i] -= u
	}
	inner := make([]float64, len(r.d.Position))
	r.d.InnerProducts(inner, change)
	for j, a := range inner {
		if k := r.d.Position[j]; k >= 0 {
			f := r.d.Scales[k]
			drift = max(drift, f.Gamma*math.Abs(a-float64(f.Mu*(s-r.s))))
		}
	}
	return rss, drift
}
