package l1

import (
	"errors"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
)

// Objective is what every engine of this package minimises, as parameters.
type Objective struct {
	C1    float64 `yaml:"c1" simpler:"larger" doc:"strength of the L1 penalty on the weights, beside the sum (not the mean) of log-losses, > 0"`
	Ratio float64 `yaml:"c1_ratio" simpler:"larger" doc:"c1 as a share of the smallest that selects nothing, in (0, 1], instead of c1; 0: c1 counts"`
	C2    float64 `yaml:"c2" simpler:"larger" doc:"strength of the L2 penalty (half the sum of squares), ≥ 0"`
	Bias  string  `yaml:"bias" doc:"a column of ones: none, free (not penalised), penalized (as every weight)"`

	Standardize bool `yaml:"standardize" doc:"penalise the weights of columns divided by their standard deviation, as glmnet does by default; weights are reported on the scale of the data all the same"`
}

func (o Objective) validate() error {
	return errors.Join(
		param.Require("c1", o.C1 > 0 && elementary.IsFinite(o.C1), "%v, expected a number above 0; without a penalty separable labels have no finite optimum", o.C1),
		convex.RequireRatio("c1", o.C1, 1, o.Ratio),
		param.Require("c2", o.C2 >= 0 && elementary.IsFinite(o.C2), "%v, expected 0 or more", o.C2),
		param.OneOf("bias", o.Bias, string(NoBias), string(FreeBias), string(PenalizedBias)),
	)
}

// Penalty on a problem, where lambdaMax is the smallest C1 that selects nothing (Point.LambdaMax).
func (o Objective) Penalty(lambdaMax float64) (Penalty, error) {
	c1, err := convex.Strength("c1", o.C1, o.Ratio, lambdaMax)
	return Penalty{c1, o.C2}, err
}

// Stopping says how far a solver goes.
type Stopping struct {
	Tol     float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of max(1, objective), > 0"`
	MaxIter int     `yaml:"max_iter" doc:"iterations at most, for each penalty"`
}

func (s Stopping) validate() error {
	return errors.Join(
		param.Require("tol", s.Tol > 0 && elementary.IsFinite(s.Tol), "%v, expected a number above 0", s.Tol),
		param.Require("max_iter", s.MaxIter > 0, "%d, expected 1 or more", s.MaxIter),
	)
}
