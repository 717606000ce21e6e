// Package rfe eliminates columns recursively (Guyon, Weston, Barnhill and Vapnik 2002): it fits an engine to all of them, drops
// those that matter least to its model, and repeats with those that are left.
//
// rounds.go eliminates, path.go fits models of several sizes from one elimination.
package rfe

import (
	"context"
	"errors"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/engines/wrappers/permutation"
)

// Options holds the parameters of the elimination.
type Options struct {
	Size        int                 `yaml:"size" simpler:"smaller,0 last" doc:"columns that are left in the end; 0: half of them"`
	Step        float64             `yaml:"step" doc:"columns dropped after each fit: a whole number, or a share below 1 of those left, rounded down, at least one; never below size"`
	Scale       string              `yaml:"scale" doc:"none: coefficients as they are; unit: those of columns divided by their standard deviation. Importances of models without coefficients have no scale"`
	Importance  string              `yaml:"importance" doc:"what columns are dropped by: model (coefficients, or what the model reports), permutation (of held-out values), or auto (permutation where models have neither)"`
	Permutation permutation.Drawing `yaml:"permutation"`
}

// Values of scale.
const (
	unscaled = "none"
	unit     = "unit"
)

// Values of importance.
const (
	auto       = "auto"
	byModel    = "model"
	byPermuted = "permutation"
)

// Validate checks the options by themselves.
func (o Options) Validate() error {
	whole := o.Step < 1 || o.Step == math.Trunc(o.Step) && o.Step <= math.MaxInt32
	return errors.Join(
		param.Require("size", o.Size >= 0, "%d, expected at least 1, or 0 for half of the columns", o.Size),
		param.Require("step", o.Step > 0 && whole, "%v, expected a whole number of columns, or a share of those left above 0 and below 1", o.Step),
		param.OneOf("scale", o.Scale, unscaled, unit),
		param.OneOf("importance", o.Importance, auto, byModel, byPermuted),
		o.Permutation.ValidateBelow("permutation."),
	)
}

// Engine fits its base to the columns that are left.
type Engine struct {
	Base    engines.Engine `yaml:",inline"`
	Options `yaml:"rfe"`
}

// Wrapper adds elimination around an engine.
var Wrapper = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: "rfe", Rev: 5,
		Doc:  "recursive feature elimination: the engine is fitted again and again, each time without the columns that mattered least",
		Cite: "Guyon et al. 2002",
	}, Options{Step: 0.5, Scale: unscaled, Importance: auto, Permutation: permutation.Defaults()}),
	Limit:    "size",
	Accepts:  func(inner engines.Engine) bool { _, across := inner.(engines.Across); return !across },
	Lacks:    "does not learn from other tasks",
	Excludes: []engines.Exclusion{{Key: "combinations", Why: ", since columns are eliminated, not products"}},
	Wrap:     func(inner engines.Engine, o param.Validator) engines.Engine { return Engine{inner, o.(Options)} },
}

// Validate checks the options together with the engine.
func (e Engine) Validate() error {
	n := e.Base.Needs()
	return errors.Join(
		e.Base.Validate(),
		param.Require("rfe", !n.Watch, "the engine, with these parameters, chooses by test rows, which must not take part in the elimination"),
		param.Require("rfe", !n.Truth, "the engine knows the true coefficients: nothing is left to be found"),
		param.Require("rfe.importance", !n.Opaque || e.Importance != byModel, "the engine, with these parameters, has neither coefficients nor importances of columns; set importance: permutation"),
		param.Require("rfe.scale", !e.permutes() || e.Scale == unscaled, "%s, and columns are dropped by permutation, which knows no scale", e.Scale),
		param.Require("rfe.permutation", e.permutes() || e.Permutation == permutation.Defaults(), "columns are dropped by the coefficients or importances of the model; set importance: permutation"),
	)
}

// permutes reports whether importance is that of held-out values permuted.
func (e Engine) permutes() bool {
	return e.Importance == byPermuted || e.Importance == auto && e.Base.Needs().Opaque
}

// ComparedBy returns the key and the name of the metric of permutation; "" for that of the type of target.
func (o Options) ComparedBy() (key, metric string) { return "permutation.metric", o.Permutation.Metric }

// ComparesRows reports whether that metric has to be a mean over rows.
func (o Options) ComparesRows() bool { return o.Permutation.Pairs }

// Needs returns the requirements of the base.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Sizes, n.Entry, n.Together = engines.Sizes{Limit: size}, false, false // columns are eliminated one by one
	n.Inner = n.Inner || e.permutes()
	return n
}

// Footprint returns that of the base, and a copy of the columns that are left; by permutation also copies for the inner folds.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	copies := 1
	if e.permutes() {
		copies += e.Permutation.K + 1
	}
	return engines.FootprintOf(e.Base, s).And(int64(copies)*s.EntryBytes()*s.Entries + 48*int64(s.Columns))
}

// sized returns the engine with a default size for the number of columns, if no size is given.
func (e Engine) sized(columns int) Engine {
	if e.Size == 0 {
		e.Size = max(1, columns/2)
	}
	return e
}

// InnerFits counts a fit for each round, or one for each inner fold of it.
func (e Engine) InnerFits(s engines.Shape) int {
	e = e.sized(s.Columns)
	rounds := 0
	for left := s.Columns; left > e.Size; left = max(1, left-e.dropped(left)) {
		rounds++
	}
	inside := engines.InnerFits(e.Base, s)
	if e.permutes() {
		rounds *= e.Permutation.K
	}
	return rounds*(1+inside) + inside
}

// Fit eliminates, and fits the base to the columns that are left. A step of one half costs about twice the first fit.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	columns := len(candidates(run.Train))
	e = e.sized(columns)
	least := e.Size
	if len(run.At) > 0 { // a path ends with all columns
		e.Size = min(e.Size, columns)
		least = min(e.Size, run.At[0])
	}
	left, err := e.eliminate(ctx, run, least)
	if err != nil {
		return nil, err
	}
	for _, size := range run.At {
		if size < e.Size {
			m, err := left.fit(ctx, size, nil)
			if err != nil {
				return nil, err
			}
			run.Keep(size, m)
		}
	}
	m, err := left.fit(ctx, e.Size, run.Trace)
	if _, reached := slices.BinarySearch(run.At, e.Size); err == nil && reached {
		run.Keep(e.Size, m)
	}
	return m, err
}

// Choose selects the columns: score and rank are by the importance in the last fit that had other columns as well.
func (e Engine) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	e = e.sized(len(candidates(run.Train)))
	left, err := e.eliminate(ctx, run, e.Size)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	chosen, fitted := left.best(e.Size)
	return chosen, fitted, nil
}
