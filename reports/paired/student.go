package paired

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"tenfold/io/results"
)

// T applies the paired t-test over folds (Student 1908, Biometrika 6),
//
//	t = mean / sqrt(s²/n), n−1 degrees of freedom.
//
// It assumes that folds are independent draws, which those of cross-validation are not: its p-values are too small there (Nadeau &
// Bengio 2003).
func T(a, b []Fold) (Result, error) {
	d, err := pairFolds(a, b)
	if err != nil {
		return Result{}, err
	}
	return d.tTest(1 / float64(len(d.values))), nil
}

// Corrected applies the corrected resampled t-test of Nadeau & Bengio 2003 (Machine Learning 52, section 3.2), as in Weka:
//
//	t = mean / sqrt((1/n + n_test/n_train) · s²), n−1 degrees of freedom,
//
// with the mean of n_test/n_train over the actual folds.
func Corrected(a, b []Fold) (Result, error) {
	d, err := pairFolds(a, b)
	if err != nil {
		return Result{}, err
	}
	return d.tTest(1/float64(len(d.values)) + d.ratio), nil
}

// tTest returns a t-test with variance factor · s² of the mean. Differences that vary by no more than the rounding of the scores
// are constant.
func (d differences) tTest(factor float64) Result {
	if slices.Max(d.values)-slices.Min(d.values) <= rounding*d.scale {
		return constantResult(len(d.values), d.roundToZero(results.Summarise(d.values).Mean))
	}
	s := results.Summarise(d.values)
	st := student{mean: s.Mean, se: math.Sqrt(factor) * s.SD, nu: float64(s.N - 1)}
	return Result{N: s.N, Mean: st.mean, SE: st.se, T: st.mean / st.se}.withBelief(st)
}

// roundToZero returns x, or 0 if x is no more than rounding.
func (d differences) roundToZero(x float64) float64 {
	if math.Abs(x) <= rounding*d.scale {
		return 0
	}
	return x
}

// student implements belief: (mean − difference)/se has Student's distribution with nu degrees of freedom.
type student struct{ mean, se, nu float64 }

func (s student) tails(x float64) (below, above float64) {
	t := (s.mean - x) / s.se
	d := distuv.StudentsT{Sigma: 1, Nu: s.nu}
	return d.CDF(t), d.CDF(-t)
}

func (s student) interval(level float64) (low, high float64) {
	quantile := 0.0
	if level == 0.95 { // of every result: tabulated
		quantile = results.Student975(int(s.nu))
	} else {
		quantile = distuv.StudentsT{Sigma: 1, Nu: s.nu}.Quantile((1 + level) / 2)
	}
	return s.mean - float64(quantile*s.se), s.mean + float64(quantile*s.se)
}
