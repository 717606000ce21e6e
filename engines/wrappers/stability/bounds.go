package stability

import (
	"fmt"
	"math"

	"tenfold/engines/numeric/elementary"
)

// The names of bounds in experiment files.
const (
	noShape  = "none"      // no assumption on the distribution of the frequencies
	unimodal = "unimodal"  // the proportions of simultaneous selections have a unimodal distribution
	rConcave = "r-concave" // that distribution is r-concave with r = -1/2, that of the frequencies with r = -1/4
)

// bound is an upper bound of the expected number of columns that are selected by mistake.
type bound struct {
	shape   string
	columns int
	pairs   int // number of complementary pairs, B; of single halves their number
	halves  int // 2B, or B if halves are drawn singly
}

// errNoBound reports that the theorem gives no bound for a q and threshold.
type errNoBound struct{ why string }

func (e errNoBound) Error() string { return e.why }

// slack is the relative difference at which two bounds, or a frequency and a threshold, count as equal.
const slack = 1e-9

// count returns the number of halves that the threshold requires: counts are compared, since shares such as 57/100 have no exact
// representation.
func (b bound) count(threshold float64) int {
	return int(math.Ceil(float64((threshold - slack) * float64(b.halves))))
}

// value returns the bound for q columns selected on each half and a threshold (Meinshausen and Bühlmann 2010, theorem 1; Shah and
// Samworth 2013, equations 6 to 9).
func (b bound) value(q int, threshold float64) (float64, error) {
	p, theta := float64(b.columns), float64(q)/float64(b.columns)
	if b.shape == noShape {
		if !(threshold > 0.5) {
			return 0, errNoBound{fmt.Sprintf("threshold %v, expected more than 0.5", threshold)}
		}
		return float64(q) * theta / (float64(2*threshold) - 1), nil
	}
	count := b.count(threshold)
	if b.shape == unimodal {
		return b.unimodal(float64(q), theta, threshold)
	}
	if 2*count < b.halves {
		return 0, errNoBound{fmt.Sprintf("threshold %v, expected at least 0.5", threshold)}
	}
	simultaneous := concaveTail(theta*theta, count-b.pairs, b.pairs, -2)
	single := concaveTail(theta, count, b.halves, -4)
	return p * min(1, simultaneous, single), nil
}

// leastUnimodal returns the smallest threshold for which the bound unimodal is known, where q is a share θ of the columns.
func (b bound) leastUnimodal(theta float64) float64 {
	draws := float64(b.pairs)
	return max(0.5+1/draws, 0.5+min(float64(theta*theta), 1/(2*draws)+float64(0.75*theta*theta)))
}

// suits reports whether the bound unimodal is known for a threshold.
func (b bound) suits(threshold, theta float64) bool {
	return float64(b.count(threshold))/float64(b.halves) >= b.leastUnimodal(theta)*(1-slack)
}

func (b bound) unimodal(q, theta, given float64) (float64, error) {
	draws, threshold := float64(b.pairs), float64(b.count(given))/float64(b.halves)
	switch {
	case theta > 1/math.Sqrt(3):
		return 0, errNoBound{fmt.Sprintf("q %v of %d columns, expected at most %d for the bound unimodal (r-concave and none have more)", q, b.columns, int(float64(b.columns)/math.Sqrt(3)))}
	case !b.suits(given, theta):
		return 0, errNoBound{fmt.Sprintf("threshold %v, expected at least %.4g for the bound unimodal with %d draws", given, b.leastUnimodal(theta), b.pairs)}
	case threshold <= 0.75*(1+slack):
		return q * theta / (2 * (float64(2*threshold) - 1 - 1/(2*draws))), nil
	}
	return q * theta * 4 * (1 - threshold + 1/(2*draws)) / (1 + 1/draws), nil
}

// concaveTail returns the largest P(X ≥ t/n) over the distributions on 0, 1/n, …, 1 that are r-concave and have mean at most mean,
// where power is 1/r (Shah and Samworth 2013, section 3.3): such a distribution is (a+i)^power on 0..k with a lump at k+1 that
// makes the mean. O(n²).
//
// The maximum over a is often at an end of its interval, which a local search that starts inside does not reach.
func concaveTail(mean float64, t, n, power int) float64 {
	m := float64(mean * float64(n))
	first := int(math.Ceil(float64(2*m))) + 1
	if t < first || first >= n {
		return 1
	}
	best := 0.0
	next := offsetOfMean(m, max(first, t-1), power)
	for k := max(first, t-1); k < n; k++ {
		high := next
		next = offsetOfMean(m, k+1, power)
		tail := func(logA float64) float64 { return tailWithLump(m, t, k, power, elementary.Exp(logA)) }
		best = max(best, largest(tail, elementary.Log(next), elementary.Log(high)))
	}
	return min(1, best)
}

