// Package lasso fits linear and log-linear models with an L1 penalty, alone or with an L2 penalty beside it, to a duality gap
// that it reports. Over the coefficients b of the columns and a free intercept b₀ it minimises
//
//	½ Σ_i m_i (y_i − b₀ − x_i·b)² + λ·(α·‖b‖₁ + (1−α)/2·‖b‖²) + λ2/2·‖b‖²
//
// for a real target, and for a class target the same with the sum of log-losses in place of half the sum of squares: that is
// the problem of package l1, which solves it. Of counts half the sum of Poisson deviances takes its place (package rates). Sums are not divided by the number of rows. Several targets are fitted each by
// itself. (glmnet divides a real response by its deviation first, which changes what its lambda means for the L2 part: with
// α < 1 the two agree on responses of unit variance.)
//
// (Tibshirani 1996; Zou and Hastie 2005; coordinate descent: Friedman, Hastie and Tibshirani, "Regularization paths for
// generalized linear models via coordinate descent", 2010.)
package lasso

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/rates"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/inner"
	"tenfold/engines/penalized/targets"
)

// Lasso is regression with an L1 penalty.
type Lasso struct {
	Strength    `yaml:",inline"`
	convex.Path `yaml:",inline"`
	Stopping    `yaml:",inline"`
}

// ElasticNet is regression with an L1 and an L2 penalty.
type ElasticNet struct {
	Alpha       float64 `yaml:"alpha" doc:"share of the L1 penalty in lambda, in (0, 1]; the rest is that of the L2 penalty (half the sum of squares). The alpha of glmnet (of real targets with standard deviation 1), the l1_ratio of scikit-learn"`
	Lambda2     float64 `yaml:"lambda2" simpler:"larger" rows:"times" doc:"a further L2 penalty (half the sum of squares), ≥ 0, which stays when lambda changes"`
	Strength    `yaml:",inline"`
	convex.Path `yaml:",inline"`
	Stopping    `yaml:",inline"`
	unpenalized bool // lambda is 0, and no default replaces it
}

// Strength of the penalty.
type Strength struct {
	Lambda      float64 `yaml:"lambda" simpler:"larger" rows:"times" doc:"strength of the penalty, beside half the sum (not the mean) of squared errors, or the sum of log-losses of a class target, or half the sum of deviances of counts: the lambda of glmnet, or the alpha of scikit-learn's Lasso and ElasticNet, times the rows (their weights); 1/C of scikit-learn's LogisticRegression; 0: lambda_ratio counts"`
	Ratio       float64 `yaml:"lambda_ratio" simpler:"larger" doc:"lambda as a share of the smallest that selects nothing, in (0, 1], for each target its own, instead of lambda; 0: lambda counts, and where that is 0 as well, the share is chosen in five inner folds (of several targets it is a tenth, at the end of a path a hundredth)"`
	Standardize bool    `yaml:"standardize" doc:"penalise the coefficients of columns divided by their standard deviation, as glmnet does by default; coefficients are reported on the scale of the data all the same"`
}

// Stopping says how precise a minimum is.
type Stopping struct {
	Tol     float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of the objective of the model without columns (of a class target: of max(1, objective)), > 0"`
	MaxIter int     `yaml:"max_iter" doc:"passes over the working set at most, for each penalty (of classes and counts: Newton steps)"`
}

// DefaultStopping is that of all engines that go along the lasso's path.
var DefaultStopping = Stopping{Tol: 1e-6, MaxIter: 100_000}

// LassoKind is the lasso.
var LassoKind = engines.Define(engines.Kind{
	Name: "lasso",
	Doc:  "L1-regularised linear regression (of class targets: logistic, multinomial; of counts: Poisson) with a free intercept, by coordinate descent, with a duality gap as its certificate; each target by itself",
	Cite: "Tibshirani 1996; Friedman, Hastie & Tibshirani 2010",
	Rev:  20,
}, Lasso{Stopping: DefaultStopping})

// ElasticNetKind is the elastic net.
var ElasticNetKind = engines.Define(engines.Kind{
	Name: "elastic-net",
	Doc:  "linear regression (of class targets: logistic, multinomial; of counts: Poisson) with an L1 and an L2 penalty and a free intercept, by coordinate descent, with a duality gap as its certificate; each target by itself",
	Cite: "Zou & Hastie 2005; Friedman, Hastie & Tibshirani 2010",
	Rev:  20,
}, ElasticNet{Alpha: 0.5, Stopping: DefaultStopping})

// Validate checks the parameters.
func (e Lasso) Validate() error { return e.net().Validate() }

