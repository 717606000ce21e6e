package survival

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// Univariate tests columns one at a time against the hypothesis that hazards do not depend on them. Columns have their rows in the
// order of falling times (Order). Not safe for several goroutines.
type Univariate struct {
	l    *Likelihood
	null Point
	// Sums over terms at the null, by tie: of c·scale and c·scale² over all terms of this and earlier times, and of these times
	// less and less² over its own terms alone.
	hazard, square              []float64
	lessHazard, lessSquare, ll2 []float64
	tieOf                       []int32   // by place
	residual                    []float64 // by place
}

// Order returns the rows by falling time, at one time events first.
func (l *Likelihood) Order() []int32 { return l.order }

// AtRisk returns the number of places at risk at the first event: later ones, rows censored before it, are in no term.
func (l *Likelihood) AtRisk() int {
	for q := len(l.ties) - 1; ; q-- {
		if l.ties[q].terms > 0 {
			return l.ties[q].end
		}
	}
}

// NewUnivariate prepares tests. O(n + terms).
func NewUnivariate(l *Likelihood) *Univariate {
	n := len(l.ties)
	s := &Univariate{
		l: l, tieOf: make([]int32, l.rows), residual: make([]float64, l.rows), hazard: make([]float64, n+1), square: make([]float64, n+1),
		lessHazard: make([]float64, n), lessSquare: make([]float64, n), ll2: make([]float64, n),
	}
	l.At(&s.null, make([]float64, l.rows))
	l.Sorted(s.residual, s.null.Residual)
	term := l.terms
	for q := n - 1; q >= 0; q-- {
		t := &l.ties[q]
		for k := t.first; k < t.end; k++ {
			s.tieOf[k] = int32(q)
		}
		s.hazard[q], s.square[q] = s.hazard[q+1], s.square[q+1]
		for range t.terms {
			term--
			risk := &s.null.terms[term]
			h := float64(risk.c * risk.scale)
			s.hazard[q] += h
			s.square[q] += float64(h * risk.scale)
			s.lessHazard[q] += float64(h * risk.less)
			s.lessSquare[q] += float64(h * risk.scale * risk.less)
			s.ll2[q] += float64(h * risk.scale * risk.less * risk.less)
		}
	}
	return s
}

// constant is the share of a column's mean square over risk sets below which its variance is rounding.
const constant = 1e-11

// Score returns the score test's statistic g²/I, with the gradient g of the log-likelihood at the null and its information I, for a
// column whose nonzero values are given with their places, rising; 0 if it does not vary within any risk set. O(entries): between
// the times of entries, the sums over risk sets are constant, and terms add up by differences of hazards.
func (s *Univariate) Score(place []int32, value func(k int) float64) float64 {
	var g, spread, raw float64
	var sum, squares float64 // Σ m·x, Σ m·x² over the risk set
	last := len(s.l.ties)
	through := func(q int) { // the terms of ties before q, from the last one on
		if last < q {
			h := s.hazard[last] - s.hazard[q]
			spread += float64(squares*h) - float64(sum*sum*(s.square[last]-s.square[q]))
			raw += float64(squares * h)
		}
	}
	for k := 0; k < len(place); {
		q := int(s.tieOf[place[k]])
		through(q)
		t := &s.l.ties[q]
		died, diedSquares := 0.0, 0.0
		for ; k < len(place) && int(s.tieOf[place[k]]) == q; k++ {
			position, x := int(place[k]), value(k)
			v := float64(s.l.weight[position] * x)
			g += float64(x * s.residual[position])
			sum += v
			squares += float64(v * x)
			if position < t.first+t.events {
				died += v
				diedSquares += float64(v * x)
			}
		}
		h, h2 := s.hazard[q]-s.hazard[q+1], s.square[q]-s.square[q+1]
		square := float64(squares*h) - float64(diedSquares*s.lessHazard[q])
		raw += square
		spread += square - float64(sum*sum*h2) + float64(2*sum*died*s.lessSquare[q]) - float64(died*died*s.ll2[q])
		last = q + 1
	}
	through(len(s.l.ties))
	if !(spread > constant*raw) {
		return 0
	}
	return g * g / spread
}

// Estimate holds Cox's estimate for a column alone.
type Estimate struct {
	Coef        float64 // ±∞ if the column orders all events, so that the likelihood has no maximum
	Information float64 // minus the second derivative of the log-likelihood at Coef; 0 at infinity
	Gain        float64 // log-likelihood there minus that at the null; its limit at infinity
}