// weight returns (1+i/a)^power, which is (a+i)^power up to a factor.
func weight(i int, a float64, power int) float64 {
	w := 1 / (1 + float64(i)/a)
	w *= w
	if power == -4 {
		w *= w
	}
	return w
}

// offsetOfMean returns the a at which the distribution (a+i)^power on 0..k has mean m. The mean rises in a, from 0 to k/2.
func offsetOfMean(m float64, k, power int) float64 {
	low, high := elementary.Log(1e-30), elementary.Log(1e30)
	for range 200 {
		mid := (low + high) / 2
		a := elementary.Exp(mid)
		sum, first := 0.0, 0.0
		for i := 0; i <= k; i++ {
			w := weight(i, a, power)
			sum += w
			first += float64(float64(i) * w)
		}
		if first < m*sum {
			low = mid
		} else {
			high = mid
		}
	}
	return elementary.Exp((low + high) / 2)
}

// tailWithLump returns P(X ≥ t) of the distribution (a+i)^power on 0..k with a lump at k+1 that makes the mean m.
func tailWithLump(m float64, t, k, power int, a float64) float64 {
	below, moment := 0.0, 0.0
	for i := 0; i <= k; i++ {
		w := weight(i, a, power)
		if i < t {
			below += w
		}
		moment += float64(float64(k+1-i) * w)
	}
	return 1 - (float64(k+1)-m)*below/moment
}

// largest returns the maximum of f on an interval: that of a grid with both ends, refined by golden sections around it.
func largest(f func(float64) float64, low, high float64) float64 {
	const points = 41
	step := (high - low) / (points - 1)
	argmin, best := low, f(low)
	for k := 1; k < points; k++ {
		x := low + float64(float64(k)*step)
		if k == points-1 {
			x = high
		}
		if y := f(x); y > best {
			argmin, best = x, y
		}
	}
	from, to := max(low, argmin-step), min(high, argmin+step)
	golden := (math.Sqrt(5) - 1) / 2
	for range 60 {
		width := float64(golden * (to - from))
		left, right := to-width, from+width
		if f(left) < f(right) {
			from = left
		} else {
			to = right
		}
	}
	return max(best, f((from+to)/2))
}

// plan holds the parameters of the selection, and the bound that follows.
type plan struct {
	Q         int     // columns selected on each half; 0 if the engine decides
	Threshold float64 // share of halves
	Count     int     // the threshold as a number of halves
	PFER      float64 // the bound
}

// complete computes the one of q, threshold and pfer that is 0 from the other two.
func (b bound) complete(q int, threshold, pfer float64) (plan, error) {
	switch {
	case pfer == 0:
		v, err := b.value(q, threshold)
		return plan{q, threshold, b.count(threshold), v}, err
	case q == 0:
		return b.mostColumns(threshold, pfer)
	}
	least := math.Inf(1)
	for count := b.halves/2 + 1; count <= b.halves; count++ {
		threshold := float64(count) / float64(b.halves)
		v, err := b.value(q, threshold)
		if err == nil && v <= pfer*(1+slack) {
			return plan{q, threshold, count, v}, nil
		}
		if err == nil {
			least = min(least, v)
		}
	}
	if _, err := b.value(q, 1); err != nil {
		return plan{}, err
	}
	return plan{}, fmt.Errorf("pfer %v is not reached with q %d of %d columns: the smallest, at threshold 1, is %.4g", pfer, q, b.columns, least)
}

// mostColumns returns the plan with the largest q that keeps the bound.
func (b bound) mostColumns(threshold, pfer float64) (plan, error) {
	found := plan{Threshold: threshold, Count: b.count(threshold)}
	for q := 1; q <= b.columns; q++ {
		v, err := b.value(q, threshold)
		if q == 1 && err != nil {
			return plan{}, err
		}
		if q == 1 && v > pfer*(1+slack) {
			return plan{}, fmt.Errorf("pfer %v is not reached at threshold %v: one column of %d on each half has %.4g", pfer, threshold, b.columns, v)
		}
		if err != nil || v > pfer*(1+slack) {
			break
		}
		found.Q, found.PFER = q, v
	}
	return found, nil
}
