package combine

import (
	"errors"

	"tenfold/engines"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Options holds the parameters of a search for combinations, from the section combinations of an algorithm.
type Options struct {
	Threshold  float64 `yaml:"threshold" doc:"smallest |v| of a combination that is added; v is its gradient in units of c1, so that at 1 it would get a weight; > 0"`
	Order      int     `yaml:"order" doc:"columns in a combination: 2, or 3 for pairs and triples"`
	Of         string  `yaml:"of" doc:"which columns are combined: all, active (those with a weight)"`
	Search     string  `yaml:"search" doc:"exact, sampled (pairs only: estimated from sketches of columns, then verified; some are missed)"`
	Sketch     int     `yaml:"sketch" doc:"rows in a column's sketch, for sampled"`
	Cap        int     `yaml:"cap" doc:"combinations that a round adds at most, those of largest |v|"`
	Rounds     int     `yaml:"rounds" doc:"how often combinations are looked for and the model is trained again"`
	MinSupport int     `yaml:"min_support" doc:"rows in which a combination is not zero, at least"`
	Squares    bool    `yaml:"squares" doc:"whether a column is combined with itself"`
}

// Kind of the options: their defaults, and the revision that is part of keys.
var Kind = registry.Define[param.Validator](registry.Kind[param.Validator]{
	Name: "combinations",
	Doc:  "products of features, looked for while training",
	Cite: "Okanohara 2008; Li, Church and Hastie 2007 (sampled)",
	Rev:  2,
}, Options{Threshold: 1, Order: 2, Of: "all", Search: "exact", Sketch: 100, Cap: 5000, Rounds: 1, MinSupport: 1})

// Validate checks the options by themselves.
func (o Options) Validate() error {
	return errors.Join(
		param.Require("threshold", o.Threshold > 0 && o.Threshold-o.Threshold == 0, "%v, expected a number above 0", o.Threshold),
		param.Require("order", o.Order == 2 || o.Order == 3, "%d, expected 2 or 3", o.Order),
		param.OneOf("of", o.Of, "all", "active"),
		param.OneOf("search", o.Search, "exact", "sampled"),
		param.Require("search", o.Search != "sampled" || o.Order == 2, "sampled finds pairs only; expected order 2 or search exact"),
		param.Require("sketch", o.Sketch >= 2, "%d, expected 2 or more", o.Sketch),
		param.Require("cap", o.Cap >= 1, "%d, expected 1 or more", o.Cap),
		param.Require("rounds", o.Rounds >= 1, "%d, expected 1 or more", o.Rounds),
		param.Require("min_support", o.MinSupport >= 1, "%d, expected 1 or more", o.MinSupport),
	)
}

// Wrapper adds combinations to an engine that makes a log-linear model.
var Wrapper = engines.Wrapper{
	Kind:     Kind,
	Accepts:  func(inner engines.Engine) bool { _, ok := inner.(Base); return ok },
	Lacks:    "does not make the kind of model that they are found by",
	Excludes: []engines.Exclusion{{Key: "path", Why: ", which are found at one penalty"}},
	Wrap: func(inner engines.Engine, options param.Validator) engines.Engine {
		return Engine{Base: inner.(Base), Options: options.(Options)}
	},
}
