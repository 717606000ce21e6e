package mkl

import (
	"context"
	"math"
)

// factor replaces a positive definite matrix by its Cholesky factor L, with L·L' the matrix, in n³/6 multiplications. It tells
// whether it could; not where ctx ended.
func (a triangle) factor(ctx context.Context) bool {
	for i := 0; i*(i+1)/2 < len(a); i++ {
		if ctx.Err() != nil {
			return false
		}
		row := a.row(i)
		for j := range row {
			other := a.row(j)
			s := row[j] - dot4(row[:j], other[:j])
			switch {
			case j < i:
				row[j] = s / other[j]
			case !(s > 0):
				return false
			default:
				row[i] = math.Sqrt(s)
			}
		}
	}
	return true
}

// solve L·L'·x = b in place.
func (a triangle) solve(b []float64) {
	for i := range b {
		row := a.row(i)
		b[i] = (b[i] - dot4(row[:i], b[:i])) / row[i]
	}
	for i := len(b) - 1; i >= 0; i-- {
		row := a.row(i)
		b[i] /= row[i]
		for j, v := range row[:i] {
			b[j] -= float64(v * b[i])
		}
	}
}

// dot4 is an inner product in four sums by turns, which a processor can do at the same time.
func dot4(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}
