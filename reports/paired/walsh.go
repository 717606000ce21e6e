package paired

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// interval inverts the signed-rank test: with M = n(n+1)/2 means of pairs (Walsh averages; each difference is a pair with itself)
// in rising order it extends from the c-th to the c-th last, c the smallest number with P(W ≤ c) ≥ (1 − level)/2 under the
// distribution without ties (Hollander & Wolfe, section 3.3; R's wilcox.test does the same). Differences of 0 count here. If n is
// too small for the level, as below 6 at 95 %, it is the range of the differences.
func (s signedRanks) interval(level float64) (low, high float64) {
	n := len(s.values)
	pairs := n * (n + 1) / 2
	c := min(max(1, signedRankQuantile(n, (1-level)/2)), (pairs+1)/2)
	return walshAverage(s.values, c), walshAverage(s.values, pairs+1-c)
}

// signedRankQuantile returns the smallest c with P(W ≤ c) ≥ p for n differences without ties or zeros.
func signedRankQuantile(n int, p float64) int {
	if n > exactRanks {
		m := float64(n)
		z := distuv.UnitNormal.Quantile(p)
		return int(math.Round(float64(m*(m+1)/4) + float64(z*math.Sqrt(m*(m+1)*(float64(2*m)+1)/24))))
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	cumulated := 0.0
	for c, q := range subsetSums(ranks) {
		if cumulated += q; cumulated >= p*(1-rounding) {
			return c
		}
	}
	return n * (n + 1) / 2
}

// walshAverage returns the k-th smallest (from 1) mean of two of the rising values: the smallest number with at least k of the
// means up to it, found by bisection. O(n) for each bit, without a list of the n² means.
func walshAverage(rising []float64, k int) float64 {
	low, high := rising[0], rising[len(rising)-1]
	if walshUpTo(rising, low) >= k {
		return low
	}
	for {
		middle := float64(low/2) + float64(high/2)
		if middle <= low || middle >= high {
			return high
		}
		if walshUpTo(rising, middle) >= k {
			high = middle
		} else {
			low = middle
		}
	}
}

// walshUpTo counts the means of two values, i ≤ j, that are at most x.
func walshUpTo(rising []float64, x float64) int {
	count, j := 0, len(rising)-1
	for i, v := range rising {
		for j >= i && float64(v/2)+float64(rising[j]/2) > x {
			j--
		}
		if j < i {
			break
		}
		count += j - i + 1
	}
	return count
}
