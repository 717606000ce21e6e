// Package slope fits linear and two-class logistic models with the sorted L1 penalty (SLOPE; Bogdan, van den Berg, Sabatti, Su and Candès,
// "SLOPE: adaptive variable selection via convex optimization", 2015), to a duality gap that it reports. Over coefficients b of columns with mean 0
// and standard deviation 1, and a free intercept, it minimises
//
//	loss + Σ_i λ_i·|b|_(i),   |b|_(1) ≥ |b|_(2) ≥ …,   λ_1 ≥ λ_2 ≥ … ≥ 0,
//
// where the loss is half the sum of squared errors, or the sum of log-losses: the larger a coefficient among all, the larger its penalty. With
// penalties that are all alike it is the lasso; where they differ, coefficients of columns that go together become equal.
//
// sequence.go has the penalties, their norm, its dual ball and proximal step; point.go what is known of a model; descent.go the way to the minimum
// for one scale of the penalties, clusters.go its last part; path.go the path of scales.
package slope

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/inner"
)

// Slope is the engine's parameters.
type Slope struct {
	Q           float64   `yaml:"q" doc:"penalties are those of Benjamini and Hochberg's procedure at this level, in (0, 2): the i-th of p is the normal quantile of 1 − i·q/(2p), times scale. The smaller, the less they differ; from 1 on, the last are 0"`
	Lambdas     []float64 `yaml:"lambdas" doc:"penalties in place of those of q, one for each column of the data, not rising, ≥ 0, the first above 0; scale multiplies them"`
	Scale       float64   `yaml:"scale" rows:"times" doc:"what all penalties are multiplied by, beside half the sum (not the mean) of squared errors, or the sum of log-losses of a class target (0: scale_ratio counts): for standardised columns, the standard deviation of the noise times the square root of the rows controls false discoveries among orthogonal columns at q"`
	Ratio       float64   `yaml:"scale_ratio" doc:"scale as a share of the smallest that selects nothing, in (0, 1], instead of scale; 0: scale counts, and where that is 0 as well, the share is chosen in five inner folds (at the end of a path it is a hundredth)"`
	Standardize bool      `yaml:"standardize" doc:"penalise the coefficients of columns divided by their standard deviation; coefficients are reported on the scale of the data all the same"`
	convex.Path `yaml:",inline"`
	Tol         float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of the objective of the model without columns (of a class target: of max(1, objective)), > 0"`
	MaxIter     int     `yaml:"max_iter" doc:"proximal steps at most, for each scale"`
}

// defaultQ is the level where penalties are not given.
const defaultQ = 0.1

// Kind is the engine slope.
var Kind = engines.Define(engines.Kind{
	Name: "slope",
	Doc:  "least squares or two-class logistic regression with sorted penalties, the largest for the largest coefficient, so that columns that go together get equal coefficients and false discoveries stay few, with a duality gap as its certificate",
	Cite: "Bogdan et al. 2015",
	Rev:  6,
}, Slope{Q: defaultQ, Standardize: true, Tol: 1e-6, MaxIter: 100_000})

// Validate checks the parameters.
func (e Slope) Validate() error {
	return errors.Join(
		param.Require("q", e.Q > 0 && e.Q < 2, "%v, expected a number between 0 and 2", e.Q),
		param.Idle("q", e.Q, defaultQ, len(e.Lambdas) == 0, "lambdas are given"),
		e.validateLambdas(),
		param.Require("scale", e.Scale >= 0 && elementary.IsFinite(e.Scale), "%v, expected a number above 0, or 0 where scale_ratio counts", e.Scale),
		convex.RequireRatio("scale", e.Scale, 0, e.Ratio),
		e.ValidatePath(),
		param.Require("tol", e.Tol > 0 && elementary.IsFinite(e.Tol), "%v, expected a number above 0", e.Tol),
		param.Require("max_iter", e.MaxIter > 0, "%d, expected 1 or more", e.MaxIter),
	)
}

func (e Slope) validateLambdas() error {
	for i, l := range e.Lambdas {
		switch {
		case !(l >= 0) || !elementary.IsFinite(l):
			return param.Errorf("lambdas", "penalty %d is %v, expected a number of 0 or more", i+1, l)
		case i > 0 && l > e.Lambdas[i-1]:
			return param.Errorf("lambdas", "penalty %d is %v, after %v: expected numbers that do not rise", i+1, l, e.Lambdas[i-1])
		}
	}
	return param.Require("lambdas", len(e.Lambdas) == 0 || e.Lambdas[0] > 0, "all are 0, expected the first above it")
}

// Needs returns what the engine asks of data: a number, or a class of two levels.
func (e Slope) Needs() engines.Needs {
	return engines.Needs{Inner: e.isChosen(), Levels: 2, Sizes: engines.Sizes{Limit: "features"}}
}

// Footprint returns the memory of a fit: the matrix by column, a dozen vectors each of rows and columns, and sums of columns by cluster.
func (e Slope) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	clusters := min(mostSums, int64(s.Rows)*int64(min(s.Rows, s.Columns)))
	return engines.Footprint{Bytes: filled + s.EntryBytes()*s.Entries + 100*int64(s.Rows) + 80*int64(s.Columns) + 16*clusters + s.CenteredBytes(true)}
}

// PathParameters returns scale_ratio and scale.
func (Slope) PathParameters() []string { return []string{"scale_ratio", "scale"} }

// PathValues returns 25 a decade, as those of the lasso.
func (Slope) PathValues(run engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 25), nil
}

// AtValue returns the engine with another scale_ratio.
func (e Slope) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// isChosen reports whether inner folds choose the scale.
func (e Slope) isChosen() bool { return e.Scale == 0 && e.Ratio == 0 && !e.Along() }

// Fit minimises the objective for one scale, or goes down a path of scales.
func (e Slope) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
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
	scale := e.Path.Strength(e.Scale, e.Ratio, f.scaleMax)
	return e.Path.Fit(ctx, run, f, scale)
}

// FitPath goes from each scale to the next.
func (e Slope) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	f, err := e.read(ctx, run)
	if err != nil {
		return err
	}
	return convex.Along(ctx, f, "scale", points, f.scaleMax, keep)
}

// read reads the training rows, and starts at the model without columns.
func (e Slope) read(ctx context.Context, run engines.Run) (*fitting, error) {
	r, err := response.Read(run.Train, response.Auto)
	if err != nil {
		return nil, err
	}
	pt, err := newPoint(ctx, r, e.Standardize, run.Workers)
	if err != nil {
		return nil, err
	}
	all := run.Train.Columns()
	penalties, err := e.sequence(all, all-len(pt.x.Constant()))
	if err != nil {
		return nil, err
	}
	f := &fitting{Slope: e, run: run, responses: r, descent: newDescent(pt, penalties)}
	if err := pt.updateAll(ctx); err != nil {
		return nil, err
	}
	if fits := dualScale(f.falling(nil), penalties); fits > 0 && pt.anyCorrelated() {
		f.scaleMax = 1 / fits
	}
	f.scale = f.scaleMax
	return f, nil
}
