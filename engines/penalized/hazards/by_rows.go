package hazards

import (
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/penalized/targets"
)

// byRows are the coefficients of a ridge as sums of rows: β = F⁻¹·Gᵀ·a, with the factors F of the columns' penalties, as every minimum
// without an L1 penalty has them. With K = G·F⁻¹·Gᵀ, which is rows × rows,
//
//	−log PL(K·a) + ½·λ2·aᵀK·a
//
// is then the objective, and a Newton step d solves (λ2 + H·K)·d = r − λ2·a, with the Hessian H of −log PL in η and its residuals r:
// a system that is symmetric and positive definite in the inner product uᵀK·v, for conjugate gradients.
type byRows struct {
	k [][]float64 // K; nil where products go through the columns
	a []float64   // by row
}

// goesThroughRows reports whether steps for a penalty do: for a ridge on all columns, where these are more than the rows, or many.
func (s *partialLikelihood) goesThroughRows(pen targets.Penalty) bool {
	const many = 500
	columns := len(s.beta)
	if pen.L1 > 0 || pen.L2 == 0 || columns <= min(len(s.eta), many) {
		return false
	}
	for j := range s.factor {
		if s.factor[j] == 0 {
			return false
		}
	}
	return true
}

// startByRows starts at no coefficients. K is kept where it takes no more memory than some copies of the matrix.
func (s *partialLikelihood) startByRows() {
	n := len(s.eta)
	s.rows = &byRows{a: make([]float64, n)}
	clear(s.beta)
	clear(s.eta)
	s.l.At(&s.point, s.eta)
	if n*n > 4*s.g.X.NNZ() {
		return
	}
	k, column := make([][]float64, n), make([]float64, n)
	for i := range k {
		k[i] = make([]float64, n)
	}
	for j, scale := range s.g.Scale {
		if scale == 0 {
			continue
		}
		for i := range column {
			column[i] = -s.g.Mean[j] * scale
		}
		s.g.X.Col(j).AddTo(column, scale)
		for i, x := range column {
			dense.AddTo(k[i][:i+1], column[:i+1], x/s.factorOf(j))
		}
	}
	for i, row := range k {
		for j := range i {
			k[j][i] = row[j]
		}
	}
	s.rows.k = k
}

// multiply sets dst = K·v. O(rows²), or O(nnz).
func (s *partialLikelihood) multiply(dst, v []float64) {
	if k := s.rows.k; k != nil {
		dense.DotEach(len(k), v, func(i int) []float64 { return k[i] }, func(i int, x float64) { dst[i] = x })
		return
	}
	w, offset := s.coefficientsOf(v), 0.0
	for j := range w {
		w[j] *= s.g.Scale[j]
		offset += float64(w[j] * s.g.Mean[j])
	}
	s.g.X.MulVec(dst, w)
	for i := range dst {
		dst[i] -= offset
	}
}

// coefficientsOf returns those of a sum of rows: F⁻¹·Gᵀ·a.
func (s *partialLikelihood) coefficientsOf(a []float64) []float64 {
	w := make([]float64, len(s.beta))
	s.slopesOf(w, s.awake, a) // without an L1 penalty no column sleeps but constant ones
	for j := range s.factor {
		w[j] /= s.factor[j]
	}
	return w
}

// stepThroughRows takes a Newton step of a ridge, and returns how much smaller the objective gets.
func (s *partialLikelihood) stepThroughRows(pen targets.Penalty) (won float64) {
	if s.rows == nil {
		s.startByRows()
	}
	a, n := s.rows.a, len(s.eta)
	left := make([]float64, n)
	for i := range left {
		left[i] = s.point.Residual[i] - float64(pen.L2*a[i])
	}
	step, moves, slope := s.solveByRows(pen.L2, left)
	if !(slope > 0) {
		return 0
	}
	const rounding = 1e-14
	objective := func(a, eta []float64) float64 {
		return -s.l.Log(eta) + float64(pen.L2*dense.Dot(a, eta)/2)
	}
	start := objective(a, s.eta)
	to, eta := make([]float64, n), make([]float64, n)
	for share := 1.0; share > 1e-10; share /= 2 {
		for i := range to {
			to[i] = a[i] + float64(share*step[i])
			eta[i] = s.eta[i] + float64(share*moves[i])
		}
		if end := objective(to, eta); end <= start-float64(1e-4*share*slope)+float64(rounding*math.Abs(start)) {
			s.rows.a = to
			s.multiply(s.eta, to)
			s.beta = s.coefficientsOf(to)
			s.l.At(&s.point, s.eta)
			return start - end
		}
	}
	s.l.At(&s.point, s.eta) // the search has been elsewhere
	return 0
}

// solveByRows solves (λ2 + H·K)·step = left to a thousandth, by conjugate gradients in the inner product of K (Hestenes & Stiefel 1952);
// moves is K·step, slope what the step is worth, leftᵀK·step. left is used up.
func (s *partialLikelihood) solveByRows(l2 float64, left []float64) (step, moves []float64, slope float64) {
	const precise, most = 1e-3, 1000
	n := len(left)
	step, moves = make([]float64, n), make([]float64, n)
	along, bent, kLeft, kAlong := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	s.multiply(kLeft, left)
	size := dense.Dot(left, kLeft)
	copy(along, left)
	copy(kAlong, kLeft)
	gradient := append([]float64(nil), kLeft...)
	enough := precise * precise * size
	for range most {
		if !(size > enough) {
			break
		}
		s.l.HessianProduct(&s.point, bent, kAlong)
		dense.AddTo(bent, along, l2)
		curvature := dense.Dot(bent, kAlong)
		if !(curvature > 0) {
			break
		}
		share := size / curvature
		dense.AddTo(step, along, share)
		dense.AddTo(moves, kAlong, share)
		dense.AddTo(left, bent, -share)
		s.multiply(kLeft, left)
		before := size
		size = dense.Dot(left, kLeft)
		for i := range along {
			along[i] = left[i] + float64(size/before*along[i])
			kAlong[i] = kLeft[i] + float64(size/before*kAlong[i])
		}
	}
	return step, moves, dense.Dot(gradient, step)
}
