package mdl

import (
	"context"
	"slices"

	"tenfold/engines"
	"tenfold/engines/coding/likelihood"
)

// linkOf returns the link of a target: whether its score is a number, a level coded 0 and 1, or log odds.
func (f *fitting) linkOf(t *task) engines.Link {
	e := f.engine
	return engines.Link{Class: t.class, Logistic: e.Likelihood == logisticLoss || e.Refit == logisticLoss || e.Refit == refitAuto && t.class}
}

func (f *fitting) links() engines.Links {
	links := make(engines.Links, len(f.targets))
	for k, t := range f.targets {
		links[k] = f.linkOf(t)
	}
	return links
}

// outputOf returns the model's output for a target: the number, or the score of the second level.
func (f *fitting) outputOf(target int) int { return f.links().Output(target) }

// newModel returns the model of all descriptions.
func (f *fitting) newModel() engines.Model {
	bias, coefs := make([]float64, len(f.targets)), []engines.Coef(nil)
	for _, d := range f.descriptions {
		coefs = append(coefs, d.coefs...)
		for k, t := range d.tasks {
			bias[t.number] = d.bias[k]
		}
	}
	return engines.NewLinked(engines.NewLinear(f.run.Train.Columns(), bias, coefs, f.newFitted()), f.links())
}

// estimateWeights returns the weights of a task of a selection, and its intercept: those of the likelihood, or of a logistic regression on
// the same columns.
func (f *fitting) estimateWeights(ctx context.Context, s *selection, k int) (w map[int32]float64, bias float64, err error) {
	t := s.tasks[k]
	if !f.linkOf(t).Logistic {
		w, bias = s.like.Weights(k)
		return w, bias, nil
	}
	var fit *likelihood.Regression
	if l, ok := s.like.(*likelihood.Logistic); ok {
		fit = l.Fits[k]
	} else {
		fit = likelihood.FitRegression(ctx, s.data, t.y, s.columns(k), f.engine.Ridge)
	}
	if ctx.Err() != nil {
		return nil, 0, context.Cause(ctx)
	}
	if fit.IsSeparated() {
		f.addNote("target %s: its features separate the two classes; only the ridge keeps their weights finite", t.name)
	}
	w, bias = fit.Weights(s.data)
	return w, bias, nil
}

// columns returns those of the features that a task has, in order of entry.
func (s *selection) columns(k int) (columns []int32) {
	for _, p := range s.picks {
		if slices.Contains(p.tasks, int32(k)) {
			columns = append(columns, p.column)
		}
	}
	return columns
}
