package stagewise

import "math"

// lazy keeps the residual u instead of the inner products a: a step costs the entries of its column, a look the entries
// of the feature looked at, and no Gram column is needed.
type lazy struct {
	d *design
	u []float64
	s float64
}

func newLazy(d *design) *lazy {
	l := &lazy{d: d, u: make([]float64, len(d.y))}
	d.residual(l.u, nil)
	l.s, _ = d.moments(l.u)
	return l
}

func (l *lazy) at(k int) float64 {
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

func (l *lazy) move(k int, h float64) {
	l.d.cols.Col(int(l.d.column[k])).AddTo(l.u, -h)
	l.s -= float64(h * l.d.total[k])
}

func (l *lazy) offset() float64 { return l.s }

func (l *lazy) restart(b []float64) (rss, drift float64) {
	change, s := l.u, l.s
	l.u = make([]float64, len(change))
	l.d.residual(l.u, b)
	l.s, rss = l.d.moments(l.u)
	for i, u := range l.u {
		change[i] -= u
	}
	inner := make([]float64, len(l.d.position))
	l.d.inner(inner, change)
	for j, a := range inner {
		if k := l.d.position[j]; k >= 0 {
			f := l.d.scales[k]
			drift = max(drift, f.gamma*math.Abs(a-float64(f.mu*(s-l.s))))
		}
	}
	return rss, drift
}
