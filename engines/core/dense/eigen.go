package dense

import (
	"cmp"
	"math"
	"slices"
)

// Eigen is the eigenvalues of a small symmetric matrix, which it destroys, largest first, with eigenvectors, by Jacobi's
// rotations (Golub and Van Loan, Matrix Computations, section 8.5).
func Eigen(a [][]float64) (values []float64, vectors [][]float64) {
	n := len(a)
	q := make([][]float64, n) // rows are vectors
	for k := range q {
		q[k] = make([]float64, n)
		q[k][k] = 1
	}
	for range 60 {
		off, all := 0.0, 0.0
		for i := range a {
			for j, v := range a[i] {
				if all += float64(v * v); i != j {
					off += float64(v * v)
				}
			}
		}
		if off <= 1e-32*all {
			break
		}
		for i := range n {
			for j := range i {
				jacobiRotate(a, q, j, i)
			}
		}
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[j][j], a[i][i]) })
	for _, k := range order {
		values, vectors = append(values, a[k][k]), append(vectors, q[k])
	}
	return values, vectors
}

// jacobiRotate makes a[i][j] zero by a Jacobi rotation, which q takes part in.
func jacobiRotate(a, q [][]float64, i, j int) {
	if a[i][j] == 0 {
		return
	}
	tau := (a[j][j] - a[i][i]) / (2 * a[i][j])
	t := math.Copysign(1, tau) / (math.Abs(tau) + math.Sqrt(1+float64(tau*tau)))
	c := 1 / math.Sqrt(1+float64(t*t))
	s := t * c
	for k := range a {
		x, y := a[k][i], a[k][j]
		a[k][i], a[k][j] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
	rotateRows(a[i], a[j], c, s)
	rotateRows(q[i], q[j], c, s)
}

func rotateRows(a, b []float64, c, s float64) {
	for k, x := range a {
		y := b[k]
		a[k], b[k] = float64(c*x)-float64(s*y), float64(s*x)+float64(c*y)
	}
}
