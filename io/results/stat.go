package results

import (
	"math"
	"slices"
	"sync"

	"tenfold/engines/numeric/tails"
)

// Stat summarises a metric over folds. Without values (N is 0) all numbers are NaN; SD, SE and the interval are NaN below two, and
// where the mean is infinite. MeanStability makes one for a metric that is measured on all folds together.
type Stat struct {
	N, Of          int // values, and folds that could have one
	Mean, Min, Max float64
	SD             float64 // standard deviation, with n − 1
	Ratio          float64 // mean of test rows / training rows, of folds of the same rows; 0 for independent values
	SE             float64 // standard error of the mean: SD · √(1/n + Ratio)
	Low, High      float64 // 95 % interval of the mean, of Student's t with n − 1 degrees of freedom; NaN like SE
	Integers       bool    // every value is a whole number
}

// State returns the state of the values.
func (s Stat) State() State {
	switch {
	case s.N == 0:
		return Absent
	case s.N < s.Of:
		return Incomplete
	case math.IsInf(s.Mean, 0):
		return Infinite
	}
	return Complete
}

// Spread returns the statistics with the standard error and interval of independent values. Folds are not: it tells how far they
// differ, not how far the performance is known.
func (s Stat) Spread() Stat {
	if s.N >= 2 {
		s.SE *= math.Sqrt(1 / (1 + float64(float64(s.N)*s.Ratio)))
		s.Ratio = 0
		s.setInterval()
	}
	return s
}

// SummariseFolds computes the statistics of the values on folds of the same rows, whose training rows overlap: errors are corrected
// for that by ratio, the mean of test rows / training rows (Nadeau & Bengio 2003, Inference for the generalization error, section
// 3.1; with repeats Bouckaert & Frank 2004, Evaluating the replicability of significance tests).
func SummariseFolds(values []float64, ratio float64) Stat {
	s := Summarise(values)
	s.Ratio = ratio
	s.setErrors()
	return s
}

// setErrors computes the standard error and the interval from the standard deviation.
func (s *Stat) setErrors() {
	if s.N < 2 {
		return
	}
	s.SE = s.SD * math.Sqrt(1/float64(s.N)+s.Ratio)
	s.setInterval()
}

func (s *Stat) setInterval() {
	half := float64(Student975(s.N-1) * s.SE)
	s.Low, s.High = s.Mean-half, s.Mean+half
}

// Summarise computes the statistics of some independent values; none is NaN.
func Summarise(values []float64) Stat {
	nan := math.NaN()
	s := Stat{N: len(values), Of: len(values), Mean: nan, Min: nan, Max: nan, SD: nan, SE: nan, Low: nan, High: nan, Integers: len(values) > 0}
	if s.N == 0 {
		return s
	}
	n := float64(s.N)
	sum := 0.0
	for _, v := range values {
		sum += v
		s.Integers = s.Integers && v == math.Trunc(v) && Finite(v)
	}
	s.Mean, s.Min, s.Max = sum/n, slices.Min(values), slices.Max(values)
	if s.N > 1 {
		squares := 0.0
		for _, v := range values {
			d := v - s.Mean
			squares += float64(d * d)
		}
		s.SD = math.Sqrt(squares / (n - 1))
		s.setErrors()
	}
	return s
}

// Finite reports whether a number is finite; NaN means that it could not be measured.
func Finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// Student975 returns the 97.5 % quantile of Student's t distribution with freedom degrees of freedom, at least 1.
func Student975(freedom int) float64 {
	if table := tabulated(); freedom <= len(table) {
		return table[freedom-1]
	}
	return quantile975(freedom)
}

func quantile975(freedom int) float64 {
	return tails.StudentQuantile(0.025, float64(freedom))
}

// tabulated holds the quantiles for usual numbers of folds: computing one takes longer than the statistics of all metrics of a
// cell.
var tabulated = sync.OnceValue(func() []float64 {
	out := make([]float64, 100)
	for i := range out {
		out[i] = quantile975(i + 1)
	}
	return out
})
