package results

import (
	"math"
	"slices"
	"sync"

	"tenfold/engines/methods/univariate"
)

// Stat summarises a metric over folds. Without values (N is 0) all numbers are NaN; SD, SE and the interval are NaN below two.
// MeanStability makes one for a metric that is measured on all folds together.
type Stat struct {
	N              int
	Mean, Min, Max float64
	SD             float64 // standard deviation, with n − 1
	SE             float64 // standard error of the mean: SD / √n
	Low, High      float64 // 95 % interval of the mean, of Student's t for independent values; NaN like SE
	Whole          bool    // every value is a whole number
}

// Summarise computes the statistics of some finite values.
func Summarise(values []float64) Stat {
	nan := math.NaN()
	s := Stat{N: len(values), Mean: nan, Min: nan, Max: nan, SD: nan, SE: nan, Low: nan, High: nan, Whole: len(values) > 0}
	if s.N == 0 {
		return s
	}
	n := float64(s.N)
	sum := 0.0
	for _, v := range values {
		sum += v
		s.Whole = s.Whole && v == math.Trunc(v)
	}
	s.Mean, s.Min, s.Max = sum/n, slices.Min(values), slices.Max(values)
	if s.N > 1 {
		squares := 0.0
		for _, v := range values {
			d := v - s.Mean
			squares += float64(d * d)
		}
		s.SD, s.SE = math.Sqrt(squares/(n-1)), math.Sqrt(squares/(n-1)/n)
		half := float64(Student975(s.N-1) * s.SE)
		s.Low, s.High = s.Mean-half, s.Mean+half
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
	return univariate.StudentQuantile(0.025, float64(freedom))
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
