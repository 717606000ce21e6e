package concave

import (
	"context"
	"errors"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/inner"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/penalized/targets"
)

// Concave is the engines mcp and scad.
type Concave struct {
	Gamma       float64 `yaml:"gamma" doc:"how long the penalty acts: up to coefficients of gamma times the threshold of selection, on columns of standard deviation 1; > 1 for mcp, > 2 for scad. Near that, coefficients are kept as they are, or not at all; large values give the lasso"`
	Alpha       float64 `yaml:"alpha" doc:"share of the penalty that selects in lambda, in (0, 1]; the rest is that of an L2 penalty (half the sum of squares). The alpha of ncvreg"`
	Lambda      float64 `yaml:"lambda" simpler:"larger" rows:"times" doc:"strength of the penalty, beside half the sum (not the mean) of squared errors, the sum of log-losses of a class target, or half the sum of deviances of counts: the lambda of ncvreg times the rows (their weights); 0: lambda_ratio counts"`
	Ratio       float64 `yaml:"lambda_ratio" simpler:"larger" doc:"lambda as a share of the smallest that selects nothing, in (0, 1], instead of lambda; 0: lambda counts, and where that is 0 as well, the share is chosen in five inner folds (at the end of a path it is a hundredth)"`
	convex.Path `yaml:",inline"`
	Tol         float64 `yaml:"tol" doc:"stop where no condition of a stationary point is violated by more than this share of lambda, in (0, 1)"`
	MaxIter     int     `yaml:"max_iter" doc:"maximum number of passes over the working set for each penalty (of classes and counts: Newton steps)"`
	scad        bool
}

// MCPKind is the engine mcp.
var MCPKind = engines.Define(engines.Kind{
	Name: "mcp",
	Doc:  "least squares, two-class logistic or Poisson regression with the minimax concave penalty, which selects as the lasso does and does not shrink what it is sure of, by lassos one after the other along a path",
	Cite: "Zhang 2010; Zou & Li 2008; Breheny & Huang 2011",
	Rev:  13,
}, Concave{Gamma: 3, Alpha: 1, Tol: 1e-4, MaxIter: 10_000})

// SCADKind is the engine scad.
var SCADKind = engines.Define(engines.Kind{
	Name: "scad",
	Doc:  "least squares, two-class logistic or Poisson regression with the smoothly clipped absolute deviation penalty, which selects as the lasso does and does not shrink large coefficients, by lassos one after the other along a path",
	Cite: "Fan & Li 2001; Zou & Li 2008; Breheny & Huang 2011",
	Rev:  13,
}, Concave{Gamma: 3.7, Alpha: 1, Tol: 1e-4, MaxIter: 10_000, scad: true})

// Validate checks the parameters.
func (e Concave) Validate() error {
	above := 1.0
	if e.scad {
		above = 2
	}
	return errors.Join(
		param.Require("gamma", e.Gamma > above && elementary.IsFinite(e.Gamma), "%v, expected a number above %v: at most that, the best value of a coefficient jumps", e.Gamma, above),
		param.Require("alpha", e.Alpha > 0 && e.Alpha <= 1, "%v, expected a number above 0, at most 1", e.Alpha),
		param.Require("lambda", e.Lambda >= 0 && elementary.IsFinite(e.Lambda), "%v, expected a number above 0, or 0 where lambda_ratio counts", e.Lambda),
		convex.RequireRatio("lambda", e.Lambda, 0, e.Ratio),
		e.ValidatePath(),
		param.Require("tol", e.Tol > 0 && e.Tol < 1, "%v, expected a number between 0 and 1", e.Tol),
		param.Require("max_iter", e.MaxIter > 0, "%d, expected 1 or more", e.MaxIter),
	)
}

// penalty returns MCP or SCAD, as the engine is called.
func (e Concave) penalty() Penalty {
	if e.scad {
		return SCAD(e.Gamma)
	}
	return MCP(e.Gamma)
}

// Needs returns a number, a class of two levels, or a count.
func (e Concave) Needs() engines.Needs {
	return engines.Needs{Rates: true, Inner: e.isChosen(), Levels: 2, Sizes: engines.Sizes{Limit: "features"}, Keeps: true, Factors: true}
}

// Footprint returns that of a lasso.
func (Concave) Footprint(s engines.Shape) engines.Footprint {
	return lasso.ElasticNet{Strength: lasso.Strength{Standardize: true}}.Footprint(s)
}

// PathParameters returns lambda_ratio and lambda: as a share of the penalty that selects nothing, it means the same for any number of rows, and is the usual one.
func (Concave) PathParameters() []string { return []string{"lambda_ratio", "lambda"} }

// PathValues returns those that every fit goes through: to begin with down to a twentieth, where ncvreg's end in problems of fewer rows than
// columns (its lambda.min); a quarter of a decade at a time they go on from there while the last is the best, of more rows while one of the last
// quarter is. Far down the objective is not convex over what is selected, and passes are very many.
func (Concave) PathValues(run engines.Run) (engines.PathRange, error) {
	const first, piece = 1 + 13*perDecade/10, 6
	rows, columns := run.Train.Len(), run.Train.Columns()
	r := engines.PenaltyPath(1, rows, columns, perDecade)
	all, near := r.Values, 1
	for _, o := range r.Onward {
		all = append(all, o.Values...)
	}
	if rows >= columns {
		near = piece
	}
	r.Values, r.Onward = all[:first:first], nil
	for values := range slices.Chunk(all[first:], piece) {
		r.Onward = append(r.Onward, engines.PathPiece{Values: values, Near: near})
	}
	return r, nil
}

// AtValue returns the engine with another lambda_ratio.
func (e Concave) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// isChosen reports whether inner folds choose the penalty.
func (e Concave) isChosen() bool { return e.Lambda == 0 && e.Ratio == 0 && !e.Along() }

// Fit goes down the path to lambda.
func (e Concave) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.isChosen() {
		var err error
		if e.Ratio, err = inner.Share(ctx, run, e); err != nil {
			return nil, err
		}
	}
	return targets.Fit(ctx, run, e.penalties(), e.read)
}

// FitPath goes from each point to the next.
func (e Concave) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	return targets.FitPath(ctx, run, e.penalties(), e.read, points, keep)
}

// penalties returns the parameters of the penalty.
func (e Concave) penalties() targets.Penalties {
	return targets.Penalties{Alpha: e.Alpha, Lambda: e.Lambda, Ratio: e.Ratio, Path: e.Path}
}

// read reads a target, and starts at the model without columns.
func (e Concave) read(ctx context.Context, train *data.View, target, workers int) (targets.Problem, error) {
	p, err := lasso.Begin(ctx, train, target, e.MaxIter, workers)
	if err != nil {
		return nil, err
	}
	return Approximate(p, e.penalty(), e.Alpha, e.Tol), nil
}
