// Package mdl selects features by minimum description length: a feature enters the model if it saves more bits of the responses
// than it costs to describe (Dhillon, Foster & Ungar 2011; Dhillon 2009; docs/engines/mdl.md).
//
// The description length is S_E + S_M: a likelihood measures S_E, the bits of the responses given the model, and a code prices
// the features, which is S_M. A search decides which columns to try. The three know each other by interfaces only, and nearly
// all combine. The way through the files:
//
//   - a fit: mdl.go has the parameters and Fit, which runs one search for each problem (selection.go) of fitting.go, which
//     reads the targets; description.go keeps what remains of a search, model.go estimates the weights, report.go describes them
//   - searches: search.go has their table, and forward; stream.go and mixed.go the others. The model that they extend, and the
//     choice of its next feature, are in selection.go
//   - the codes are in package codes, the likelihoods in package likelihood
//
// As in the papers, a target is called a task. Engine forward-stepwise of package forward grows the same least squares without a code.
package mdl

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// MDL is the engine's parameters.
type MDL struct {
	Code         string  `yaml:"code" doc:"what features cost: aic, bic, ric (lg m bits), ric2 (lg m + 2), tpc and tpc-switch (class, feature in the class, coefficient), transfer-tpc (tpc with prices from models of other tasks of a family); several targets: mic-partial, mic-partial-logh, mic-full (the others take each target by itself)"`
	Search       string  `yaml:"search" doc:"forward: the best feature as long as one pays; mixed: beyond the best and back again; streamwise: every column once; alpha-investing: every column once, by p-values, without a code"`
	Likelihood   string  `yaml:"likelihood" doc:"bits of the responses: gaussian (classes as 0 and 1), or logistic, for classes of two levels"`
	Sigma        string  `yaml:"sigma" doc:"variance of the Gaussian noise: null (RSS/n of the model without the candidate), null_unbiased (RSS/(n−q−1)), own (of the model with it), initial (of the response), fixed (sigma2); mixed takes own"`
	Sigma2       float64 `yaml:"sigma2" doc:"with sigma fixed, the variance, > 0"`
	Covariance   string  `yaml:"covariance" doc:"noise between targets, with mic codes: diagonal (none), full, or shrunk (lambda times the diagonal, 1 − lambda times the full one)"`
	Lambda       float64 `yaml:"lambda" doc:"with covariance shrunk, the share of the diagonal, in [0, 1]"`
	DF           int     `yaml:"df" doc:"with sigma null, the variance is RSS/(n − df): 0, or 1 as in the authors' program"`
	Accept       string  `yaml:"accept" doc:"a feature must shorten the description: strict (as it is now), or carry (as it was before the noise was estimated anew at the last addition: the authors' program)"`
	MCost        string  `yaml:"m_cost" doc:"columns that the code counts: m (all given ones), or m+1 (the intercept too, as in the authors' program)"`
	CoefBits     float64 `yaml:"coef_bits" doc:"bits of the value of a coefficient, ≥ 0 (not with aic, bic, ric)"`
	ClassesTotal int     `yaml:"classes_total" doc:"classes that a three-part code counts; 0: those that have columns"`
	Top          int     `yaml:"top" doc:"columns looked at in detail, each time, where no bound proves which are worth it, that is with joint noise and the logistic likelihood: those that seem to save most in all targets together; 0: all"`
	MaxFeatures  int     `yaml:"max_features" doc:"features at most (with codes that take each target by itself, of each target); 0: no limit"`
	Patience     int     `yaml:"patience" doc:"with search mixed, features added without a new minimum before they are taken out again, ≥ 1"`
	Order        string  `yaml:"order" doc:"with search streamwise or alpha-investing, the order of columns: index, interleaved (by turns from each class), shuffled"`
	Wealth       float64 `yaml:"wealth" doc:"with search alpha-investing, the wealth at the start, and what a discovery earns, in (0, 1)"`
	Refit        string  `yaml:"refit" doc:"the model on the features selected: least-squares, logistic, or auto (logistic for classes)"`
	Ridge        float64 `yaml:"ridge" doc:"penalty on the slopes of logistic regressions, ½·ridge·‖w‖², > 0: without one, separable classes have no finite solution"`

	prior *codes.Prior // of code tpc, see WithPrior
}

// Values of the parameters.
const (
	gaussianLoss = "gaussian"
	logisticLoss = "logistic"

	diagonal   = "diagonal"
	fullMatrix = "full"
	shrunk     = "shrunk"

	acceptStrict = "strict"
	acceptCarry  = "carry"

	allColumns    = "m"
	withIntercept = "m+1"

	orderIndex       = "index"
	orderInterleaved = "interleaved"
	orderShuffled    = "shuffled"

	refitAuto    = "auto"
	refitSquares = "least-squares"
)

