// Package convex provides what engines share that minimise a loss plus a penalty of strength λ and certify how near the minimum
// they are: stopping rules and outcomes (convex.go), and paths of penalties (path.go). The updates of the coefficients are the
// engines' own.
//
// A new engine states its Criterion, has its solver return an Outcome, and implements Problem to be tuned along its penalty;
// Selecting, to have the parameters of Path as well.
package convex

import (
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
)

// Reasons for which a solver stops. Engines may add others for stopping rules of their own.
const (
	Gap       = "gap"       // the duality gap meets the tolerance
	MaxIter   = "max_iter"  // the limit of iterations is reached
	Precision = "precision" // rounding prevents further progress
	Infinite  = "infinite"  // some coefficients have no finite optimum
	// Stationary says that no condition of a stationary point is violated by more than the tolerance, where there is no gap to know a minimum by.
	Stationary = "stationary"
)

// Criterion says when a solver stops: once the duality gap is at most Tol·scale, or after MaxIter iterations. The scale is Null,
// the objective of the model without columns, which makes the rule invariant to the unit of the response; if Null is 0, it is
// max(1, |objective|), for losses that have no unit.
type Criterion struct {
	Tol     float64
	MaxIter int
	Null    float64
}

func (c Criterion) scale(objective float64) float64 {
	if c.Null > 0 {
		return c.Null
	}
	return max(1, math.Abs(objective))
}

// Met reports whether the duality gap is within the tolerance.
func (c Criterion) Met(proof engines.Certificate) bool {
	return proof.Gap() <= c.Tol*c.scale(proof.Objective)
}

// Stop returns the reason to stop, "" to go on. stalled reports that no step makes progress any more.
func (c Criterion) Stop(proof engines.Certificate, iterations int, stalled bool) string {
	switch {
	case c.Met(proof):
		return Gap
	case stalled:
		return Precision
	case iterations >= c.MaxIter:
		return MaxIter
	}
	return ""
}

// Goal is one penalty for a solver, and its stopping rule.
type Goal struct {
	Lambda float64
	Criterion
	Trace func(iter int) // called after every iteration; may be nil
}

// Outcome reports how a solver ended.
type Outcome struct {
	engines.Certificate
	Stop       string
	Iterations int
	Evaluated  int64
	Notes      []string
	Facts      []data.Fact
}

// AddFact adds a fact.
func (o *Outcome) AddFact(name, format string, args ...any) {
	o.Facts = append(o.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
}

// Notes returns what a fit reports of an outcome that does not meet the criterion; nil for one that does.
func (c Criterion) Notes(o Outcome) []string {
	if c.Met(o.Certificate) {
		return nil
	}
	yardstick := "the objective"
	if c.Null > 0 {
		yardstick = "the null model's objective"
	}
	return []string{fmt.Sprintf(engines.NotConverged+": after %d iterations (stop: %s) the duality gap is %.3g of %s, tol is %.3g",
		o.Iterations, o.Stop, o.Gap()/c.scale(o.Objective), yardstick, c.Tol)}
}

// Fitted returns the outcome as a model reports it.
func (o Outcome) Fitted() engines.Fitted {
	return engines.Fitted{
		Stop: o.Stop, Iterations: o.Iterations, Evaluated: o.Evaluated, Best: -1, Certificate: &o.Certificate, Notes: o.Notes, Facts: o.Facts,
	}
}
