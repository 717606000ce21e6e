// Package dense provides dense vectors, and symmetric matrices small enough to be stored in full: products, Cholesky factors and
// eigenvalues, whose sums have a fixed order, so that results are the same on every processor.
package dense

import (
	"context"
	"math"

	"tenfold/engines/numeric/elementary"
)

// Triangle holds the lower half of a symmetric matrix, row by row.
type Triangle []float64

// NewTriangle returns a zero matrix of n rows.
func NewTriangle(n int) Triangle { return make(Triangle, n*(n+1)/2) }

// Row returns row i up to the diagonal, shared with the triangle.
func (a Triangle) Row(i int) []float64 { return a[i*(i+1)/2:][:i+1] }

// Rows returns the number of rows. O(rows).
func (a Triangle) Rows() int {
	n := 0
	for n*(n+1)/2 < len(a) {
		n++
	}
	return n
}

// Square returns the whole matrix, by row.
func (a Triangle) Square() [][]float64 {
	out := make([][]float64, a.Rows())
	for i := range out {
		out[i] = make([]float64, len(out))
		for j, v := range a.Row(i) {
			out[i][j], out[j][i] = v, v
		}
	}
	return out
}

// Factor replaces a positive definite matrix by its Cholesky factor L, with L·L' the matrix, in n³/6 multiplications. It reports
// false if the matrix is not positive definite, or ctx has ended.
func (a Triangle) Factor(ctx context.Context) bool {
	for i := 0; i*(i+1)/2 < len(a); i++ {
		if ctx.Err() != nil {
			return false
		}
		row := a.Row(i)
		for j := range row {
			other := a.Row(j)
			s := row[j] - Dot(row[:j], other[:j])
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

// LogDet returns the logarithm of the determinant of L·L', where the triangle is the Cholesky factor L.
func (a Triangle) LogDet() float64 {
	sum := 0.0
	for i := range a.Rows() {
		sum += float64(2 * elementary.Log(a.Row(i)[i]))
	}
	return sum
}

// Inverse returns the inverse of L·L', where the triangle is the Cholesky factor L, in n³/3 multiplications.
func (a Triangle) Inverse() Triangle {
	n := a.Rows()
	out, columns := NewTriangle(n), make([][]float64, n) // columns of the factor's inverse, from the diagonal on
	for i := range columns {
		c := make([]float64, n-i)
		c[0] = 1 / a.Row(i)[i]
		for k := i + 1; k < n; k++ {
			row := a.Row(k)
			c[k-i] = -Dot(row[i:k], c[:k-i]) / row[k]
		}
		columns[i] = c
	}
	for i, c := range columns {
		row := out.Row(i)
		for j := range row {
			row[j] = Dot(c, columns[j][i-j:])
		}
	}
	return out
}

// Solve solves L·L'·x = b in place.
func (a Triangle) Solve(b []float64) {
	for i := range b {
		row := a.Row(i)
		b[i] = (b[i] - Dot(row[:i], b[:i])) / row[i]
	}
	a.SolveUpper(b)
}

// SolveUpper solves L'·x = b in place.
func (a Triangle) SolveUpper(b []float64) {
	for i := len(b) - 1; i >= 0; i-- {
		row := a.Row(i)
		b[i] /= row[i]
		for j, v := range row[:i] {
			b[j] -= float64(v * b[i])
		}
	}
}

// LowerProduct sets dst = L·v.
func (a Triangle) LowerProduct(dst, v []float64) {
	for i := range dst {
		dst[i] = Dot(a.Row(i), v)
	}
}

// Product sets dst = A·v, A being the symmetric matrix.
func (a Triangle) Product(dst, v []float64) {
	clear(dst)
	for i, x := range v {
		row := a.Row(i)
		var s0, s1, s2, s3 float64
		j := 0
		for ; j+4 <= i; j += 4 {
			r, u, d := row[j:j+4:j+4], v[j:j+4:j+4], dst[j:j+4:j+4]
			s0 += float64(r[0] * u[0])
			s1 += float64(r[1] * u[1])
			s2 += float64(r[2] * u[2])
			s3 += float64(r[3] * u[3])
			d[0] += float64(r[0] * x)
			d[1] += float64(r[1] * x)
			d[2] += float64(r[2] * x)
			d[3] += float64(r[3] * x)
		}
		for ; j < i; j++ {
			s0 += float64(row[j] * v[j])
			dst[j] += float64(row[j] * x)
		}
		dst[i] += (s0 + s1) + (s2 + s3) + float64(row[i]*x)
	}
}
