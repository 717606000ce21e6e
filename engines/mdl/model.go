package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/sparse"
)

// model turns one linear score a target into the target's outputs.
type model struct {
	*engines.Linear // by target
	link            []link
	coefs           []engines.Coef // by output
	outputs         int
}

// link is what a target's score s means: itself, or the probability 1/(1+e^−s) of 1. Of classes there are two outputs, for
// 1 and what it leaves of 1.
type link struct{ logistic, class bool }

func (l link) outputs() int {
	if l.class {
		return 2
	}
	return 1
}

// Outputs follow the targets: one, or two of a class.
func (m *model) Outputs() int { return m.outputs }

// Coefs are those of the scores: of a class, its second level has them.
func (m *model) Coefs() []engines.Coef { return m.coefs }

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *model) Predict(dst []float64, in data.Inputs) {
	scores := make([]float64, in.Len()*len(m.link))
	m.Linear.Predict(scores, in)
	for i := range in.Len() {
		m.translate(dst[i*m.outputs:(i+1)*m.outputs], scores[i*len(m.link):])
	}
}

// Score fills dst with the outputs for one row.
func (m *model) Score(dst []float64, row sparse.Vec) {
	scores := make([]float64, len(m.link))
	m.Linear.Score(scores, row)
	m.translate(dst, scores)
}

func (m *model) translate(dst, scores []float64) {
	for t, l := range m.link {
		s, rest := scores[t], 1-scores[t]
		if l.logistic {
			s, rest = 1/(1+math.Exp(-s)), 1/(1+math.Exp(s))
		}
		if l.class {
			dst[0] = rest
			dst = dst[1:]
		}
		dst[0] = s
		dst = dst[1:]
	}
}

// output of the number or the second level of a target.
func (f *fitting) output(target int) int {
	out := 0
	for _, t := range f.targets[:target] {
		out += f.link(t).outputs()
	}
	return out + f.link(f.targets[target]).outputs() - 1
}

func (f *fitting) link(t *task) link {
	e := f.engine
	return link{class: t.class, logistic: e.Likelihood == logisticLoss || e.Refit == logisticLoss || e.Refit == refitAuto && t.class}
}

// model of all descriptions.
func (f *fitting) model() engines.Model {
	m := &model{}
	bias, coefs := make([]float64, len(f.targets)), []engines.Coef(nil)
	plain := true
	for _, t := range f.targets {
		l := f.link(t)
		m.link, m.outputs = append(m.link, l), m.outputs+l.outputs()
		plain = plain && l == link{}
	}
	for _, d := range f.done {
		coefs = append(coefs, d.coefs...)
		for k, t := range d.tasks {
			bias[t.number] = d.bias[k]
		}
	}
	m.Linear = engines.NewLinear(f.run.Train.Columns(), bias, coefs, f.report())
	if plain {
		return m.Linear
	}
	m.coefs = slices.Clone(m.Linear.Coefs())
	for k := range m.coefs {
		m.coefs[k].Output = f.output(m.coefs[k].Output)
	}
	return m
}

// estimate the weights of a task of a selection, and its intercept: those of the likelihood, or of a logistic regression on
// the same columns.
func (f *fitting) estimate(ctx context.Context, s *selection, k int) (w map[int32]float64, bias float64, err error) {
	t := s.tasks[k]
	if !f.link(t).logistic {
		w, bias = s.like.weights(k)
		return w, bias, nil
	}
	var fit *logit
	if l, ok := s.like.(*logistic); ok {
		fit = l.fits[k]
	} else {
		fit = s.refit(ctx, k)
	}
	if ctx.Err() != nil {
		return nil, 0, context.Cause(ctx)
	}
	if fit.separated() {
		f.note("target %s: its features separate the two classes; only the ridge keeps their weights finite", t.name)
	}
	w, bias = fit.weights(s.data)
	return w, bias, nil
}

// refit the columns of a task by logistic regression (spec 8.6).
func (s *selection) refit(ctx context.Context, k int) *logit {
	fit := &logit{y: s.tasks[k].y, w: []float64{0}}
	for _, p := range s.picks {
		if slices.Contains(p.tasks, int32(k)) {
			fit.columns, fit.w = append(fit.columns, p.column), append(fit.w, 0)
		}
	}
	if fit.rows = fit.byRow(s.data); fit.rows == nil {
		for _, j := range fit.columns {
			fit.z = append(fit.z, s.data.centred(j))
		}
	}
	fit.fit(ctx, s.data, s.engine.Ridge)
	return fit
}
