package group

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/parallel"
)

// Point is a model with all that is known there. It lasts for a path of penalties: each search starts from the last one's.
type Point struct {
	p    *Problem
	b    []float64 // scaled coefficients: of column j and task t at j·tasks + t
	bias []float64 // best for b, on columns that are not centred
	eta  []float64 // scores
	// theta is minus the gradient of the loss by the scores: times a number from 0 to 1 that makes it feasible, a dual point.
	theta   []float64
	value   float64 // loss
	workers int

	selected []int32   // columns with a coefficient, rising
	norm     []float64 // ‖B_g‖, by block

	start float64 // loss without coefficients

	// The norms of X̃_g'θ / ω_g, or bounds of them from above: the bounds are of when theta was last, and grow with its distance from there.
	gradientNorm []float64
	last         []float64
}

// NewPoint returns the model without coefficients but of blocks without a penalty, with the norms of all blocks there.
func (p *Problem) NewPoint(ctx context.Context, workers int) (*Point, error) {
	rows, columns := p.dims()
	n := rows * p.tasks
	pt := &Point{p: p, workers: workers, b: make([]float64, columns*p.tasks), bias: make([]float64, p.tasks), eta: make([]float64, n), theta: make([]float64, n), norm: make([]float64, len(p.blocks))}
	pt.recompute()
	pt.start = pt.value
	if len(p.free) > 0 {
		if err := pt.optimizeFree(ctx); err != nil {
			return nil, err
		}
		if pt.value <= 1e-9*pt.start {
			return nil, fmt.Errorf("the columns without a penalty (features: {keep: …}) explain all rows, which leaves nothing to select by")
		}
		pt.start = pt.value
	}
	pt.gradientNorm, pt.last = make([]float64, len(p.blocks)), make([]float64, n)
	for g := range pt.gradientNorm {
		pt.gradientNorm[g] = math.Inf(1)
	}
	return pt, pt.updateGradientNorms(ctx, 0, nil)
}

// LambdaMax returns the smallest λ that selects nothing, of a point without coefficients; 0 where norms are nothing but rounding.
func (pt *Point) LambdaMax() float64 {
	maxNorm, size := 0.0, pt.residualDistance(make([]float64, len(pt.theta)))
	for g, v := range pt.gradientNorm {
		if b := &pt.p.blocks[g]; v*b.weight > 1e-12*b.frob*size {
			maxNorm = max(maxNorm, v)
		}
	}
	return maxNorm
}

// coefficientsOf returns the coefficients of column j, by task; they are shared with the point.
func (pt *Point) coefficientsOf(j int32) []float64 { return pt.b[int(j)*pt.p.tasks:][:pt.p.tasks] }

// blockNorm returns ‖B_g‖. O(columns of the block · tasks).
func (pt *Point) blockNorm(b *block) float64 {
	s := 0.0
	for _, j := range b.columns {
		for _, v := range pt.coefficientsOf(j) {
			s += float64(v * v)
		}
	}
	return math.Sqrt(s)
}

// penalty returns Σ ω‖B_g‖ over all blocks.
func (pt *Point) penalty() float64 {
	s := 0.0
	for g := range pt.p.blocks {
		s += float64(pt.p.blocks[g].weight * pt.norm[g])
	}
	return s
}

// findSelected finds the columns that have a coefficient, and the norms of the blocks. O(columns · tasks).
func (pt *Point) findSelected() {
	pt.selected = pt.selected[:0]
	clear(pt.norm)
	for j, g := range pt.p.blockOf {
		if coefs := pt.coefficientsOf(int32(j)); some(coefs) {
			pt.selected = append(pt.selected, int32(j))
			for _, v := range coefs {
				pt.norm[g] += float64(v * v)
			}
		}
	}
	for g, square := range pt.norm {
		pt.norm[g] = math.Sqrt(square)
	}
}

// recompute computes all that follows from the coefficients: scores, intercepts, residuals, loss, norms. O(entries of columns with any · tasks).
func (pt *Point) recompute() {
	p := pt.p
	pt.findSelected()
	clear(pt.eta)
	raw := make([]float64, 0, len(pt.selected)*p.tasks)
	for _, j := range pt.selected {
		for _, v := range pt.coefficientsOf(j) {
			raw = append(raw, p.x.Scale[j]*v)
		}
	}
	addColumns(pt.eta, p.x.X, pt.selected, raw, nil)
	p.loss.center(pt.eta, pt.bias)
	pt.value = p.loss.gradient(pt.theta, pt.eta)
}

func some(v []float64) bool {
	for _, x := range v {
		if x != 0 {
			return true
		}
	}
	return false
}

