package sparse

import "tenfold/engines/numeric/dense"

// Weights holds weights of rows (multiplicities) or of columns in a penalty; nil: 1 each.
type Weights []float64

// Of returns the weight of row, or column, i.
func (w Weights) Of(i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// Sum returns the sum of all n weights.
func (w Weights) Sum(n int) float64 {
	if w == nil {
		return float64(n)
	}
	return dense.Sum(w)
}
