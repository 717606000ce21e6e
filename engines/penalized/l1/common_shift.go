package l1

import (
	"slices"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/dense"
)

// removeCommonShifts takes from each column's weights what they have in common where that lowers the penalty: to add one number to the
// weights of all blocks changes no probability, so coordinate descent, which moves one of them at a time, gets there only
// by many small steps (as Friedman, Hastie and Tibshirani 2010, section 4.1). Free biases are left alone. The margins follow.
func (s *candidateColumns) removeCommonShifts(pt *logits.Point, pen logits.Penalty) {
	p := s.Problem
	if p.Blocks == 1 {
		return
	}
	sorted := make([]float64, p.Blocks)
	for _, q := range s.unscreened {
		w := s.Weights(pt.W, q)
		if !anyNonzero(w) || s.IsOnes(q) && p.AnyFreeBias() {
			continue
		}
		copy(sorted, w)
		slices.Sort(sorted)
		by := commonShift(sorted, pen)
		if by == 0 {
			continue
		}
		for b := range w {
			w[b] -= by
		}
		x := s.Column(q)
		for e, i := range x.Idx {
			d := float64(by * x.At(e))
			for b := range p.Blocks {
				pt.Z[int(i)*p.Blocks+b] -= d
			}
		}
	}
}

// commonShift returns the number whose subtraction from the weights makes their penalty least: where there is no L2 penalty a median;
// zero where that is one of the best. The weights rise.
func commonShift(w []float64, pen logits.Penalty) float64 {
	sum := dense.Sum(w)
	n := len(w)
	// derivative of the penalty in the number s, of which so many weights are below, and so many not above.
	derivative := func(s float64, count int) float64 {
		return float64(pen.L1*float64(2*count-n)) + float64(pen.L2*(float64(float64(n)*s)-sum))
	}
	below, upto := 0, 0
	for _, v := range w {
		if v < 0 {
			below++
		}
		if v <= 0 {
			upto++
		}
	}
	if derivative(0, below) <= 0 && derivative(0, upto) >= 0 {
		return 0
	}
	for k, v := range w {
		if derivative(v, k) > 0 { // it was zero before this weight, and after the last
			return (sum - float64(pen.L1*float64(2*k-n))/pen.L2) / float64(n)
		}
		if derivative(v, k+1) >= 0 {
			return v
		}
	}
	return 0 // only for weights or penalties that are no numbers
}
