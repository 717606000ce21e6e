package logits

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tenfold/engines"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/penalized/convex"
)

// Penalty is C1·Σ|w_k| + C2/2·Σ w_k² over the weights that are not free.
type Penalty struct{ L1, L2 float64 }

// Point is a model with all that is known there: margins and residuals (row-major, rows × Blocks), the gradient of the
// loss, and the loss.
type Point struct {
	Problem *Problem
	proximal.State
	G []float64 // gradient of the loss, laid out as weights

	NullLoss  float64      // that of the model without penalised weights, once LambdaMax has found it
	Scores    []float64    // by weight, what coefficients are scored by; nil for nothing
	updated   bool         // whether everything has been computed from the weights at least once
	free      *freeColumns // kept by optimizeFree; nil before
	lambdaMax float64      // as LambdaMax found it, 0 before
	grows     []int32      // likewise, the columns without a penalty whose weights have none
}

// NewPoint returns the model of the given weights, which it keeps.
func (p *Problem) NewPoint(w []float64) *Point {
	n := p.Rows() * p.Blocks
	return &Point{Problem: p, State: proximal.State{W: w, Z: make([]float64, n), R: make([]float64, n)}, G: make([]float64, p.Width())}
}

// NullPoint returns the model without penalised weights, and the smallest C1 for which it is the optimum. O(nnz · Blocks).
func (p *Problem) NullPoint(ctx context.Context, workers int) (pt *Point, lambdaMax float64, err error) {
	pt = p.NewPoint(make([]float64, p.Width()))
	lambdaMax, err = pt.LambdaMax(ctx, workers)
	return pt, lambdaMax, err
}

// Update computes everything anew from the weights; free biases are first set to their optimum, which a certificate needs.
// The error is the cause of ctx's end. O(nnz · Blocks).
func (pt *Point) Update(ctx context.Context, workers int) error {
	p := pt.Problem
	p.Margins(ctx, pt.Z, pt.W, workers)
	return pt.UpdateFromMargins(ctx, workers)
}

// Ensure computes everything from the weights unless that has been done at least once.
func (pt *Point) Ensure(ctx context.Context, workers int) error {
	if pt.updated {
		return nil
	}
	return pt.Update(ctx, workers)
}

// UpdateFromMargins computes what follows from the margins.
func (pt *Point) UpdateFromMargins(ctx context.Context, workers int) error {
	p := pt.Problem
	if err := pt.OptimizeFree(ctx, workers); err != nil {
		return err
	}
	p.Gradient(ctx, pt.G, pt.R, workers)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	pt.updated = true
	return nil
}

// LambdaMax returns the smallest C1 for which the optimum has no weight but free ones. It leaves the point at that model.
// O(nnz · Blocks).
func (pt *Point) LambdaMax(ctx context.Context, workers int) (float64, error) {
	clear(pt.W)
	clear(pt.Z)
	endless, err := pt.optimizeFreeWithin(ctx, workers, maxNullSteps)
	if err != nil {
		return 0, err
	}
	if err := pt.UpdateFromMargins(ctx, workers); err != nil {
		return 0, err
	}
	if pt.grows = nil; endless || pt.anyCertain() {
		pt.grows = pt.growing(ctx, workers)
	}
	if pt.Problem.freeColumns > 0 && pt.Loss <= 1e-9*pt.Problem.Total() {
		return 0, fmt.Errorf("the %d columns without a penalty (features: {keep: …}) tell the classes of all rows apart, which leaves nothing to select by", pt.Problem.freeColumns)
	}
	lambdaMax := pt.largestGradient(func(int) bool { return true })
	if lambdaMax <= 1e-9*pt.Problem.Total() { // it may be nothing but rounding, by columns' lengths
		size, reach := 0.0, append(pt.Problem.Reach(), math.Sqrt(pt.Problem.Total())/2)
		for i := range pt.Problem.Y {
			for _, r := range pt.R[i*pt.Problem.Blocks:][:pt.Problem.Blocks] {
				size += float64(r*r) / pt.Problem.Weight.Of(i)
			}
		}
		size = math.Sqrt(size)
		lambdaMax = pt.largestGradient(func(k int) bool { return math.Abs(pt.G[k]) > 2e-12*reach[k/pt.Problem.Blocks]*size })
	}
	pt.lambdaMax, pt.NullLoss = lambdaMax, pt.Loss
	return lambdaMax, nil
}

