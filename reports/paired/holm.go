package paired

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns the p-values of a family of tests adjusted by the step-down method of Holm 1979 (Scandinavian Journal of Statistics
// 6): the i-th smallest of m becomes the largest of (m−j+1)·p_(j), j ≤ i, at most 1. NaN entries are no tests: they stay NaN and do
// not count.
func Holm(p []float64) []float64 {
	out := slices.Clone(p)
	var tests []int
	for i, v := range p {
		if !math.IsNaN(v) {
			tests = append(tests, i)
		}
	}
	slices.SortStableFunc(tests, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	least := 0.0
	for rank, i := range tests {
		least = math.Min(1, math.Max(least, float64(len(tests)-rank)*p[i]))
		out[i] = least
	}
	return out
}
