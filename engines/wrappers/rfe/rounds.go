package rfe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/ties"
)

// elimination holds the rounds. The number of columns in a round depends on the step alone: a size between two rounds gets the best
// columns of the larger one. So one elimination has the columns of every size that it reaches, the same as an elimination to that
// size.
type elimination struct {
	engine Engine
	run    engines.Run
	seed   uint64
	kept   []int32   // columns in every model, rising: they are in all fits, and are not counted
	spread []float64 // standard deviation by column, if importance is that of scaled columns; else nil
	rounds []round
}

// round holds the columns of a fit, the most important first.
type round struct {
	order     []int32
	score     []float64 // by place in the order
	evaluated int64
	notes     []string
}

// candidates returns the columns that can be eliminated, rising: all except those in every model.
func candidates(v *data.View) []int32 {
	return slices.DeleteFunc(data.Numbers(v.Columns()), func(j int32) bool { return !v.Competes(int(j)) })
}

// eliminate drops columns until at most least are left.
func (e Engine) eliminate(ctx context.Context, run engines.Run, least int) (*elimination, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	left := candidates(run.Train)
	if err := e.suits(len(left)); err != nil {
		return nil, err
	}
	l := &elimination{engine: e, run: run, seed: run.Rand.Uint64(), kept: run.Train.Kept()}
	l.run.At, l.run.Keep, l.run.Trace = nil, nil, nil
	if e.Scale == unit {
		_, squares, n, err := scaled.Moments(run.Train.Matrix(), run.Train.Weights())
		if err != nil {
			return nil, fmt.Errorf("rfe: %w", err)
		}
		for _, ss := range squares {
			l.spread = append(l.spread, math.Sqrt(ss/n))
		}
	}
	for len(left) > least {
		r, err := l.rank(ctx, left)
		if err != nil {
			return nil, fmt.Errorf("rfe, at %d columns: %w", len(left), err)
		}
		l.rounds = append(l.rounds, r)
		run.ShowProgress(fmt.Sprintf("%d columns are ranked, until %d are left", len(left), least))
		left = slices.Sorted(slices.Values(r.order[:max(1, len(left)-e.dropped(len(left)))]))
	}
	return l, nil
}

// suits so many columns.
func (o Options) suits(columns int) error {
	if o.Size > columns {
		return fmt.Errorf("rfe.size %d, and the data has %d columns", o.Size, columns)
	}
	return nil
}

// dropped returns the number of columns to drop.
func (o Options) dropped(features int) int {
	if o.Step >= 1 {
		return int(o.Step)
	}
	return max(1, int(o.Step*float64(features)))
}

// roundSeed returns the seed of the round with so many columns, beside those in every model.
func (l *elimination) roundSeed(columns int) [2]uint64 { return [2]uint64{l.seed, uint64(columns)} }

// rank orders columns by a fit to them. Each number of columns has a seed of its own.
func (l *elimination) rank(ctx context.Context, columns []int32) (r round, err error) {
	on, all := l.run, slices.Sorted(slices.Values(slices.Concat(l.kept, columns)))
	seed := l.roundSeed(len(columns))
	on.Train, on.Rand, on.Watch, on.Tell, on.Warn, on.Searched = l.run.Train.Narrow(all), rand.New(rand.NewPCG(seed[0], seed[1])), nil, nil, nil, nil
	var score []float64
	if l.engine.permutes() {
		score, err = l.permuted(ctx, on, &r)
	} else {
		score, err = l.fitted(ctx, on, all, &r)
	}
	if err != nil {
		return r, err
	}
	for _, k := range ties.Above(score, math.Inf(-1)) {
		if j := all[k]; l.run.Train.Competes(int(j)) {
			r.order, r.score = append(r.order, j), append(r.score, score[k])
		}
	}
	if r.score[0] == 0 {
		r.notes = append(slices.Clone(r.notes), "no column has any importance: the last ones were dropped")
	}
	return r, nil
}

