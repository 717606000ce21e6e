package loglinear

import "math"

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
	x    []float64 // nil where all are one
}

// Buffer is the work space of one goroutine's lines.
type Buffer struct{ p, m []float64 }

// Line through the present model. O(rows that have the context).
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

// far is where e^α is too large for the short way, which multiplies factors 1 − p + p·e^α before taking logarithms.
const far = 200

// Value is G(α).
func (l Line) Value(alpha float64) float64 {
	sum := float64(alpha * l.e)
	if l.x != nil || math.Abs(alpha) > far {
		for k, p := range l.p {
			sum -= float64(l.weight(k) * logSum(p, alpha*l.value(k)))
		}
		return sum
	}
	once := len(l.p) - len(l.m)
	e := math.Exp(alpha)
	product := 1.0
	for _, p := range l.p[:once] {
		product *= (1 - p) + float64(p*e)
		if product > 1e100 || product < 1e-100 {
			sum -= math.Log(product)
			product = 1
		}
	}
	sum -= math.Log(product)
	for k, p := range l.p[once:] {
		sum -= float64(l.m[k] * math.Log((1-p)+float64(p*e)))
	}
	return sum
}

// Slope is G'(α) and −G”(α).
func (l Line) Slope(alpha float64) (slope, curve float64) {
	first, second := 0.0, 0.0
	if l.x != nil || math.Abs(alpha) > far {
		for k, p := range l.p {
			x, q := l.value(k), share(p, alpha*l.value(k))
			mx := l.weight(k) * x
			first += float64(mx * q)
			second += float64(float64(mx*x) * float64(q*(1-q)))
		}
		return l.e - first, second
	}
	once := len(l.p) - len(l.m)
	e := math.Exp(alpha)
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

func (l Line) weight(k int) float64 {
	if k -= len(l.p) - len(l.m); k >= 0 {
		return l.m[k]
	}
	return 1
}

func (l Line) value(k int) float64 {
	if l.x == nil {
		return 1
	}
	return l.x[k]
}

// logSum is log(1 − p + p·e^a), for any a.
func logSum(p, a float64) float64 {
	switch {
	case p == 0:
		return 0
	case p == 1:
		return a
	case a > 0:
		return a + math.Log1p((1-p)*math.Expm1(-a))
	}
	return math.Log1p(p * math.Expm1(a))
}

// share is p·e^a / (1 − p + p·e^a), for any a.
func share(p, a float64) float64 {
	switch {
	case p == 0 || p == 1:
		return p
	case a > 0:
		return p / (p + float64((1-p)*math.Exp(-a)))
	}
	e := math.Exp(a)
	return p * e / (1 - p + float64(p*e))
}

// Limits on a weight. One of them must be finite: without any, the best weight of a feature that is always (or never)
// right is infinite.
type Limits struct {
	Bound    float64 // |α| at most; +Inf for none
	Variance float64 // of a Gaussian prior on α: G loses α²/2v; 0 for none
}

// settled is how small a Newton step ends the search. Since |G”'| ≤ max|x|·|G”|, the point after a step δ is off by at
// most about max|x|·δ²/2: far below 1e-12.
const settled = 1e-7

// Maximise finds the best weight within the limits, and G there less the prior's part: the feature's gain.
//
// Newton's method from the weight that would be best if all p_i were equal, in a bracket that shrinks by the slope's sign.
// At the first step the bracket's ends have not been looked at; a Newton step beyond an end goes to it. O(rows · steps).
func (l Line) Maximise(lim Limits) (alpha, gain float64) {
	if len(l.p) == 0 {
		return 0, 0
	}
	alpha = l.best(lim)
	gain = l.Value(alpha)
	if lim.Variance > 0 {
		gain -= alpha * alpha / (2 * lim.Variance)
	}
	return alpha, gain
}

func (l Line) best(lim Limits) float64 {
	bound := lim.Bound
	if lim.Variance > 0 {
		bound = math.Min(bound, l.reach(lim.Variance))
	} else if l.x == nil && (l.e <= 0 || l.e >= l.n) {
		return math.Copysign(bound, 2*l.e-l.n)
	}
	lo, hi := -bound, bound
	alpha := math.Max(lo, math.Min(hi, l.guess(lim)))
	for range 100 {
		slope, curve := l.Slope(alpha)
		if lim.Variance > 0 {
			slope -= alpha / lim.Variance
			curve += 1 / lim.Variance
		}
		switch {
		case slope == 0, slope > 0 && alpha == bound, slope < 0 && alpha == -bound:
			return alpha
		case slope > 0:
			lo = alpha
		default:
			hi = alpha
		}
		next := alpha + slope/curve
		switch {
		case curve > 1e-300 && next > lo && next < hi:
			if math.Abs(next-alpha) <= settled*math.Max(1, math.Abs(alpha)) {
				return next
			}
		case slope > 0 && hi == bound && !(next < hi):
			next = hi
		case slope < 0 && lo == -bound && !(next > lo):
			next = lo
		default:
			next = lo + (hi-lo)/2
			if next == lo || next == hi {
				return alpha
			}
		}
		alpha = next
	}
	return alpha
}

// reach bounds the best weight under a prior: there, α/v = E − Σ m x q, which no rows make larger than Σ m|x|.
func (l Line) reach(variance float64) float64 {
	sum := 0.0
	for k := range l.p {
		sum += float64(l.weight(k) * math.Abs(l.value(k)))
	}
	return variance * sum
}

// guess is the best weight if all p_i were equal. A prior keeps it small.
func (l Line) guess(lim Limits) float64 {
	if l.x != nil {
		return 0
	}
	sum := 0.0
	for k, p := range l.p {
		sum += float64(l.weight(k) * p)
	}
	a := math.Log(l.e/(l.n-l.e)) - math.Log(sum/(l.n-sum))
	if a != a {
		return 0
	}
	if lim.Variance > 0 {
		return math.Max(-4, math.Min(4, a))
	}
	return a
}

// Gain of a candidate: the weight that is best with all others fixed, and what it gains.
func (s *State) Gain(c Candidate, lim Limits, buf *Buffer) (alpha, gain float64) {
	return s.Line(c, buf).Maximise(lim)
}

// FirstGain is Gain at the model without features, for a context of ones: all p_i are 1/classes, so one term stands for all
// rows. O(steps).
func (p *Problem) FirstGain(c Candidate, lim Limits) (alpha, gain float64) {
	l := Line{e: c.Sum, n: c.Holds, p: []float64{1 / float64(p.Classes)}, m: []float64{c.Holds}}
	return l.Maximise(lim)
}
