package forward

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"tenfold/engines/numeric/dense"
)

// centredCopy subtracts the mean.
func centredCopy(v []float64) []float64 {
	mean := dense.Sum(v) / float64(len(v))
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x - mean
	}
	return out
}

func square(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x * x
	}
	return s
}

// regress returns the residual of v on columns, by Householder's QR.
func regress(v []float64, columns [][]float64) []float64 {
	if len(columns) == 0 {
		return v
	}
	a := mat.NewDense(len(v), len(columns), nil)
	for k, c := range columns {
		scale := 1 / math.Sqrt(square(c))
		for i, x := range c {
			a.Set(i, k, x*scale)
		}
	}
	var qr mat.QR
	qr.Factorize(a)
	var w mat.VecDense
	if err := qr.SolveVecTo(&w, false, mat.NewVecDense(len(v), v)); err != nil {
		if _, close := err.(mat.Condition); !close {
			panic(err)
		}
	}
	var fit mat.VecDense
	fit.MulVec(a, &w)
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] - fit.AtVec(i)
	}
	return out
}
