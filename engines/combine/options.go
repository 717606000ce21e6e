// Package combine adds products of columns to a sparse log-linear model (Okanohara, "Dualized L1-regularized log-linear
// models", 2008; Okanohara and Tsujii, "Learning combination features with L1 regularization", 2009).
//
// A column k that a model lacks would enter it where its dual value v_k = u_k/C1 is beyond 1 (the slides check |v_k| = 1,
// which only columns inside the problem obey). For the product of columns k1 and k2,
//
//	u = Σ_i r_i x_ik1 x_ik2,   r_i = m_i ([y_i = y] − p(y|x_i; w)) in block y,
//
// needs the residuals of the model at hand and nothing else. A fit trains the base model, finds the products with
// |v| ≥ threshold, adds them as columns, trains again from the weights that it has, and repeats that as often as it is asked to.
package combine

import (
	"errors"

	"tenfold/engines/kind"
)

// Options of a search for combinations, as the section combinations of an algorithm has them.
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
var Kind = kind.Define[kind.Validator](kind.Kind[kind.Validator]{
	Name: "combinations",
	Doc:  "products of columns that an L1 model would give a weight to",
	Cite: "Okanohara 2008; Li, Church and Hastie 2007 (sampled)",
	Rev:  1,
}, Options{Threshold: 1, Order: 2, Of: "all", Search: "exact", Sketch: 100, Cap: 5000, Rounds: 1, MinSupport: 1})

// Validate checks the options by themselves.
func (o Options) Validate() error {
	require := func(field string, ok bool, format string, args ...any) error {
		if ok {
			return nil
		}
		return kind.Errorf(field, format, args...)
	}
	return errors.Join(
		require("threshold", o.Threshold > 0 && o.Threshold-o.Threshold == 0, "%v, expected a number above 0", o.Threshold),
		require("order", o.Order == 2 || o.Order == 3, "%d, expected 2 or 3", o.Order),
		kind.OneOf("of", o.Of, "all", "active"),
		kind.OneOf("search", o.Search, "exact", "sampled"),
		require("search", o.Search != "sampled" || o.Order == 2, "sampled finds pairs only; expected order 2 or search exact"),
		require("sketch", o.Sketch >= 2, "%d, expected 2 or more", o.Sketch),
		require("cap", o.Cap >= 1, "%d, expected 1 or more", o.Cap),
		require("rounds", o.Rounds >= 1, "%d, expected 1 or more", o.Rounds),
		require("min_support", o.MinSupport >= 1, "%d, expected 1 or more", o.MinSupport),
	)
}
