// Package maxent selects features of maximum-entropy models and estimates them.
//
// Features are pairs of a context (a column) and a class. Incremental feature selection adds, at every stage, the one that
// gains most likelihood while the others keep their weights; selective gain computation (Zhou, Weng, Wu and Schmidt, "A
// fast algorithm for feature selection in conditional maximum entropy modeling", 2003) looks at a few candidates where
// that looks at all, and with proved bounds still takes the same ones.
package maxent

import (
	"context"
	"errors"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/entropy"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/param"
)

// Candidates says which features there are.
type Candidates struct {
	Cutoff int  `yaml:"cutoff" doc:"features are the pairs of column and class seen together in this many training rows, ≥ 1"`
	Bias   bool `yaml:"bias" doc:"classes have biases: features of a column that every row has; ifs and sgc choose and count them like the others, count and maxent take all of them beside the others"`
}

func (c Candidates) validateCandidates() error {
	return param.Require("cutoff", c.Cutoff >= 1, "%d, expected at least 1", c.Cutoff)
}

// readProblem reads the problem and its candidates.
func (c Candidates) readProblem(ctx context.Context, run engines.Run) (*loglinear.Problem, []loglinear.Candidate, error) {
	p, err := entropy.Read(ctx, run.Train)
	if err != nil {
		return nil, nil, err
	}
	cands, err := p.Candidates(ctx, float64(c.Cutoff), c.Bias)
	return p, cands, err
}

// Estimation says how all weights of a model are found together.
type Estimation struct {
	RefitVariance float64 `yaml:"refit_variance" doc:"variance of the Gaussian prior on every weight when they are estimated together, > 0"`
	RefitTol      float64 `yaml:"refit_tol" doc:"an estimation ends when no component of its gradient is above this times max(1, rows/1000), or when its objective is certainly within the square of that, as a share, of its minimum, > 0"`
	RefitIter     int     `yaml:"refit_iter" doc:"iterations of an estimation at most, ≥ 1"`
}

func (e Estimation) validateEstimation() error {
	return errors.Join(
		param.Require("refit_variance", e.RefitVariance > 0 && !math.IsInf(e.RefitVariance, 0), "%v, expected a positive number", e.RefitVariance),
		param.Require("refit_tol", e.RefitTol > 0 && !math.IsInf(e.RefitTol, 0), "%v, expected a positive number", e.RefitTol),
		param.Require("refit_iter", e.RefitIter >= 1, "%d, expected at least 1", e.RefitIter),
	)
}

func (e Estimation) estimateWeights(ctx context.Context, run engines.Run, p *loglinear.Problem, fs []loglinear.Candidate, w []float64) (loglinear.Estimate, error) {
	return p.Estimate(ctx, fs, w, loglinear.Prior{Variance: e.RefitVariance}, e.RefitTol, e.RefitIter, run.Workers)
}

// Selection is the parameters that ifs and sgc share.
type Selection struct {
	Features      int     `yaml:"features" simpler:"smaller" doc:"features to select, ≥ 0"`
	MinGain       float64 `yaml:"min_gain" doc:"stop when no candidate gains more log-likelihood than this, in nats over all training rows, ≥ 0"`
	AlphaMax      float64 `yaml:"alpha_max" doc:"largest absolute weight that a feature is added with, in (0, 100]"`
	PriorVariance float64 `yaml:"prior_variance" doc:"variance of a Gaussian prior in the gain, ≥ 0; 0: none"`
	RefitEvery    int     `yaml:"refit_every" doc:"selections after which all weights are estimated again, ≥ 0; 0: never"`
	FinalRefit    bool    `yaml:"final_refit" doc:"estimate all weights together at the end"`
	Candidates    `yaml:",inline"`
	Estimation    `yaml:",inline"`
}

// defaults of ifs and sgc.
var defaults = Selection{
	Features: 1000, AlphaMax: 10, FinalRefit: true,
	Candidates: Candidates{Cutoff: 5, Bias: true}, Estimation: estimation,
}

