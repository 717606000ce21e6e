package stagewise

import (
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
)

// report tells of a step. Whole, because squared errors cannot be followed along a path of log-weights.
func (w *ascent) report(moved engines.Coef, best bool) {
	if w.trace == nil {
		return
	}
	step := engines.Step{
		Iter: w.turn, TrainError: -w.level / w.n, Active: w.nonzero, Changed: moved, Bias: w.l.intercept(), Whole: true,
		Evaluations: w.evaluated, Best: best, Reset: w.refit && w.turn == 0,
	}
	if moved.Feature >= 0 {
		step.Parameter, step.ParameterValue = "epsilon", w.e.Epsilon
	}
	w.trace(step)
}

// model rebuilds the best point of the path by replay.
func (w *ascent) model(fitted engines.Fitted) engines.Model {
	q := make([]float64, len(w.q))
	w.path.replay(w.best.steps, func(k int, amount float64) { q[k] += amount })
	weights, s := w.lambda(make([]float64, len(q)), q), w.l.gradient()
	coefs := make([]engines.Coef, 0, w.best.entered)
	for rank, in := range w.entries[:w.best.entered] {
		coefs = append(coefs, engines.Coef{Feature: int(s.column[in.k]), Output: s.classOf(in.k), Value: weights[in.k], Rank: rank, Score: in.c})
	}
	return w.finish(w.best.bias, coefs, fitted)
}

func (w *ascent) release() { w.l, w.held, w.look, w.finish = nil, nil, nil, nil }

func (w *ascent) facts() []data.Fact {
	s := w.l.gradient()
	facts := append(w.columnFacts(s.d), w.pathFacts()...)
	facts = append(facts,
		data.Fact{Name: "features", Value: fmt.Sprint(len(s.column))},
		data.Fact{Name: "log-likelihood", Value: number(-w.best.loss)},
		data.Fact{Name: "log-likelihood at the start", Value: number(w.start)},
		data.Fact{Name: "gradient norm at the end of the path", Value: number(s.norm())},
		data.Fact{Name: "largest slope at the end of the path", Value: number(s.largest(0, len(w.q)))},
		data.Fact{Name: "distinct features looked at", Value: fmt.Sprint(w.look.seen())})
	if t, ok := w.look.(*trials); ok {
		facts = append(facts, data.Fact{Name: "rises computed", Value: fmt.Sprint(t.tried)})
	}
	facts = append(facts, s.blocks.facts()...)
	return append(facts, data.Fact{Name: "largest drift of a slope", Value: fmt.Sprintf("%.3g", w.drift)})
}

func (w *ascent) heldFacts(part string) []data.Fact {
	if !w.watched {
		return nil
	}
	return []data.Fact{
		{Name: part + " log-likelihood of a row at the start", Value: number(-w.initial)},
		{Name: "best " + part + " log-likelihood of a row", Value: fmt.Sprintf("%s at turn %d", number(-w.best.error), w.best.turn)},
	}
}

func (w *ascent) notes() []string {
	if w.warning == "" {
		return nil
	}
	return []string{w.warning}
}
