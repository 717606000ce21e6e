package mkl

import (
	"context"

	"tenfold/engines/numeric/dense"
)

const (
	// directRows is how many rows have their Hessian factored at once: that takes milliseconds.
	directRows = 500
	// enough of the preconditioned residual is left, squared, for a direction nearly as good as Newton's.
	enough = 1e-4
)

// newtonDirection returns Newton's direction among those that sum to 0, for a Hessian h, which it may replace by its factor. From many
// rows on conjugate gradients go first, whose steps take O(rows²) each; they see it through where few eigenvalues of the kernels in
// use are large. Where as many steps as take half of the time of a Cholesky factor, O(rows³), do not, that is computed. It is nil
// where h has no factor, or ctx has ended.
func newtonDirection(ctx context.Context, h dense.Triangle, gradient []float64) []float64 {
	if n := len(gradient); n > directRows {
		if d, ok := conjugateGradients(ctx, h, gradient, n/12); ok {
			return d
		}
	}
	if !h.Factor(ctx) {
		return nil
	}
	d, one := make([]float64, len(gradient)), make([]float64, len(gradient))
	for i, g := range gradient {
		d[i], one[i] = -g, 1
	}
	h.Solve(d)
	h.Solve(one)
	share := dense.Sum(d) / dense.Sum(one)
	for i := range d {
		d[i] -= float64(share * one[i])
	}
	return d
}

// conjugateGradients minimise g'd + ½·d'Hd among the d that sum to 0, preconditioned by the diagonal (Gould, Hribar & Nocedal 2001, SIAM
// J. Sci. Comput. 23, algorithm 2.1), for so many steps at most, and tell whether they came to enough.
func conjugateGradients(ctx context.Context, h dense.Triangle, gradient []float64, steps int) (d []float64, ok bool) {
	n := len(gradient)
	inverse := make([]float64, n)
	for i := range inverse {
		inverse[i] = 1 / h.Row(i)[i]
	}
	total := dense.Sum(inverse)
	d = make([]float64, n)
	r, z, p, hp := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, g := range gradient {
		r[i] = -g
	}
	square, first := 0.0, 0.0 // r'z
	for step := 0; ; step++ {
		along := 0.0
		for i, v := range r {
			z[i] = float64(inverse[i] * v)
			along += z[i]
		}
		before := square
		square = 0
		for i := range z {
			z[i] -= float64(along / total * inverse[i])
			square += float64(r[i] * z[i])
		}
		if step == 0 {
			first = square
		}
		if square <= enough*first {
			return d, square >= 0
		}
		if step == steps || ctx.Err() != nil {
			return nil, false
		}
		turn := 0.0
		if step > 0 {
			turn = square / before
		}
		for i, v := range z {
			p[i] = v + float64(turn*p[i])
		}
		h.Product(hp, p)
		curve := dense.DotInOrder(p, hp)
		if !(curve > 0) {
			return nil, false
		}
		t := square / curve
		for i := range d {
			d[i] += float64(t * p[i])
			r[i] -= float64(t * hp[i])
		}
	}
}
