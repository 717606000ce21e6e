package stagewise

import (
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
)

// report tells of a step. Whole, because squared errors cannot be followed along a path of log-weights.
func (w *likelihoodPath) report(moved engines.Coef, best bool) {
	if w.trace == nil {
		return
	}
	step := engines.Step{
		Iter: w.iteration, TrainError: -w.logLikelihood / w.n, Active: w.nonzero, Changed: moved, Bias: w.likelihood.intercept(), Whole: true,
		Evaluations: w.evaluated, Best: best, Reset: w.isRefit && w.iteration == 0,
	}
	if moved.Feature >= 0 {
		step.Parameter, step.ParameterValue = "epsilon", w.e.Epsilon
	}
	w.trace(step)
}

// model rebuilds the best point of the path by replay.
func (w *likelihoodPath) model(fitted engines.Fitted) engines.Model {
	q := make([]float64, len(w.stepCounts))
	w.path.replay(w.best.steps, func(k int, amount float64) { q[k] += amount })
	weights, s := w.unscale(make([]float64, len(q)), q), w.likelihood.gradientState()
	coefs := make([]engines.Coef, 0, w.best.entered)
	for rank, in := range w.entered[:w.best.entered] {
		coefs = append(coefs, engines.Coef{Feature: int(s.column[in.k]), Output: s.classOf(in.k), Value: weights[in.k], Rank: rank, Score: in.c})
	}
	return w.newModel(w.best.bias, coefs, fitted)
}

func (w *likelihoodPath) release() {
	w.likelihood, w.heldOut, w.lookup, w.newModel = nil, nil, nil, nil
}

func (w *likelihoodPath) facts() []data.Fact {
	s := w.likelihood.gradientState()
	facts := append(w.columnFacts(s.d), w.pathFacts()...)
	facts = append(facts,
		data.Fact{Name: "features", Value: fmt.Sprint(len(s.column))},
		data.Fact{Name: "log-likelihood", Value: formatNumber(-w.best.loss)},
		data.Fact{Name: "log-likelihood at the start", Value: formatNumber(w.initialLogLikelihood)},
		data.Fact{Name: "gradient norm at the end of the path", Value: formatNumber(s.norm())},
		data.Fact{Name: "largest slope at the end of the path", Value: formatNumber(s.maxAbs(0, len(w.stepCounts)))},
		data.Fact{Name: "distinct features looked at", Value: fmt.Sprint(w.lookup.distinctSeen())})
	if t, ok := w.lookup.(*increaseSearch); ok {
		facts = append(facts, data.Fact{Name: "rises computed", Value: fmt.Sprint(t.evaluated)})
	}
	facts = append(facts, s.blocks.facts()...)
	return append(facts, data.Fact{Name: "largest drift of a slope", Value: fmt.Sprintf("%.3g", w.drift)})
}

func (w *likelihoodPath) heldFacts(part string) []data.Fact {
	if !w.hasHeldOut {
		return nil
	}
	return []data.Fact{
		{Name: part + " log-likelihood of a row at the start", Value: formatNumber(-w.initialError)},
		{Name: "best " + part + " log-likelihood of a row", Value: fmt.Sprintf("%s at turn %d", formatNumber(-w.best.error), w.best.turn)},
	}
}

func (w *likelihoodPath) notes() []string {
	if w.note == "" {
		return nil
	}
	return []string{w.note}
}
