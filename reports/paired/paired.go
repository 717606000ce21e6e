// Package paired compares two algorithms on the same folds, or on the same rows of one fold.
package paired

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"tenfold/io/results"
)

// Fold is one algorithm's score on one fold.
type Fold struct {
	Digest      string // identifies the fold's training and test rows
	Train, Test int64  // rows
	Score       float64
}

// Result of a test. Differences are first minus second.
type Result struct {
	N         int     // folds, or resampled units (groups or rows)
	Mean      float64 // difference
	SE        float64 // its standard error, as the test sees it
	T         float64 // NaN for the bootstrap
	P         float64 // two-sided
	Low, High float64 // 95 % interval of the difference
}

// ErrConstant is returned where all differences are the same number other than zero: a t-test then says nothing.
var ErrConstant = errors.New("the differences do not vary between folds")

// T is the paired t-test over folds. It takes folds for independent draws, which those of cross-validation are not: its
// p-values are too small there (Nadeau & Bengio 2003).
func T(a, b []Fold) (Result, error) {
	d, err := pair(a, b)
	if err != nil {
		return Result{}, err
	}
	return d.test(1 / float64(len(d.values)))
}

// Corrected is the corrected resampled t-test of Nadeau & Bengio 2003 (Machine Learning 52, section 3.2), as in Weka:
//
//	t = mean / sqrt((1/n + n_test/n_train) · s²), n−1 degrees of freedom,
//
// with the mean of n_test/n_train over the actual folds.
func Corrected(a, b []Fold) (Result, error) {
	d, err := pair(a, b)
	if err != nil {
		return Result{}, err
	}
	return d.test(1/float64(len(d.values)) + d.ratio)
}

// differences of two algorithms over the folds they share.
type differences struct {
	values []float64
	ratio  float64 // mean of test rows / training rows
}

// pair matches folds by digest, never by order, and refuses when the two were not measured on the same folds. Equal
// folds (repeats can produce them) are matched by their number of occurrence.
func pair(a, b []Fold) (differences, error) {
	var d differences
	if len(a) != len(b) {
		return d, fmt.Errorf("not measured on the same folds: %d against %d", len(a), len(b))
	}
	if len(a) < 2 {
		return d, fmt.Errorf("a t-test needs at least 2 folds, there is %d", len(a))
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
			return d, fmt.Errorf("not measured on the same folds: fold %s has no partner", short(f.Digest))
		case f.Train <= 0 || f.Test <= 0:
			return d, fmt.Errorf("fold %s has %d training and %d test rows", short(f.Digest), f.Train, f.Test)
		}
		d.values = append(d.values, f.Score-g.Score)
		d.ratio += float64(f.Test) / float64(f.Train)
	}
	d.ratio /= float64(len(a))
	return d, nil
}

func short(digest string) string {
	if len(digest) > 12 {
		return digest[:12]
	}
	return digest
}

// test is a t-test with variance factor · s² of the mean.
func (d differences) test(factor float64) (Result, error) {
	s := results.Summarise(d.values)
	mean := s.Mean
	r := Result{N: s.N, Mean: mean, SE: math.Sqrt(factor) * s.SD, P: 1, Low: mean, High: mean}
	if r.SE <= 1e-12*math.Abs(mean) {
		if mean != 0 {
			return r, ErrConstant
		}
		return r, nil
	}
	student := distuv.StudentsT{Sigma: 1, Nu: float64(s.N - 1)}
	r.T = mean / r.SE
	r.P = math.Min(1, 2*student.CDF(-math.Abs(r.T)))
	half := student.Quantile(0.975) * r.SE
	r.Low, r.High = mean-half, mean+half
	return r, nil
}
