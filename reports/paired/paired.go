// Package paired compares two algorithms on the same folds, or on the same rows of one fold.
//
// Every test is a file of its own (student.go, wilcoxon.go with walsh.go for its interval, sign.go, bootstrap.go, mcnemar.go) and returns a
// Result: a mean difference, and a belief that gives p-values against any difference and intervals of any level (result.go). tests.go lists
// them with what each can test; this file matches folds, losses.go has the losses of the rows of one fold, and rows.go reads both from
// results. margin.go has differences that count as none, holm.go corrects for many comparisons.
package paired

import (
	"fmt"
	"math"

	"tenfold/io/results"
)

// Fold is one algorithm's score on one fold.
type Fold struct {
	Digest      string // identifies the fold's training and test rows
	Train, Test int64  // rows
	Score       float64
}

// rounding is the relative difference of scores up to which they are equal but for rounding: 0.3 − 0.2 is 0.2 − 0.1.
const rounding = 1e-12

// Tied reports whether two scores differ by no more than the rounding of their arithmetic.
func Tied(a, b float64) bool {
	return a == b || results.Finite(a-b) && math.Abs(a-b) <= rounding*math.Max(math.Abs(a), math.Abs(b))
}

// differences holds the differences of two algorithms over the folds they share, first minus second.
type differences struct {
	values []float64
	scale  float64 // largest magnitude among the scores
	ratio  float64 // mean of test rows / training rows
}

// pairFolds matches folds by digest, never by order, and refuses sides that were not measured on the same folds. Equal
// folds, which repeats can produce, are matched by their number of occurrence.
func pairFolds(a, b []Fold) (differences, error) {
	var d differences
	if len(a) != len(b) {
		return d, fmt.Errorf("not measured on the same folds: %d against %d", len(a), len(b))
	}
	if len(a) < 2 {
		return d, fmt.Errorf("a test over folds needs at least 2 folds, found %d", len(a))
	}
	type key struct {
		digest     string
		occurrence int
	}
	other := make(map[key]Fold, len(b))
	seen := map[string]int{}
	for _, f := range b {
		other[key{f.Digest, seen[f.Digest]}] = f
		seen[f.Digest]++
	}
	clear(seen)
	for _, f := range a {
		g, ok := other[key{f.Digest, seen[f.Digest]}]
		seen[f.Digest]++
		switch {
		case !ok:
			return d, fmt.Errorf("not measured on the same folds: fold %s has no partner", shortDigest(f.Digest))
		case f.Train <= 0 || f.Test <= 0:
			return d, fmt.Errorf("fold %s has %d training and %d test rows", shortDigest(f.Digest), f.Train, f.Test)
		case !results.Finite(f.Score) || !results.Finite(g.Score):
			return d, fmt.Errorf("fold %s: scores %v and %v, expected finite numbers", shortDigest(f.Digest), f.Score, g.Score)
		case !results.Finite((f.Score - g.Score) * (f.Score - g.Score) * float64(len(a))): // the sum of their squares
			return d, fmt.Errorf("fold %s: scores %v and %v are too far apart", shortDigest(f.Digest), f.Score, g.Score)
		}
		d.values = append(d.values, f.Score-g.Score)
		d.scale = max(d.scale, math.Abs(f.Score), math.Abs(g.Score))
		d.ratio += float64(f.Test) / float64(f.Train)
	}
	d.ratio /= float64(len(a))
	return d, nil
}

func shortDigest(digest string) string {
	if len(digest) > 12 {
		return digest[:12]
	}
	return digest
}
