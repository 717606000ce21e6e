package nonconvex

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/penalized/concave"
	"tenfold/engines/penalized/convex"
)

// descent goes from the stationary point of a penalty to that of a smaller one.
type descent struct {
	*point
	concave.Shape
	pen    concave.Penalty
	l1     float64 // of the last penalty, times n·v; 0 before the first
	passes int
	spent  float64 // entries read since the last try of Newton's steps
}

// Why a descent ended, beside max_iter.
const (
	stationary = "stationary"
	saturated  = "saturated" // isSaturated
)

// run goes to a stationary point for a penalty of l1 and l2, both times n·v.
//
//  1. Columns that the strong rule cannot rule out join the working set: that of the lasso, with a cutoff that is lower as gradients of
//     concave penalties move faster (Breheny and Huang 2011; Lee and Breheny, "Strong rules for nonconvex penalties and their
//     implications for efficient algorithms in high-dimensional regression", 2015).
//  2. Passes over the working set, in order of columns.
//  3. All gradients that matter; columns that violate their condition join; go to 2.
//
// What it returns is whether the end is a stationary point, and the largest violation as a share of l1.
func (d *descent) run(ctx context.Context, l1, l2, tol float64, maxPasses int) (stop string, violation float64, err error) {
	nv := d.nv()
	d.pen = d.At(l1/nv, l2/nv)
	threshold := l1
	if l1 < d.l1 {
		faster := 1 / (1 - d.Concavity)
		threshold = l1 - float64(faster*(d.l1-l1))
	}
	d.l1, d.passes = l1, 0
	for {
		if err = d.updateGradients(ctx, threshold); err != nil {
			return "", 0, err
		}
		violation = d.violation() / d.pen.L1
		joined := d.joinAbove(threshold)
		switch {
		case d.isSaturated():
			return saturated, violation, nil
		case violation <= tol && !joined:
			return stationary, violation, nil
		case d.passes >= maxPasses:
			return convex.MaxIter, violation, nil
		}
		threshold = l1
		d.descendWorkingSet(ctx, tol*d.pen.L1/2, maxPasses)
	}
}

// penaltyOf column j, with its factor.
func (d *descent) penaltyOf(j int) concave.Penalty {
	if d.factor == nil {
		return d.pen
	}
	return d.At(d.factor[j]*d.pen.L1, d.factor[j]*d.pen.L2)
}

// joinAbove adds columns whose gradient exceeds a threshold to the working set.
func (d *descent) joinAbove(threshold float64) bool {
	before := len(d.work)
	for _, j := range d.current {
		if !d.inSet[j] && math.Abs(d.gradient[j]) > threshold*d.factorOf(int(j)) {
			d.join(j)
		}
	}
	slices.Sort(d.work)
	return len(d.work) > before
}

// violation is the largest of any column whose gradient is known, divided by n·v: the others have none.
func (d *descent) violation() float64 {
	nv := d.nv()
	worst := math.Abs(d.residualSum()) / nv
	for _, j := range d.current {
		worst = max(worst, d.penaltyOf(int(j)).Violation(d.beta[j], d.gradient[j]/nv))
	}
	return worst
}

// descendWorkingSet passes over the working set until no coefficient moves by more than tol. While the selection and the pieces of the penalty
// that its coefficients are on stand still, passes are over the selection alone.
func (d *descent) descendWorkingSet(ctx context.Context, tol float64, maxPasses int) {
	for d.passes < maxPasses && ctx.Err() == nil {
		moved, changed := d.sweep(d.work)
		if moved <= tol || d.isSaturated() {
			break
		}
		if changed {
			continue
		}
		for selected := d.selected(); moved > tol && !changed && !d.isSaturated() && d.passes < maxPasses && ctx.Err() == nil; {
			if d.newtonPays(selected) && d.newton(ctx, selected, tol) {
				break
			}
			moved, changed = d.sweep(selected)
		}
	}
	d.recompute()
}

// sweep is a pass over columns: each coefficient goes to its best value. Of classes that is for the bound of the curvature and the
// residual at the head of the pass, where the intercept moves first. It tells how far the coefficient went that went farthest, and
// whether one got to another piece of the penalty.
func (d *descent) sweep(columns []int32) (moved float64, changed bool) {
	d.passes++
	nv := d.nv()
	if d.logistic {
		moved = d.moveBias()
	}
	for _, j := range columns {
		b := d.beta[j]
		pen := d.penaltyOf(int(j))
		to := pen.Step(d.gradientOf(j)/nv + b)
		d.spent += float64(d.x.X.Col(int(j)).Len())
		if to == b {
			continue
		}
		d.move(j, to)
		moved = max(moved, math.Abs(to-b))
		changed = changed || pen.Piece(to) != pen.Piece(b)
	}
	if d.logistic {
		d.applyMoves()
		d.refreshResiduals()
	}
	return moved, changed
}

// isSaturated tells whether next to nothing is left of the loss of classes: where these are apart, coefficients grow without end, since
// the penalty does not grow with them.
func (d *descent) isSaturated() bool { return d.logistic && engines.Saturated(d.loss, d.null) }

// objective at the coefficients.
func (d *descent) objective() float64 {
	sum := 0.0
	for _, j := range d.work {
		if b := d.beta[j]; b != 0 {
			pen := d.penaltyOf(int(j))
			sum += pen.Value(math.Abs(b)) + float64(pen.L2*b*b/2)
		}
	}
	return d.loss + float64(d.nv()*sum)
}
