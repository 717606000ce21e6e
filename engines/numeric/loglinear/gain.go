package loglinear

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// Limits bounds a weight. One of them must be finite: without any, the best weight of a feature that is always (or never) right is
// infinite.
type Limits struct {
	Bound    float64 // maximum of |α|; +Inf for none
	Variance float64 // of a Gaussian prior on α, which subtracts α²/2v from G; 0 for none
}

// settled is the size of a Newton step that ends the search. Since |G‴| ≤ max|x|·|G″|, the point after a step δ has an error of
// about max|x|·δ²/2 at most: far below 1e-12.
const settled = 1e-7

// Maximise returns the best weight within the limits, and G there without the prior's part: the feature's gain.
//
// It uses Newton's method from the weight that would be best if all p_i were equal, in a bracket that shrinks by the sign of the
// derivative. The ends of the first bracket are not evaluated; a Newton step beyond an end goes to it. O(rows · steps).
func (l Line) Maximise(lim Limits) (alpha, gain float64) {
	if len(l.p) == 0 {
		return 0, 0
	}
	alpha = l.bestWeight(lim)
	gain = l.Value(alpha)
	if lim.Variance > 0 {
		gain -= alpha * alpha / (2 * lim.Variance)
	}
	return alpha, gain
}

func (l Line) bestWeight(lim Limits) float64 {
	bound := lim.Bound
	if lim.Variance > 0 {
		bound = math.Min(bound, l.boundWeight(lim.Variance))
	} else if l.x == nil && (l.e <= 0 || l.e >= l.n) {
		return math.Copysign(bound, 2*l.e-l.n)
	}
	lo, hi := -bound, bound
	alpha := math.Max(lo, math.Min(hi, l.guessWeight(lim)))
	for range 100 {
		derivative, curvature := l.Derivatives(alpha)
		if lim.Variance > 0 {
			derivative -= alpha / lim.Variance
			curvature += 1 / lim.Variance
		}
		switch {
		case derivative == 0, derivative > 0 && alpha == bound, derivative < 0 && alpha == -bound:
			return alpha
		case derivative > 0:
			lo = alpha
		default:
			hi = alpha
		}
		next := alpha + derivative/curvature
		switch {
		case curvature > 1e-300 && next > lo && next < hi:
			if math.Abs(next-alpha) <= settled*math.Max(1, math.Abs(alpha)) {
				return next
			}
		case derivative > 0 && hi == bound && !(next < hi):
			next = hi
		case derivative < 0 && lo == -bound && !(next > lo):
			next = lo
		default:
			next = lo + float64((hi-lo)/2)
			if next == lo || next == hi {
				return alpha
			}
		}
		alpha = next
	}
	return alpha
}

// boundWeight returns a bound on the best weight under a prior: there, α/v = E − Σ m x q, and no rows make that larger than Σ m|x|.
func (l Line) boundWeight(variance float64) float64 {
	sum := 0.0
	for k := range l.p {
		sum += float64(l.rowWeight(k) * math.Abs(l.rowValue(k)))
	}
	return variance * sum
}

// guessWeight returns the weight that is best if all p_i are equal. A prior keeps it small.
func (l Line) guessWeight(lim Limits) float64 {
	if l.x != nil {
		return 0
	}
	sum := 0.0
	for k, p := range l.p {
		sum += float64(l.rowWeight(k) * p)
	}
	a := elementary.Log(l.e/(l.n-l.e)) - elementary.Log(sum/(l.n-sum))
	if a != a {
		return 0
	}
	if lim.Variance > 0 {
		return math.Max(-4, math.Min(4, a))
	}
	return a
}

// Gain returns the weight of a candidate that is best with all others fixed, and the gain in log-likelihood.
func (s *State) Gain(c Candidate, lim Limits, buf *Buffer) (alpha, gain float64) {
	return s.Line(c, buf).Maximise(lim)
}

// FirstGain returns the Gain at the model without features, for a context of ones: all p_i are 1/classes, so one term stands for all
// rows. O(steps).
func (p *Problem) FirstGain(c Candidate, lim Limits) (alpha, gain float64) {
	l := Line{e: c.Sum, n: c.Holds, p: []float64{1 / float64(p.Classes)}, m: []float64{c.Holds}}
	return l.Maximise(lim)
}
