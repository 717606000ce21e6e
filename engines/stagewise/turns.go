package stagewise

import (
	"context"
	"math"
)

// climber is what a path is about: least squares (walk), or a log-likelihood (ascent).
type climber interface {
	least() float64                         // a choice of no more than this is not worth a step
	exhausted() string                      // why a path ends that looks at every feature, and finds none worth a step
	step(ctx context.Context, found choice) // moves the feature found; where a rule ends the path then, it sets stop
	stay()                                  // tells of a turn without a step
}

// turns takes turns until a rule ends the path. One turn looks at features, takes the one with the largest
// correlation or slope among them (select explicit: the largest rise), and moves it by a step.
func (t *track) turns(ctx context.Context, of climber) error {
	for t.stop == "" {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if t.turn == t.e.MaxIter {
			t.stop = stopMaxIter
			break
		}
		found := t.look.choose(ctx, t.last)
		t.evaluated += int64(found.looked)
		switch {
		case found.k >= 0 && !(math.Abs(found.c) <= of.least()):
			of.step(ctx, found)
		case ctx.Err() != nil: // the look was not finished
		case t.e.Lookup == "full":
			t.stop = of.exhausted()
		default: // the turn is skipped: it proves nothing about the features not looked at
			t.turn++
			t.skipped++
			of.stay()
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // the last step may not have been finished
	}
	return nil
}
