// Package bayes selects features of maximum-entropy models by approximate Bayes factors: H. Daumé III, "Approximate Bayes
// factors for feature selection" (2004), with its errata put right (docs/engines/bayes-factor.md#source-and-errata).
package bayes

import (
	"context"
	"errors"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/entropy"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/param"
)

// Bayes is the engine's parameters.
//
// A model is p(y|x) ∝ exp(b_y + Σ w_gc x_g [c = y]) over a set of pairs (column g, class c), with Gaussian priors on weights
// and biases. A round estimates the model, proposes pairs from the rows that it gets wrong, and adds those of largest
// evidence while that rises. The evidence of one more pair is Laplace's approximation around the weight μ that is best for
// it with all others fixed,
//
//	β_g = T + log p(D|λ⁰, μ_Cur, μ_g) + log N(μ_g; 0, σ²) + ½ log 2π − ½ log(a_g + 1/σ²) + log π(M_g)/π(M_0),
//
// where a_g = Σ m x² q(1−q) is the curvature of the log-likelihood there and T the terms of the pairs already added in the
// round. β is compared with β_0, at first log p(D|λ⁰): their difference is the logarithm of a Bayes factor.
type Bayes struct {
	Variant        string  `yaml:"variant" doc:"evidence: corrected, or as the paper prints it, for reproduction"`
	LaplaceSign    string  `yaml:"laplace_sign" doc:"½ log of the curvature: corrected (subtracted) or printed (added); empty: as the variant"`
	CurvaturePrior string  `yaml:"curvature_prior" doc:"the prior's part of the curvature: corrected (there) or printed (left out); empty: as the variant"`
	Carry          string  `yaml:"carry" doc:"terms of pairs added before in a round: corrected (carried) or printed (dropped); empty: as the variant"`
	LimitInclusive string  `yaml:"limit_inclusive" doc:"pairs in a round: corrected (per_round) or printed (per_round + 1); empty: as the variant"`
	PerRound       int     `yaml:"per_round" doc:"pairs that a round adds at most, before all weights are estimated again, ≥ 1"`
	MaxRounds      int     `yaml:"max_rounds" resource:"yes" doc:"rounds at most, ≥ 1"`
	MaxActive      int     `yaml:"max_active" doc:"pairs at most, ≥ 0"`
	MaxProposals   int     `yaml:"max_proposals" doc:"proposals that a round looks at: those that most misclassified rows make, ≥ 0; 0: all"`
	PriorVariance  float64 `yaml:"prior_variance" doc:"variance of the Gaussian prior on a weight, σ², > 0"`
	BiasVariance   float64 `yaml:"bias_variance" doc:"variance of the Gaussian prior on a class's bias, > 0"`
	ModelPrior     string  `yaml:"model_prior" doc:"prior of a set of pairs: uniform, or geometric in its size"`
	Odds           float64 `yaml:"odds" doc:"with model_prior geometric, the prior odds of each further pair, > 0"`
	RefitTol       float64 `yaml:"refit_tol" doc:"an estimation ends when no component of its gradient is above this times max(1, rows/1000), or when its objective is certainly within the square of that, as a share, of its minimum, > 0"`
	RefitIter      int     `yaml:"refit_iter" doc:"iterations of an estimation at most, ≥ 1"`
}

// Words of the variant and its switches, and of the model prior.
const (
	corrected = "corrected"
	printed   = "printed"
	uniform   = "uniform"
	geometric = "geometric"
)

// Kind is the engine bayes-factor.
var Kind = engines.Define(engines.Kind{
	Name: "bayes-factor",
	Doc:  "maximum entropy, features added while their approximate Bayes factors say so",
	Cite: "Daumé 2004",
	Rev:  2,
}, Bayes{
	Variant: corrected, PerRound: 50, MaxRounds: 100, MaxActive: 10_000, PriorVariance: 1, BiasVariance: 100,
	ModelPrior: uniform, Odds: 1, RefitTol: 1e-6, RefitIter: 5000,
})

// Validate checks the parameters.
func (e Bayes) Validate() error {
	return errors.Join(
		param.OneOf("variant", e.Variant, corrected, printed),
		param.OneOf("laplace_sign", e.LaplaceSign, "", corrected, printed),
		param.OneOf("curvature_prior", e.CurvaturePrior, "", corrected, printed),
		param.OneOf("carry", e.Carry, "", corrected, printed),
		param.OneOf("limit_inclusive", e.LimitInclusive, "", corrected, printed),
		param.Require("per_round", e.PerRound >= 1, "%d, expected at least 1", e.PerRound),
		param.Require("max_rounds", e.MaxRounds >= 1, "%d, expected at least 1", e.MaxRounds),
		param.Require("max_active", e.MaxActive >= 0, "%d, expected 0 or more", e.MaxActive),
		param.Require("max_proposals", e.MaxProposals >= 0, "%d, expected 0 or more", e.MaxProposals),
		param.Require("prior_variance", isPositive(e.PriorVariance), "%v, expected a positive number", e.PriorVariance),
		param.Require("bias_variance", isPositive(e.BiasVariance), "%v, expected a positive number", e.BiasVariance),
		param.OneOf("model_prior", e.ModelPrior, uniform, geometric),
		param.Require("odds", isPositive(e.Odds), "%v, expected a positive number", e.Odds),
		param.Require("odds", e.ModelPrior == geometric || e.Odds == 1 || !isPositive(e.Odds), "%v means nothing without model_prior geometric", e.Odds),
		param.Require("refit_tol", isPositive(e.RefitTol), "%v, expected a positive number", e.RefitTol),
		param.Require("refit_iter", e.RefitIter >= 1, "%d, expected at least 1", e.RefitIter),
	)
}

func isPositive(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// Needs one class target.
func (Bayes) Needs() engines.Needs { return engines.Needs{Target: data.Class} }

// likelyClasses stands in for the number of classes where only rows and columns are known.
const likelyClasses = 32

// Footprint returns the memory of a fit: distinct rows by row and by column, the probabilities of 32 classes in every row,
// proposals, and the weights that are estimated, with the memory of L-BFGS.
func (e Bayes) Footprint(s engines.Shape) engines.Footprint {
	const perProposal, perWeight = 100, 8 * (8 + 2*loglinear.Memory + 8)
	proposals := min(2*s.Entries, likelyClasses*int64(s.Columns))
	return engines.Footprint{Bytes: 12*s.Entries + 48*int64(s.Rows) + 2*loglinear.Bytes(s.Rows, likelyClasses) +
		perProposal*proposals + perWeight*min(int64(e.MaxActive), proposals)}
}

// Fit adds pairs, round by round. A round is O(estimation + Σ over proposals of the groups of rows that differ + pairs added · nnz).
func (e Bayes) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	p, err := entropy.Read(ctx, run.Train)
	if err != nil {
		return nil, err
	}
	s := e.newSelection(p, run)
	for s.stop == "" {
		r, err := s.beginRound(ctx)
		if err == nil && s.stop == "" {
			err = s.growModel(ctx, r)
		}
		if err != nil {
			return nil, err
		}
	}
	return s.newModel(), nil
}

// asPrinted reports whether a switch is as in the paper.
func (e Bayes) asPrinted(variant string) bool {
	if variant == "" {
		variant = e.Variant
	}
	return variant == printed
}

// perRound returns how many pairs a round adds at most.
func (e Bayes) perRound() int {
	if e.asPrinted(e.LimitInclusive) { // Figure 1, |Current| ≤ S
		return e.PerRound + 1
	}
	return e.PerRound
}
