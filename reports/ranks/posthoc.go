package ranks

import (
	"cmp"
	"math"
	"slices"

	"tenfold/reports/paired"
)

// standardError returns the standard error of a difference of two mean ranks, sqrt(k(k+1)/(6N)) (Demšar 2006, section 3.2.2).
func (f Friedman) standardError() float64 {
	k := float64(f.Treatments)
	return math.Sqrt(k * (k + 1) / (6 * float64(f.Blocks)))
}

// CriticalDifference returns Nemenyi's: algorithms whose mean ranks differ by this or more differ at level alpha, with the level
// kept over all pairs (Nemenyi 1963, thesis, Princeton; Demšar 2006, section 3.2.2):
//
//	CD = q_α/√2 · sqrt(k(k+1)/(6N)), q_α of the studentized range of k with infinite degrees of freedom.
func (f Friedman) CriticalDifference(alpha float64) float64 {
	return rangeQuantile(alpha, f.Treatments) / math.Sqrt2 * f.standardError()
}

// Nemenyi returns the p-value of each pair under the same test, 1 on the diagonal.
func (f Friedman) Nemenyi() [][]float64 {
	p := make([][]float64, f.Treatments)
	for i := range p {
		p[i] = make([]float64, f.Treatments)
		for j := range p[i] {
			p[i][j] = rangeTail(math.Sqrt2*math.Abs(f.Mean[i]-f.Mean[j])/f.standardError(), f.Treatments)
		}
	}
	return p
}

// Holm returns the p-value of each algorithm against a control, adjusted by Holm's method: z = (R_i − R_control)/se is referred to
// the normal distribution, two-sided (Demšar 2006, section 3.2.2). NaN at the control.
func (f Friedman) Holm(control int) []float64 {
	p := make([]float64, f.Treatments)
	for i, r := range f.Mean {
		p[i] = math.Erfc(math.Abs(r-f.Mean[control]) / f.standardError() / math.Sqrt2)
	}
	p[control] = math.NaN()
	return paired.Holm(p)
}

// Order returns the algorithms from best mean rank to worst, ties in their given order.
func (f Friedman) Order() []int {
	order := upTo(f.Treatments)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.Mean[a], f.Mean[b]) })
	return order
}

// Groups returns the maximal sets of algorithms, from best mean rank to worst, whose mean ranks differ by less than cd: the bars of
// a critical-difference diagram. An algorithm that differs from all others is in none.
func (f Friedman) Groups(cd float64) [][]int {
	order := f.Order()
	var groups [][]int
	end := 0 // of the last group
	for from := range order {
		to := from + 1
		for to < len(order) && f.Mean[order[to]]-f.Mean[order[from]] < cd*(1-rounding) {
			to++
		}
		if to-from > 1 && to > end {
			groups, end = append(groups, slices.Clone(order[from:to])), to
		}
	}
	return groups
}