// SolveBy minimises with a solver. Where some columns have no penalty and C1 is LambdaMax, or more but for rounding, the minimum is the
// model of these alone, whatever tol is: it is not searched for, since where a level separates rows, the gradients of others change as
// long as its weight grows.
func (pt *Point) SolveBy(ctx context.Context, solve Solver, goal Goal) (Outcome, error) {
	if pt.Problem.freeColumns == 0 || goal.L1 < pt.lambdaMax*(1-1e-12) {
		out, err := solve(ctx, pt, goal)
		pt.tellFree(&out)
		return out, err
	}
	if pt.Selected() > 0 || !pt.updated {
		if _, err := pt.LambdaMax(ctx, goal.Workers); err != nil {
			return Outcome{}, err
		}
	}
	out := Outcome{Certificate: pt.Certify(goal.Penalty), Stop: convex.Gap}
	out.Notes = goal.Criterion().Notes(out)
	pt.tellFree(&out)
	return out, nil
}

// anyCertain reports whether some row has next to no residual in a block, as where columns without a penalty tell rows apart.
func (pt *Point) anyCertain() bool {
	const certain = 1e-8 // of the row's weight
	if pt.Problem.freeColumns == 0 {
		return false
	}
	for i := range pt.Problem.Y {
		for _, r := range pt.R[i*pt.Problem.Blocks:][:pt.Problem.Blocks] {
			if math.Abs(r) < certain*pt.Problem.Weight.Of(i) {
				return true
			}
		}
	}
	return false
}

// tellFree adds to an outcome which columns without a penalty tell the classes of some rows apart.
func (pt *Point) tellFree(out *Outcome) {
	if len(pt.grows) == 0 {
		return
	}
	if out.Stop == convex.Gap {
		out.Stop = convex.Infinite
	}
	names := make([]string, len(pt.grows))
	for k, j := range pt.grows {
		names[k] = pt.Problem.features.Name(int(j))
	}
	out.Notes = append(out.Notes, strings.Join(names, ", ")+": without a penalty (features: {keep: …}), and tells the classes of some rows apart, so the weight has no finite optimum: it is at least that where the fit ended")
}

// largestGradient returns that of the weights that are not free and that count, divided by the factors of their penalties.
func (pt *Point) largestGradient(counts func(k int) bool) (largest float64) {
	for k, g := range pt.G {
		if !pt.Problem.Free(k) && counts(k) {
			largest = max(largest, math.Abs(g)/pt.Problem.Factor(k))
		}
	}
	return largest
}

// Selected returns the number of columns with a penalty that have a weight.
func (pt *Point) Selected() (n int) {
	last := -1
	for k, w := range pt.W[:pt.Problem.Columns()*pt.Problem.Blocks] {
		if w == 0 {
			continue
		}
		if j := k / pt.Problem.Blocks; j != last && !pt.Problem.Free(k) {
			n, last = n+1, j
		}
	}
	return n
}

// Model returns that of the weights, on the scale of the data: that of a column γ(x − c) is γ·w, and its class's bias falls by γ·w·c.
func (pt *Point) Model(fitted engines.Fitted) *softmax.Model {
	p := pt.Problem
	bias := make([]float64, p.Classes)
	for b, w := range p.Biases(pt.W) {
		bias[p.Class(b)] = w
	}
	var coefs []engines.Coef
	for k, w := range pt.W[:p.Columns()*p.Blocks] {
		if w == 0 {
			continue
		}
		column, class := k/p.Blocks, p.Class(k%p.Blocks)
		if p.from != nil {
			if p.from.Scale != nil {
				w *= p.from.Scale[column]
			}
			if p.from.Center != nil {
				bias[class] -= float64(w * p.from.Center[column])
			}
		}
		c := engines.Coef{Feature: column, Output: class, Value: w, Rank: -1}
		if pt.Scores != nil {
			c.Score = pt.Scores[k]
		}
		coefs = append(coefs, c)
	}
	return softmax.NewModel(p.Columns(), bias, coefs, fitted)
}
