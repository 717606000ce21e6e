package dual

import (
	"context"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// logRatioSystem is the slides' system for the weights, of which exact α have the optimum as a solution: for every row and every
// other label y than its own y_i,
//
//	(φ(x_i, y) − φ(x_i, y_i))·w = log(α_iy / α_iy_i).
type logRatioSystem struct {
	p        *logits.Problem
	residual []float64 // right side − left side, rows × Blocks; with two classes, that of class 1's margin
	weight   []float64 // of its square; 0 where there is no equation
	dropped  int       // equations without a right side, since a share is 0
	count    int
}

// newLogRatioSystem returns that of dual variables; weighted counts each by its share α_iy.
func newLogRatioSystem(p *logits.Problem, alpha []float64, weighted bool) *logRatioSystem {
	n := p.Rows() * p.Blocks
	e := &logRatioSystem{p: p, residual: make([]float64, n), weight: make([]float64, n)}
	for i, y := range p.Y {
		a := alpha[i*p.Classes : (i+1)*p.Classes]
		for c, share := range a {
			if c == int(y) {
				continue
			}
			if !(share > 0 && a[y] > 0) {
				e.dropped++
				continue
			}
			equation, right := i*p.Blocks+c, elementary.Log(share/a[y])
			if p.Blocks == 1 {
				equation = i
				if y == 1 {
					right = -right
				}
			}
			e.count++
			e.residual[equation], e.weight[equation] = right, p.Weight.Of(i)
			if weighted {
				e.weight[equation] *= share
			}
		}
	}
	return e
}

// columnOf returns that of weight k in the system: the equations that it has a part in, and its factor there.
func (e *logRatioSystem) columnOf(k int32) sparse.Vec {
	p := e.p
	col := columnOrOnes(p, int(k)/p.Blocks)
	if p.Blocks == 1 {
		return col
	}
	block := int(k) % p.Blocks
	var out sparse.Vec
	for q, i := range col.Idx {
		first, x := i*int32(p.Blocks), col.At(q)
		if int(p.Y[i]) != block {
			out.Idx, out.Val = append(out.Idx, first+int32(block)), append(out.Val, x)
			continue
		}
		for b := range int32(p.Blocks) {
			if int(b) != block {
				out.Idx, out.Val = append(out.Idx, first+b), append(out.Val, -x)
			}
		}
	}
	return out
}

// columnOrOnes returns column j of X, or that of ones, which the biases are the weights of.
func columnOrOnes(p *logits.Problem, j int) sparse.Vec {
	if j < p.Columns() {
		return p.X.Col(j)
	}
	return sparse.Vec{Idx: data.Numbers(p.Rows())}
}

// leastSquaresResult is a least squares solution.
type leastSquaresResult struct {
	norm           float64 // of the residual
	count, dropped int     // equations, and those left out
	sweeps         int
	done           bool
}

const (
	sweepsMost = 10_000
	sweepsTol  = 1e-10 // change of a weight in a sweep, as a share of the largest, that ends them
)

// leastSquares sets the chosen weights to those that fit the equations best among all with the signs of v, and the others to 0, by
// coordinate descent. O(entries of the chosen columns) a sweep.
func (e *logRatioSystem) leastSquares(ctx context.Context, pt *logits.Point, chosen []int32, v []float64, workers int) (leastSquaresResult, error) {
	columns, curvature := make([]sparse.Vec, len(chosen)), make([]float64, len(chosen))
	for q, k := range chosen {
		columns[q] = e.columnOf(k)
		curvature[q] = e.curvature(columns[q])
	}
	clear(pt.W)
	out := leastSquaresResult{count: e.count, dropped: e.dropped}
	for out.sweeps < sweepsMost && !out.done {
		moved, size := 0.0, 0.0
		for q, k := range chosen {
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
			if curvature[q] == 0 {
				continue
			}
			was := pt.W[k]
			to := was + e.gradient(columns[q])/curvature[q]
			if to*v[k] < 0 {
				to = 0
			}
			if to != was {
				columns[q].AddTo(e.residual, was-to)
				pt.W[k] = to
			}
			moved, size = max(moved, math.Abs(to-was)), max(size, math.Abs(to))
		}
		out.sweeps++
		out.done = moved <= sweepsTol*size
	}
	for equation, r := range e.residual {
		out.norm += float64(e.weight[equation] * r * r)
	}
	out.norm = math.Sqrt(out.norm)
	return out, pt.Update(ctx, workers)
}

// gradient returns how fast half the squared residual falls with the column's weight.
func (e *logRatioSystem) gradient(col sparse.Vec) float64 {
	s := 0.0
	for q, equation := range col.Idx {
		s += float64(col.At(q) * e.weight[equation] * e.residual[equation])
	}
	return s
}

func (e *logRatioSystem) curvature(col sparse.Vec) float64 {
	s := 0.0
	for q, equation := range col.Idx {
		x := col.At(q)
		s += float64(x * x * e.weight[equation])
	}
	return s
}
