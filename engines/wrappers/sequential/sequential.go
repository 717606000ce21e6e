// Package sequential searches for the columns of an engine: they enter or leave one by one, by a metric on inner folds (Whitney 1971;
// Marill and Green 1963), with floating steps back where asked for (Pudil, Novovičová and Kittler 1994; Somol, Pudil, Novovičová and
// Paclík 1999).
//
// search.go has the procedure, fits.go fits and measures its sets of columns, report.go says what was found.
package sequential

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"tenfold/engines"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Options holds the parameters of the search.
type Options struct {
	Direction          string `yaml:"direction" doc:"forward: columns enter, beginning with none; backward: they leave, beginning with all"`
	Floating           bool   `yaml:"floating" doc:"after each step, take steps the other way as long as these find a better set of their size"`
	Size               string `yaml:"size" doc:"columns that are selected: a whole number; best: the size with the best mean; one-se: the smallest size within a standard error of it"`
	Sizes              []int  `yaml:"sizes" doc:"smallest and largest size that best and one-se may choose, as in [1, 20]; forward ends at the largest, backward at the smallest. By default 1 and all columns"`
	engines.InnerFolds `yaml:",inline"`
	Patience           int `yaml:"patience" doc:"with size best and one-se, steps in a row without a better mean after which the search ends; 0: it goes on to the end"`
	Screen             int `yaml:"screen" doc:"with forward, only so many columns may enter: the first by F, or by Cox's score test for times until an event; 0: all"`
}

// Values of the options.
const (
	forward  = "forward"
	backward = "backward"
	best     = "best"
	oneSE    = "one-se"
)

// number returns a size that is a number; ok is false for words.
func (o Options) number() (size int, ok bool) {
	size, err := strconv.Atoi(o.Size)
	return size, err == nil
}

// Validate checks the options by themselves.
func (o Options) Validate() error {
	size, fixed := o.number()
	return errors.Join(
		param.OneOf("direction", o.Direction, forward, backward),
		param.Require("size", fixed && size >= 1 || o.Size == best || o.Size == oneSE, "%q, expected a whole number of columns from 1, best or one-se", o.Size),
		o.InnerFolds.Validate(),
		param.Require("sizes", len(o.Sizes) == 0 || len(o.Sizes) == 2 && 0 <= o.Sizes[0] && o.Sizes[0] <= o.Sizes[1] && o.Sizes[1] > 0, "%v, expected the smallest and the largest size, as in [1, 20]", o.Sizes),
		param.Require("sizes", len(o.Sizes) == 0 || !fixed, "%v, and size is %s; leave one of them out", o.Sizes, o.Size),
		param.Require("patience", o.Patience >= 0, "%d, expected at least 1, or 0 to go on to the end", o.Patience),
		param.Require("patience", o.Patience == 0 || !fixed, "%d, and size is %s, which the search has to reach; leave one of them out", o.Patience, o.Size),
		param.Require("screen", o.Screen >= 0, "%d, expected at least 1, or 0 for all columns", o.Screen),
		param.Require("screen", o.Screen == 0 || o.Direction != backward, "%d, expected none with backward, which begins with all columns", o.Screen),
		param.Require("screen", o.Screen <= 0 || o.Screen >= o.largest(), "%d, expected at least the largest size, %d", o.Screen, o.largest()),
	)
}

// largest returns the largest size that the options name; 0 if they name none.
func (o Options) largest() int {
	if size, fixed := o.number(); fixed {
		return size
	}
	if len(o.Sizes) == 2 {
		return o.Sizes[1]
	}
	return 0
}

// Engine searches for the columns of its base by inner folds, and fits the base to them.
type Engine struct {
	Base    engines.Engine `yaml:",inline"`
	Options `yaml:"sequential"`
}

// Wrapper adds a sequential search around an engine.
var Wrapper = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: "sequential", Rev: 1,
		Doc:  "sequential selection: columns enter or leave the engine's model one by one, by a metric on inner folds",
		Cite: "Whitney 1971; Pudil, Novovičová & Kittler 1994",
	}, Options{Direction: forward, Size: best, InnerFolds: engines.InnerFolds{K: 5, Repeats: 1}}),
	Accepts: func(inner engines.Engine) bool { _, across := inner.(engines.Across); return !across },
	Lacks:   "does not learn from other tasks",
	Excludes: []engines.Exclusion{
		{Key: "path", Why: ": a search to one size need not pass through the best sets of others"},
		{Key: "combinations", Why: ", since columns are searched for, not products"},
	},
	Wrap: func(inner engines.Engine, o param.Validator) engines.Engine { return Engine{inner, o.(Options)} },
}

// Validate checks the options together with the engine.
func (e Engine) Validate() error {
	n := e.Base.Needs()
	return errors.Join(
		e.Base.Validate(),
		param.Require("sequential", !n.Watch, "the engine, with these parameters, chooses by test rows, which must not take part in the search"),
		param.Require("sequential", !n.Truth, "the engine knows the true coefficients: nothing is left to be found"),
	)
}

// Needs returns the requirements of the base, and of inner folds.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Sizes, n.Entry, n.Inner, n.Together, n.Keeps = engines.Sizes{}, false, true, true, true
	if e.Screen > 0 {
		n.Tasks, n.Unweighted, n.Missing = false, true, false
	}
	return n
}

// Footprint returns that of the base, and copies of the rows: for each inner fold, and of a set's columns for a fit at work.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	return engines.FootprintOf(e.Base, s).And(int64(e.K*e.Repeats+2)*s.EntryBytes()*s.Entries + 48*int64(s.Columns))
}

// InnerFits counts every set of columns once on each inner fold, without floating steps back.
func (e Engine) InnerFits(s engines.Shape) int {
	units, sets := s.Columns, 0
	if e.Screen > 0 {
		units = min(units, e.Screen)
	}
	smallest, largest := e.bounds(units)
	if e.Direction == forward {
		for size := range largest {
			sets += units - size
		}
	} else {
		for size := units; size > smallest; size-- {
			sets += size
		}
	}
	if smallest == 0 || e.Direction == backward {
		sets++
	}
	inside := engines.InnerFits(e.Base, s)
	return sets*e.K*e.Repeats*(1+inside) + inside
}

// Fit searches, and fits the base to the columns found. A forward search to b of p columns takes k·Σ_{s<b}(p − s) inner fits, a
// backward one k·p²/2, a floating one more.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return narrowed.Selected(ctx, e, e.Base, run)
}

// Choose searches: rank is the order in which columns entered on the way to the chosen set, −1 where there was no such order; score is
// the mean of the metric when they did.
func (e Engine) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	if ctx.Err() != nil {
		return nil, engines.Fitted{}, context.Cause(ctx)
	}
	f, err := e.prepare(ctx, run)
	if err == nil {
		err = f.search.run(ctx)
	}
	if err != nil {
		return nil, engines.Fitted{}, fmt.Errorf("sequential: %w", err)
	}
	chosen := f.search.choose()
	if chosen == nil {
		return nil, engines.Fitted{}, fmt.Errorf("sequential: %w", f.nothing())
	}
	run.RecordSearch(f.searched(chosen))
	return f.coefs(chosen), f.fitted(chosen), nil
}
