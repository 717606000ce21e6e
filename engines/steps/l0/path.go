package l0

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/scaled"
)

// path goes from the model without columns down the prices λ at which it changes.
type path struct {
	e         L0
	run       engines.Run
	responses *response.Responses
	m         lossModel
	mean      float64 // of numbers
	rows      int

	lambda, first float64
	steps, passes int
	swapped       int
	stop          string
	rank          map[int32]int
	best          []found // by number of columns: the least rss of as many or fewer
	kept          int     // of run.At
	reported      map[int32]float64
}

// lossModel is a model of some loss, which goes from the best columns at a price to those at another one.
type lossModel interface {
	current() *state
	loss() float64     // of the present model: the residual sum of squares, or the sum of log-losses
	nullLoss() float64 // of the one without columns
	intercept() float64
	refresh()                                                                // what moves leave with their rounding
	descend(ctx context.Context, lambda float64, maxPasses int) (passes int) // until no column alone changes the model; maxPasses + 1 where that takes more
	swap(ctx context.Context, lambda float64) (out, in int32, some bool)     // one column for another that does better, if there is some
	exchange(ctx context.Context) bool                                       // one for another that does better with the others refitted, if there is some
}

// found is a model of the path.
type found struct {
	columns []int32
	b       []float64
	bias    float64
	loss    float64
	lambda  float64
	step    int
}

func (e L0) newPath(ctx context.Context, run engines.Run) (*path, error) {
	if run.Train.Columns() == 0 {
		return nil, errors.New("the data has no column")
	}
	r, err := response.Read(run.Train, e.Loss)
	if err != nil {
		return nil, err
	}
	x, err := scaled.StandardizeFar(ctx, r.Train.FilledMatrix(), r.Train.Weights(), "unit")
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(x.Mean, func(mean float64) bool { return mean-mean != 0 }) {
		if err := x.X.Check(); err != nil {
			return nil, err
		}
	}
	p := &path{e: e, run: run, responses: r, rows: len(r.Each[0].Y), rank: map[int32]int{}, reported: map[int32]float64{}}
	if r.Loss == response.Logistic {
		p.m = newClasses(x, r.Each[0].Y, e.Lambda2, run.Workers)
	} else {
		var y []float64
		y, p.mean, _ = x.Center(r.Each[0].Y)
		p.m = newModel(x, y, e.Lambda2)
	}
	p.first = p.m.current().entry()
	p.lambda = p.first
	p.remember()
	return p, context.Cause(ctx)
}

// below is how far below the price at which a model changes the next one lies.
const below = 0.98

// Why a path ends.
const (
	stopFeatures  = "features"
	stopLambda    = "lambda"
	stopSaturated = "saturated" // a thousandth of the squares is left, or as many columns as rows have a coefficient
	stopColumns   = "columns"   // none is left that would change anything
	stopPasses    = "max_iter"
)

// follow goes down the path to its end.
func (p *path) follow(ctx context.Context) (engines.Model, error) {
	p.trace()
	for p.stop == "" {
		lambda := below * p.m.current().entry()
		switch floor := max(1e-12*p.first, 1e-24*p.m.nullLoss()); { // there are rounding errors below
		case p.m.nullLoss() == 0 || lambda <= floor:
			p.stop = stopColumns
		case engines.Saturated(p.m.loss(), p.m.nullLoss()) || len(p.m.current().support) >= p.rows-2:
			p.stop = stopSaturated
		case lambda <= p.e.Lambda:
			lambda, p.stop = p.e.Lambda, stopLambda
		}
		if p.stop == stopColumns || p.stop == stopSaturated {
			break
		}
		if err := p.solve(ctx, lambda); err != nil {
			return nil, err
		}
		if len(p.m.current().support) > p.e.Features {
			p.stop = stopFeatures
			break
		}
		p.remember()
		p.trace()
	}
	for ; p.kept < len(p.run.At) && p.run.At[p.kept] < len(p.best); p.kept++ {
		p.run.Keep(p.run.At[p.kept], p.bestOf(p.run.At[p.kept]))
	}
	return p.bestOf(p.e.Features), nil
}