var estimation = Estimation{RefitVariance: 1, RefitTol: 1e-6, RefitIter: 5000}

// Validate checks the parameters.
func (e Selection) Validate() error {
	return errors.Join(
		param.Require("features", e.Features >= 0, "%d, expected 0 or more", e.Features),
		param.Require("min_gain", e.MinGain >= 0 && !math.IsInf(e.MinGain, 0), "%v, expected 0 or more", e.MinGain),
		param.Require("alpha_max", e.AlphaMax > 0 && e.AlphaMax <= 100, "%v, expected a number above 0, up to 100", e.AlphaMax),
		param.Require("prior_variance", e.PriorVariance >= 0 && !math.IsInf(e.PriorVariance, 0), "%v, expected 0 or more", e.PriorVariance),
		param.Require("refit_every", e.RefitEvery >= 0, "%d, expected 0 or more", e.RefitEvery),
		e.Candidates.validateCandidates(), e.Estimation.validateEstimation(),
	)
}

// Needs returns one class target, and columns that hold or do not hold.
func (Selection) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Binary: true, Sizes: engines.Sizes{Limit: "features", Refit: "final_refit", Coefficients: true}, Entry: true}
}

// likelyClasses stands in for the number of classes where only rows and columns are known.
const likelyClasses = 32

// Footprint returns the memory of a fit: distinct rows by row and by column, the probabilities of 32 classes in every row,
// candidates, of which a column has up to as many as classes, and the weights of those selected.
func (e Selection) Footprint(s engines.Shape) engines.Footprint {
	problem, candidates := e.Candidates.problemBytes(s)
	return engines.Footprint{Bytes: problem + loglinear.Bytes(s.Rows, likelyClasses) + 100*candidates + perWeight*min(int64(e.Features), candidates)}
}

// perWeight is the bytes of a weight that is estimated: the gradients of blocks, the memory of L-BFGS, other vectors.
const perWeight = 8 * (8 + 2*loglinear.Memory + 8)

// problemBytes returns the memory of the problem, and how many candidates there may be.
func (c Candidates) problemBytes(s engines.Shape) (problem, candidates int64) {
	return 12*s.Entries + 32*int64(s.Rows), min(s.Entries/int64(c.Cutoff), likelyClasses*int64(s.Columns))
}

func (e Selection) gainLimits() loglinear.Limits {
	return loglinear.Limits{Bound: e.AlphaMax, Variance: e.PriorVariance}
}

// selectAndEstimate selects with the chooser that choose makes, and estimates.
func (e Selection) selectAndEstimate(ctx context.Context, run engines.Run, choose func(*selection) chooser) (engines.Model, error) {
	p, cands, err := e.readProblem(ctx, run)
	if err != nil {
		return nil, err
	}
	state, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	s := &selection{p: p, state: state, cands: cands}
	by := choose(s)
	if err := e.growModel(ctx, run, s, by); err != nil {
		return nil, err
	}
	if n := len(run.At); n > 0 && run.At[n-1] == len(s.picks) && s.stop == "selected" {
		return s.kept, nil
	}
	return e.estimateModel(ctx, run, s, by.evaluated())
}

// estimateModel estimates the model of the features picked so far. The selection keeps its own weights.
func (e Selection) estimateModel(ctx context.Context, run engines.Run, s *selection, evaluated int64) (engines.Model, error) {
	r := reporter{run: run, p: s.p}
	r.addSelection(s, evaluated)
	w := slices.Clone(s.weight)
	if e.FinalRefit {
		done, err := e.estimateWeights(ctx, run, s.p, s.features(), w)
		if err != nil {
			return nil, err
		}
		r.addEstimation(done)
	}
	coefs := make([]engines.Coef, len(s.picks))
	for k, pick := range s.picks {
		f := s.cands[pick.k]
		coefs[k] = engines.Coef{Feature: int(f.Column), Output: int(f.Class), Value: w[k], Rank: k, Score: pick.gain}
	}
	return r.newModel(coefs), nil
}
