package concave

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// perDecade is how many penalties of the way down a decade has.
const perDecade = 25

// approximation is a problem with a concave penalty. Over columns of standard deviation 1 it goes down in
//
//	loss + v·Σ_j pen(|b_j|; f_j·λα/v) + λ(1−α)/2·Σ_j f_j·b_j²,   v the curvature of the loss, f_j the factors of the columns,
//
// for one penalty after the other on the way from the largest, by local linear approximation (Zou and Li, "One-step sparse estimates in
// nonconcave penalized likelihood models", 2008): the penalty lies below its tangent at |b|, so that the minimum with that, a lasso with the
// factors pen'(|b_j|)/pen'(0), lowers the objective; and where the minimum is b again, it is a stationary point.
type approximation struct {
	targets.Reweighted
	penalty    Penalty
	alpha, tol float64
	way        convex.WayDown

	pen        targets.Penalty // the last one
	violation  float64         // largest there, as a share of λα
	columns    []int32         // selected there, rising
	convexFrom float64         // the smallest λα down to which minima are the only ones; 0: all so far
}

// Approximate returns the problem with a penalty in place of the L1 penalty, whose share of λ is alpha. It is solved to where no condition
// of a stationary point is violated by more than tol of λα.
func Approximate(p targets.Reweighted, penalty Penalty, alpha, tol float64) targets.Problem {
	lambdaMax := p.LambdaMax()
	return &approximation{
		Reweighted: p, penalty: penalty, alpha: alpha, tol: tol, pen: targets.Penalty{L1: lambdaMax},
		way: convex.WayDown{Max: lambdaMax, PerDecade: perDecade},
	}
}

// Solve goes down the way to a penalty, each minimum from the one before; least is the smallest L1 penalty still to come, 0 for this one.
func (a *approximation) Solve(ctx context.Context, pen targets.Penalty, least float64) (all convex.Outcome, err error) {
	if least == 0 {
		least = pen.L1
	}
	for {
		l1, onWay := a.way.Next(pen.L1)
		out, err := a.solvePenalty(ctx, targets.Penalty{L1: l1, L2: l1 / pen.L1 * pen.L2}, least)
		if err != nil {
			return out, err
		}
		out.Iterations += all.Iterations
		out.Evaluated += all.Evaluated
		if all = out; !onWay || out.Stop == convex.Infinite {
			return all, nil
		}
	}
}

// solvePenalty goes to a stationary point for one penalty; notes say if none was reached.
func (a *approximation) solvePenalty(ctx context.Context, pen targets.Penalty, least float64) (convex.Outcome, error) {
	before := a.pen.L1
	a.pen = pen
	out, violation, err := a.SolveReweighted(ctx, pen, least, a.tol, func(j int, b float64) float64 {
		l1, _ := a.strength(j)
		return a.penalty.Derivative(math.Abs(b), l1) * a.Curvature() / pen.L1
	})
	if err != nil {
		return out, err
	}
	a.violation = violation
	a.lookForConvexity(ctx, before)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	switch out.Stop {
	case convex.Stationary:
	case convex.Infinite:
		out.Notes = append(out.Notes, fmt.Sprintf(engines.NotConverged+": the columns selected %s, and a penalty that does not grow with the coefficients keeps none of these finite; the path ends at lambda %.6g", a.Separation(), pen.L1/a.alpha))
	default:
		out.Notes = append(out.Notes, fmt.Sprintf(engines.NotConverged+": after %d iterations a condition of a stationary point is violated by %.3g of lambda, tol is %.3g", out.Iterations, violation, a.tol))
	}
	return out, nil
}

// strength returns λ and the strength of the L2 penalty for column j, for rows of curvature 1.
func (a *approximation) strength(j int) (l1, l2 float64) {
	f, v := a.Factor(j), a.Curvature()
	return f * a.pen.L1 / v, f * a.pen.L2 / v
}

// lookForConvexity sets convexFrom to the penalty before the present one if the objective is not convex over the columns selected at either,
// wherever the second derivatives of the loss are what they are here.
func (a *approximation) lookForConvexity(ctx context.Context, before float64) {
	var now []int32
	for j := range a.Coefficients() {
		now = append(now, int32(j))
	}
	if curved, ok := a.Reweighted.(targets.Curved); ok && a.convexFrom == 0 && len(now) > 0 {
		both := slices.Concat(a.columns, now)
		slices.Sort(both)
		if h := a.hessian(curved, slices.Compact(both)); !h.Factor(ctx) {
			a.convexFrom = before
		}
	}
	a.columns = now
}

// hessian returns the least second derivatives of the objective over some columns and the intercept, which is last, divided by the
// curvature. O(columns · their entries).
func (a *approximation) hessian(problem targets.Curved, columns []int32) dense.Triangle {
	x, curvature := problem.Curvatures()
	n, v, total := len(columns), a.Curvature(), dense.Sum(curvature)
	h, sums, row := dense.NewTriangle(n+1), make([]float64, n), make([]float64, len(curvature))
	ones := h.Row(n)
	for k, j := range columns {
		col, scale, mean := x.X.Col(int(j)), x.Scale[j], x.Mean[j]
		for q, i := range col.Idx {
			row[i] = float64(col.At(q) * curvature[i])
			sums[k] += row[i]
		}
		ones[k] = scale * (sums[k] - float64(mean*total)) / v
		for l, c := range columns[:k+1] {
			other := x.Mean[c]
			product := x.X.Col(int(c)).Dot4(row) - float64(mean*sums[l]) - float64(other*sums[k]) + float64(mean*other*total)
			h.Row(k)[l] = scale * x.Scale[c] * product / v
		}
		if l1, l2 := a.strength(int(j)); l1 > 0 {
			h.Row(k)[k] += l2 - a.penalty.Concavity(l1)
		}
		for _, i := range col.Idx {
			row[i] = 0
		}
	}
	ones[n] = total / v
	return h
}

// objective returns the objective at the coefficients.
func (a *approximation) objective() float64 {
	sum := 0.0
	for j, b := range a.Coefficients() {
		l1, l2 := a.strength(j)
		sum += a.penalty.Value(math.Abs(b), l1) + float64(l2*b*b/2)
	}
	return a.LossSum() + float64(a.Curvature()*sum)
}

// Model returns the model, with the objective, and how far it can be relied on.
func (a *approximation) Model(f engines.Fitted) engines.Model {
	if f.Stop != convex.Gap { // else nothing goes with the target
		f.Certificate = nil
	}
	f.Facts = append(f.Facts,
		data.Fact{Name: "objective", Value: fmt.Sprintf("%.9g", a.objective())},
		data.Fact{Name: "largest violation of stationarity", Value: fmt.Sprintf("%.3g of lambda", a.violation)})
	if _, ok := a.Reweighted.(targets.Curved); ok {
		value := "as far as the path goes"
		if from := a.convexFrom / a.alpha; from > 0 {
			value = fmt.Sprintf("down to lambda %.6g", from)
			f.Notes = append(f.Notes, fmt.Sprintf("lambda %.6g is below %.6g, where the objective stops being convex over the columns selected: other models with the same columns may be minima, too", a.pen.L1/a.alpha, from))
		}
		f.Facts = append(f.Facts, data.Fact{Name: "locally convex", Value: value})
	}
	return a.Reweighted.Model(f)
}
