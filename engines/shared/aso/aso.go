// Package aso learns several tasks together through what their predictors have in common: alternating structure optimization.
package aso

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// AndoZhang is alternating structure optimization. Task t is predicted by (w_t + Θ'v_t)·x + b_t, where the rows of Θ, which are
// orthonormal, span what the tasks share. It is looked for by turns (Ando and Zhang, "A framework for learning predictive
// structures from multiple tasks and unlabeled data", 2005, section 3), from Θ = 0:
//
//	for every t   minimise (1/n)·Σ_i loss(y_it, (w_t + Θ'v_t)·x_i + b_t) + λ‖w_t‖²   over w_t, v_t, b_t;   u_t = w_t + Θ'v_t
//	Θ             the first d left singular vectors of [√λ·u_1 … √λ·u_T]
//
// The predictors are those of the last Θ.
type AndoZhang struct {
	Dimensions  int     `yaml:"d" doc:"dimensions of what the tasks share, ≥ 1; more than there are tasks mean as many"`
	Lambda      float64 `yaml:"lambda" simpler:"larger" doc:"weight of the squared norm of what a task has for itself, beside the mean loss, > 0"`
	Ridge       float64 `yaml:"ridge" doc:"weight of the squared norm of a task's coordinates in what is shared, beside the mean loss, ≥ 0; the method has none, but where the shared part alone separates classes, logistic weights are finite only with some"`
	Rounds      int     `yaml:"rounds" resource:"yes" doc:"times that the shared part is estimated, ≥ 1"`
	Loss        string  `yaml:"loss" doc:"auto (logistic for classes, squared for numbers), squared (classes as 0 and 1), logistic, or huber (modified Huber's, for classes, as published)"`
	Standardize bool    `yaml:"standardize" doc:"divide columns by their standard deviation; coefficients are reported on the scale of the data all the same"`
	Tol         float64 `yaml:"tol" doc:"a minimum is where no slope of the objective exceeds this share of the largest at the start, in (0, 1)"`
	MaxIter     int     `yaml:"max_iter" doc:"quasi-Newton steps at most, for each task and round, ≥ 1"`
}

// Kind is the engine ando-zhang.
var Kind = engines.Define(engines.Kind{
	Name: "ando-zhang",
	Doc:  "alternating structure optimization: several targets whose linear predictors share a low-dimensional subspace",
	Cite: "Ando & Zhang 2005",
	Rev:  5,
}, AndoZhang{Dimensions: 5, Lambda: 1, Ridge: 0.1, Rounds: 3, Loss: response.Auto, Standardize: true, Tol: 1e-5, MaxIter: 2000})

// huber is the word for the published loss.
const huber = "huber"

// Validate checks the parameters.
func (e AndoZhang) Validate() error {
	return errors.Join(
		param.Require("d", e.Dimensions >= 1, "%v, expected 1 or more", e.Dimensions),
		param.Require("lambda", e.Lambda > 0 && elementary.IsFinite(e.Lambda), "%v, expected a number above 0", e.Lambda),
		param.Require("ridge", e.Ridge >= 0 && elementary.IsFinite(e.Ridge), "%v, expected 0 or more", e.Ridge),
		param.Require("rounds", e.Rounds >= 1, "%v, expected 1 or more", e.Rounds),
		param.OneOf("loss", e.Loss, response.Auto, response.Squared, response.Logistic, huber),
		param.Require("tol", e.Tol > 0 && e.Tol < 1, "%v, expected a number between 0 and 1", e.Tol),
		param.Require("max_iter", e.MaxIter >= 1, "%v, expected 1 or more", e.MaxIter),
	)
}

// Needs returns what the engine asks of data: targets on the same rows, numbers or classes of two levels.
func (e AndoZhang) Needs() engines.Needs {
	n := engines.Needs{Target: response.Type(e.Loss), Levels: 2, Tasks: true, Keeps: true}
	if e.Loss == huber {
		n.Target = data.Class
	}
	return n
}

