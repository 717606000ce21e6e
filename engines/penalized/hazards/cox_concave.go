package hazards

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/penalized/concave"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// concaveHazards is a survival target with a penalty that leaves large coefficients alone. Over columns of standard deviation 1 it goes
// down in
//
//	−log PL(G·β) + D·Σ f_j·pen(|β_j|; λ/D, γ),   D the weight of the events,
//
// which is about the curvature of −log PL along such a column: γ means what it means to least squares. Each penalty on the way from the
// largest is met by local linear approximation (Zou and Li, "One-step sparse estimates in nonconcave penalized likelihood models", 2008): the
// penalty lies below its tangent at |β|, so that the minimum with that, a lasso with the factors pen'(|β_j|)/pen'(0), lowers the objective; and
// where the minimum is β again, it is a stationary point.
type concaveHazards struct {
	*partialLikelihood
	concave.Shape
	given  []float64 // factors of the penalties, by column
	events float64   // D
	way    convex.WayDown
	off    float64 // largest violation at the end of the last penalty, as a share of λ
}

// concavePerDecade is how many penalties of the way a decade has.
const concavePerDecade = 25

func newConcaveHazards(s *partialLikelihood, shape concave.Shape, events float64, tol float64) *concaveHazards {
	c := &concaveHazards{
		partialLikelihood: s, Shape: shape, given: slices.Repeat([]float64{1}, len(s.beta)), events: events,
		way: convex.WayDown{Max: s.l1Max, PerDecade: concavePerDecade},
	}
	if s.factor != nil {
		copy(c.given, s.factor)
	}
	s.factor, s.strays = slices.Clone(c.given), tol/2
	return c
}

// Solve goes down the way to a penalty.
func (c *concaveHazards) Solve(ctx context.Context, pen targets.Penalty, _ float64) (convex.Outcome, error) {
	all := convex.Outcome{}
	for {
		l1, onWay := c.way.Next(pen.L1)
		out, err := c.solvePenalty(ctx, l1)
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

// solvePenalty goes to a stationary point for one penalty.
func (c *concaveHazards) solvePenalty(ctx context.Context, l1 float64) (all convex.Outcome, err error) {
	const rounds = 200 // each takes the violation to about 1/γ of it
	for k := 0; ; k++ {
		c.bend(l1)
		if c.off = c.violation(l1) / l1; k > 0 && (c.off <= 2*c.strays || all.Stop == convex.Infinite || k >= rounds) {
			break
		}
		out, err := c.partialLikelihood.Solve(ctx, targets.Penalty{L1: l1}, 0)
		if err != nil {
			return out, err
		}
		out.Iterations += all.Iterations
		out.Evaluated += all.Evaluated
		all = out
	}
	switch {
	case c.off <= 2*c.strays:
		all.Stop, all.Notes = stationary, nil
	case all.Stop == convex.Infinite:
		all.Notes = []string{fmt.Sprintf(engines.NotConverged+": the columns selected order the events, and a penalty that does not grow with the coefficients keeps none of these finite; the path ends at lambda %.6g", l1)}
	default:
		all.Notes = []string{fmt.Sprintf(engines.NotConverged+": after %d iterations a condition of a stationary point is violated by %.3g of lambda, tol is %.3g", all.Iterations, c.off, 2*c.strays)}
	}
	return all, nil
}

// stationary is why a fit with a concave penalty ends.
const stationary = "stationary"

// bend sets the factors to the slopes of the penalty at the coefficients.
func (c *concaveHazards) bend(l1 float64) {
	for j, f := range c.given {
		c.factor[j] = f
		if b := c.beta[j]; b != 0 && f > 0 {
			c.factor[j] = c.At(f*l1/c.events, 0).Slope(math.Abs(b)) * c.events / l1
		}
	}
	for _, column := range c.working {
		column.factor = c.factor[column.column]
	}
}

// Selected returns the number of columns with a penalty that have a coefficient.
func (c *concaveHazards) Selected() (n int) {
	for j, b := range c.beta {
		if b != 0 && c.given[j] > 0 {
			n++
		}
	}
	return n
}

// Model reports the objective as well.
func (c *concaveHazards) Model(f engines.Fitted) engines.Model {
	objective := -c.partialLikelihood.point.Log
	for j, b := range c.beta {
		if b != 0 {
			objective += float64(c.events * c.At(c.given[j]*c.lastL1/c.events, 0).Value(math.Abs(b)))
		}
	}
	f.Facts = append(f.Facts,
		data.Fact{Name: "objective", Value: fmt.Sprintf("%.9g", objective)},
		data.Fact{Name: "largest violation of stationarity", Value: fmt.Sprintf("%.3g of lambda", c.off)})
	return c.partialLikelihood.Model(f)
}
