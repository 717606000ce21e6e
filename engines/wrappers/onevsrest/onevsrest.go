// Package onevsrest turns engines for classes of two levels into engines for any number: one model a level, against the rest.
package onevsrest

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/bylevel"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Engine turns an engine for two levels into one for any number.
type Engine struct {
	Base engines.Engine `yaml:",inline"`
}

// Wrapper turns an engine into one for classes of any number of levels. An engine that learns from other tasks needs no wrapper for
// that.
var Wrapper = engines.Wrapper{
	Kind: registry.Kind[param.Validator]{Name: "multiclass", Doc: "own: the engine's way with many classes; one-vs-rest: a model for each"},
	Off:  "own", On: "one-vs-rest",
	Idle: func(inner engines.Engine) bool { _, across := inner.(engines.Across); return across },
	Excludes: []engines.Exclusion{
		{Key: "path", Why: ": each level has features of its own, so no step has models of one size"},
		{Key: "combinations", Why: ", which are those of one model of all levels"},
	},
	Wrap: func(inner engines.Engine, _ param.Validator) engines.Engine { return Engine{Base: inner} },
}

// Validate refuses a base without models of classes of two levels, or that makes models of several sizes.
func (e Engine) Validate() error {
	return errors.Join(e.Base.Validate(), e.suits())
}

func (e Engine) suits() error {
	n := e.Base.Needs()
	switch {
	case !n.Takes(data.Class):
		return param.Errorf("multiclass", "one-vs-rest makes classes of two levels, and the engine, with these parameters, takes %s targets only", n.Target)
	case n.Levels != 0 && n.Levels != 2:
		return param.Errorf("multiclass", "one-vs-rest makes classes of two levels, and the engine takes those of %d only", n.Levels)
	case n.Truth:
		return param.Errorf("multiclass", "the engine knows the true coefficients of the responses, and these are of the levels as they are")
	}
	return nil
}

// Needs returns the requirements of the base, with one class target of any number of levels.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Target, n.Tasks, n.Levels, n.Sizes, n.Entry = data.Class, false, 0, engines.Sizes{}, false
	return n
}

// Footprint returns that of one fit of the base, since levels are fitted one after the other, and the level of each row.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	s.Levels = 2
	return engines.FootprintOf(e.Base, s).And(32 * int64(s.Rows))
}

// InnerFits counts those of each level.
func (e Engine) InnerFits(s engines.Shape) int {
	levels := s.Levels
	s.Levels = 2
	return levels * engines.InnerFits(e.Base, s)
}

// Fit fits the base to each level against the rest.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return bylevel.Fit(ctx, run, func(int, *data.View) (engines.Engine, error) { return e.Base, nil })
}
