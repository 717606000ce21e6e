package stagewise

import "math"

// Reasons why a path ends, in the order in which they are tested.
const (
	stopMaxIter    = "max_iter"     // before the iteration
	stopMinC       = "min_c"        // nothing left to gain,
	stopGradient   = "min_gradient" // nor for a likelihood,
	stopNoIncrease = "no_increase"  // by partial derivative or by increase
	stopLoop       = "loop"         // the step would undo the one before: from here the path repeats
	stopPatience   = "patience"     // after the step
	stopMaxEntered = "max_entered"  // after the step
)

// zeroTolerance is the |c| that counts as nothing.
func (w *leastSquaresPath) zeroTolerance() float64 {
	g := 0.0
	for _, norm := range w.d.norm {
		g = max(g, norm)
	}
	return max(w.e.MinC, 1e-12*math.Sqrt(w.d.tss)*math.Sqrt(g))
}

// isReversal is true when the step would be the exact reverse of the one before and a rule ends the path for it. With a
// fixed step and all features looked at, the path would be back in the state before last and repeat for ever: the first
// reversal decides. Else loop_run of them in a row do.
func (w *pathState) isReversal(k int, sign float64) bool {
	if k == w.last && sign == -w.lastSign {
		w.reversals++
	} else {
		w.reversals = 0
	}
	if w.e.Loop && w.e.Step == "fixed" && w.e.Lookup == "full" {
		return w.reversals > 0
	}
	return w.e.LoopRun > 0 && w.reversals >= w.e.LoopRun
}

// stopAfterStep tests the rules that follow a step.
func (w *pathState) stopAfterStep(looped bool) string {
	switch {
	case looped:
		return stopLoop
	case w.e.Patience > 0 && w.iteration%w.e.TestEvery == 0 && w.iteration-w.best.turn >= w.e.Patience:
		return stopPatience
	case w.e.MaxEntered > 0 && len(w.entered) >= w.e.MaxEntered:
		return stopMaxEntered
	}
	return ""
}
