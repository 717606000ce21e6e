// Package tune chooses parameters of an engine by cross-validation inside the training rows of a fold. Whatever an engine
// learns from rows, screening and scaling of its own included, it learns in each inner fold from the inner training rows
// alone; test rows of the outer fold are never seen.
package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/runner"
	"tenfold/runner/folds"
	"tenfold/runner/metric"
)

// Options of the choice.
type Options struct {
	K       int    `yaml:"k" json:"k" doc:"inner folds, at least 2; fewer where the training rows have fewer of every class, or groups"`
	Repeats int    `yaml:"repeats" json:"repeats" doc:"times that the inner folds are drawn, at least 1"`
	Metric  string `yaml:"metric" json:"metric" ref:"metric" doc:"what is compared: a metric of predictions"`
	Choose  string `yaml:"choose" json:"choose" doc:"best, or one-se: of the candidates within one standard error of the best the first in the order of the lists (the simplest should come first there) or of the path"`
}

// Words of the options.
const (
	chooseBest  = "best"
	chooseOneSE = "one-se"
)

// Kind are the options as experiment files have them. Without a metric it is accuracy for classes, test_mse for numbers.
var Kind = kind.Define[kind.Validator](kind.Kind[kind.Validator]{
	Name: "tune", Doc: "parameters chosen by cross-validation inside the training rows", Cite: "Breiman et al. 1984, section 3.4.3 (one-se)", Rev: 1,
}, Options{K: 5, Repeats: 1, Choose: chooseBest})

// Validate checks the options.
func (o Options) Validate() error {
	var errs []error
	if o.K < 2 {
		errs = append(errs, kind.Errorf("k", "%d folds, expected at least 2", o.K))
	}
	if o.Repeats < 1 {
		errs = append(errs, kind.Errorf("repeats", "%d, expected at least 1", o.Repeats))
	}
	switch m, ok := metric.Find(o.Metric); {
	case o.Metric == "":
	case !ok:
		errs = append(errs, kind.Errorf("metric", "unknown metric %q%s", o.Metric, kind.DidYouMean(o.Metric, metric.Names())))
	case !m.OfPredictions():
		errs = append(errs, kind.Errorf("metric", "%s is no metric of predictions for rows that were not fitted", o.Metric))
	}
	return errors.Join(append(errs, kind.OneOf("choose", o.Choose, chooseBest, chooseOneSE))...)
}

// Candidate is an engine that may be chosen, or many: one for each value of a path.
type Candidate struct {
	Engine engines.Engine
	Label  string    // its parameters: "c2=0.1, bias=none"
	Path   string    // the parameter that a path goes along, of an engine that is engines.Pathed; "" for one engine
	Values []float64 // of the path, in its order; nil: the engine's own
}

// Engine is an engine whose parameters are chosen in every fit. It fits the candidates to the training rows of inner folds,
// and the chosen one to all training rows.
type Engine struct {
	Base       engines.Engine `yaml:",inline"` // without what is chosen; for descriptions alone
	Options    `yaml:"tune"`
	Candidates []Candidate `yaml:"-"`
}

// Validate checks all candidates, and that inner folds can compare them.
func (e Engine) Validate() error {
	errs := []error{e.Options.Validate()}
	for _, c := range e.Candidates {
		errs = append(errs, c.Engine.Validate())
	}
	return errors.Join(append(errs, e.comparable())...)
}

// comparable tells of the first candidate that inner folds cannot compare with others.
func (e Engine) comparable() error {
	all := engines.Needs{}
	for _, c := range e.Candidates {
		of := "tune: the engine"
		if c.Label != "" {
			of += " with " + c.Label
		}
		needs, together := c.Engine.Needs(), true
		if needs.Watch {
			return fmt.Errorf("%s chooses by the test rows, which must not take part in tuning", of)
		}
		if _, staged := c.Engine.(engines.Across); staged {
			return fmt.Errorf("%s learns from other tasks, in stages of its own, which inner folds have not", of)
		}
		if all, together = all.Both(needs); !together {
			return fmt.Errorf("%s takes a %s target only, and another one that is %s", of, needs.Target, all.Target)
		}
	}
	return nil
}

// Needs is what all candidates need together, and inner folds.
func (e Engine) Needs() engines.Needs {
	all := e.Candidates[0].Engine.Needs()
	for _, c := range e.Candidates[1:] {
		all, _ = all.Both(c.Engine.Needs())
	}
	all.Sizes, all.Inner = engines.Sizes{}, true
	return all
}

// FootprintByClass is the largest of the candidates', and a copy of the rows for the inner folds.
func (e Engine) FootprintByClass(rows, columns, classes int, entries int64) int64 {
	most := int64(0)
	for _, c := range e.Candidates {
		most = max(most, engines.Footprint(c.Engine, rows, columns, classes, entries))
	}
	return most + 24*entries + 16*int64(columns)
}

// Fit chooses, and fits what it chose.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	m, err := e.metric(run.Train)
	if err != nil {
		return nil, err
	}
	seed := run.Rand.Uint64()
	parts, err := e.divide(run, seed)
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	c, err := e.expand(run, seed)
	if err != nil {
		return nil, err
	}
	if err := c.score(ctx, run, parts, m, seed); err != nil {
		return nil, err
	}
	best, at := c.best(bool(m.Better)), 0
	if best < 0 {
		return nil, c.noneWorked(m.Name)
	}
	if at = best; e.Choose == chooseOneSE {
		at = c.withinSE(best, bool(m.Better))
	}
	c.tell(run, m.Name, len(parts), at, best)
	run.Rand = random(seed)
	return c.engine(at).Fit(ctx, run)
}

