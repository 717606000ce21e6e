// Package twostage fits the lasso and something else one after the other: adaptive-lasso takes its penalties from a first fit (adaptive.go),
// relaxed-lasso fits the columns that it selects again without a penalty (relaxed.go). Both go along the paths of package lasso, which has
// the problem and its solver.
package twostage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/counts"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/inner"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
)

// Adaptive is the lasso with a penalty of λ·w_j for each column, w_j = 1/|b_j|^γ by the coefficients b of a first fit (Zou 2006).
type Adaptive struct {
	Gamma       float64 `yaml:"gamma" doc:"penalties are lambda divided by the absolute coefficients of the first fit to this power, > 0"`
	Initial     string  `yaml:"initial" doc:"the first fit: ridge (of classes, logistic regression with the same penalty), or lasso, at the same penalty as the second; columns without a coefficient in it are left out"`
	Ridge       float64 `yaml:"ridge" doc:"penalty of the first fit where that is ridge, beside the sum of squared errors or half of it beside the sum of log-losses, > 0; 0: a hundredth of the rows (their weights), of counts of their sum"`
	lasso.Lasso `yaml:",inline"`
}

// Words of initial.
const (
	byRidge = "ridge"
	byLasso = "lasso"
)

// AdaptiveKind is the adaptive lasso.
var AdaptiveKind = engines.Define(engines.Kind{
	Name: "adaptive-lasso",
	Doc:  "the lasso with a smaller penalty for columns whose coefficients are large in a first fit, so that these are hardly shrunk and others hardly selected",
	Cite: "Zou 2006",
	Rev:  12,
}, Adaptive{Gamma: 1, Initial: byRidge, Lasso: lasso.Lasso{Strength: lasso.Strength{Standardize: true}, Stopping: lasso.DefaultStopping}})

// Validate checks the parameters.
func (e Adaptive) Validate() error {
	return errors.Join(
		param.Require("gamma", e.Gamma > 0 && elementary.IsFinite(e.Gamma), "%v, expected a number above 0", e.Gamma),
		param.OneOf("initial", e.Initial, byRidge, byLasso),
		param.Require("ridge", e.Ridge >= 0 && elementary.IsFinite(e.Ridge), "%v, expected a number above 0, or 0 for a hundredth of the rows", e.Ridge),
		param.Idle("ridge", e.Ridge, 0, e.Initial == byRidge, "it is for initial ridge"),
		e.Lasso.Validate(),
	)
}

// Needs returns one target. A path of sizes has one first fit.
func (e Adaptive) Needs() engines.Needs {
	n := e.Lasso.Needs()
	if n.Tasks = false; e.Initial == byLasso {
		n.Sizes = engines.Sizes{}
	}
	return n
}

// Footprint returns that of the larger fit.
func (e Adaptive) Footprint(s engines.Shape) engines.Footprint {
	first := engines.FootprintOf(leastsquares.RidgeKind.Defaults(), s)
	if s.Levels > 0 {
		first = engines.FootprintOf(logistic.Kind.Defaults(), s)
	}
	return engines.FootprintOf(e.Lasso, s).Or(first).And(24 * int64(s.Columns))
}

// AtValue returns the engine with another lambda_ratio.
func (e Adaptive) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// Fit fits twice.
func (e Adaptive) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.Lasso.Needs().Inner {
		var err error
		if e.Ratio, err = inner.Share(ctx, run, e); err != nil {
			return nil, err
		}
	}
	first, err := e.first(ctx, run)
	if err != nil {
		return nil, err
	}
	return e.second(ctx, run, first)
}