// Validate checks the parameters.
func (e ElasticNet) Validate() error {
	return errors.Join(
		param.Require("alpha", e.Alpha > 0 && e.Alpha <= 1, "%v, expected a number above 0, at most 1 (engines ridge and logistic have the L2 penalty alone)", e.Alpha),
		param.Require("lambda2", e.Lambda2 >= 0 && elementary.IsFinite(e.Lambda2), "%v, expected 0 or more", e.Lambda2),
		param.Require("lambda", e.Lambda >= 0 && elementary.IsFinite(e.Lambda), "%v, expected a number above 0, or 0 where lambda_ratio counts", e.Lambda),
		convex.RequireRatio("lambda", e.Lambda, 0, e.Ratio),
		e.ValidatePath(),
		param.Require("tol", e.Tol > 0 && elementary.IsFinite(e.Tol), "%v, expected a number above 0", e.Tol),
		param.Require("max_iter", e.MaxIter > 0, "%d, expected 1 or more", e.MaxIter),
	)
}

// Needs returns what the engine asks of data: any targets.
func (e Lasso) Needs() engines.Needs { return e.net().Needs() }

// Needs returns what the engine asks of data: any targets.
func (e ElasticNet) Needs() engines.Needs {
	return engines.Needs{Rates: true, Inner: e.isChosen(), Tasks: true, Sizes: engines.Sizes{Limit: "features"}, Keeps: true, Factors: true}
}

// Footprint returns the memory of a fit.
func (e Lasso) Footprint(s engines.Shape) engines.Footprint {
	return e.net().Footprint(s)
}

// Footprint returns the memory of a fit: the matrix by column, products of columns and a factor of them, and a dozen vectors each of rows and columns.
func (e ElasticNet) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	products := min(s.Entries+fewProducts, int64(s.Columns)*int64(s.Columns))
	bytes := filled + 24*s.Entries + 16*products + 64*int64(s.Rows) + 100*int64(s.Columns) + convex.AsleepBytes(s.Rows, s.Columns)
	return engines.Footprint{Bytes: bytes + s.CenteredBytes(e.Standardize && s.Levels > 0)}
}

// Fit minimises the objective for each target, or goes down a path of penalties.
func (e Lasso) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.net().Fit(ctx, run)
}

// isChosen reports whether inner folds choose the penalty.
func (e ElasticNet) isChosen() bool { return e.Lambda == 0 && e.Ratio == 0 && !e.Along() }

// Fit minimises the objective for each target, or goes down a path of penalties.
func (e ElasticNet) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.isChosen() {
		var err error
		if e.Ratio, err = inner.Share(ctx, run, e); err != nil {
			return nil, err
		}
	}
	return targets.Fit(ctx, run, e.penalties(), e.read)
}

// PathParameters returns lambda_ratio and lambda: as a share of the penalty that selects nothing, it means the same for any number of rows, and is the usual one.
func (Strength) PathParameters() []string { return []string{"lambda_ratio", "lambda"} }

// PathValues returns 25 a decade from 1 on, as dense as glmnet's on their way to a ten-thousandth.
func (Strength) PathValues(run engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 25), nil
}

// AtValue returns the engine with another lambda_ratio.
func (e Lasso) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// AtValue returns the engine with another lambda_ratio.
func (e ElasticNet) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each point to the next.
func (e Lasso) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	return e.net().FitPath(ctx, run, points, keep)
}

// FitPath goes from each point to the next.
func (e ElasticNet) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	return targets.FitPath(ctx, run, e.penalties(), e.read, points, keep)
}

// net returns the elastic net without an L2 penalty.
func (e Lasso) net() ElasticNet {
	return ElasticNet{Alpha: 1, Strength: e.Strength, Path: e.Path, Stopping: e.Stopping}
}

// penalties returns the parameters of the penalty.
func (e ElasticNet) penalties() targets.Penalties {
	return targets.Penalties{Alpha: e.Alpha, Lambda2: e.Lambda2, Lambda: e.Lambda, Ratio: e.Ratio, Unpenalized: e.unpenalized, Path: e.Path}
}

// read reads target t, numbers, classes or counts.
func (e ElasticNet) read(ctx context.Context, train *data.View, t, workers int) (targets.Problem, error) {
	switch train.TargetInfo(t).Type {
	case data.Class:
		return newLogLoss(ctx, train, t, e.Standardize, e.Stopping, workers)
	case data.Count:
		return rates.New(ctx, train, t, e.Standardize, e.Tol, e.MaxIter, workers)
	}
	return newLeastSquares(ctx, train, t, e.ColumnScale(), e.Stopping, workers)
}

// ColumnScale returns the scale of columns inside the fit, in the words of package sparse.
func (s Strength) ColumnScale() string {
	if s.Standardize {
		return "sd"
	}
	return "none"
}