// solve finds a model at a price: descents, each after a swap, until none helps. Each lowers the objective, so that they end.
func (p *path) solve(ctx context.Context, lambda float64) error {
	p.lambda = lambda
	p.steps++
	p.m.refresh()
	for left := p.e.MaxIter; ; {
		passes := p.m.descend(ctx, lambda, left)
		p.passes += min(passes, left)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if left -= passes; left < 0 {
			p.stop = stopPasses
			return nil
		}
		if !p.e.Swaps {
			return nil
		}
		if _, _, some := p.m.swap(ctx, lambda); !some && !p.m.exchange(ctx) {
			return context.Cause(ctx)
		}
		p.swapped++
	}
}

// remember keeps the present model where it is the best of its size, once models of smaller sizes are handed out, which the path has passed.
func (p *path) remember() {
	m := p.m.current()
	size := len(m.support)
	for _, j := range m.support {
		if _, known := p.rank[j]; !known {
			p.rank[j] = len(p.rank)
		}
	}
	for ; p.kept < len(p.run.At) && p.run.At[p.kept] < size; p.kept++ {
		p.run.Keep(p.run.At[p.kept], p.bestOf(p.run.At[p.kept]))
	}
	now := found{columns: slices.Clone(m.support), b: data.ValuesAt(m.b, m.support), bias: p.m.intercept(), loss: p.m.loss(), lambda: p.lambda, step: p.steps}
	for len(p.best) <= size {
		if n := len(p.best); n > 0 {
			p.best = append(p.best, p.best[n-1])
		} else {
			p.best = append(p.best, now)
		}
	}
	if size == len(p.best)-1 && now.loss < p.best[size].loss { // what is smaller than the path has been is settled
		p.best[size] = now
	}
}

// bestOf returns the best of the models with at most so many columns, before the path had more.
func (p *path) bestOf(size int) engines.Model {
	chosen := p.best[min(size, len(p.best)-1)]
	x := p.m.current().x
	bias, coefs := p.mean+chosen.bias, make([]engines.Coef, len(chosen.columns))
	for k, j := range chosen.columns {
		b := x.Unscale(int(j), chosen.b[k], &bias)
		coefs[k] = engines.Coef{Feature: int(j), Value: b, Rank: p.rank[j], Score: math.Abs(chosen.b[k])}
	}
	f := engines.Fitted{Stop: p.stop, Iterations: chosen.step, Evaluated: p.m.current().looked, Best: chosen.step}
	if f.Stop == "" {
		f.Stop = stopFeatures // a model of some size on the path
	}
	fact := func(name string, value float64) {
		f.Facts = append(f.Facts, data.Fact{Name: name, Value: fmt.Sprintf("%.6g", value)})
	}
	fact("λ, the price of a column", chosen.lambda)
	fact("λ at which the first column enters", p.first)
	fact(map[string]string{response.Squared: "residual sum of squares", response.Logistic: "sum of log-losses"}[p.responses.Loss], chosen.loss)
	f.Facts = append(f.Facts, data.Fact{Name: "passes, swaps", Value: fmt.Sprintf("%d, %d", p.passes, p.swapped)})
	if p.stop == stopPasses {
		f.Notes = append(f.Notes, fmt.Sprintf("%s: %d passes were not enough at λ = %.4g", engines.NotConverged, p.e.MaxIter, p.lambda))
	}
	return p.responses.Model([]float64{bias}, coefs, f)
}

// trace traces the present model, as what has changed since the last one.
func (p *path) trace() {
	if p.run.Trace == nil {
		return
	}
	m := p.m.current()
	step := engines.Step{
		Iter: p.steps, TrainError: p.m.loss() / m.x.N, Active: len(m.support), Changed: engines.Coef{Feature: -1}, Bias: p.mean + p.m.intercept(),
		Parameter: "lambda", ParameterValue: p.lambda, Evaluations: m.looked,
	}
	now := map[int32]float64{}
	for _, j := range m.support {
		now[j] = m.x.Unscale(int(j), m.b[j], &step.Bias)
	}
	all := make([]int32, 0, len(now)+len(p.reported))
	for j := range now {
		all = append(all, j)
	}
	for j := range p.reported {
		if _, in := now[j]; !in {
			all = append(all, j)
		}
	}
	slices.Sort(all)
	for _, j := range all {
		if by := now[j] - p.reported[j]; by != 0 {
			step.Also = append(step.Also, engines.Coef{Feature: int(j), Value: by})
		}
	}
	if n := len(step.Also); n > 0 {
		step.Changed, step.Also = step.Also[n-1], step.Also[:n-1]
	}
	p.reported = now
	p.run.Trace(step)
}
