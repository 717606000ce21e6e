package slope

import (
	"context"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/convex"
)

// fitting is a way down the scales (convex.Selecting).
type fitting struct {
	Slope
	run       engines.Run
	responses *response.Responses
	descent
	scaleMax float64
}

// Solve minimises for a scale. Where it is far below the last, minima in between, which need not be precise, tell which columns to work
// on.
func (f *fitting) Solve(ctx context.Context, scale, _ float64) (convex.Outcome, error) {
	const (
		far    = 0.7 // of the last scale
		coarse = 1e-2
	)
	criterion := convex.Criterion{Tol: f.Tol, MaxIter: f.MaxIter}
	if !f.logistic {
		criterion.Null = f.null
	}
	passes, last := 0, f.descent.scale
	if scale < far*last {
		between := criterion
		between.Tol = max(coarse, f.Tol)
		steps := math.Ceil(elementary.Log(scale/last) / elementary.Log(far))
		for k := 1.0; k < steps; k++ {
			out, err := f.minimize(ctx, last*elementary.Pow(scale/last, k/steps), between)
			if err != nil {
				return out, err
			}
			passes += out.Iterations
		}
	}
	out, err := f.minimize(ctx, scale, criterion)
	out.Iterations += passes
	return out, err
}

// LambdaMax returns the smallest scale that selects nothing.
func (f *fitting) LambdaMax() float64 { return f.scaleMax }

// Loss returns the mean of squared errors, or of log-losses.
func (f *fitting) Loss() float64 {
	if f.logistic {
		return f.loss / f.x.N
	}
	return 2 * f.loss / f.x.N
}

// Selected returns the number of columns with a coefficient.
func (f *fitting) Selected() int { return len(f.coefficients()) }

// Trace reports the present model to the run's trace.
func (f *fitting) Trace(iter int, scale float64) {
	f.run.Trace.At(convex.Step(iter, f.Loss(), f.Selected(), "scale", scale))
}

// Model returns the present model, on the scale of the data.
func (f *fitting) Model(scale float64, out convex.Outcome) engines.Model {
	sizes := f.coefficients()
	groups := 0
	for k, b := range sizes {
		if k == 0 || b != sizes[k-1] {
			groups++
		}
	}
	out.Facts = []data.Fact{convex.StrengthFact("scale", scale, f.scaleMax)}
	if n := len(f.penalties); n > 0 {
		out.AddFact("penalties", "%.6g down to %.6g", scale*f.penalties[0], scale*f.penalties[n-1])
	}
	out.AddFact("coefficients of different sizes", "%d, of %d columns", groups, len(sizes))
	if n := len(f.x.Constant()); n > 0 {
		out.AddFact("constant columns", "%d", n)
	}
	bias := f.mean + f.bias
	var coefs []engines.Coef
	for j, beta := range f.beta {
		if beta == 0 {
			continue
		}
		coefs = append(coefs, engines.Coef{Feature: j, Value: f.x.Unscale(j, beta, &bias), Rank: -1})
	}
	return f.responses.Model([]float64{bias}, coefs, out.Fitted())
}
