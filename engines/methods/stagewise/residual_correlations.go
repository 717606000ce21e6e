package stagewise

import "math"

// residualCorrelations keeps the residual u instead of the inner products a: a step costs the entries of its column, a look the entries
// of the feature looked at, and no Gram column is needed.
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

func (l *residualCorrelations) value(k int) float64 {
	col := l.d.cols.Col(int(l.d.column[k]))
	a := 0.0
	if l.d.weight == nil {
		a = col.Dot(l.u)
	} else {
		for q, i := range col.Idx {
			a += float64(float64(l.d.weight[i]*col.At(q)) * l.u[i])
		}
	}
	f := l.d.scales[k]
	return f.gamma * (a - float64(f.mu*l.s))
}

func (l *residualCorrelations) update(k int, h float64) {
	l.d.cols.Col(int(l.d.column[k])).AddTo(l.u, -h)
	l.s -= float64(h * l.d.total[k])
}

func (l *residualCorrelations) offset() float64 { return l.s }

func (l *residualCorrelations) recompute(b []float64) (rss, drift float64) {
	change, s := l.u, l.s
	l.u = make([]float64, len(change))
	l.d.residual(l.u, b)
	l.s, rss = l.d.residualMoments(l.u)
	for i, u := range l.u {
		change[i] -= u
	}
	inner := make([]float64, len(l.d.position))
	l.d.innerProducts(inner, change)
	for j, a := range inner {
		if k := l.d.position[j]; k >= 0 {
			f := l.d.scales[k]
			drift = max(drift, f.gamma*math.Abs(a-float64(f.mu*(s-l.s))))
		}
	}
	return rss, drift
}