// columnsAtOnce is how many columns of a block blockGradientNorm reads at a time.
const columnsAtOnce = 16

// blockGradientNorm returns ‖X̃_g'θ‖ / ω_g. dst has room for a number a task of so many columns.
func (pt *Point) blockGradientNorm(g int, sum, dst []float64) float64 {
	x, b, k := pt.p.x, &pt.p.blocks[g], pt.p.tasks
	s := 0.0
	for columns := range slices.Chunk(b.columns, columnsAtOnce) {
		dots := dst[:len(columns)*k]
		dotColumns(dots, x.X, columns, pt.theta)
		for q, j := range columns {
			if x.Scale[j] == 0 {
				continue
			}
			for t, v := range dots[q*k:][:k] {
				v = x.Product(int(j), v, sum[t]) // the sums are 0 but for rounding
				s += float64(v * v)
			}
		}
	}
	return math.Sqrt(s) / b.weight
}

// updateGradientNorms updates the gradient norms of all blocks: those above the threshold are exact afterwards, others may be bounds from above that do not
// exceed it. Those of screened blocks may be any bounds. It costs O(entries of the blocks looked at · tasks).
func (pt *Point) updateGradientNorms(ctx context.Context, threshold float64, screened []bool) error {
	p, distance := pt.p, pt.residualDistance(pt.last)
	sum := pt.residualSums()
	parallel.Stretches(pt.workers, 64, len(p.blocks), func(first, last int) {
		dst := make([]float64, columnsAtOnce*p.tasks)
		for g := first; g < last && ctx.Err() == nil; g++ {
			b := &p.blocks[g]
			if b.weight == 0 {
				pt.gradientNorm[g] = 0
				continue
			}
			pt.gradientNorm[g] += float64(b.frob / b.weight * distance)
			if (screened == nil || !screened[g]) && pt.gradientNorm[g] > threshold {
				pt.gradientNorm[g] = pt.blockGradientNorm(g, sum, dst)
			}
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	copy(pt.last, pt.theta)
	return nil
}

// residualDistance returns the distance of theta from where it was before; rows count by 1/m.
func (pt *Point) residualDistance(before []float64) float64 {
	s := 0.0
	for k, v := range pt.theta {
		d := v - before[k]
		s += float64(d*d) / pt.p.x.RowWeight(k/pt.p.tasks)
	}
	return math.Sqrt(s)
}

// residualSums returns the sums of theta, by task.
func (pt *Point) residualSums() []float64 {
	out := make([]float64, pt.p.tasks)
	for k, v := range pt.theta {
		out[k%len(out)] += v
	}
	return out
}

// certify certifies the point for a penalty, where no norm exceeds the given one: s·θ is feasible with s = λ/maxNorm. The bound is the
// better of the dual's value there and the one known before.
func (pt *Point) certify(lambda, maxNorm, known float64) (c engines.Certificate, s float64) {
	s = 1
	if maxNorm > lambda {
		s = lambda / maxNorm
	}
	c.Objective = pt.value + float64(lambda*pt.penalty())
	c.Dual = max(known, pt.p.loss.dual(s, pt.theta)-float64(s*pt.freeSlope()))
	return c, s
}

// freeSlope bounds what a dual point loses by not being quite orthogonal to the columns without a penalty: Σ |B_j'X̃_j'θ| over these.
func (pt *Point) freeSlope() (slope float64) {
	for _, g := range pt.p.free {
		gradient := pt.blockGradient(int(g))
		for k, j := range pt.p.blocks[g].columns {
			for t, b := range pt.coefficientsOf(j) {
				slope += math.Abs(float64(b * gradient[k*pt.p.tasks+t]))
			}
		}
	}
	return slope
}

// blockGradient returns X̃_g'θ, by column and task.
func (pt *Point) blockGradient(g int) []float64 {
	x, sum, all := pt.p.x, pt.residualSums(), []float64{}
	for _, j := range pt.p.blocks[g].columns {
		dst := make([]float64, pt.p.tasks)
		if x.Scale[j] != 0 {
			dotRows(dst, x.X.Col(int(j)), pt.theta)
		}
		for t, v := range dst {
			all = append(all, x.Product(int(j), v, sum[t]))
		}
	}
	return all
}

// optimizeFree brings the coefficients of blocks without a penalty to their optimum with the others fixed: dual points are
// orthogonal to these columns.
func (pt *Point) optimizeFree(ctx context.Context) error {
	s := &search{pt: pt, buffer: make([]float64, len(pt.eta)), sweepShare: 1e-12}
	for range 100 {
		if !s.quadraticStep(ctx, pt.p.free, pt.value) {
			break
		}
	}
	return context.Cause(ctx)
}
