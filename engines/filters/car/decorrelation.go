package car

import (
	"context"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/correlation"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
)

// columns holds the columns that vary, standardised with n − 1, each a slice of the rows' values.
type columns struct {
	number  []int32 // in the data, rising
	z       [][]float64
	rows    int
	workers int
}

// standardize reads the columns of a view. O(rows · columns).
func standardize(v *data.View, workers int) (*columns, error) {
	x := v.Matrix()
	mean, squares, n, err := scaled.Moments(x, nil)
	if err != nil {
		return nil, err
	}
	c := &columns{rows: v.Len(), workers: workers}
	for j, s := range squares {
		if !(s > 0) {
			continue
		}
		z, sd := make([]float64, c.rows), math.Sqrt(s/(n-1))
		for i := range z {
			z[i] = -mean[j]
		}
		x.Col(j).AddTo(z, 1)
		for i := range z {
			z[i] /= sd
		}
		c.number, c.z = append(c.number, int32(j)), append(c.z, z)
	}
	return c, nil
}

// correlationsWith returns Σ_i z_ij·u_i of each column.
func (c *columns) correlationsWith(u []float64) []float64 {
	out := make([]float64, len(c.z))
	parallel.Each(c.workers, len(c.z), func(j int) { out[j] = dense.Dot(c.z[j], u) })
	return out
}

// shrinkage estimates λ of the columns and of a further one (nil: none), standardised like these. O(rows · columns · the smaller of both).
func (c *columns) shrinkage(ctx context.Context, further []float64) float64 {
	vectors := c.z
	if further != nil {
		vectors = append(vectors[:len(vectors):len(vectors)], further)
	}
	rows := transposed(vectors, c.rows)
	p, n := float64(len(vectors)), float64(c.rows)
	smaller := vectors
	if len(rows) < len(vectors) {
		smaller = rows // ‖Z·Z'‖² = ‖Z'·Z‖²
	}
	squares := -float64(p * float64((n-1)*(n-1))) // without the diagonal, the squared norms of the columns
	g := dense.Gram(ctx, c.workers, smaller)
	for i := range smaller {
		for j, v := range g.Row(i) {
			if v = float64(v * v); j < i {
				v *= 2
			}
			squares += v
		}
	}
	return correlation.Shrinkage(rows, squares)
}

func transposed(vectors [][]float64, length int) [][]float64 {
	out := make([][]float64, length)
	for i := range out {
		out[i] = make([]float64, len(vectors))
		for j, v := range vectors {
			out[i][j] = v[i]
		}
	}
	return out
}

// stretch is the number of rows that a goroutine goes through at a time.
const stretch = 256

// shrunkProduct returns R_λ·v, where R_λ = (1 − λ)·Z'Z/(n − 1) + λ·I. O(rows · columns).
func (c *columns) shrunkProduct(v []float64, lambda float64) []float64 {
	u := make([]float64, c.rows)
	parallel.Stretches(c.workers, stretch, c.rows, func(first, last int) {
		for j, z := range c.z {
			dense.AddTo(u[first:last], z[first:last], v[j])
		}
	})
	out := c.correlationsWith(u)
	for j := range out {
		out[j] = float64((1-lambda)/float64(c.rows-1)*out[j]) + float64(lambda*v[j])
	}
	return out
}

// precise is the residual, relative to the right-hand side, below which a solution has converged.
const precise = 1e-13

// decorrelate returns R_λ^(−1/2)·r by Lanczos' method with orthogonal vectors: in the space of r, R_λ·r, R_λ²·r … it is ‖r‖·Q·T^(−1/2)·e₁, with
// T the tridiagonal matrix Q'·R_λ·Q (Golub & Van Loan, Matrix Computations, sections 10.1 and 10.2.7). Of the root it is no farther from the solution
// than the residual of R_λ·x = r in that space, divided by the root of the smallest eigenvalue: R_λ^(−1/2) is a mean of the inverses of
// R_λ + t²·I, whose residuals are smaller. Without λ, where columns follow from others, it is the limit of a vanishing λ: r must be a combination of
// the rows. O(rows · columns) for each of some dozens of steps, at most the smaller of both, and O(steps³).
func (c *columns) decorrelate(ctx context.Context, r []float64, lambda float64) ([]float64, error) {
	norm := math.Sqrt(dense.Dot(r, r))
	if norm == 0 {
		return make([]float64, len(r)), nil
	}
	var q [][]float64 // orthonormal
	var diagonal, beside []float64
	next, length, pivot, residual := r, norm, 0.0, 1.0
	for {
		unit := make([]float64, len(r))
		dense.AddTo(unit, next, 1/length)
		q = append(q, unit)
		if next = c.shrunkProduct(unit, lambda); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		last := dense.Dot(unit, next)
		diagonal = append(diagonal, last)
		if len(q) > 1 {
			last -= float64(length * length / pivot)
		}
		pivot = last  // of the factors L·D·L' of T
		for range 2 { // the second pass takes what rounding has left of the first
			for _, other := range q {
				dense.AddTo(next, other, -dense.Dot(other, next))
			}
		}
		length = math.Sqrt(dense.Dot(next, next))
		residual *= length / pivot
		if len(q) == min(len(r), c.rows) || !(residual > precise) || !(length > precise*diagonal[0]) {
			break
		}
		beside = append(beside, length)
	}
	out := make([]float64, len(r))
	for k, coordinate := range inverseRoot(diagonal, beside) {
		dense.AddTo(out, q[k], float64(norm*coordinate))
	}
	return out, nil
}

// inverseRoot returns T^(−1/2)·e₁ of a tridiagonal matrix without negative eigenvalues; those that are rounding count as 0, and have no part in
// it. O(size³).
func inverseRoot(diagonal, beside []float64) []float64 {
	n := len(diagonal)
	t := make([][]float64, n)
	for i := range t {
		t[i] = make([]float64, n)
		t[i][i] = diagonal[i]
		if i > 0 {
			t[i][i-1], t[i-1][i] = beside[i-1], beside[i-1]
		}
	}
	values, vectors := dense.Eigen(t)
	out := make([]float64, n)
	for k, value := range values {
		if value > precise*values[0] {
			dense.AddTo(out, vectors[k], vectors[k][0]/math.Sqrt(value))
		}
	}
	return out
}
