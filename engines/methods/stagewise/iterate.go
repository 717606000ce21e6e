package stagewise

import (
	"context"
	"math"
)

// stepper takes the steps of a path: leastSquaresPath, or likelihoodPath.
type stepper interface {
	tolerance() float64                         // a choice of no more than this is not worth a step
	stopReason() string                         // why a path ends that looks at every feature, and finds none worth a step
	takeStep(ctx context.Context, found choice) // moves the feature found; where a rule ends the path then, it sets stop
	reportSkipped()                             // traces an iteration without a step
}

// iterate runs until a stopping rule holds. Each iteration looks at features, takes the one with the largest correlation or
// partial derivative (select explicit: the largest increase of the log-likelihood), and moves its coefficient by one step.
func (t *pathState) iterate(ctx context.Context, of stepper) error {
	for t.stop == "" {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if t.iteration == t.e.MaxIter {
			t.stop = stopMaxIter
			break
		}
		found := t.lookup.choose(ctx, t.last)
		t.evaluated += int64(found.looked)
		switch {
		case found.k >= 0 && !(math.Abs(found.c) <= of.tolerance()):
			of.takeStep(ctx, found)
		case ctx.Err() != nil: // the look was not finished
		case t.e.Lookup == "full":
			t.stop = of.stopReason()
		default: // a sample without a candidate says nothing about the other features
			t.iteration++
			t.skipped++
			of.reportSkipped()
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // the last step may not have been finished
	}
	return nil
}
