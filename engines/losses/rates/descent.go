package rates

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// descend takes proximal Newton steps on the columns that have a coefficient or violate the condition of a minimum, until stop returns a
// reason; stalled tells it that steps make no progress any more. factor(j, b) is the factor of column j in the L1 penalty at the coefficient b;
// that of L2 stays as given. After each step the intercept is the best one, so that residuals sum to 0, as a dual point's do.
func (p *Problem) descend(ctx context.Context, pen targets.Penalty, factor func(j int, b float64) float64, out *convex.Outcome, stop func(stalled bool) string) error {
	const least = 1e-30 // curvature, of rows that are next to certain
	p.steps.Restart()
	for {
		if ctx.Err() != nil { // the last step may not be whole
			return context.Cause(ctx)
		}
		if out.Stop = stop(p.steps.Stalled()); out.Stop != "" {
			return nil
		}
		columns := len(p.gradient)
		work := []proximal.Coordinate{{Index: columns, X: p.ones, Weight: p.state.W[columns], MaxMove: p.steps.TrustRadius(), MinCurvature: least}}
		for j, b := range p.coefficients() {
			l1 := float64(factor(j, b) * pen.L1)
			if p.largest[j] == 0 || b == 0 && math.Abs(p.gradient[j]) <= l1 {
				continue
			}
			work = append(work, proximal.Coordinate{
				Index: j, X: p.x.X.Col(j), L1: l1, L2: float64(p.factorOf(j) * pen.L2), Weight: b, Gradient: p.gradient[j],
				MaxMove: p.steps.TrustRadius() / p.largest[j], MinCurvature: least,
			})
		}
		p.steps.Step(ctx, &p.state, work, p.workers)
		p.fitIntercept(ctx)
		p.computeGradient()
		out.Iterations++
		out.Evaluated += int64(columns)
	}
}

// violation returns the largest violation of a condition of a minimum.
func (p *Problem) violation(pen targets.Penalty, factor func(j int, b float64) float64) (worst float64) {
	for j, b := range p.coefficients() {
		g, l1 := p.gradient[j]+float64(p.factorOf(j)*pen.L2*b), float64(factor(j, b)*pen.L1)
		if b != 0 {
			worst = max(worst, math.Abs(g+math.Copysign(l1, b)))
		} else {
			worst = max(worst, math.Abs(g)-l1)
		}
	}
	return worst
}

// farOff is a change of a row's logarithm of the rate by one column that no finite optimum has.
const farOff = 15

// fitUnpenalized fits the columns without a penalty alone. Where these have an infinite optimum, since rows with one of their values have no
// count above 0, it goes on until the rates there are 0 as far as the others can tell, and notes it.
func (p *Problem) fitUnpenalized(ctx context.Context, features *data.Features) error {
	const all = 1e150 // more than any gradient
	const precise = 1e-9
	var out convex.Outcome
	pen := targets.Penalty{L1: all}
	limit := float64(precise * p.Curvature())
	err := p.descend(ctx, pen, p.penaltyFactor, &out, func(stalled bool) string {
		worst := 0.0
		for j, g := range p.gradient {
			if p.factorOf(j) == 0 && p.largest[j] > 0 {
				worst = max(worst, math.Abs(g)/p.largest[j])
			}
		}
		switch {
		case worst <= limit:
			return convex.Stationary
		case stalled:
			return convex.Precision
		case out.Iterations >= p.maxIter:
			return convex.MaxIter
		}
		return ""
	})
	for j, b := range p.coefficients() {
		if math.Abs(b)*p.largest[j] > farOff {
			p.notes = append(p.notes, fmt.Sprintf("%s: rows that column %s tells apart have no count above 0, so that its coefficient has no finite optimum (stop: %s); it is the value reached, and the rate there is 0 to eight digits", convex.Infinite, features.Name(j), convex.Infinite))
		}
	}
	return err
}
