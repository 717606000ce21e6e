// Package ranks compares several algorithms on several data sets by their ranks: Demšar 2006, Statistical Comparisons of
// Classifiers over Multiple Data Sets, JMLR 7.
package ranks

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"tenfold/io/results"
)

// Friedman is the test that all algorithms are equal, with the mean ranks that post-hoc tests use.
type Friedman struct {
	Blocks, Treatments int       // data sets N, algorithms k
	Mean               []float64 // mean rank of each algorithm, 1 is best
	ChiSquare          float64   // Friedman's statistic, k−1 degrees of freedom
	PChiSquare         float64
	F, PF              float64 // Iman and Davenport's, k−1 and (k−1)(N−1) degrees of freedom; F is +Inf if all data sets agree
}

// rounding is the relative difference of scores up to which they are equal but for rounding.
const rounding = 1e-12

// NewFriedman ranks scores[data set][algorithm]; higher says whether more is better. Ties share their mean rank, and
//
//	χ² = (12/(N·k·(k+1)) · Σ_j R_j² − 3·N·(k+1)) / (1 − Σ (t³ − t)/(N·k·(k² − 1)))
//
// with rank sums R_j and sizes t of ties (Friedman 1937, JASA 32; Hollander & Wolfe, section 7.1; so do R and SciPy), from which
//
//	F = (N−1)·χ² / (N·(k−1) − χ²)
//
// (Iman & Davenport 1980, Communications in Statistics 9; Demšar, section 3.2.2). Infinite scores are ranked, and tie with each other.
// Blocks must be complete: the error names the data set and the algorithm of a missing score by index, from 0. O(N·k·log k).
func NewFriedman(scores [][]float64, higher bool) (Friedman, error) {
	if len(scores) < 2 {
		return Friedman{}, fmt.Errorf("the test of Friedman needs at least 2 data sets, found %d", len(scores))
	}
	n, k := len(scores), len(scores[0])
	if k < 2 {
		return Friedman{}, fmt.Errorf("the test of Friedman needs at least 2 algorithms, found %d", k)
	}
	f := Friedman{Blocks: n, Treatments: k, Mean: make([]float64, k)}
	ties := 0.0
	for i, block := range scores {
		if len(block) != k {
			return Friedman{}, fmt.Errorf("data set %d has %d scores, data set 0 has %d", i, len(block), k)
		}
		for j, s := range block {
			if math.IsNaN(s) {
				return Friedman{}, fmt.Errorf("data set %d, algorithm %d: score %v, expected a number", i, j, s)
			}
		}
		ties += addRanks(block, higher, f.Mean)
	}
	for j := range f.Mean {
		f.Mean[j] /= float64(n)
	}
	f.computeStatistics(ties)
	return f, nil
}

// addRanks adds the ranks of a block's scores to sums, and returns Σ (t³ − t) over its ties.
func addRanks(block []float64, higher bool, sums []float64) (ties float64) {
	order := make([]int, len(block))
	scale := 0.0
	for j, s := range block {
		order[j] = j
		if results.Finite(s) {
			scale = math.Max(scale, math.Abs(s))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if higher {
			a, b = b, a
		}
		return cmp.Compare(block[a], block[b])
	})
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && (block[order[to]] == block[order[from]] || math.Abs(block[order[to]]-block[order[from]]) <= rounding*scale) {
			to++
		}
		for _, j := range order[from:to] {
			sums[j] += float64(float64(from+1+to) / 2)
		}
		t := float64(to - from)
		ties += float64(t*t*t) - t
		from = to
	}
	return ties
}

// computeStatistics computes both statistics and their p-values from the mean ranks and Σ (t³ − t) over the ties.
func (f *Friedman) computeStatistics(ties float64) {
	n, k := float64(f.Blocks), float64(f.Treatments)
	spread := 0.0
	for _, mean := range f.Mean {
		d := mean - float64((k+1)/2)
		spread += float64(d * d)
	}
	f.PChiSquare, f.PF = 1, 1
	untied := 1 - ties/(n*k*(float64(k*k)-1))
	if untied <= rounding { // scores are equal within each block
		return
	}
	f.ChiSquare = 12 * n / (k * (k + 1)) * spread / untied
	f.PChiSquare = mathext.GammaIncRegComp((k-1)/2, f.ChiSquare/2)
	rest := float64(n*(k-1)) - f.ChiSquare
	if rest <= rounding*n*k {
		f.F, f.PF = math.Inf(1), 0
		return
	}
	f.F = (n - 1) * f.ChiSquare / rest
	df1, df2 := k-1, float64((k-1)*(n-1))
	f.PF = mathext.RegIncBeta(df2/2, df1/2, df2/(df2+float64(df1*f.F)))
}