// FitPath fits ridge once for all points; the lasso along the path, and then each point by its own weights.
func (e Adaptive) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	if e.Initial == byRidge {
		first, err := e.first(ctx, run)
		if err != nil {
			return err
		}
		factors, some, err := e.factors(ctx, run.Train, first)
		switch {
		case err != nil:
			return err
		case !some:
			for i := range points.Values {
				keep(i, first)
			}
			return nil
		}
		run.Train = run.Train.WithFactors(factors)
		return e.Lasso.FitPath(ctx, run, points, keep)
	}
	initial := make([]engines.Model, len(points.Values))
	err := e.Lasso.FitPath(ctx, engines.Run{Train: run.Train.Alike(), Rand: run.Rand, Workers: run.Workers, Cache: run.Cache}, points, func(i int, m engines.Model) { initial[i] = m })
	if err != nil {
		return err
	}
	for i, m := range initial {
		if m == nil { // the path ended
			continue
		}
		point := e
		if point.Ratio = points.Values[i]; points.Parameter == "lambda" {
			point.Lambda, point.Ratio = points.Values[i], 0
		}
		second, err := point.second(ctx, run, m)
		if err != nil {
			return err
		}
		keep(i, second)
	}
	return nil
}

// first returns the first fit, with all columns treated alike.
func (e Adaptive) first(ctx context.Context, run engines.Run) (engines.Model, error) {
	on := engines.Run{Train: run.Train.Alike(), Rand: rand.New(rand.NewPCG(1, 1)), Workers: run.Workers, Cache: run.Cache}
	penalty := e.Ridge
	if penalty == 0 {
		weights := run.Train.Weights()
		for i := range run.Train.Len() {
			penalty += weights.Of(i) / 100
		}
		if run.Train.TargetInfo(0).Type == data.Count {
			rows, y := run.Train.Defined(0)
			weights, penalty = rows.Weights(), 0
			for i, count := range y {
				penalty += float64(weights.Of(i)*count) / 100
			}
		}
	}
	switch class := run.Train.TargetInfo(0).Type == data.Class; {
	case e.Initial == byLasso:
		single := e.Lasso
		single.Path = convex.Path{}
		return single.Fit(ctx, on)
	case class:
		ridge := logistic.Kind.Defaults().(logistic.Logistic)
		ridge.C2, ridge.Standardize = penalty, e.Standardize
		return ridge.Fit(ctx, on)
	}
	return leastsquares.Ridge{Lambda: penalty, Scale: e.ColumnScale(), Tol: 1e-12}.Fit(ctx, on)
}

// second returns the second fit, with the penalties that the first one leads to. Where that has no column, it is the model.
func (e Adaptive) second(ctx context.Context, run engines.Run, first engines.Model) (engines.Model, error) {
	factors, some, err := e.factors(ctx, run.Train, first)
	if err != nil {
		return nil, err
	}
	if !some {
		return first, nil
	}
	run.Train = run.Train.WithFactors(factors)
	return e.Lasso.Fit(ctx, run)
}

// excluded is how many times the largest factor keeps a column out of every model of a path.
const excluded = 1e12

// factors returns those of the penalty by column: those of the data times 1/|b|^γ, b the coefficient of the first fit for the column as the penalty sees it;
// of several classes its Euclidean norm. some is false where the first fit has no column.
func (e Adaptive) factors(ctx context.Context, v *data.View, first engines.Model) (factors []float64, some bool, err error) {
	weight := v.Weights()
	if v.TargetInfo(0).Type == data.Count {
		if _, _, weight, err = counts.Rates(v, 0); err != nil {
			return nil, false, err
		}
	}
	g, err := scaled.StandardizeFar(ctx, v.FilledMatrix(), weight, "none")
	if err != nil {
		return nil, false, err
	}
	size := make([]float64, v.Columns())
	for _, c := range first.Coefs() {
		b := c.Value
		if e.Standardize {
			b *= math.Sqrt(g.Norm2[c.Feature] / g.N)
		}
		size[c.Feature] = elementary.Hypot(size[c.Feature], b)
	}
	factors, given, largest := make([]float64, len(size)), v.Factors(), 0.0
	for j, b := range size {
		if b > 0 {
			factors[j] = elementary.Pow(1/b, e.Gamma)
			if given != nil {
				factors[j] *= given[j]
			}
			largest = max(largest, factors[j])
		}
	}
	for j, b := range size {
		if b == 0 && (given == nil || given[j] > 0) {
			factors[j] = excluded * max(largest, 1)
		}
	}
	return factors, largest > 0 || len(v.Kept()) > 0, nil
}
