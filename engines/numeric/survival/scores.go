package survival

import (
	"cmp"
	"math"
	"slices"
)

// Steps is a function of time that starts at 1 and falls at some times.
type Steps struct{ Time, Value []float64 }

// KaplanMeier returns the estimate of the survival function (Kaplan & Meier 1958): the factor 1 − d_t/n_t at every time with d
// events among n rows at risk, weighted.
func KaplanMeier(times []float64, events []int8, weight []float64) Steps {
	return productLimit(times, events, weight, false)
}

// CensoringFunction returns the estimate of the probability G to be uncensored, with events before censorings of the same time: the
// factor 1 − c_t/(n_t − d_t) at every time with c censorings.
func CensoringFunction(times []float64, events []int8, weight []float64) Steps {
	return productLimit(times, events, weight, true)
}

func productLimit(times []float64, events []int8, weight []float64, censoring bool) Steps {
	order := byTime(times)
	atRisk := 0.0
	for _, i := range order {
		atRisk += weightOf(weight, int(i))
	}
	s, g := Steps{}, 1.0
	for first := 0; first < len(order); {
		t := times[order[first]]
		died, left, end := 0.0, 0.0, first
		for ; end < len(order) && times[order[end]] == t; end++ {
			if w := weightOf(weight, int(order[end])); events[order[end]] != 0 {
				died += w
			} else {
				left += w
			}
		}
		leaves, remaining := died, atRisk
		if censoring {
			leaves, remaining = left, atRisk-died
		}
		if leaves > 0 {
			if g *= 1 - leaves/remaining; end == len(order) && (censoring || left == 0) {
				g = 0 // the last rows leave together, whatever rounding has made of the number at risk
			}
			s.Time, s.Value = append(s.Time, t), append(s.Value, g)
		}
		atRisk -= died + left
		first = end
	}
	return s
}

// At returns the value at a time.
func (s Steps) At(t float64) float64 { return s.after(t, true) }

// Before returns the value just before a time.
func (s Steps) Before(t float64) float64 { return s.after(t, false) }

func (s Steps) after(t float64, included bool) float64 {
	k, found := slices.BinarySearch(s.Time, t)
	if found && included {
		k++
	}
	if k == 0 {
		return 1
	}
	return s.Value[k-1]
}

func byTime(times []float64) []int32 {
	order := make([]int32, len(times))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(times[a], times[b]) })
	return order
}

func weightOf(weight []float64, i int) float64 {
	if weight == nil {
		return 1
	}
	return weight[i]
}

// Concordance returns the share of comparable pairs of rows whose predicted risks are ordered as their times: a row with an event
// and one with a later time, or with the same time and censored then. Ties in risk count a half; two events at one time are no pair
// (Harrell, Lee & Mark 1996). A pair counts by the product of the weights of its rows (nil: 1 each), times what by says of the row with
// the event (nil: 1; 0 leaves its pairs out). NaN without a pair. O(n log n).
func Concordance(times []float64, events []int8, risk, weight []float64, by func(i int) float64) float64 {
	levels := slices.Clone(risk)
	slices.Sort(levels)
	levels = slices.Compact(levels)
	level := make([]int, len(risk))
	for i, r := range risk {
		level[i], _ = slices.BinarySearch(levels, r)
	}
	order := byTime(times)
	slices.Reverse(order)
	later := counter(make([]float64, len(levels)+1)) // risks of the rows comparable with the present ones
	rows, right, pairs := 0.0, 0.0, 0.0
	for first := 0; first < len(order); {
		end := first
		for ; end < len(order) && times[order[end]] == times[order[first]]; end++ {
			if i := order[end]; events[i] == 0 {
				later.add(level[i], weightOf(weight, int(i)))
				rows += weightOf(weight, int(i))
			}
		}
		for _, i := range order[first:end] {
			if events[i] == 0 {
				continue
			}
			w := weightOf(weight, int(i))
			if by != nil {
				w *= by(int(i))
			}
			below := later.below(level[i])
			same := later.below(level[i]+1) - below
			right += float64(w * (below + float64(0.5*same)))
			pairs += float64(w * rows)
		}
		for _, i := range order[first:end] {
			if events[i] != 0 {
				later.add(level[i], weightOf(weight, int(i)))
				rows += weightOf(weight, int(i))
			}
		}
		first = end
	}
	if pairs == 0 {
		return math.NaN()
	}
	return right / pairs
}

// counter counts levels, and those below one, in O(log levels) (Fenwick 1994).
type counter []float64

func (c counter) add(level int, weight float64) {
	for k := level + 1; k < len(c); k += k & -k {
		c[k] += weight
	}
}

func (c counter) below(level int) (n float64) {
	for k := level; k > 0; k -= k & -k {
		n += c[k]
	}
	return n
}

// Brier returns the mean over rows of the squared difference between predicted survival at time t and the outcome, weighted by the
// inverse of the probability to be uncensored (Graf, Schmoor, Sauerbrei & Schumacher 1999, equation 4, with G just before an
// event's time). survival returns the predicted probability of row i. NaN if G is 0 at t, so that outcomes beyond are unknown.
func Brier(times []float64, events []int8, weight []float64, g Steps, t float64, survival func(i int) float64) float64 {
	uncensored := g.At(t)
	sum, all := 0.0, 0.0
	for i, y := range times {
		w := weightOf(weight, i)
		all += w
		switch {
		case y > t:
			if uncensored == 0 {
				return math.NaN()
			}
			d := 1 - survival(i)
			sum += float64(w * d * d / uncensored)
		case events[i] != 0:
			before := g.Before(y)
			if before == 0 {
				return math.NaN()
			}
			d := survival(i)
			sum += float64(w * d * d / before)
		}
	}
	return sum / all
}
