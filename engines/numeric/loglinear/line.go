package loglinear

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// Line is the log-likelihood along one weight, all others fixed, as a difference from where it is now:
//
//	G(α)  = αE − Σ m_i log(1 + p_i·(e^{αx_i} − 1))
//	G'(α) = E − Σ m_i x_i q_i,   q_i = p_i e^{αx_i} / (1 − p_i + p_i e^{αx_i})
//	G''(α) = −Σ m_i x_i² q_i (1 − q_i)
//
// over the rows where the context holds; p_i is the present probability of the feature's class, E = Σ m_i x_i over the
// rows of that class. It is good until its Buffer is used again.
type Line struct {
	e, n float64   // E, and the weight of the rows
	p    []float64 // rows that count once, then the others
	m    []float64 // of the others
	x    []float64 // nil if all are one
}

// Buffer is the work space of one goroutine's lines.
type Buffer struct{ p, m []float64 }

// Line returns the line through the present model. O(rows that have the context).
func (s *State) Line(c Candidate, buf *Buffer) Line {
	col := s.p.Col(c.Column)
	n := col.Len()
	if cap(buf.p) < n {
		buf.p = make([]float64, n+n/2)
	}
	l := Line{e: c.Sum, n: c.Holds, p: buf.p[:n], x: col.Val}
	s.t.share(l.p, col.Idx, c.Class)
	buf.m = buf.m[:0]
	if len(s.p.mult) > 0 {
		k := n
		for k > 0 && int(col.Idx[k-1]) >= s.p.once {
			k--
		}
		for _, i := range col.Idx[k:] {
			buf.m = append(buf.m, s.p.mult[int(i)-s.p.once])
		}
	}
	l.m = buf.m
	return l
}

// NewLine returns the line of a candidate over terms of the caller's: p holds the probabilities of its class, m the weights of the
// last len(m) terms (those before count once), x the column's values; nil if all are one.
func NewLine(c Candidate, p, m, x []float64) Line {
	return Line{e: c.Sum, n: c.Holds, p: p, m: m, x: x}
}

// far is the exponent from which e^α is too large for the fast way, which multiplies factors 1 − p + p·e^α before taking
// logarithms.
const far = 200

// Value returns G(α).
func (l Line) Value(alpha float64) float64 {
	sum := float64(alpha * l.e)
	if l.x != nil || math.Abs(alpha) > far {
		for k, p := range l.p {
			sum -= float64(l.rowWeight(k) * logSum(p, alpha*l.rowValue(k)))
		}
		return sum
	}
	once := len(l.p) - len(l.m)
	e := elementary.Exp(alpha)
	product := 1.0
	for _, p := range l.p[:once] {
		product *= (1 - p) + float64(p*e)
		if product > 1e100 || product < 1e-100 {
			sum -= elementary.Log(product)
			product = 1
		}
	}
	sum -= elementary.Log(product)
	for k, p := range l.p[once:] {
		sum -= float64(l.m[k] * elementary.Log((1-p)+float64(p*e)))
	}
	return sum
}

// Derivatives returns G'(α) and −G″(α).
func (l Line) Derivatives(alpha float64) (derivative, curvature float64) {
	first, second := 0.0, 0.0
	if l.x != nil || math.Abs(alpha) > far {
		for k, p := range l.p {
			x, q := l.rowValue(k), tiltedShare(p, alpha*l.rowValue(k))
			mx := l.rowWeight(k) * x
			first += float64(mx * q)
			second += float64(float64(mx*x) * float64(q*(1-q)))
		}
		return l.e - first, second
	}
	once := len(l.p) - len(l.m)
	e := elementary.Exp(alpha)
	for _, p := range l.p[:once] {
		q := p * e / ((1 - p) + float64(p*e))
		first += q
		second += float64(q * (1 - q))
	}
	for k, p := range l.p[once:] {
		q := p * e / ((1 - p) + float64(p*e))
		first += float64(l.m[k] * q)
		second += float64(l.m[k] * float64(q*(1-q)))
	}
	return l.e - first, second
}

func (l Line) rowWeight(k int) float64 {
	if k -= len(l.p) - len(l.m); k >= 0 {
		return l.m[k]
	}
	return 1
}

func (l Line) rowValue(k int) float64 {
	if l.x == nil {
		return 1
	}
	return l.x[k]
}

// logSum returns log(1 − p + p·e^a), for any a.
func logSum(p, a float64) float64 {
	switch {
	case p == 0:
		return 0
	case p == 1:
		return a
	case a > 0:
		return a + elementary.Log1p((1-p)*elementary.Expm1(-a))
	}
	return elementary.Log1p(p * elementary.Expm1(a))
}

// tiltedShare returns p·e^a / (1 − p + p·e^a), the probability p after its odds are multiplied by e^a, for any a.
func tiltedShare(p, a float64) float64 {
	switch {
	case p == 0 || p == 1:
		return p
	case a > 0:
		return p / (p + float64((1-p)*elementary.Exp(-a)))
	}
	e := elementary.Exp(a)
	return p * e / (1 - p + float64(p*e))
}
