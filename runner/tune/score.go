package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/execute"
	"tenfold/runner/metric"
)

// task is one call of an engine on an inner fold: for one place, or for those of a path.
type task struct {
	engine engines.Engine
	points engines.PathPoints // points of a path
	place  []int              // by point
	ended  []bool             // by inner fold, for a path that may end: whether it did; its last model then stands for all following points
}

// tasks returns the tasks of the places that have no scores.
func (c *choice) tasks() (all []task) {
	first, at := make([]int, len(c.of)), 0 // place of each candidate
	for i, of := range c.of {
		first[i] = at
		at += max(1, len(of.Values))
	}
	gathered := make([]bool, len(c.of))
	for _, p := range c.along {
		t := task{engine: p.Engine, points: p.Points}
		for _, i := range p.Of {
			gathered[i] = true
			t.place = append(t.place, first[i])
		}
		if c.scored[p.Of[0]] == 0 {
			all = append(all, t)
		}
	}
	for i, of := range c.of {
		n := max(1, len(of.Values))
		if gathered[i] || c.scored[i] == n {
			continue
		}
		t := task{engine: of.Engine}
		if of.Path != "" {
			t.points = engines.PathPoints{Parameter: of.Path, Values: of.Values[c.scored[i]:], MayEnd: true}
			t.ended = c.ended[i]
		}
		for k := c.scored[i]; k < n; k++ {
			t.place = append(t.place, first[i]+k)
		}
		all = append(all, t)
	}
	return all
}

// score fits the places without scores on every inner fold, and scores them in some metrics.
func (c *choice) score(ctx context.Context, run engines.Run, innerFolds []innerFold, ms []metric.Metric, seed uint64) error {
	if c.each == nil {
		c.each, c.errs = make([][][]float64, len(ms)), make([]error, len(c.place))
		for m := range c.each {
			c.each[m] = make([][]float64, len(c.place))
		}
		for i := range c.ended {
			c.ended[i] = make([]bool, len(innerFolds))
		}
	}
	for m := range c.each {
		for at, scores := range c.each[m] {
			if scores == nil {
				c.each[m][at] = slices.Repeat([]float64{math.NaN()}, len(innerFolds))
			}
		}
	}
	tasks := c.tasks()
	for k, p := range innerFolds {
		inner := engines.Run{Workers: run.Workers, Inner: run.Inner, Memory: run.Memory, Charge: run.Charge, Opened: run.Opened}
		var validate *data.View
		inner.Train, validate = p.views(run.Train)
		for _, t := range tasks {
			inner.Rand = random(seed + uint64(k) + 1)
			err := c.scoreOn(ctx, k, t, inner, validate, ms)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.As(err, new(engines.Disturbance)) {
				return fmt.Errorf("a candidate on inner fold %d: %w", k, err)
			}
		}
	}
	for i, of := range c.of {
		c.scored[i] = max(1, len(of.Values))
	}
	return nil
}

// scoreOn fits a task to the training rows of inner fold k, and scores it. It returns the error of the fit.
func (c *choice) scoreOn(ctx context.Context, k int, t task, inner engines.Run, validate *data.View, ms []metric.Metric) error {
	measured := make([]bool, len(t.place))
	measure := func(j int, model engines.Model) {
		r, ok := model.(engines.Reporter)
		c.plain = c.plain || !ok || !r.Fitted().Probabilities
		values, err := execute.Measure(ms, model, inner.Train, validate, inner.Workers)
		at := t.place[j]
		measured[j] = true
		if err != nil && c.errs[at] == nil {
			c.errs[at] = err
		}
		for m, v := range values {
			c.each[m][at][k] = v
		}
	}
	var err error
	switch {
	case t.points.Parameter == "":
		var model engines.Model
		if model, err = t.engine.Fit(ctx, inner); err == nil {
			measure(0, model)
			engines.Close(model)
		}
	case t.ended == nil || !t.ended[k]:
		err = t.engine.(engines.Pathed).FitPath(ctx, inner, t.points, measure)
		if t.ended != nil {
			t.ended[k] = err == nil && slices.Contains(measured, false)
		}
	}
	for j, at := range t.place {
		switch {
		case measured[j]:
		case err == nil: // the path ended
			for m := range c.each {
				c.each[m][at][k] = c.each[m][at-1][k]
			}
		case err != nil && c.errs[at] == nil:
			c.errs[at] = err
		}
	}
	return err
}
