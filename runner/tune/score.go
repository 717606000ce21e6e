package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/searches"
	"tenfold/runner/inner"
	"tenfold/runner/metric"
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

// errLate is the error of a candidate that was not fitted to all inner folds when the time of the search was over.
var errLate = errors.New("the time of the search was over")

// score fits the points without scores on every inner fold, and scores them in some metrics. If trials end before ctx does, the candidates
// that are not finished by then fail.
func (c *choice) score(ctx, trials context.Context, run engines.Run, innerFolds []inner.Fold, ms []metric.Metric, seed uint64) error {
	if c.innerScores == nil {
		c.innerScores, c.errs, c.seconds = make([][][]float64, len(ms)), make([]error, len(c.points)), make([][]float64, len(c.points))
		for m := range c.innerScores {
			c.innerScores[m] = make([][]float64, len(c.points))
		}
		for i := range c.ended {
			c.ended[i] = make([]bool, len(innerFolds))
		}
	}
	for _, byPoint := range append(slices.Clone(c.innerScores), c.seconds) {
		for point, values := range byPoint {
			if values == nil {
				byPoint[point] = slices.Repeat([]float64{math.NaN()}, len(innerFolds))
			}
		}
	}
	by := inner.Comparison(ms, run.Workers)
	tasks := c.tasks()
	counter := searches.NewCounter(run.ShowProgress, c.progress, len(tasks)*len(innerFolds))
	limited := trials != ctx
	views := make([]engines.HeldOut, len(innerFolds))
	for _, step := range pairs(len(innerFolds), len(tasks), limited) {
		k, t := step.fold, tasks[step.task]
		if views[k].Train == nil {
			if !limited {
				clear(views) // copies of the rows of one fold at a time
			}
			views[k].Train, views[k].Held = innerFolds[k].Views(run.Train)
		}
		err := c.scoreOn(trials, k, t, run, engines.Trial{Engine: t.engine, Points: t.points, On: views[k], Seed: pair(seed + uint64(k) + 1)}, by)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		counter.Add()
		if trials.Err() != nil {
			for _, point := range t.indices {
				c.errs[point] = errLate
			}
			continue
		}
		if errors.As(err, new(engines.Disturbance)) {
			return fmt.Errorf("a candidate on inner fold %d: %w", k, err)
		}
	}
	for i, candidate := range c.candidates {
		c.scored[i] = max(1, len(candidate.Values))
	}
	return nil
}

// foldTask is a task on an inner fold.
type foldTask struct{ fold, task int }

// pairs returns all tasks on all inner folds: fold by fold, or if the time of the search is limited task by task, so that those that are
// finished can be compared.
func pairs(folds, tasks int, limited bool) (all []foldTask) {
	if limited {
		for t := range tasks {
			for k := range folds {
				all = append(all, foldTask{k, t})
			}
		}
		return all
	}
	for k := range folds {
		for t := range tasks {
			all = append(all, foldTask{k, t})
		}
	}
	return all
}

// scoreOn makes the trial of a task on inner fold k. It returns the error of the fit.
func (c *choice) scoreOn(ctx context.Context, k int, t task, run engines.Run, trial engines.Trial, by engines.Comparison) (err error) {
	measured := make([]engines.Measured, len(t.indices))
	fitted := t.ended == nil || !t.ended[k]
	if fitted {
		measured, err = by.Try(ctx, run, trial)
	}
	for j, point := range t.indices {
		if fitted {
			c.seconds[point][k] = measured[j].Seconds
		}
		m := measured[j]
		switch {
		case m.Values != nil:
			c.plain = c.plain || !m.Probabilities
			for metric, v := range m.Values {
				c.innerScores[metric][point][k] = v
			}
		case err == nil && m.Err == nil: // the path ended
			if t.ended != nil {
				t.ended[k] = true
			}
			for metric := range c.innerScores {
				c.innerScores[metric][point][k] = c.innerScores[metric][point-1][k]
			}
		case c.errs[point] == nil:
			c.errs[point] = cmp.Or(m.Err, err)
		}
	}
	return err
}
