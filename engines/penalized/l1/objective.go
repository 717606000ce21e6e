package l1

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/inner"
)

// Objective is what every engine of this package minimises, as parameters.
type Objective struct {
	C1    float64 `yaml:"c1" simpler:"larger" rows:"times" doc:"strength of the L1 penalty on the weights, beside the sum (not the mean) of log-losses: 1/C of scikit-learn's LogisticRegression, and of liblinear; 0: c1_ratio counts"`
	Ratio float64 `yaml:"c1_ratio" simpler:"larger" doc:"c1 as a share of the smallest that selects nothing, in (0, 1], instead of c1; 0: c1 counts, and where that is 0 as well, the share is chosen in five inner folds (at the end of a path it is a hundredth)"`
	C2    float64 `yaml:"c2" simpler:"larger" rows:"times" doc:"strength of the L2 penalty (half the sum of squares), ≥ 0"`
	Bias  string  `yaml:"bias" doc:"a column of ones: none, free (not penalised), penalized (as every weight)"`

	Standardize bool `yaml:"standardize" doc:"penalise the weights of columns divided by their standard deviation, as glmnet does by default; weights are reported on the scale of the data all the same"`
}

func (o Objective) ValidateObjective() error {
	return errors.Join(
		param.Require("c1", o.C1 >= 0 && elementary.IsFinite(o.C1), "%v, expected a number above 0, or 0 where c1_ratio counts; without a penalty separable labels have no finite optimum", o.C1),
		convex.RequireRatio("c1", o.C1, 0, o.Ratio),
		param.Require("c2", o.C2 >= 0 && elementary.IsFinite(o.C2), "%v, expected 0 or more", o.C2),
		param.OneOf("bias", o.Bias, string(logits.NoBias), string(logits.FreeBias), string(logits.PenalizedBias)),
	)
}

// Penalty returns that on a problem, where lambdaMax is the smallest C1 that selects nothing (Point.LambdaMax).
func (o Objective) Penalty(lambdaMax float64) logits.Penalty {
	return logits.Penalty{L1: convex.Path{}.Strength(o.C1, o.Ratio, lambdaMax), L2: o.C2}
}

// IsChosen reports whether inner folds choose the penalty.
func (o Objective) IsChosen() bool { return o.C1 == 0 && o.Ratio == 0 }

// Chosen returns the objective with the share of the largest C1 that inner folds choose where none is given. The minima of all engines are the
// same: proximal Newton finds those of the folds.
func (o Objective) Chosen(ctx context.Context, run engines.Run) (Objective, error) {
	if !o.IsChosen() {
		return o, nil
	}
	newton := L1Kind.Defaults().(L1)
	newton.Objective = o
	ratio, err := inner.Share(ctx, run, newton)
	o.Ratio = ratio
	return o, err
}
