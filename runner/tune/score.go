package tune

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/runner/execute"
	"tenfold/runner/metric"
)

// score the candidates that have no scores on every inner fold, in some metrics.
func (c *choice) score(ctx context.Context, run engines.Run, parts []part, ms []metric.Metric, seed uint64) error {
	if c.each == nil {
		c.each, c.errs = make([][][]float64, len(ms)), make([]error, len(c.place))
		for m := range c.each {
			c.each[m] = make([][]float64, len(c.place))
		}
		for i := range c.ended {
			c.ended[i] = make([]bool, len(parts))
		}
	}
	for m := range c.each {
		for at, scores := range c.each[m] {
			if scores == nil {
				c.each[m][at] = slices.Repeat([]float64{math.NaN()}, len(parts))
			}
		}
	}
	for k, p := range parts {
		inner := engines.Run{Workers: run.Workers, Inner: run.Inner, Memory: run.Memory, Charge: run.Charge}
		var validate *data.View
		inner.Train, validate = p.views(run.Train)
		at := 0
		for i, of := range c.of {
			n := max(1, len(of.Values))
			if c.scored[i] < n {
				inner.Rand = random(seed + uint64(k) + 1)
				c.scoreOn(ctx, k, i, at, inner, validate, ms)
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			at += n
		}
	}
	for i, of := range c.of {
		c.scored[i] = max(1, len(of.Values))
	}
	return nil
}

// scoreOn fits candidate i, of which the first place is at, to the training rows of inner fold k, and scores what has no score.
func (c *choice) scoreOn(ctx context.Context, k, i, at int, inner engines.Run, validate *data.View, ms []metric.Metric) {
	of, first := c.of[i], at+c.scored[i]
	n := at + max(1, len(of.Values)) - first
	next := first // the place after the last that was measured
	measure := func(j int, model engines.Model) {
		r, ok := model.(engines.Reporter)
		c.plain = c.plain || !ok || !r.Fitted().Probabilities
		values, err := execute.Measure(ms, model, validate, inner.Workers)
		next = first + j + 1
		if err != nil && c.errs[next-1] == nil {
			c.errs[next-1] = err
		}
		for m, v := range values {
			c.each[m][next-1][k] = v
		}
	}
	var err error
	switch {
	case of.Path != "" && !c.ended[i][k]:
		err = of.Engine.(engines.Pathed).FitPath(ctx, inner, of.Values[c.scored[i]:], measure)
		c.ended[i][k] = err == nil && next < first+n
	case of.Path == "":
		var model engines.Model
		if model, err = of.Engine.Fit(ctx, inner); err == nil {
			measure(0, model)
			engines.Close(model)
		}
	}
	for ; next < first+n; next++ {
		switch {
		case err == nil && next > at: // the path ended
			for m := range c.each {
				c.each[m][next][k] = c.each[m][next-1][k]
			}
		case err != nil && c.errs[next] == nil:
			c.errs[next] = err
		}
	}
}