var defaults = MDL{
	Code: "ric2", Search: searchForward, Likelihood: gaussianLoss, Sigma: likelihood.SigmaNull, Covariance: diagonal, Lambda: 0.5,
	Accept: acceptStrict, MCost: allColumns, CoefBits: 2, Top: 75, Patience: 5, Order: orderIndex, Wealth: 0.5,
	Refit: refitAuto, Ridge: 1e-3,
}

// Kind is the engine mdl.
var Kind = engines.Define(engines.Kind{
	Name: "mdl",
	Doc:  "features that shorten the description of the responses: stepwise and streamwise, TPC, MIC",
	Cite: "Dhillon, Foster & Ungar 2011",
	Rev:  8,
}, defaults)

// Fit runs one search for all targets together, or one for each, as the code has it.
func (e MDL) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	f, err := e.newFitting(run)
	if err != nil {
		return nil, err
	}
	for _, p := range f.problems() {
		s, err := p.newSelection(ctx)
		if err != nil {
			return nil, err
		}
		f.traceStep(s, engines.Coef{Feature: -1})
		if err := searchNamed(e.Search).run(ctx, s); err != nil {
			return nil, err
		}
		if err := f.addDescription(ctx, s); err != nil {
			return nil, err
		}
	}
	return f.newModel(), nil
}

// Validate checks the parameters.
func (e MDL) Validate() error {
	code := e.chosenCode()
	correlated := e.Covariance == fullMatrix || e.Covariance == shrunk
	err := errors.Join(
		param.OneOf("code", e.Code, codes.Names()...),
		e.validatePrior(),
		param.OneOf("search", e.Search, searchNames()...),
		param.OneOf("likelihood", e.Likelihood, gaussianLoss, logisticLoss),
		param.OneOf("sigma", e.Sigma, likelihood.SigmaNull, likelihood.SigmaUnbiased, likelihood.SigmaOwn, likelihood.SigmaInitial, likelihood.SigmaFixed),
		param.Require("sigma2", e.Sigma2 >= 0 && elementary.IsFinite(e.Sigma2) && (e.Sigma2 > 0 || e.Sigma != likelihood.SigmaFixed), "%v: sigma fixed takes the variance from here, a positive number", e.Sigma2),
		param.OneOf("covariance", e.Covariance, diagonal, fullMatrix, shrunk),
		param.Require("covariance", !correlated || code.Together, "%s is about targets coded together, which code %s does not", e.Covariance, e.Code),
		param.Require("covariance", !correlated || e.Likelihood == gaussianLoss && e.Sigma == likelihood.SigmaNull && (e.Search == searchForward || e.Search == searchStreamwise),
			"%s goes with likelihood gaussian, sigma null, and search forward or streamwise", e.Covariance),
		param.Require("lambda", e.Lambda >= 0 && e.Lambda <= 1, "%v, expected a share from 0 to 1", e.Lambda),
		param.Require("df", e.DF == 0 || e.DF == 1, "%d, expected 0 or 1", e.DF),
		param.OneOf("accept", e.Accept, acceptStrict, acceptCarry),
		param.OneOf("m_cost", e.MCost, allColumns, withIntercept),
		param.Require("coef_bits", e.CoefBits >= 0 && elementary.IsFinite(e.CoefBits), "%v, expected 0 or more", e.CoefBits),
		param.Require("classes_total", e.ClassesTotal >= 0, "%d, expected 0 or more", e.ClassesTotal),
		param.Require("top", e.Top >= 0, "%d, expected 0 or more", e.Top),
		param.Require("max_features", e.MaxFeatures >= 0, "%d, expected 0 or more", e.MaxFeatures),
		param.Require("patience", e.Patience >= 1, "%d, expected at least 1", e.Patience),
		param.OneOf("order", e.Order, orderIndex, orderInterleaved, orderShuffled),
		param.Require("wealth", e.Wealth > 0 && e.Wealth < 1, "%v, expected a number between 0 and 1", e.Wealth),
		param.OneOf("refit", e.Refit, refitAuto, refitSquares, logisticLoss),
		param.Require("refit", e.Refit != refitSquares || e.Likelihood != logisticLoss, "%s: the logistic likelihood has its own model", e.Refit),
		param.Require("ridge", e.Ridge > 0 && elementary.IsFinite(e.Ridge), "%v, expected a positive number", e.Ridge),
	)
	if err != nil {
		return err
	}
	return e.validateIdle()
}

// chosenCode returns the code of the parameters, with the prior's prices if there is one.
func (e MDL) chosenCode() codes.Code {
	if e.prior != nil {
		return e.prior.Code()
	}
	c, _ := codes.Named(e.Code)
	return c
}

