package group

import (
	"context"

	"tenfold/engines/numeric/dense"
)

// iterates are the last ones of a descent, for Anderson extrapolation (Bertrand & Massias 2021, Anderson acceleration of coordinate
// descent, Algorithm 1). Coefficients b, predictions v and their sums are affine in each other, so one combination serves all.
type iterates struct {
	b, v, sum [][]float64
	step      [][]float64 // from one b to the next, work space
}

// extrapolationLength is how many differences of iterates an extrapolation is made from.
const extrapolationLength = 5

func (it *iterates) clear() { it.b, it.v, it.sum = it.b[:0], it.v[:0], it.sum[:0] }

// add appends the descent's present iterate.
func (it *iterates) add(d *descent) {
	it.b, it.v, it.sum = push(it.b), push(it.v), push(it.sum)
	n := len(it.b) - 1
	it.b[n], it.v[n], it.sum[n] = d.coefficients(it.b[n][:0]), append(it.v[n][:0], d.v...), append(it.sum[n][:0], d.sum...)
}

// push makes the list one longer and reuses the vector that was there before.
func push(list [][]float64) [][]float64 {
	if len(list) < cap(list) {
		return list[:len(list)+1]
	}
	return append(list, nil)
}

// coefficients appends the coefficients of the working set to dst.
func (d *descent) coefficients(dst []float64) []float64 {
	for k := range d.workingSet {
		for _, j := range d.workingSet[k].columns {
			dst = append(dst, d.pt.coefficientsOf(j)...)
		}
	}
	return dst
}

// setCoefficients sets the coefficients of the working set, in the order of coefficients.
func (d *descent) setCoefficients(b []float64) {
	k := d.pt.p.tasks
	for q := range d.workingSet {
		for _, j := range d.workingSet[q].columns {
			copy(d.pt.coefficientsOf(j), b[:k])
			b = b[k:]
		}
	}
}

// extrapolate moves the descent to the combination of the last iterates whose differences combine to the shortest vector, if
// the objective is lower there.
func (it *iterates) extrapolate(d *descent) {
	n := len(it.b) - 1
	if n < 2 {
		return
	}
	c := it.weights()
	if c == nil {
		return
	}
	before := d.quadraticValue()
	d.setCoefficients(combine(nil, it.b[1:], c))
	combine(d.v, it.v[1:], c)
	combine(d.sum, it.sum[1:], c)
	if !(d.quadraticValue() < before) {
		d.setCoefficients(it.b[n])
		copy(d.v, it.v[n])
		copy(d.sum, it.sum[n])
	}
}

// weights returns the c that solve (UᵀU)·c ∝ 1 and that sum to 1, with the differences of iterates as columns of U and a ridge of 1e-12
// of the trace; nil where rounding leaves no solution.
func (it *iterates) weights() []float64 {
	n := len(it.b) - 1
	gram, trace := dense.NewTriangle(n), 0.0
	for len(it.step) < n {
		it.step = append(it.step, nil)
	}
	for r := range n {
		step := it.step[r][:0]
		for i, b := range it.b[r] {
			step = append(step, it.b[r+1][i]-b)
		}
		it.step[r] = step
		row := gram.Row(r)
		for q := range row {
			row[q] = dense.Dot(step, it.step[q])
		}
		trace += row[r]
	}
	c := make([]float64, n)
	for r := range n {
		gram.Row(r)[r] += float64(1e-12 * trace)
		c[r] = 1
	}
	if !gram.Factor(context.Background()) { // a few rows
		return nil
	}
	gram.Solve(c)
	sum := dense.Sum(c)
	for k := range c {
		c[k] /= sum
		if c[k]-c[k] != 0 {
			return nil
		}
	}
	return c
}

// combine sets dst to the sum of vectors times their weights.
func combine(dst []float64, vectors [][]float64, c []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(vectors[0]))
	}
	clear(dst)
	for k, v := range vectors {
		dense.AddTo(dst, v, c[k])
	}
	return dst
}
