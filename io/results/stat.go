package results

import (
	"math"
	"slices"
)

// Stat is a metric over folds. Without values (N is 0) all numbers are NaN; SD and SE are NaN below two.
type Stat struct {
	N              int
	Mean, Min, Max float64
	SD             float64 // standard deviation, with n − 1
	SE             float64 // standard error of the mean: SD / √n
	Whole          bool    // every value is a whole number
}

// Summarise computes the statistics of some finite values.
func Summarise(values []float64) Stat {
	nan := math.NaN()
	s := Stat{N: len(values), Mean: nan, Min: nan, Max: nan, SD: nan, SE: nan, Whole: len(values) > 0}
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
	}
	return s
}
