package hazards

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/concave"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/inner"
	"tenfold/engines/penalized/targets"
)

// Cox is the proportional hazards model with an L1 and an L2 penalty: over the coefficients b it minimises
//
//	−log PL(b) + λ·(α·‖b‖₁ + (1−α)/2·‖b‖²) + λ2/2·‖b‖²
//
// or has a concave penalty in their place (package concave), with the partial likelihood PL of times and events (package survival). There is no intercept; a model's output is the logarithm of a
// row's hazard relative to that of the row of zeros.
type Cox struct {
	Ties        string  `yaml:"ties" doc:"events at one time: efron, or breslow (as glmnet)"`
	Penalty     string  `yaml:"penalty" doc:"what selects: l1, or mcp or scad, which select as it does and leave large coefficients alone; these go with alpha: 1, lambda2: 0 and standardize, and have no certificate"`
	Gamma       float64 `yaml:"gamma" doc:"with penalty mcp or scad, how long it acts: up to coefficients of gamma·lambda/events on columns of standard deviation 1; > 1 for mcp, > 2 for scad. Large values give l1"`
	Alpha       float64 `yaml:"alpha" doc:"share of the L1 penalty in lambda, in (0, 1]; the rest is that of the L2 penalty (half the sum of squares)"`
	Lambda2     float64 `yaml:"lambda2" simpler:"larger" rows:"times" doc:"a further L2 penalty (half the sum of squares), ≥ 0, which stays when lambda changes: with lambda: 0 that of a ridge"`
	Lambda      float64 `yaml:"lambda" simpler:"larger" rows:"times" doc:"strength of the penalty beside the logarithm of the partial likelihood (not its mean), ≥ 0; 0 with lambda2: 0 is Cox's own estimate, for fewer columns than events. The lambda of glmnet times the rows (their weights). −1: lambda_ratio counts, and where that is 0, the share is chosen in five inner folds (at the end of a path it is a hundredth)"`
	Ratio       float64 `yaml:"lambda_ratio" simpler:"larger" doc:"lambda as a share of the smallest that selects nothing, in (0, 1], instead of lambda; 0: lambda counts"`
	Standardize bool    `yaml:"standardize" doc:"penalise the coefficients of columns divided by their standard deviation, as glmnet does; coefficients are reported on the scale of the data all the same"`
	convex.Path `yaml:",inline"`
	Tol         float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of what minus the logarithm of the partial likelihood can fall by from that without columns, > 0; with penalty mcp or scad, where no condition of a stationary point is violated by more than this share of lambda"`
	MaxIter     int     `yaml:"max_iter" doc:"Newton steps at most, for each penalty"`
}

// Words of ties.
const (
	efron   = "efron"
	breslow = "breslow"
)

// Words of penalty.
const (
	byL1   = "l1"
	byMCP  = "mcp"
	bySCAD = "scad"
)

// defaultGamma is how long MCP and SCAD act.
const defaultGamma = 3.0

// CoxKind is penalised Cox regression.
var CoxKind = engines.Define(engines.Kind{
	Name: "cox",
	Doc:  "Cox regression of survival targets, with an L1 penalty, an L2 penalty, both or none, by proximal Newton steps, with a duality gap as its certificate; or with MCP or SCAD",
	Cite: "Cox 1972; Simon, Friedman, Hastie & Tibshirani 2011; Zou & Li 2008",
	Rev:  10,
}, Cox{Ties: efron, Penalty: byL1, Gamma: defaultGamma, Alpha: 1, Lambda: byShare, Standardize: true, Tol: 1e-6, MaxIter: 1000})

