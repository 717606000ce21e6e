package nonconvex

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/penalized/convex"
)

// perDecade is how many penalties of the path a decade has.
const perDecade = 25

// fitting is a way down the path (convex.Selecting).
type fitting struct {
	Concave
	run       engines.Run
	responses *response.Responses
	descent
	unpenalized
	lambdaMax  float64
	lambda     float64 // of the point; infinite before the first
	way        convex.WayDown
	end        *outcomeNotes // of the point
	columns    []int32       // selected there
	onlyDownTo float64       // the smallest penalty down to which minima are the only ones; 0: all so far
}

// outcomeNotes is what there is to tell of a stationary point.
type outcomeNotes struct {
	stop      string
	violation float64
	passes    int
}

// Solve goes down the penalties of the path that are above λ, and to λ.
func (f *fitting) Solve(ctx context.Context, lambda, _ float64) (convex.Outcome, error) {
	passes := 0
	for {
		next, onWay := f.way.Next(lambda)
		if err := f.descend(ctx, next); err != nil {
			return convex.Outcome{}, err
		}
		passes += f.end.passes
		if !onWay || f.end.stop == saturated {
			break
		}
	}
	return convex.Outcome{Stop: f.end.stop, Iterations: passes}, nil
}

// descend to the stationary point of one penalty, from that of the last.
func (f *fitting) descend(ctx context.Context, lambda float64) error {
	stop, violation, err := f.descent.run(ctx, f.Alpha*lambda, (1-f.Alpha)*lambda, f.Tol, f.MaxIter)
	if err != nil {
		return err
	}
	f.end = &outcomeNotes{stop, violation, f.passes}
	now := f.selected()
	if f.onlyDownTo == 0 && len(now) > 0 {
		both := slices.Concat(f.columns, now)
		slices.Sort(both)
		if both = slices.Compact(both); !f.isConvex(ctx, both) {
			f.onlyDownTo = min(f.lambda, f.lambdaMax)
		}
	}
	f.columns, f.lambda = now, lambda
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// LambdaMax is the penalty from which on no column is selected.
func (f *fitting) LambdaMax() float64 { return f.lambdaMax }

// Loss is the mean of squared errors, or of log-losses.
func (f *fitting) Loss() float64 {
	if f.logistic {
		return f.loss / f.x.N
	}
	return 2 * f.loss / f.x.N
}

// Selected is the number of columns with a penalty that have a coefficient.
func (f *fitting) Selected() (n int) {
	for _, j := range f.columns {
		if f.factorOf(int(j)) > 0 {
			n++
		}
	}
	return n
}

// Trace of the present model.
func (f *fitting) Trace(iter int, lambda float64) {
	f.run.Trace.At(convex.Step(iter, f.Loss(), f.Selected(), "lambda", lambda))
}

// Model on the scale of the data.
func (f *fitting) Model(lambda float64, out convex.Outcome) engines.Model {
	told := engines.Fitted{Stop: out.Stop, Iterations: out.Iterations, Best: -1, Facts: []data.Fact{
		convex.StrengthFact("lambda", lambda, f.lambdaMax),
		{Name: "objective", Value: fmt.Sprintf("%.9g", f.objective())},
		{Name: "largest violation of stationarity", Value: fmt.Sprintf("%.3g of lambda", f.end.violation)},
		{Name: "locally convex", Value: f.convexity()},
	}}
	if f.onlyDownTo > 0 {
		told.Notes = append(told.Notes, fmt.Sprintf("lambda %.6g is below %.6g, where the objective stops being convex over the columns selected: other models with the same columns may be minima, too", lambda, f.onlyDownTo))
	}
	switch out.Stop {
	case convex.MaxIter:
		told.Notes = append(told.Notes, fmt.Sprintf(engines.NotConverged+": after %d passes a condition of a stationary point is violated by %.3g of lambda, tol is %.3g", out.Iterations, f.end.violation, f.Tol))
	case saturated:
		told.Notes = append(told.Notes, fmt.Sprintf(engines.NotConverged+": the columns selected tell the classes apart, and penalties that do not grow with the coefficients keep none of these finite; the path ends where next to nothing is left of the loss, at lambda %.6g", f.lambda))
	}
	if n := len(f.x.Constant()) - f.determined; n > 0 {
		told.Facts = append(told.Facts, data.Fact{Name: "constant columns", Value: fmt.Sprint(n)})
	}
	if n := len(f.free); n > 0 {
		told.Facts = append(told.Facts, data.Fact{Name: "columns without a penalty", Value: fmt.Sprint(n)})
	}
	if f.determined > 0 {
		told.Facts = append(told.Facts, data.Fact{Name: "columns without a penalty that the others of them determine, left out", Value: fmt.Sprint(f.determined)})
	}
	bias := f.mean + f.bias
	var coefs []engines.Coef
	for _, j := range f.columns {
		coefs = append(coefs, engines.Coef{Feature: int(j), Value: f.x.Unscale(int(j), f.beta[j], &bias), Rank: -1})
	}
	return f.responses.Model([]float64{bias}, coefs, told)
}

// convexity tells where on the path minima are the only ones with their columns.
func (f *fitting) convexity() string {
	if f.onlyDownTo == 0 {
		return "as far as the path goes"
	}
	return fmt.Sprintf("down to lambda %.6g", f.onlyDownTo)
}
