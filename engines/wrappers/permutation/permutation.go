// Package permutation selects columns by how much worse an engine's models predict held-out rows when the values of a column are permuted
// among these (Breiman 2001, section 10; Fisher, Rudin and Dominici 2019).
//
// importance.go measures.
package permutation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/numeric/ties"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Options holds the parameters of the selection.
type Options struct {
	Features int `yaml:"features" simpler:"smaller,0 last" doc:"columns that are selected: those of the largest importance above 0; 0: all of these"`
	Drawing  `yaml:",inline"`
}

// Validate checks the options by themselves.
func (o Options) Validate() error {
	return errors.Join(param.Require("features", o.Features >= 0, "%d, expected at least 1, or 0 for all columns of an importance above 0", o.Features), o.Drawing.Validate())
}

// Engine selects the columns that matter to its base, and fits the base to them.
type Engine struct {
	Base    engines.Engine `yaml:",inline"`
	Options `yaml:"permutation"`
}

// Wrapper adds the selection around an engine.
var Wrapper = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: "permutation", Rev: 2,
		Doc:  "the columns without whose values the engine predicts held-out rows worse: importance by permutation, of any engine",
		Cite: "Breiman 2001; Fisher, Rudin & Dominici 2019",
	}, Options{Drawing: Defaults()}),
	Accepts: func(inner engines.Engine) bool { _, across := inner.(engines.Across); return !across },
	Lacks:   "does not learn from other tasks",
	Excludes: []engines.Exclusion{
		{Key: "path", Why: ": importance is measured once, with all columns"},
		{Key: "combinations", Why: ", since columns are permuted, not products"},
	},
	Wrap: func(inner engines.Engine, o param.Validator) engines.Engine { return Engine{inner, o.(Options)} },
}

// Validate checks the options together with the engine.
func (e Engine) Validate() error {
	n := e.Base.Needs()
	return errors.Join(
		e.Base.Validate(),
		param.Require("permutation", !n.Watch, "the engine, with these parameters, chooses by test rows, which must not take part in a selection"),
		param.Require("permutation", !n.Truth, "the engine knows the true coefficients: nothing is left to be found"),
	)
}

// Needs returns the requirements of the base, and of inner folds.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Sizes, n.Entry, n.Inner, n.Together = engines.Sizes{}, false, true, true
	return n
}

// Footprint returns that of the base, and copies of the rows: for each inner fold, and with permuted columns.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	return engines.FootprintOf(e.Base, s).And(int64(e.K+2)*s.EntryBytes()*s.Entries + 64*int64(s.Columns))
}

// InnerFits counts a fit for each inner fold.
func (e Engine) InnerFits(s engines.Shape) int {
	inside := engines.InnerFits(e.Base, s)
	return e.K*(1+inside) + inside
}

// Fit selects, and fits the base to the columns selected.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return narrowed.Selected(ctx, e, e.Base, run)
}

// shownUnits is the number of the most important units whose importance is a fact of the fit.
const shownUnits = 20

// Choose selects: score is the importance, in the unit of the metric, and rank the order by it.
func (e Engine) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	if ctx.Err() != nil {
		return nil, engines.Fitted{}, context.Cause(ctx)
	}
	units, err := competing(run.Train)
	if err != nil {
		return nil, engines.Fitted{}, fmt.Errorf("permutation: %w", err)
	}
	found, err := e.Measure(ctx, e.Base, run, units)
	if err != nil {
		return nil, engines.Fitted{}, fmt.Errorf("permutation: %w", err)
	}
	order := ties.Above(found.Mean, minImportance)
	if e.Features > 0 {
		order = order[:min(e.Features, len(order))]
	}
	var chosen []engines.Coef
	var shown []string
	for k, u := range order {
		for _, j := range units[u] {
			chosen = append(chosen, engines.Coef{Feature: int(j), Rank: len(chosen), Score: found.Mean[u]})
		}
		if k < shownUnits {
			text := fmt.Sprintf("%s %.6g", run.Train.Features().Name(int(units[u][0])), found.Mean[u])
			if !math.IsNaN(found.SE[u]) { // more than one inner fold
				text += fmt.Sprintf(" ± %.2g", found.SE[u])
			}
			shown = append(shown, text)
		}
	}
	for _, j := range run.Train.Kept() {
		chosen = append(chosen, engines.Coef{Feature: int(j), Rank: -1})
	}
	slices.SortFunc(chosen, func(a, b engines.Coef) int { return a.Feature - b.Feature })
	fitted := engines.Fitted{Stop: "done", Best: -1, Evaluated: int64(len(units)), Notes: found.Notes, Facts: []data.Fact{
		{Name: "inner " + found.Metric, Value: fmt.Sprintf("%.6g on %d inner folds", found.Base, found.Folds)},
		{Name: "importance by permutation", Value: strings.Join(shown, ", ")},
	}}
	if len(order) < e.Features {
		fitted.Notes = append(fitted.Notes, fmt.Sprintf("%d columns have an importance above 0, fewer than the %d asked for", len(order), e.Features))
	}
	return chosen, fitted, nil
}

// minImportance is what a column has to exceed to be selected: rounding does not select.
const minImportance = 1e-12

// competing returns the columns, or whole units where these are selected together, that are not in every model.
func competing(v *data.View) (units [][]int32, err error) {
	var all [][]int32
	if v.Together() {
		if all, err = v.WholeUnits(); err != nil {
			return nil, err
		}
	} else {
		for j := range int32(v.Columns()) {
			all = append(all, []int32{j})
		}
	}
	units = slices.DeleteFunc(all, func(columns []int32) bool { return !v.Competes(int(columns[0])) })
	if len(units) == 0 {
		return nil, errors.New("every column is in every model (keep): nothing is left to select from")
	}
	return units, nil
}
