package enginetest

import "math"

// Gauss solves n linear equations, of which row k is the factors of equation k and its right side, by elimination with pivots. It
// destroys them. A singular system has no finite solution.
func Gauss(a [][]float64) []float64 {
	n := len(a)
	for k := range n {
		best := k
		for r := k; r < n; r++ {
			if math.Abs(a[r][k]) > math.Abs(a[best][k]) {
				best = r
			}
		}
		a[k], a[best] = a[best], a[k]
		for r := range n {
			if r == k {
				continue
			}
			f := a[r][k] / a[k][k]
			for q := k; q <= n; q++ {
				a[r][q] -= f * a[k][q]
			}
		}
	}
	x := make([]float64, n)
	for k := range x {
		x[k] = a[k][n] / a[k][k]
	}
	return x
}
