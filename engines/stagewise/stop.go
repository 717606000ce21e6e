package stagewise

import "math"

// Reasons why a walk ends, in the order in which they are tested.
const (
	stopMaxIter    = "max_iter"     // before the turn
	stopMinC       = "min_c"        // nothing left to gain,
	stopGradient   = "min_gradient" // nor for a likelihood,
	stopNoIncrease = "no_increase"  // by slope or by its rise
	stopLoop       = "loop"         // the step would undo the one before: from here the path repeats
	stopPatience   = "patience"     // after the step
	stopMaxEntered = "max_entered"  // after the step
)

// threshold is the |c| that counts as nothing.
func (w *walk) threshold() float64 {
	g := 0.0
	for _, norm := range w.d.norm {
		g = max(g, norm)
	}
	return max(w.e.MinC, 1e-12*math.Sqrt(w.d.tss)*math.Sqrt(g))
}

// reverses is true when the step would be the exact reverse of the one before and a rule ends the walk for it. With a
// fixed step and all features looked at, the walk would be back in the state before last and repeat for ever: the first
// reversal decides. Else loop_run of them in a row do.
func (w *track) reverses(k int, sign float64) bool {
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

// after tests the rules that follow a step.
func (w *track) after(looped bool) string {
	switch {
	case looped:
		return stopLoop
	case w.e.Patience > 0 && w.turn%w.e.TestEvery == 0 && w.turn-w.best.turn >= w.e.Patience:
		return stopPatience
	case w.e.MaxEntered > 0 && len(w.entries) >= w.e.MaxEntered:
		return stopMaxEntered
	}
	return ""
}
