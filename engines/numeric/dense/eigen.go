package dense

import (
	"cmp"
	"math"
	"slices"
)

// Eigen returns the eigenvalues of a small symmetric matrix, largest first, and its eigenvectors, by Jacobi's rotations (Golub and
// Van Loan, Matrix Computations, section 8.5). It overwrites the matrix.
func Eigen(a [][]float64) (values []float64, vectors [][]float64) {
	n := len(a)
	q := make([][]float64, n) // rows are the eigenvectors
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

// jacobiRotate makes a[i][j] zero by a Jacobi rotation, and applies it to q as well.
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

// Smallest returns the smallest eigenvalue of a symmetric matrix, by Householder's reduction to tridiagonal form and Sturm's
// bisection (Golub and Van Loan, sections 8.3 and 8.4). It overwrites the matrix. ⅔·n³ multiplications.
func Smallest(a Triangle) float64 {
	n := a.Rows()
	off := make([]float64, n) // off[i] is between diagonal elements i − 1 and i
	q := make([]float64, n)
	for i := n - 1; i > 0; i-- {
		u := a.Row(i)[:i]
		squares := Dot(u, u)
		last := u[i-1]
		if off[i] = -math.Copysign(math.Sqrt(squares), last); squares-float64(last*last) == 0 {
			off[i] = last
			continue
		}
		u[i-1] -= off[i] // the reflection by u makes the row 0 except for off[i]
		h := squares - float64(last*off[i])
		part := a[:i*(i+1)/2]
		part.Product(q[:i], u)
		k := Dot(u, q[:i]) / (2 * h)
		for j, v := range u {
			q[j] = (q[j] - float64(k*v)) / h
		}
		for r, v := range u {
			row, w := part.Row(r), q[r]
			for j := range row {
				row[j] -= float64(v*q[j]) + float64(w*u[j])
			}
		}
	}
	return sturm(a, off)
}

// sturm returns the smallest eigenvalue of the tridiagonal matrix with the diagonal of a, and off beside it.
func sturm(a Triangle, off []float64) float64 {
	n := len(off)
	low, high := math.Inf(1), math.Inf(1)
	for i := range n {
		d, beside := a.Row(i)[i], math.Abs(off[i])
		if i+1 < n {
			beside += math.Abs(off[i+1])
		}
		low, high = min(low, d-beside), min(high, d) // Gershgorin; a diagonal entry is at least the smallest
	}
	for {
		x := low + float64((high-low)/2)
		if !(low < x && x < high) {
			return high
		}
		negative, d := false, 1.0
		for i := 0; i < n && !negative; i++ {
			d = a.Row(i)[i] - x - float64(off[i]*off[i]/d)
			negative = d <= 0
		}
		if negative {
			high = x
		} else {
			low = x
		}
	}
}
