// Package convex holds what engines share that minimise a loss plus a penalty of strength λ and prove how near they came: when
// to stop, how a solver ended (convex.go), and the way from one penalty to the next (path.go). What moves the coefficients is
// the engines' own.
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

// Why a solver ended. Other words are for rules of stopping that an engine has besides.
const (
	Gap       = "gap"       // the duality gap is as small as asked for
	MaxIter   = "max_iter"  // it took all iterations that it may take
	Precision = "precision" // rounding lets nothing get better
)

// Criterion says when a solver ends: where the duality gap is at most Tol·scale, or after MaxIter iterations. The scale is Null,
// the objective of the model without columns, which makes the answer the same in any unit of the response; where Null is 0, it
// is max(1, |objective|), for losses that have no unit.
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

// Met tells whether the duality gap is small enough.
func (c Criterion) Met(proof engines.Certificate) bool {
	return proof.Gap() <= c.Tol*c.scale(proof.Objective)
}

// Stop is the word for why a solver ends here, "" where it goes on. stalled says that no step gets any further.
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

// Goal is one penalty for a solver, and how near to the minimum it goes.
type Goal struct {
	Lambda float64
	Criterion
	Trace func(iter int) // hears of every iteration; nil where nobody listens
}

// Outcome tells how a solver ended.
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

// Notes are what a fit has to say of an outcome that does not meet the criterion; nil of one that does.
func (c Criterion) Notes(o Outcome) []string {
	if c.Met(o.Certificate) {
		return nil
	}
	of := "the objective"
	if c.Null > 0 {
		of = "the null model's objective"
	}
	return []string{fmt.Sprintf(engines.NotConverged+": after %d iterations (stop: %s) the duality gap is %.3g of %s, tol is %.3g",
		o.Iterations, o.Stop, o.Gap()/c.scale(o.Objective), of, c.Tol)}
}

// Fitted is the outcome as a model tells it.
func (o Outcome) Fitted() engines.Fitted {
	return engines.Fitted{
		Stop: o.Stop, Iterations: o.Iterations, Evaluated: o.Evaluated, Best: -1, Certificate: &o.Certificate, Notes: o.Notes, Facts: o.Facts,
	}
}