// Footprint returns the memory of a fit of one target with fewer rows than columns: a factor of their inner products, and the history of the
// search. Every further target takes three vectors of rows and columns.
func (e AndoZhang) Footprint(s engines.Shape) engines.Footprint {
	bytes := 12*s.Entries + 250*int64(s.Rows+s.Columns)
	if n := int64(min(s.Rows, s.Columns)); n <= mostReduced {
		bytes += 16 * n * n
	}
	return engines.Footprint{Bytes: bytes}
}

// Fit alternates.
func (e AndoZhang) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	loss := e.Loss
	if loss == huber {
		loss = response.Squared // what scores mean: (1 + score)/2 is near the indicator of the second level
	}
	r, err := response.Read(run.Train, loss)
	if err != nil {
		return nil, err
	}
	d, err := newDesign(ctx, r.Train, e.Standardize)
	if err != nil {
		return nil, err
	}
	f := &fitting{AndoZhang: e, run: run, responses: r, design: d, weight: shares(r.Train)}
	if f.rowLoss = losses[r.Loss]; e.Loss == huber {
		f.rowLoss = losses[huber]
	}
	if f.Dimensions > len(r.Each) {
		f.note("d is %d, and there are %d targets: their predictors span no more dimensions than that", e.Dimensions, len(r.Each))
		f.Dimensions = len(r.Each)
	}
	for round := range e.Rounds + 1 {
		if err := f.fitTasks(ctx); err != nil {
			return nil, err
		}
		f.trace(round)
		if round < e.Rounds {
			f.share()
		}
	}
	return f.model(), nil
}

// shares returns the shares of the rows in a mean.
func shares(v *data.View) []float64 {
	out, sum := make([]float64, v.Len()), 0.0
	weight := v.Weights()
	for i := range out {
		out[i] = weight.Of(i)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

func (f *fitting) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

func (f *fitting) trace(round int) {
	if f.run.Trace == nil {
		return
	}
	loss := 0.0
	for _, t := range f.tasks {
		loss += t.loss / float64(len(f.tasks))
	}
	if f.Loss != huber && f.responses.Loss == response.Squared {
		loss *= 2 // a mean squared error
	}
	f.run.Trace(engines.Step{
		Iter: round, TrainError: loss, Active: f.run.Train.Columns() * len(f.tasks), Whole: true, Changed: engines.Coef{Feature: -1},
	})
}

// model returns the model of the last predictors.
func (f *fitting) model() engines.Model {
	fitted := engines.Fitted{Stop: "rounds", Iterations: f.iterations, Best: -1, Notes: f.notes}
	if f.unfinished > 0 {
		fitted.Notes = append(fitted.Notes, fmt.Sprintf(engines.NotConverged+": in %d of %d minimisations the slopes did not fall to tol within max_iter steps", f.unfinished, len(f.tasks)*(f.Rounds+1)))
	}
	fitted.Facts = []data.Fact{
		{Name: "dimensions shared", Value: fmt.Sprintf("%d of %d targets", len(f.theta), len(f.tasks))},
		{Name: "share of the predictors in them", Value: fmt.Sprintf("%.4f", f.covered())},
	}
	var coefs []engines.Coef
	bias := make([]float64, len(f.tasks))
	for t, task := range f.tasks {
		w, b := f.design.raw(task.u)
		bias[t] = task.bias + b
		scale := 1.0
		if f.Loss == huber {
			scale, bias[t] = 0.5, (1+bias[t])/2
		}
		for j, v := range w {
			if v != 0 {
				coefs = append(coefs, engines.Coef{Feature: j, Output: t, Value: scale * v, Rank: -1})
			}
		}
	}
	return f.responses.Model(bias, coefs, fitted)
}

// covered returns how much of the predictors, as squared norms, is in what they share.
func (f *fitting) covered() float64 {
	in, all := 0.0, 0.0
	for _, t := range f.tasks {
		all += dense.DotInOrder(t.u, t.u)
		for _, q := range f.theta {
			c := dense.DotInOrder(q, t.u)
			in += float64(c * c)
		}
	}
	if all == 0 {
		return 0
	}
	return math.Min(1, in/all)
}
