package logits

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// farthestStep of a bias in one iteration: halved some dozens of times, it is as small as any step has to be.
const farthestStep = 1e8

// optimizeFreeBiases sets the free biases to their optimum for fixed other weights, by Newton's method; margins, residuals and loss
// follow. The loss is convex in them, and strictly so but for a common shift of all blocks, which changes nothing. An
// iteration is O(rows · Blocks) for every conjugate gradient step, of which there are few, however many blocks.
func (pt *Point) optimizeFreeBiases(ctx context.Context, workers int) {
	p := pt.Problem
	pt.Loss = p.Residuals(ctx, pt.R, pt.Z, workers)
	if !p.AnyFreeBias() {
		return
	}
	free := slices.Clone(p.free)
	if p.Blocks > 1 && !slices.Contains(free, false) {
		free[0] = false // a shift of all is no change: the first stays
	}
	total, before := p.Total(), math.Inf(1)
	for range 100 {
		g := pt.biasGradient(ctx, free, workers)
		gradientNorm := maxAbs(g)
		if gradientNorm <= 1e-13*total || ctx.Err() != nil {
			return
		}
		step := pt.biasNewtonStep(ctx, g, free, workers)
		if far := maxAbs(step); far > farthestStep { // where rows are certain, the curvature is next to nothing
			for b := range step {
				step[b] *= farthestStep / far
			}
		}
		fall := 0.0 // of the loss, as the step promises
		for b, v := range step {
			fall += float64(float64(v*g[b]) / 2)
		}
		hidden := fall <= 1e-14*math.Abs(pt.Loss) // rounding of the loss hides it: the gradient alone tells
		if hidden && gradientNorm > before/2 {
			return
		}
		before = gradientNorm
		size := 1.0
		for {
			pt.shiftBiases(step, -size)
			now := p.Residuals(ctx, pt.R, pt.Z, workers)
			if now <= pt.Loss+float64(1e-15*math.Abs(pt.Loss)) || hidden || size < 1e-10 || ctx.Err() != nil {
				pt.Loss = now
				break
			}
			pt.shiftBiases(step, size)
			size /= 2
		}
	}
}

// shiftBiases moves the biases, and with them the margins.
func (pt *Point) shiftBiases(step []float64, size float64) {
	p := pt.Problem
	bias, moves := p.Biases(pt.W), make([]float64, len(step))
	for b, v := range step {
		moves[b] = float64(size * v)
		bias[b] += moves[b]
	}
	for rows := pt.Z; len(rows) > 0; rows = rows[p.Blocks:] {
		dense.AddTo(rows[:p.Blocks], moves, 1)
	}
}

// biasGradient returns the gradient of the loss in the free biases, zero for the others.
func (pt *Point) biasGradient(ctx context.Context, free []bool, workers int) []float64 {
	k := pt.Problem.Blocks
	return pt.sumOverRows(ctx, free, workers, func(i int, _, sum []float64) {
		for b, r := range pt.R[i*k : (i+1)*k] {
			sum[b] += r
		}
	})
}

// biasNewtonStep solves H·step = g for the Hessian in the free biases, by conjugate gradients with its diagonal as preconditioner.
func (pt *Point) biasNewtonStep(ctx context.Context, g []float64, free []bool, workers int) []float64 {
	p, k := pt.Problem, pt.Problem.Blocks
	diagonal := pt.sumOverRows(ctx, free, workers, func(i int, prob, sum []float64) {
		m := p.Weight.Of(i)
		for b, q := range pt.Probabilities(prob, i) {
			sum[b] += float64(m * q * (1 - q))
		}
	})
	for b := range diagonal {
		diagonal[b] = max(diagonal[b], 1e-12*p.Total())
	}
	step, rest := make([]float64, k), slices.Clone(g)
	dir, size := make([]float64, k), 0.0
	for n := 0; n <= 2*k; n++ {
		next := 0.0
		for b, r := range rest {
			next += float64(r * r / diagonal[b])
		}
		if maxAbs(rest) <= 1e-8*maxAbs(g) || ctx.Err() != nil {
			break
		}
		for b, r := range rest {
			dir[b] *= next / max(size, math.SmallestNonzeroFloat64)
			if n == 0 {
				dir[b] = 0
			}
			dir[b] += r / diagonal[b]
		}
		size = next
		image := pt.sumOverRows(ctx, free, workers, func(i int, prob, sum []float64) {
			m, mean := p.Weight.Of(i), 0.0
			for b, q := range pt.Probabilities(prob, i) {
				mean += float64(q * dir[b])
			}
			if k == 1 { // the other class's margin stays
				sum[0] += float64(m * mean * (1 - prob[0]))
				return
			}
			for b, q := range prob {
				sum[b] += float64(m * q * (dir[b] - mean))
			}
		})
		curve := dense.DotInOrder(dir, image)
		if !(curve > 1e-14*next) { // certain of every row: the diagonal is all there is
			if n == 0 {
				copy(step, dir)
			}
			break
		}
		for b, d := range dir {
			step[b] += float64(size / curve * d)
			rest[b] -= float64(size / curve * image[b])
		}
	}
	return step
}

// Probabilities sets prob to the probabilities of the blocks in row i, by its residuals, and returns it.
func (pt *Point) Probabilities(prob []float64, i int) []float64 {
	p := pt.Problem
	copy(prob, pt.R[i*p.Blocks:])
	if p.Weight != nil {
		for b := range prob {
			prob[b] /= p.Weight[i]
		}
	}
	if y := int(p.Y[i]); p.Blocks > 1 || y == 1 {
		prob[y%p.Blocks]++
	}
	return prob
}

// sumOverRows adds up over the rows, in stretches that are added in order, what add gives for the free blocks; prob is room for a
// number a block.
func (pt *Point) sumOverRows(ctx context.Context, free []bool, workers int, add func(i int, prob, sum []float64)) []float64 {
	n, k := pt.Problem.Rows(), pt.Problem.Blocks
	part := make([]float64, (n+Stretch-1)/Stretch*k)
	parallel.Stretches(workers, 4, len(part)/k, func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		prob := make([]float64, k)
		for i := first * Stretch; i < min(n, last*Stretch); i++ {
			s := i / Stretch
			add(i, prob, part[s*k:(s+1)*k])
		}
	})
	out := make([]float64, k)
	for s := range part {
		if b := s % k; free[b] {
			out[b] += part[s]
		}
	}
	return out
}

func maxAbs(g []float64) (most float64) {
	for _, v := range g {
		most = max(most, math.Abs(v))
	}
	return most
}