// Validate checks the parameters.
func (e Cox) Validate() error {
	return errors.Join(
		param.OneOf("ties", e.Ties, efron, breslow),
		param.OneOf("penalty", e.Penalty, byL1, byMCP, bySCAD),
		param.Require("gamma", !e.isConcave() || e.Gamma > e.leastGamma() && elementary.IsFinite(e.Gamma), "%v, expected a number above %v: at most that, the best value of a coefficient jumps", e.Gamma, e.leastGamma()),
		param.Require("penalty", !e.isConcave() || e.Alpha == 1 && e.Lambda2 == 0 && e.Standardize, "%s, and there is an L2 penalty beside it, or columns are not standardised (expected alpha: 1, lambda2: 0, standardize: true)", e.Penalty),
		param.Require("lambda", !e.isConcave() || e.Lambda != 0 || e.Ratio > 0, "%v, expected a number above 0 with penalty %s", e.Lambda, e.Penalty),
		param.Require("alpha", e.Alpha > 0 && e.Alpha <= 1, "%v, expected a number above 0, at most 1 (for the L2 penalty alone, lambda: 0 and lambda2)", e.Alpha),
		param.Require("lambda2", e.Lambda2 >= 0 && elementary.IsFinite(e.Lambda2), "%v, expected 0 or more", e.Lambda2),
		param.Require("lambda", (e.Lambda >= 0 || e.Lambda == byShare) && elementary.IsFinite(e.Lambda), "%v, expected 0 or more, or %v where lambda_ratio counts", e.Lambda, byShare),
		convex.RequireRatio("lambda", e.Lambda, byShare, e.Ratio),
		param.Idle("gamma", e.Gamma, defaultGamma, e.isConcave(), "it is for penalties mcp and scad"),
		param.Idle("alpha", e.Alpha, 1, e.Lambda != 0 || e.Ratio > 0, "it is a share of lambda, which is 0"),
		e.ValidatePath(),
		param.Require("path", !e.Along() || e.Lambda != 0 || e.Ratio > 0, "%d penalties down to lambda 0, which no share of the largest reaches; give lambda_ratio", e.Steps),
		param.Require("tol", e.Tol > 0 && elementary.IsFinite(e.Tol), "%v, expected a number above 0", e.Tol),
		param.Require("max_iter", e.MaxIter > 0, "%d, expected 1 or more", e.MaxIter),
	)
}

// Needs returns a survival target.
func (e Cox) Needs() engines.Needs {
	return engines.Needs{Inner: e.isChosen(), Target: data.Survival, Sizes: engines.Sizes{Limit: "features"}, Keeps: true, Factors: true}
}

// Footprint returns that of a fit: columns of the working set and their means over risk sets, products of them, and a dozen vectors each of rows
// and columns.
func (Cox) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	working := int64(min(s.Columns, s.Rows+500))
	return engines.Footprint{Bytes: filled + 24*working*int64(s.Rows) + 8*working*working + 24*s.Entries + 100*int64(s.Rows) + 60*int64(s.Columns)}
}

// isChosen reports whether inner folds choose the penalty.
func (e Cox) isChosen() bool { return e.Lambda == byShare && e.Ratio == 0 && !e.Along() }

// Fit minimises the objective, or goes down a path of penalties.
func (e Cox) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.isChosen() {
		var err error
		if e.Ratio, err = inner.Share(ctx, run, e); err != nil {
			return nil, err
		}
	}
	return targets.Fit(ctx, run, e.penalties(), e.read)
}

// PathParameters returns lambda_ratio and lambda: as a share of the penalty that selects nothing, it means the same for any number of rows, and is the usual one.
func (Cox) PathParameters() []string { return []string{"lambda_ratio", "lambda"} }

// PathValues returns 25 a decade from 1 on.
func (Cox) PathValues(run engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 25), nil
}

// AtValue returns the engine with another lambda_ratio.
func (e Cox) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each point to the next.
func (e Cox) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	return targets.FitPath(ctx, run, e.penalties(), e.read, points, keep)
}

// byShare is the lambda in place of which its share counts.
const byShare = -1

// penalties returns the parameters of the penalty.
func (e Cox) penalties() targets.Penalties {
	return targets.Penalties{
		Alpha: e.Alpha, Lambda2: e.Lambda2, Lambda: max(0, e.Lambda), Ratio: e.Ratio, Unpenalized: e.Lambda == 0 && e.Ratio == 0, Path: e.Path,
	}
}

func (e Cox) isConcave() bool { return e.Penalty == byMCP || e.Penalty == bySCAD }

// leastGamma returns what gamma has to exceed.
func (e Cox) leastGamma() float64 {
	if e.Penalty == bySCAD {
		return 2
	}
	return 1
}

// columnScale returns the scale of columns inside the fit, in the words of package sparse.
func (e Cox) columnScale() string {
	if e.Standardize {
		return "sd"
	}
	return "none"
}

func (e Cox) read(ctx context.Context, train *data.View, t, workers int) (targets.Problem, error) {
	s, err := newPartialLikelihood(ctx, train, t, e.Ties == efron, e.columnScale(), e.Tol, e.MaxIter, workers)
	if err != nil || !e.isConcave() {
		return s, err
	}
	penalty := concave.MCP(e.Gamma)
	if e.Penalty == bySCAD {
		penalty = concave.SCAD(e.Gamma)
	}
	return concave.Approximate(newReweighted(s, e.Tol), penalty, 1, e.Tol), nil
}
