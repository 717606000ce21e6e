package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"tenfold/engines"
	"tenfold/runner"
	"tenfold/runner/metric"
)

// choice is all candidates, paths written out, and what they scored.
type choice struct {
	of     []Candidate // paths with their values
	place  []place
	each   [][][]float64 // scores by metric, place and part; NaN where undefined or the fit failed
	scores [][]float64   // in the metric that decides
	plain  bool          // some model gives no probabilities
	errs   []error       // of places that failed
}

// place is one candidate: a candidate of the list, at a value of its path.
type place struct{ of, value int }

// expand asks the engines for the values of paths that the file leaves to them. They come from all training rows: inner folds
// need the same ones.
func (e Engine) expand(run engines.Run, seed uint64) (*choice, error) {
	c := &choice{of: slices.Clone(e.Candidates)}
	for i := range c.of {
		candidate := &c.of[i]
		if candidate.Path == "" {
			c.place = append(c.place, place{i, 0})
			continue
		}
		if candidate.Values == nil {
			run.Rand = random(seed)
			var err error
			if candidate.Values, err = candidate.Engine.(engines.Pathed).PathValues(run); err != nil {
				return nil, err
			}
		}
		for k := range candidate.Values {
			c.place = append(c.place, place{i, k})
		}
	}
	c.errs = make([]error, len(c.place))
	return c, nil
}

// engine at a place.
func (c *choice) engine(at int) engines.Engine {
	p := c.place[at]
	of := c.of[p.of]
	if of.Path == "" {
		return of.Engine
	}
	return of.Engine.(engines.Pathed).AtValue(of.Values[p.value])
}

// label of a place.
func (c *choice) label(at int) string {
	p := c.place[at]
	of := c.of[p.of]
	if of.Path == "" {
		return of.Label
	}
	text := of.Path + "=" + strconv.FormatFloat(of.Values[p.value], 'g', 6, 64)
	if of.Label != "" {
		text = of.Label + ", " + text
	}
	return text
}

// score every candidate on every inner fold, in some metrics.
func (c *choice) score(ctx context.Context, run engines.Run, parts []part, ms []metric.Metric, seed uint64) error {
	c.each = make([][][]float64, len(ms))
	for m := range c.each {
		c.each[m] = make([][]float64, len(c.place))
		for at := range c.place {
			c.each[m][at] = slices.Repeat([]float64{math.NaN()}, len(parts))
		}
	}
	c.scores = c.each[0]
	for k, p := range parts {
		inner := engines.Run{Train: p.train, Workers: run.Workers, Inner: run.Inner, Memory: run.Memory, Charge: run.Charge}
		for at := 0; at < len(c.place); {
			of := c.of[c.place[at].of]
			inner.Rand = random(seed + uint64(k) + 1)
			measure := func(i int, model engines.Model) {
				r, ok := model.(engines.Reporter)
				c.plain = c.plain || !ok || !r.Fitted().Probabilities
				values, err := runner.Measure(ms, model, p.validate, run.Workers)
				if err != nil && c.errs[at+i] == nil {
					c.errs[at+i] = err
				}
				for m, v := range values {
					c.each[m][at+i][k] = v
				}
			}
			n, err := 1, error(nil)
			if of.Path == "" {
				var model engines.Model
				if model, err = of.Engine.Fit(ctx, inner); err == nil {
					measure(0, model)
					engines.Close(model)
				}
			} else {
				n = len(of.Values)
				err = of.Engine.(engines.Pathed).FitPath(ctx, inner, of.Values, measure)
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err != nil {
				for i := range n {
					if c.errs[at+i] == nil && math.IsNaN(c.each[len(ms)-1][at+i][k]) {
						c.errs[at+i] = err
					}
				}
			}
			at += n
		}
		parts[k] = part{} // and with it the copies of its rows
	}
	return nil
}

// decides is the metric by which candidates are compared, the same for all: the first, or, where that is of probabilities and
// some model gives none or no candidate has a finite loss, the second.
func (c *choice) decides(ms []metric.Metric) metric.Metric {
	if len(ms) > 1 && (c.plain || c.best(bool(ms[0].Better)) < 0) {
		c.scores = c.each[1]
		return ms[1]
	}
	return ms[0]
}

// defined is on how many inner folds a place has a score; 0 where a fit failed.
func (c *choice) defined(at int) (n int) {
	for _, v := range c.scores[at] {
		if !math.IsNaN(v) && c.errs[at] == nil {
			n++
		}
	}
	return n
}

// compared are the places with a score on the most inner folds: one that has no precision where others have, since it says yes
// to nothing, or whose loss is infinite there, is not better for leaving that fold out.
func (c *choice) compared() (places []int) {
	most := 1
	for at := range c.place {
		switch n := c.defined(at); {
		case n > most:
			places, most = []int{at}, n
		case n == most:
			places = append(places, at)
		}
	}
	return places
}

// mean of a place's scores, where they are defined, with its standard error.
func (c *choice) mean(at int) (mean, se float64) {
	sum, n := 0.0, 0.0
	for _, v := range c.scores[at] {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	mean = sum / n
	squares := 0.0
	for _, v := range c.scores[at] {
		if !math.IsNaN(v) {
			squares += float64((v - mean) * (v - mean))
		}
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// tie is a relative difference of means that decides nothing.
const tie = 1e-9

// best place: on ties the first; -1 where no candidate has a score.
func (c *choice) best(higher bool) int {
	best, value := -1, math.NaN()
	for _, at := range c.compared() {
		v, _ := c.mean(at)
		if !higher {
			v = -v
		}
		if best < 0 || v > value+float64(tie*math.Abs(value)) {
			best, value = at, v
		}
	}
	return best
}

// withinSE is the first place of which the mean is within a standard error of the best.
func (c *choice) withinSE(best int, higher bool) int {
	goal, se := c.mean(best)
	if math.IsNaN(se) {
		return best
	}
	se += float64(tie * math.Abs(goal))
	for _, at := range c.compared() {
		v, _ := c.mean(at)
		if higher && v >= goal-se || !higher && v <= goal+se {
			return at
		}
	}
	return best
}

// noneWorked says why there is nothing to choose.
func (c *choice) noneWorked(name string) error {
	for at, err := range c.errs {
		if err != nil {
			return fmt.Errorf("tune: no candidate could be fitted to all inner folds; %s: %w", c.label(at), err)
		}
	}
	return fmt.Errorf("tune: %s is undefined for every candidate on the inner folds", name)
}

// tell what was chosen.
func (c *choice) tell(run engines.Run, name string, parts, at, best int) {
	value := func(at int) string {
		mean, se := c.mean(at)
		return fmt.Sprintf("%.6g ± %.2g", mean, se)
	}
	run.Say("tuned", c.label(at))
	run.Say("inner "+name, value(at))
	run.Say("tuned among", fmt.Sprintf("%d candidates on %d inner folds", len(c.place), parts))
	if at != best {
		run.Say("best inner "+name, fmt.Sprintf("%s at %s", value(best), c.label(best)))
	}
	failed := 0
	for _, err := range c.errs {
		if err != nil {
			failed++
		}
	}
	if failed > 0 {
		run.Note(fmt.Sprintf("%d of %d candidates could not be fitted to all inner folds", failed, len(c.place)))
	}
	p := c.place[best]
	if n := len(c.of[p.of].Values); n > 1 && p.value == n-1 {
		run.Note("the best inner value is the last one of the path")
	}
}
