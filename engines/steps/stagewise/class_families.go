package stagewise

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/param"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/likelihood"
)

// logisticFamily is binary logistic regression, of a class target or of a real one that is 0 or 1.
type logisticFamily struct{}

func (logisticFamily) needs() engines.Needs { return engines.Needs{Target: data.Any, Levels: 2} }

func (logisticFamily) check(e Stagewise) error {
	return errors.Join(checkLikelihoodFamily(e), checkNoCutoff(e))
}

func (logisticFamily) footprint(rows, columns, entries int64) int64 {
	return 8*entries + 40*rows + 60*columns
}

func (logisticFamily) start(ctx context.Context, e Stagewise, run engines.Run) (path, error) {
	d, err := e.classDesign(ctx, run)
	if err != nil {
		return nil, err
	}
	info := run.Train.TargetInfo(0)
	train, err := likelihood.ReadBinary(run.Train)
	if err != nil {
		return nil, fmt.Errorf("training data: %w", err)
	}
	odds, err := train.LogOdds(info)
	if err != nil {
		return nil, err
	}
	second := make([]int32, len(d.Column))
	for k := range second {
		second[k] = 1
	}
	f := likelihood.Features{Design: d, TieRank: d.Column, Column: d.Column, Class: second, Gamma: d.Gammas()}
	l := &likelihood.Logistic{Conditional: likelihood.NewConditional(ctx, f, train, []float64{0, odds}), InterceptEvery: e.InterceptEvery}
	p := newLikelihoodPath(e, run, l)
	if err := p.watchHeldOut(run, l.Conditional, likelihood.ReadBinary); err != nil {
		return nil, err
	}
	columns, centring := len(d.Position), d.Centring
	p.newModel = func(b0 float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model {
		bias := centring.Intercepts([]float64{0, b0}, coefs)
		if info.Type == data.Class {
			return softmax.NewModel(columns, bias, coefs, fitted)
		}
		for k := range coefs {
			coefs[k].Output = 0
		}
		return engines.NewLinked(engines.NewLinear(columns, bias[1:], coefs, fitted), engines.Links{{Logistic: true}})
	}
	return p, p.initialize(ctx, run)
}

// loglinearFamily is the conditional log-linear model.
type loglinearFamily struct{}

func (loglinearFamily) needs() engines.Needs { return engines.Needs{Target: data.Class} }

func (loglinearFamily) check(e Stagewise) error {
	return errors.Join(checkLikelihoodFamily(e), checkNoInterceptEvery(e),
		param.Require("lookup", e.Lookup != "list", "lists name columns, and family loglinear has a weight for each column and class"))
}

// footprint guesses 16 classes and 8 pairs a column, since only the data tell. Pairs are at most as many as entries.
func (loglinearFamily) footprint(rows, columns, entries int64) int64 {
	return 8*entries + 8*16*rows + 60*min(entries, 8*columns)
}

func (loglinearFamily) start(ctx context.Context, e Stagewise, run engines.Run) (path, error) {
	d, train, err := e.loglinearData(ctx, run)
	if err != nil {
		return nil, err
	}
	return e.startPairs(ctx, run, d, train, likelihood.CooccurringPairs(ctx, d, train, e.Cutoff))
}

// classDesign returns the design for a class target: with numeric columns centred, unless scale is none.
func (e Stagewise) classDesign(ctx context.Context, run engines.Run) (*design.Design, error) {
	which := design.NumericColumns
	if e.Scale == "none" {
		which = design.NoColumns
	}
	return design.New(ctx, run.Train, e.uncentredScale(), which)
}

// loglinearData reads the training rows for family loglinear.
func (e Stagewise) loglinearData(ctx context.Context, run engines.Run) (*design.Design, likelihood.ClassProbabilities, error) {
	d, err := e.classDesign(ctx, run)
	if err != nil {
		return nil, likelihood.ClassProbabilities{}, err
	}
	train, err := likelihood.ReadClasses(run.Train)
	if err != nil {
		return nil, likelihood.ClassProbabilities{}, fmt.Errorf("training data: %w", err)
	}
	return d, train, nil
}

// startPairs starts a path over the given pairs. Of pairs that tie, the first in the list wins.
func (e Stagewise) startPairs(ctx context.Context, run engines.Run, d *design.Design, train likelihood.ClassProbabilities, pairs []loglinear.Feature) (path, error) {
	l := likelihood.NewConditional(ctx, likelihood.PairFeatures(d, pairs), train, make([]float64, train.Classes))
	p := newLikelihoodPath(e, run, l)
	if err := p.watchHeldOut(run, l, likelihood.ReadClasses); err != nil {
		return nil, err
	}
	columns, centring := len(d.Position), d.Centring
	p.newModel = func(_ float64, coefs []engines.Coef, fitted engines.Fitted) engines.Model {
		return softmax.NewModel(columns, centring.Intercepts(make([]float64, train.Classes), coefs), coefs, fitted)
	}
	return p, p.initialize(ctx, run)
}
