// Package linear fits support vector machines that are linear in the columns, on rows by the hundred thousand: for bounds C_i, c times the weight
// of row i, the minimum of
//
//	½‖w‖² + Σ_i C_i·max(0, 1 − y_i·(w·x_i + b))      (or of the squares of the losses)
//
// of two classes ±1, by dual coordinate descent (Hsieh, Chang, Lin, Keerthi & Sundararajan 2008) and, for squares, Newton steps. More classes than
// two are problems of two, or one of all (Crammer & Singer 2001).
package linear

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// SVM is a linear support vector classifier.
type SVM struct {
	C       float64 `yaml:"c" simpler:"smaller" rows:"over" doc:"weight of the sum (not the mean) of losses beside half the sum of squared weights, > 0"`
	Loss    string  `yaml:"loss" doc:"of the margin z: hinge, max(0, 1 − z); or squared-hinge, its square"`
	Bias    string  `yaml:"bias" doc:"a column of ones: none, free (not penalised), penalized (as every weight), auto (free, and with crammer-singer penalized)"`
	Scheme  string  `yaml:"scheme" doc:"of more than two levels: one-vs-rest (a problem of two sides for each), or crammer-singer (one problem, whose loss is max(0, 1 − score of the own level + the largest of the others); for loss hinge, without a free bias)"`
	Tol     float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of max(1, objective), in each problem, > 0"`
	MaxIter int     `yaml:"max_iter" doc:"passes over the rows, and Newton steps, at most, in each problem"`
}

// Kind is the engine linear-svm.
var Kind = engines.Define(engines.Kind{
	Name: "linear-svm",
	Doc:  "linear support vector classifier for many rows, by dual coordinate descent and Newton steps, with a duality gap as its certificate",
	Cite: "Hsieh, Chang, Lin, Keerthi & Sundararajan 2008",
	Rev:  7,
}, SVM{C: 1, Loss: hinge, Bias: autoBias, Scheme: oneVsRest, Tol: 1e-4, MaxIter: 2000})

// Words of the parameters.
const (
	hinge         = "hinge"
	squaredHinge  = "squared-hinge"
	noBias        = "none"
	freeBias      = "free"
	penalizedBias = "penalized"
	autoBias      = "auto"
	oneVsRest     = "one-vs-rest"
	crammerSinger = "crammer-singer"
)

// Validate checks the parameters.
func (e SVM) Validate() error {
	return errors.Join(
		param.Require("c", e.C > 0 && elementary.IsFinite(e.C), "%v, expected a number above 0", e.C),
		param.OneOf("loss", e.Loss, hinge, squaredHinge),
		param.OneOf("bias", e.Bias, autoBias, noBias, freeBias, penalizedBias),
		param.OneOf("scheme", e.Scheme, oneVsRest, crammerSinger),
		param.Require("loss", e.Scheme != crammerSinger || e.Loss != squaredHinge, "squared-hinge: scheme crammer-singer has loss hinge alone"),
		param.Require("bias", e.Scheme != crammerSinger || e.Bias != freeBias, "free: scheme crammer-singer has none, or penalized"),
		param.Require("tol", e.Tol > 0 && elementary.IsFinite(e.Tol), "%v, expected a number above 0", e.Tol),
		param.Require("max_iter", e.MaxIter > 0, "%v, expected 1 or more", e.MaxIter),
	)
}

// bias returns how the model treats its bias: b, or what the scheme makes of auto.
func (e SVM) bias() string {
	switch {
	case e.Bias != autoBias:
		return e.Bias
	case e.Scheme == crammerSinger:
		return penalizedBias
	}
	return freeBias
}

// Needs returns what the engine asks of data: one class target.
func (SVM) Needs() engines.Needs { return engines.Needs{Target: data.Class, Keeps: true} }

// Footprint returns the memory of a fit: what descent and Newton steps keep of rows and columns, with the layout of the columns of most
// entries; or the dual variables and the weights of all levels.
func (e SVM) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	rows, columns, levels := int64(s.Rows), int64(s.Columns), int64(max(1, s.Levels))
	bytes := 160*rows + 12*s.Entries + 8*16*columns + 8<<20
	if levels > 2 { // a path keeps what descent knows of each
		bytes += (64*rows + 8*columns) * levels
	}
	if e.Scheme == crammerSinger {
		bytes = 8*(rows+4*columns)*levels + 64*rows
	}
	return engines.Footprint{Bytes: filled + bytes + 24*columns*levels + s.CenteredBytes(false) + s.RotatedBytes()} // the model
}

// Fit solves a problem for every level, or one for all, on up to run.Workers goroutines. A pass is O(entries), and with crammer-singer
// O(entries · levels).
func (e SVM) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	set, err := readTrainingSet(run.Train)
	if err != nil {
		return nil, err
	}
	if err := set.prepare(ctx, e.bias(), run.Workers); err != nil {
		return nil, err
	}
	weights, fitted, err := e.newProblems(set, run.Workers).solve(ctx, false)
	if err != nil {
		return nil, err
	}
	return set.newModel(weights, fitted), nil
}

// problems are all that a scheme makes of the levels.
type problems interface {
	// solve them; keep is for what makes another c quicker. weights are by level, with the bias last where there is one.
	solve(ctx context.Context, keep bool) (weights map[int][]float64, fitted engines.Fitted, err error)
	// scale c.
	scale(by float64)
}

func (e SVM) newProblems(s *trainingSet, workers int) problems {
	if e.Scheme == crammerSinger {
		return e.newCrammerSingerProblem(s)
	}
	return e.newOneVsRestProblems(s, workers)
}
