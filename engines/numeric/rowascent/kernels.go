package rowascent

import (
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// addColumns adds the weights of the row's columns to s, several at a time. The weights of column j begin at j·len(s).
func addColumns(s, weights []float64, row sparse.Vec) {
	n, idx, val := len(s), row.Idx, row.Val
	column := func(j int32) []float64 { return weights[int(j)*n:][:n] }
	if val == nil {
		for ; len(idx) >= 4; idx = idx[4:] {
			dense.AddFour(s, column(idx[0]), column(idx[1]), column(idx[2]), column(idx[3]))
		}
		for _, j := range idx {
			dense.AddTo(s, column(j), 1)
		}
		return
	}
	for ; len(idx) >= 2; idx, val = idx[2:], val[2:] {
		dense.AddTwo(s, column(idx[0]), column(idx[1]), val[0], val[1])
	}
	for q, j := range idx {
		dense.AddTo(s, column(j), val[q])
	}
}

// takeFromColumns subtracts d, times the row's value, from the weights of each of its columns.
func takeFromColumns(weights, d []float64, row sparse.Vec) {
	n := len(d)
	for q, j := range row.Idx {
		dense.AddTo(weights[int(j)*n:][:n], d, -row.At(q))
	}
}