// Wald returns the statistic b²·I(b); 0 at infinity, where it is undefined.
func (s Estimate) Wald() float64 {
	if s.Information == 0 {
		return 0
	}
	return s.Coef * s.Coef * s.Information
}

// Estimate estimates the coefficient of a column with a value for every place; Coef is 0 if it does not vary within any risk set.
// Newton's method with step halving; O(n + terms) and an exponential of each nonzero value an iteration.
func (s *Univariate) Estimate(x []float64) Estimate {
	if side, gain := s.ordered(x); side != 0 {
		return Estimate{Coef: math.Inf(side), Gain: gain}
	}
	const steps, precise = 200, 1e-15
	b := 0.0
	log, slope, information := s.derivatives(x, b)
	null, sd := log, 0.0
	for step := range steps {
		if !(information > 0) {
			break
		}
		if step == 0 {
			sd = math.Sqrt(information)
		}
		move := slope / information
		if float64(slope*move) <= precise { // the log-likelihood can rise by half of that
			break
		}
		share := 1.0
		for ; share > 1e-10; share /= 2 {
			if l, g, i := s.derivatives(x, b+float64(share*move)); l >= log {
				b += float64(share * move)
				log, slope, information = l, g, i
				break
			}
		}
		if share <= 1e-10 || math.Abs(share*move)*sd < 1e-12 {
			break
		}
	}
	return Estimate{b, information, log - null}
}

// at returns the log-likelihood at b·x, its derivative and its information there.
func (s *Univariate) derivatives(x []float64, b float64) (log, slope, information float64) {
	most := 0.0
	for _, v := range x {
		most = max(most, float64(b*v))
	}
	zero := elementary.Exp(-most)
	var all, first, second float64 // Σ e, Σ e·x, Σ e·x² over the risk set
	for q := range s.l.ties {
		t := &s.l.ties[q]
		var died, diedFirst, diedSecond float64
		for k := t.first; k < t.end; k++ {
			v, m := x[k], s.l.weight[k]
			e := m * zero
			if v != 0 {
				e = m * elementary.Exp(float64(b*v)-most)
			}
			ex := float64(e * v)
			all += e
			first += ex
			second += float64(ex * v)
			if k < t.first+t.events {
				died += e
				diedFirst += ex
				diedSecond += float64(ex * v)
				log += float64(m * (float64(b*v) - most))
				slope += float64(m * v)
			}
		}
		c := t.mass / float64(max(1, t.terms))
		for j := range t.terms {
			less := float64(j) / float64(t.terms)
			sum := all - float64(less*died)
			mean := (first - float64(less*diedFirst)) / sum
			log -= float64(c * elementary.Log(sum))
			slope -= float64(c * mean)
			information += float64(c * ((second-float64(less*diedSecond))/sum - float64(mean*mean)))
		}
	}
	return log, slope, information
}

// ordered reports whether a column orders all events, so that the likelihood rises as the coefficient goes to +∞ (1) or −∞ (−1):
// whether all rows of each D have the largest value, or the smallest, of their risk set; and the gain in log-likelihood in the
// limit. A column that does not vary within the risk sets has side 0.
func (s *Univariate) ordered(x []float64) (side int, gain float64) {
	for _, side := range []int{1, -1} {
		gain, varies := 0.0, false
		most, top, all := math.Inf(-1), 0.0, 0.0 // the largest value, the weight of the rows that have it, and of all, so far
		orders := true
		for q := 0; q < len(s.l.ties) && orders; q++ {
			t := &s.l.ties[q]
			for k := t.first; k < t.end; k++ {
				v := float64(side) * x[k]
				if v > most {
					most, top = v, 0
				}
				if v == most {
					top += s.l.weight[k]
				}
				all += s.l.weight[k]
			}
			for k := t.first; k < t.first+t.events; k++ {
				orders = orders && float64(side)*x[k] == most
			}
			varies = varies || t.terms > 0 && top < all
			for j := range t.terms {
				less := float64(t.mass * (float64(j) / float64(t.terms)))
				gain += float64(t.mass / float64(t.terms) * elementary.Log((all-less)/(top-less)))
			}
		}
		if orders && varies {
			return side, gain
		}
	}
	return 0, 0
}