// WithPrior returns the engine with code tpc's prices as the prior has them: Transfer-TPC. The prior is no parameter, and has to
// enter keys by itself; it must not change any more.
func (e MDL) WithPrior(p codes.Prior) MDL {
	e.prior = &p
	return e
}

// Explain returns a table of what the codes charge for a feature, in bits, with the parameters as they are.
func (e MDL) Explain() string { return codes.Explain(e.CoefBits) }

// validatePrior returns an error unless the prior, if there is one, goes with the other parameters.
func (e MDL) validatePrior() error {
	if e.prior == nil {
		return nil
	}
	return errors.Join(
		param.Require("code", e.Code == codes.TPC, "%s: only tpc takes a prior", e.Code),
		e.prior.Transfer.Validate(),
	)
}

// validateIdle refuses values that the other parameters leave without effect. Defaults pass.
func (e MDL) validateIdle() error {
	code, priced, gauss := e.chosenCode(), e.Search != searchAlpha, e.Likelihood == gaussianLoss
	greedy, stream := e.Search == searchForward || e.Search == searchMixed, e.Search == searchStreamwise || e.Search == searchAlpha
	reestimated := gauss && e.Search != searchMixed && (e.Sigma == likelihood.SigmaNull || e.Sigma == likelihood.SigmaUnbiased) // noise, after each feature
	return errors.Join(
		param.Idle("code", e.Code, defaults.Code, priced, "search alpha-investing goes by p-values"),
		param.Idle("sigma", e.Sigma, defaults.Sigma, gauss, "likelihood logistic has no noise"),
		param.Idle("sigma", e.Sigma, defaults.Sigma, e.Sigma == likelihood.SigmaOwn || e.Search != searchMixed || !gauss, "search mixed takes own"),
		param.Idle("sigma2", e.Sigma2, defaults.Sigma2, e.Sigma == likelihood.SigmaFixed, "it is for sigma fixed"),
		param.Idle("lambda", e.Lambda, defaults.Lambda, e.Covariance == shrunk, "it is for covariance shrunk"),
		param.Idle("df", e.DF, defaults.DF, reestimated && e.Sigma == likelihood.SigmaNull, "it is for sigma null of likelihood gaussian, and search mixed takes own"),
		param.Idle("accept", e.Accept, defaults.Accept, reestimated && priced, "it is for searches forward and streamwise, and noise that is estimated anew: sigma null or null_unbiased of likelihood gaussian"),
		param.Idle("m_cost", e.MCost, defaults.MCost, priced && code.Columns, "it is for codes that count all columns: ric, ric2, mic"),
		param.Idle("coef_bits", e.CoefBits, defaults.CoefBits, priced && code.Values, "it is for codes with bits for values: all but aic, bic, ric"),
		param.Idle("classes_total", e.ClassesTotal, defaults.ClassesTotal, priced && code.Classes, "it is for codes that look at classes of columns: tpc, tpc-switch, transfer-tpc"),
		param.Idle("top", e.Top, defaults.Top, greedy && (e.Top == 0 || e.Covariance != diagonal || !gauss), "it is for searches forward and mixed, with covariance full or shrunk, or likelihood logistic: elsewhere all columns are looked at that may be the best"),
		param.Idle("patience", e.Patience, defaults.Patience, e.Search == searchMixed, "it is for search mixed"),
		param.Idle("order", e.Order, defaults.Order, stream, "it is for searches streamwise and alpha-investing"),
		param.Idle("wealth", e.Wealth, defaults.Wealth, e.Search == searchAlpha, "it is for search alpha-investing"),
		param.Idle("ridge", e.Ridge, defaults.Ridge, !gauss || e.Refit != refitSquares, "it is for logistic regressions, and refit is least-squares"),
	)
}

// Needs returns any targets, real or classes of two levels, for logistic regressions classes; classes of features where the code
// or the order looks at them.
func (e MDL) Needs() engines.Needs {
	code, target := e.chosenCode(), data.Any
	if e.Likelihood == logisticLoss || e.Refit == logisticLoss {
		target = data.Class
	}
	return engines.Needs{
		Target: target, Levels: 2, Tasks: true, FeatureClasses: code.Classes || e.Order == orderInterleaved, Entry: e.Search == searchForward,
	}
}

// Footprint returns the memory of a fit of one target: the columns laid out, some vectors of columns, and those of rows that features
// in the model keep. Every further target takes two vectors of columns more.
func (e MDL) Footprint(s engines.Shape) engines.Footprint {
	const likelyFeatures = 64
	return engines.Footprint{Bytes: 12*s.Entries + 80*int64(s.Columns) + 8*likelyFeatures*int64(s.Rows)}
}
