// Package nonconvex fits linear and two-class logistic models with a penalty that leaves large coefficients alone: MCP (Zhang 2010)
// and SCAD (Fan and Li 2001), with an L2 penalty beside them where alpha is below 1. Over coefficients b of columns with mean 0 and
// standard deviation 1, and a free intercept, it goes down in
//
//	loss + n·v·Σ_j pen(|b_j|; l1, γ) + n·v·l2/2·‖b‖²,   l1 = λα/(n·v), l2 = λ(1−α)/(n·v),
//
// where the loss is half the sum of squared errors (v = 1), or the sum of log-losses (v = ¼, the bound of their curvature), and n
// the sum of the rows' weights. The slope of the penalty at 0 is λα, that of the lasso. (Breheny and Huang, "Coordinate descent
// algorithms for nonconvex penalized regression", 2011.)
//
// The objective has more than one minimum: which one is found, the path decides. It goes from the model without columns down the
// penalties λ_max·10^(−k/25), each from the model of the one before; package concave has the step of one coefficient, descent.go the way to
// a stationary point, newton.go its last part and the range where the minimum is the only one, point.go what is known of a model.
package nonconvex

import (
	"context"
	"errors"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/concave"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/inner"
)

// Concave is the engines mcp and scad.
type Concave struct {
	Gamma       float64 `yaml:"gamma" doc:"how long the penalty acts: up to coefficients of gamma times the threshold of selection, on columns of standard deviation 1; > 1 for mcp, > 2 for scad. Near that, coefficients are kept as they are, or not at all; large values give the lasso"`
	Alpha       float64 `yaml:"alpha" doc:"share of the penalty that selects in lambda, in (0, 1]; the rest is that of an L2 penalty (half the sum of squares). The alpha of ncvreg"`
	Lambda      float64 `yaml:"lambda" simpler:"larger" doc:"strength of the penalty, beside half the sum (not the mean) of squared errors, or the sum of log-losses of a class target: the lambda of ncvreg times the rows (their weights); 0: lambda_ratio counts"`
	Ratio       float64 `yaml:"lambda_ratio" simpler:"larger" doc:"lambda as a share of the smallest that selects nothing, in (0, 1], instead of lambda; 0: lambda counts, and where that is 0 as well, the share is chosen in five inner folds (at the end of a path it is a hundredth)"`
	convex.Path `yaml:",inline"`
	Tol         float64 `yaml:"tol" doc:"stop where no condition of a stationary point is violated by more than this share of lambda, in (0, 1)"`
	MaxIter     int     `yaml:"max_iter" doc:"passes over columns at most, for each penalty"`
	scad        bool
}

// MCPKind is the engine mcp.
var MCPKind = engines.Define(engines.Kind{
	Name: "mcp",
	Doc:  "least squares or two-class logistic regression with the minimax concave penalty, which selects as the lasso does and does not shrink what it is sure of, by coordinate descent along a path",
	Cite: "Zhang 2010; Breheny & Huang 2011",
	Rev:  10,
}, Concave{Gamma: 3, Alpha: 1, Tol: 1e-4, MaxIter: 10_000})

// SCADKind is the engine scad.
var SCADKind = engines.Define(engines.Kind{
	Name: "scad",
	Doc:  "least squares or two-class logistic regression with the smoothly clipped absolute deviation penalty, which selects as the lasso does and does not shrink large coefficients, by coordinate descent along a path",
	Cite: "Fan & Li 2001; Breheny & Huang 2011",
	Rev:  10,
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

// shape of the penalty.
func (e Concave) shape() concave.Shape {
	if e.scad {
		return concave.SCAD(e.Gamma)
	}
	return concave.MCP(e.Gamma)
}

// Needs is a number, or a class of two levels.
func (e Concave) Needs() engines.Needs {
	return engines.Needs{Inner: e.isChosen(), Levels: 2, Sizes: engines.Sizes{Limit: "features"}, Keeps: true, Factors: true}
}

// Footprint of a fit: the matrix by column, and a dozen vectors each of rows and columns.
func (Concave) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	return engines.Footprint{Bytes: filled + s.EntryBytes()*s.Entries + 100*int64(s.Rows) + 80*int64(s.Columns)}
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
	f, err := e.read(ctx, run)
	if err != nil {
		return nil, err
	}
	lambda := e.Path.Strength(e.Lambda, e.Ratio, f.lambdaMax)
	return e.Path.Fit(ctx, run, f, lambda)
}

// FitPath goes from each point to the next.
func (e Concave) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	f, err := e.read(ctx, run)
	if err != nil {
		return err
	}
	return convex.Along(ctx, f, "lambda", points, f.lambdaMax, keep)
}

// read the training rows, and start at the model without columns.
func (e Concave) read(ctx context.Context, run engines.Run) (*fitting, error) {
	r, err := response.Read(run.Train, response.Auto)
	if err != nil {
		return nil, err
	}
	pt, err := newPoint(ctx, r, run.Workers)
	if err != nil {
		return nil, err
	}
	f := &fitting{Concave: e, run: run, responses: r, descent: descent{point: pt, Shape: e.shape()}, lambda: math.Inf(1)}
	if pt.factor != nil {
		if err := f.fitUnpenalized(ctx); err != nil {
			return nil, err
		}
	}
	f.lambdaMax, err = pt.lambdaMax(ctx)
	f.lambdaMax /= e.Alpha
	f.way = convex.WayDown{Max: f.lambdaMax, PerDecade: perDecade}
	return f, err
}