// fitted returns the importance of each column in the model that the base fits to them.
func (l *elimination) fitted(ctx context.Context, on engines.Run, columns []int32, r *round) ([]float64, error) {
	work := engines.Work{
		What: "round of rfe, scale " + l.engine.Scale, Engine: l.engine.Base, On: []*data.View{l.run.Train}, Columns: columns, Seed: l.roundSeed(len(columns) - len(l.kept)),
	}
	found, _, err := on.Recalled(work, func(inside engines.Run) (y engines.Yield, err error) {
		m, err := l.engine.Base.Fit(ctx, inside)
		if err != nil {
			return y, err
		}
		defer engines.Close(m)
		score, err := importance(m, len(columns))
		if err != nil {
			return y, err
		}
		for k, j := range columns {
			if l.spread != nil && len(m.Coefs()) > 0 {
				score[k] *= l.spread[j]
			}
		}
		evaluated := int64(0)
		if told, ok := m.(engines.Reporter); ok {
			evaluated, y.Notes = told.Fitted().Evaluated, told.Fitted().Notes
		}
		y.Values = append(score, float64(evaluated))
		return y, nil
	})
	if err != nil {
		return nil, err
	}
	r.evaluated, r.notes = int64(found.Values[len(columns)]), found.Notes
	return found.Values[:len(columns):len(columns)], nil
}

// permuted returns the importance of each column by permutation.
func (l *elimination) permuted(ctx context.Context, on engines.Run, r *round) ([]float64, error) {
	var units [][]int32
	for j := range int32(on.Train.Columns()) {
		units = append(units, []int32{j})
	}
	found, err := l.engine.Permutation.Measure(ctx, l.engine.Base, on, units)
	r.evaluated, r.notes = int64(len(units)), found.Notes
	return found.Mean, err
}

// importance returns the importance of each column in a model: the norm of its coefficients over outputs, or what a model without
// coefficients reports.
func importance(m engines.Model, columns int) ([]float64, error) {
	score, ok := engines.ColumnWeights(m, columns, elementary.Hypot)
	if !ok {
		return nil, errors.New("the model has neither coefficients nor importances of columns to eliminate by")
	}
	return score, nil
}

// best returns the best columns, size of them plus those in every model, which have no rank, rising, and the report of the rounds
// until then.
func (l *elimination) best(size int) ([]engines.Coef, engines.Fitted) {
	fitted := engines.Fitted{Stop: "done", Best: -1}
	var counts []string
	var last *round
	for k := range l.rounds {
		r := &l.rounds[k]
		if len(r.order) <= size {
			break
		}
		last = r
		counts = append(counts, strconv.Itoa(len(r.order)))
		fitted.Iterations++
		fitted.Evaluated += r.evaluated
		for _, note := range r.notes {
			if !slices.ContainsFunc(fitted.Notes, func(said string) bool { return strings.HasSuffix(said, ": "+note) }) {
				fitted.Notes = append(fitted.Notes, fmt.Sprintf("at %d columns: %s", len(r.order), note))
			}
		}
	}
	fitted.Facts = []data.Fact{{Name: "columns", Value: strings.Join(append(counts, strconv.Itoa(size)), ", ")}}
	others, chosen := l.kept, []engines.Coef(nil)
	if last != nil {
		chosen = engines.Ranked(last.order[:size], func(rank int, _ int32) float64 { return last.score[rank] })
	} else {
		others = data.Numbers(l.run.Train.Columns())
	}
	for _, j := range others {
		chosen = append(chosen, engines.Coef{Feature: int(j), Rank: -1})
	}
	slices.SortFunc(chosen, func(a, b engines.Coef) int { return a.Feature - b.Feature })
	return chosen, fitted
}

// fit fits the base to the size best columns.
func (l *elimination) fit(ctx context.Context, size int, trace engines.Trace) (engines.Model, error) {
	chosen, fitted := l.best(size)
	run := l.run
	run.Trace, run.Rand, run.At, run.Keep = trace, rand.New(rand.NewPCG(l.seed, 0)), nil, nil
	return narrowed.On(ctx, l.engine, chosen, fitted, l.engine.Base, run)
}
