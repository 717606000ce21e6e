package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/inner"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// task is one call of an engine on an inner fold: for one point, or for those of a path.
type task struct {
	engine  engines.Engine
	points  engines.PathPoints // points of a path
	indices []int              // by point
	ended   []bool             // by inner fold, for a path that may end: whether it did; its last model then stands for all following points
}

// tasks returns the tasks of the points that have no scores.
func (c *choice) tasks() (all []task) {
	first, next := make([]int, len(c.candidates)), 0 // point of each candidate
	for i, candidate := range c.candidates {
		first[i] = next
		next += max(1, len(candidate.Values))
	}
	gathered := make([]bool, len(c.candidates))
	for _, p := range c.along {
		t := task{engine: p.Engine, points: p.Points}
		for _, i := range p.Of {
			gathered[i] = true
			t.indices = append(t.indices, first[i])
		}
		if c.scored[p.Of[0]] == 0 {
			all = append(all, t)
		}
	}
	for i, candidate := range c.candidates {
		n := max(1, len(candidate.Values))
		if gathered[i] || c.scored[i] == n {
			continue
		}
		t := task{engine: candidate.Engine}
		if candidate.Path != "" {
			t.points = engines.PathPoints{Parameter: candidate.Path, Values: candidate.Values[c.scored[i]:], MayEnd: true}
			t.ended = c.ended[i]
		}
		for k := c.scored[i]; k < n; k++ {
			t.indices = append(t.indices, first[i]+k)
		}
		all = append(all, t)
	}
	return all
}

// score fits the points without scores on every inner fold, and scores them in some metrics.
func (c *choice) score(ctx context.Context, run engines.Run, innerFolds []inner.Fold, ms []metric.Metric, seed uint64) error {
	if c.innerScores == nil {
		c.innerScores, c.errs = make([][][]float64, len(ms)), make([]error, len(c.points))
		for m := range c.innerScores {
			c.innerScores[m] = make([][]float64, len(c.points))
		}
		for i := range c.ended {
			c.ended[i] = make([]bool, len(innerFolds))
		}
	}
	for m := range c.innerScores {
		for point, scores := range c.innerScores[m] {
			if scores == nil {
				c.innerScores[m][point] = slices.Repeat([]float64{math.NaN()}, len(innerFolds))
			}
		}
	}
	tasks := c.tasks()
	for k, p := range innerFolds {
		on := engines.Run{Workers: run.Workers, Inner: run.Inner, Divide: run.Divide, Memory: run.Memory, Charge: run.Charge, Opened: run.Opened}
		var validate *data.View
		on.Train, validate = p.Views(run.Train)
		for _, t := range tasks {
			on.Rand = random(seed + uint64(k) + 1)
			err := c.scoreOn(ctx, k, t, on, validate, ms)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if errors.As(err, new(engines.Disturbance)) {
				return fmt.Errorf("a candidate on inner fold %d: %w", k, err)
			}
		}
	}
	for i, candidate := range c.candidates {
		c.scored[i] = max(1, len(candidate.Values))
	}
	return nil
}

// scoreOn fits a task to the training rows of inner fold k, and scores it. It returns the error of the fit.
func (c *choice) scoreOn(ctx context.Context, k int, t task, run engines.Run, validate *data.View, ms []metric.Metric) error {
	measured := make([]bool, len(t.indices))
	measure := func(j int, model engines.Model) {
		r, ok := model.(engines.Reporter)
		c.plain = c.plain || !ok || !r.Fitted().Probabilities
		values, err := score.Measure(ms, model, run.Train, validate, run.Workers)
		point := t.indices[j]
		measured[j] = true
		if err != nil && c.errs[point] == nil {
			c.errs[point] = err
		}
		for m, v := range values {
			c.innerScores[m][point][k] = v
		}
	}
	var err error
	switch {
	case t.points.Parameter == "":
		var model engines.Model
		if model, err = t.engine.Fit(ctx, run); err == nil {
			measure(0, model)
			engines.Close(model)
		}
	case t.ended == nil || !t.ended[k]:
		err = t.engine.(engines.Pathed).FitPath(ctx, run, t.points, measure)
		if t.ended != nil {
			t.ended[k] = err == nil && slices.Contains(measured, false)
		}
	}
	for j, point := range t.indices {
		switch {
		case measured[j]:
		case err == nil: // the path ended
			for m := range c.innerScores {
				c.innerScores[m][point][k] = c.innerScores[m][point-1][k]
			}
		case err != nil && c.errs[point] == nil:
			c.errs[point] = err
		}
	}
	return err
}
