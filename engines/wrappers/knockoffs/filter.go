package knockoffs

import (
	"cmp"
	"math"
	"slices"
)

// slack is the tolerance for rounding in comparisons with a bound.
const slack = 1e-9

// threshold returns the smallest |W_j| above 0 at which the estimated false discovery rate is at most fdr: the offset plus the
// number of statistics at or below its negative, over the number at or above it (Barber and Candès 2015, equations 1.9 and 1.10; a
// statistic of 0 is no candidate). +Inf if there is none. O(p·log p).
func threshold(w []float64, fdr float64, offset int) float64 {
	order := make([]int, len(w)) // by |W|, falling
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(math.Abs(w[b]), math.Abs(w[a])) })
	best, above, below := math.Inf(1), 0, 0
	for i, k := range order {
		t := math.Abs(w[k])
		if t == 0 {
			break
		}
		if w[k] > 0 {
			above++
		} else {
			below++
		}
		last := i+1 == len(order) || math.Abs(w[order[i+1]]) != t
		if last && float64(offset+below) <= fdr*float64(max(1, above))*(1+slack) {
			best = t
		}
	}
	return best
}

// byScore returns all columns, the largest score first, ties by number.
func byScore(score []float64) []int {
	order := make([]int, len(score))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// filter selects the columns whose statistic reaches the threshold, the largest first.
func filter(w []float64, fdr float64, offset int) (t float64, selected []int) {
	t = threshold(w, fdr, offset)
	for _, k := range byScore(w) {
		if w[k] < t {
			break
		}
		selected = append(selected, k)
	}
	return t, selected
}

// derandomised returns the e-values of the columns, the means over the draws, each knockoff+ at rate, and the columns that e-BH
// selects by them at fdr, the largest first (Ren and Barber 2024, JRSS B 86, algorithm 1; Wang and Ramdas 2022, JRSS B 84).
func derandomised(w [][]float64, fdr, rate float64) (e []float64, selected []int) {
	p := float64(len(w[0]))
	e = make([]float64, len(w[0]))
	for _, draw := range w {
		t, below := threshold(draw, rate, 1), 0
		for _, v := range draw {
			if v <= -t {
				below++
			}
		}
		for k, v := range draw {
			if v >= t {
				e[k] += p / float64(1+below) / float64(len(w))
			}
		}
	}
	order := byScore(e)
	for k := len(order); k > 0; k-- {
		if v := e[order[k-1]]; v > 0 && v*float64(k)*fdr >= p*(1-slack) {
			return e, order[:k]
		}
	}
	return e, nil
}
