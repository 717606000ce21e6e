// Package l1 fits sparse log-linear models: it minimises the loss of package logits plus
//
//	C1·Σ_k |w_k| + C2/2·Σ_k w_k²
//
// over the weights that are not free, by proximal Newton steps on a working set (Yuan, Ho and Lin 2012).
//
// Where to look:
//
//   - what engines with this objective share: objective.go (its parameters), fit.go and path.go (one fit, and one penalty after the other);
//   - the solver: proximal_newton.go (Newton), with working_set.go (columns that may have a weight), common_shift.go, reweighted.go (factors that
//     depend on the weights) and sparse_ascent.go (how many classes begin); package proximal takes its steps.
//
// Of the engines for the same objective, owl-qn is in package owlqn and l1-dual in package dual; that without an L1 penalty is in package logistic.
package l1

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/penalized/convex"
)

// L1 goes by proximal Newton steps on a working set, of the engines for the objective the fastest on problem C (docs/benchmarks.md).
type L1 struct {
	Objective       `yaml:",inline"`
	convex.Path     `yaml:",inline"`
	logits.Stopping `yaml:",inline"`
}

// L1Kind is proximal Newton.
var L1Kind = engines.Define(engines.Kind{
	Name: "l1",
	Doc:  "L1-regularised (or elastic) log-linear model by proximal Newton steps on a working set, with a duality gap as its certificate",
	Cite: "Yuan, Ho & Lin 2012",
	Rev:  18,
}, L1{
	Objective: Objective{Bias: string(logits.FreeBias)},
	Stopping:  logits.Stopping{Tol: 1e-6, MaxIter: 100_000},
})

// Validate checks the parameters.
func (e L1) Validate() error {
	return errors.Join(e.ValidateObjective(), e.ValidatePath(), e.Stopping.ValidateStopping())
}

// Footprint returns that of a fit with two classes: the columns centred, those that may be selected, the working set by row, a Hessian, and vectors. On disk
// lie the columns; the working set by row is taken to be a small part of them.
func (e L1) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	vectors := logits.FootprintBytes(s, 0, 6) + 48*int64(s.Rows) + proximal.HessianBytes
	if e.Along() {
		vectors += convex.AsleepBytes(s.Rows, s.Columns)
	}
	return engines.Footprint{Bytes: filled + vectors + 2*s.EntryBytes()*s.Entries + s.CenteredBytes(e.Standardize), Resident: vectors}
}

// Needs returns one class target.
func (e L1) Needs() engines.Needs { return PathNeeds(e.Objective, e.Path) }

// Fit minimises the objective, or goes down a path of penalties.
func (e L1) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return Fit(ctx, run, e.Objective, e.Path, e.Stopping, new(Newton).Solve)
}

// Parts returns what the engine minimises, how far, and by which solver.
func (e L1) Parts() (Objective, logits.Stopping, logits.Solver) {
	return e.Objective, e.Stopping, new(Newton).Solve
}
