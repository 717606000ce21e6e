// Package l1 fits sparse log-linear models: it minimises
//
//	F(w) = Σ_i m_i [log Z(x_i) − w·φ(x_i, y_i)] + C1·Σ_k |w_k| + C2/2·Σ_k w_k²
//
// over the weights of all features, by exact methods that share this problem, its certificate and its path (Andrew and Gao 2007; Yuan, Ho and Lin 2012).
//
// With two classes φ(x, 1) = x and φ(x, 0) = 0: one weight a column. With more, φ(x, y) holds x in block y: one weight a
// column and class. (Two blocks for two classes would have a continuum of optima.) The loss is a sum, not a mean.
//
// Where to look:
//
//   - the problem: problem.go (rows, and how weights are numbered), loss.go (loss and gradient), objective.go (parameters);
//   - a model of it: point.go, free_biases.go and free_columns.go (what has no penalty), columns.go (columns laid out), certificate.go (the
//     duality gap, and safe screening of columns);
//   - a fit: solver.go (the goal and outcome of a solver), fit.go, path.go (one penalty after the other);
//   - engine l1: l1.go, sparse_ascent.go (how many classes begin), and its solver proximal_newton.go with working_set.go and common_shift.go
//     (package proximal takes its steps);
//   - engine owl-qn: owlqn.go, with smooth.go (the objective as package optim sees it);
//   - rows.go: the problem as package rowascent solves it.
//
// Of the engines for the same objective, l1-dual is in package dual; that without an L1 penalty in package logistic.
package l1

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/penalized/convex"
)

// L1 goes by proximal Newton steps on a working set, of the engines for the objective the fastest on problem C (docs/benchmarks.md).
type L1 struct {
	Objective   `yaml:",inline"`
	convex.Path `yaml:",inline"`
	Stopping    `yaml:",inline"`
}

// L1Kind is proximal Newton.
var L1Kind = engines.Define(engines.Kind{
	Name: "l1",
	Doc:  "L1-regularised (or elastic) log-linear model by proximal Newton steps on a working set, with a duality gap as its certificate",
	Cite: "Yuan, Ho & Lin, An improved GLMNET for L1-regularized logistic regression, 2012",
	Rev:  16,
}, L1{
	Objective: Objective{Bias: string(FreeBias)},
	Stopping:  Stopping{Tol: 1e-6, MaxIter: 100_000},
})

// Validate checks the parameters.
func (e L1) Validate() error {
	return errors.Join(e.ValidateObjective(), e.ValidatePath(), e.Stopping.ValidateStopping())
}

// Footprint returns that of a fit with two classes: the columns centred, those that may be selected, the working set by row, a Hessian, and vectors. On disk
// lie the columns; the working set by row is taken to be a small part of them.
func (e L1) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	vectors := FootprintBytes(s, 0, 6) + 48*int64(s.Rows) + proximal.HessianBytes
	if e.Along() {
		vectors += convex.AsleepBytes(s.Rows, s.Columns)
	}
	return engines.Footprint{Bytes: filled + vectors + 2*s.EntryBytes()*s.Entries + s.CenteredBytes(e.Standardize), Resident: vectors}
}

// Needs returns one class target.
func (e L1) Needs() engines.Needs { return pathNeeds(e.Objective, e.Path) }

// Fit minimises the objective, or goes down a path of penalties.
func (e L1) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return Fit(ctx, run, e.Objective, e.Path, e.Stopping, new(Newton).Solve)
}

// Parts returns what the engine minimises, how far, and by which solver.
func (e L1) Parts() (Objective, Stopping, Solver) { return e.Objective, e.Stopping, new(Newton).Solve }