// metric that is compared.
func (e Engine) metric(rows *data.View) (metric.Metric, error) {
	name := e.Metric
	if name == "" {
		name = "test_mse"
		if rows.TargetInfo(0).Type == data.Class {
			name = "accuracy"
		}
	}
	m, ok := metric.Find(name)
	if !ok || !m.OfPredictions() {
		return m, fmt.Errorf("tune: %s is no metric of predictions", name)
	}
	if t := rows.TargetInfo(0).Type; m.Target != data.Any && m.Target != t {
		return m, fmt.Errorf("tune: metric %s is for a %s target, %s is %s", name, m.Target, rows.TargetInfo(0).Name, t)
	}
	return m, nil
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed^0x74756e65)) }

// part is a fold of the training rows.
type part struct{ train, validate *data.View }

// divide the training rows as the outer folds divide all.
func (e Engine) divide(run engines.Run, seed uint64) ([]part, error) {
	set := run.Train.Division()
	spec := folds.Spec{Kind: "kfold", K: min(e.K, set.Rows()), Repeats: e.Repeats}
	of := fmt.Sprintf("%d training rows", set.Rows())
	if run.Inner.Ordered { // blocks of the time, of which the first is fitted only
		spec = folds.Spec{Kind: "time", K: min(e.K, set.Rows()-1), Gap: run.Inner.Gap, Window: run.Inner.Window}
		spec.Test = float64(set.Rows() / (spec.K + 1))
	} else {
		if (run.Inner.By || run.Train.Starts() != nil) && set.Groups != nil {
			spec.By, of = set.Groups.Name, fmt.Sprintf("training rows of %d groups (%s)", len(set.Groups.Key), set.Groups.Name)
			spec.K = min(spec.K, len(set.Groups.Key))
		}
		if t := set.Targets[0]; t.Type == data.Class && t.Rows == nil {
			spec.Stratify = true
			if spec.By == "" {
				of += fmt.Sprintf(", of which no class of target %s has more than %d,", t.Name, mostFrequent(t))
				spec.K = min(spec.K, mostFrequent(t))
			}
		}
	}
	if spec.K < 2 {
		return nil, fmt.Errorf("%s make no two inner folds", of)
	}
	division, err := spec.Split(set, int64(seed>>1))
	if err != nil {
		return nil, err
	}
	var parts []part
	for _, f := range division {
		if targets := varying(set.Targets, f.Train); len(targets) > 0 {
			parts = append(parts, part{within(run.Train.Sub(f.Train), targets), within(run.Train.Sub(f.Test), targets)})
		}
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("no inner fold has training rows of two classes; target %s has %d of %d training rows in its most frequent class",
			set.Targets[0].Name, mostFrequent(set.Targets[0]), set.Rows())
	}
	if spec.K < e.K {
		run.Note(fmt.Sprintf("tuned on %d inner folds instead of %d: the training rows do not make more", spec.K, e.K))
	}
	return parts, nil
}

// varying are the targets that an inner fold can compare: not classes of which its training rows have one alone.
func varying(targets []data.Target, train []int32) (kept []int) {
	for t, target := range targets {
		if target.Type != data.Class || target.Rows != nil || levels(target, train) > 1 {
			kept = append(kept, t)
		}
	}
	return kept
}

// within is the view with these targets alone.
func within(v *data.View, targets []int) *data.View {
	if len(targets) == v.Targets() {
		return v
	}
	columns := make([]int32, v.Columns())
	for j := range columns {
		columns[j] = int32(j)
	}
	return v.Narrow(columns, targets...)
}

// mostFrequent is how many rows the most frequent level has.
func mostFrequent(t data.Target) int {
	n := make([]int, len(t.Levels))
	for _, y := range t.Values {
		n[int(y)]++
	}
	return slices.Max(append(n, 0))
}

// levels that some of the rows have.
func levels(t data.Target, rows []int32) int {
	seen := make([]bool, len(t.Levels))
	n := 0
	for _, i := range rows {
		if l := int(t.Values[i]); !seen[l] {
			seen[l] = true
			n++
		}
	}
	return n
}

// choice is all candidates, paths written out, and what they scored.
type choice struct {
	of     []Candidate // paths with their values
	place  []place
	scores [][]float64 // by place and part; NaN where undefined or the fit failed
	errs   []error     // of places that failed
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

// score every candidate on every inner fold.
func (c *choice) score(ctx context.Context, run engines.Run, parts []part, m metric.Metric, seed uint64) error {
	c.scores = make([][]float64, len(c.place))
	for at := range c.scores {
		c.scores[at] = slices.Repeat([]float64{math.NaN()}, len(parts))
	}
	for k, p := range parts {
		inner := engines.Run{Train: p.train, Workers: run.Workers, Inner: run.Inner}
		for at := 0; at < len(c.place); {
			of := c.of[c.place[at].of]
			inner.Rand = random(seed + uint64(k) + 1)
			measure := func(i int, model engines.Model) {
				if v, err := runner.Measure(m, model, p.validate, run.Workers); err == nil {
					c.scores[at+i][k] = v
				} else if c.errs[at+i] == nil {
					c.errs[at+i] = err
				}
			}
			n, err := 1, error(nil)
			if of.Path == "" {
				var model engines.Model
				if model, err = of.Engine.Fit(ctx, inner); err == nil {
					measure(0, model)
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
					if c.errs[at+i] == nil && math.IsNaN(c.scores[at+i][k]) {
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
