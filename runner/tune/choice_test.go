package tune

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/runner/inner"
)

// odd is an engine of which fits fail, or hold something until they are closed, with needs of its own.
type odd struct {
	engines.Engine
	err       error
	held      *int
	needs     engines.Needs
	footprint int64
}

func (o odd) Needs() engines.Needs                                  { return o.needs }
func (o odd) Footprint(engines.Shape) engines.Footprint             { return engines.Footprint{Bytes: o.footprint} }
func (o odd) PathParameters() []string                              { return nil }
func (o odd) PathValues(engines.Run) (r engines.PathRange, _ error) { return r, o.err }
func (o odd) AtValue(float64) engines.Engine                        { return o }
func (o odd) FitPath(context.Context, engines.Run, engines.PathPoints, func(int, engines.Model)) error {
	return o.err
}

func (o odd) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if o.err != nil {
		return nil, o.err
	}
	m, err := o.Engine.Fit(ctx, run)
	*o.held++
	return holding{m, o.held}, err
}

type holding struct {
	engines.Model
	held *int
}

func (h holding) Close() { *h.held-- }

// across is an engine of stages.
type across struct{ engines.Across }

func (across) Validate() error      { return nil }
func (across) Needs() engines.Needs { return engines.Needs{} }

func TestValidate(t *testing.T) {
	t.Parallel()
	sound := Options{InnerFolds: engines.InnerFolds{K: 2, Repeats: 1}, Choose: chooseBest, Search: Grid, Factor: defaultFactor, Resource: Rows}
	with := func(change func(*Options)) Engine {
		e := Engine{Options: sound, Candidates: ridges(1)}
		change(&e.Options)
		return e
	}
	for _, c := range []struct {
		e      Engine
		fields string
	}{
		{with(func(*Options) {}), ""},
		{with(func(o *Options) { o.Repeats, o.Choose, o.Metric = 1000, chooseOneSE, "test_r2" }), ""},
		{with(func(o *Options) { o.K = 1 }), "k"},
		{with(func(o *Options) { o.Repeats = 0 }), "repeats"},
		{with(func(o *Options) { o.Repeats = 1000 + 1 }), "repeats"},
		{with(func(o *Options) { o.Metric = "selected" }), "metric"},
		{with(func(o *Options) { o.Choose = "worst" }), "choose"},
		{with(func(o *Options) { o.Search, o.Draws, o.Seed = Random, 5, 7 }), ""},
		{with(func(o *Options) { o.Search = Random }), "search"},
		{with(func(o *Options) { o.Search, o.Draws = Random, -5 }), "draws"},
		{with(func(o *Options) { o.Search = "bayes" }), "search"},
		{with(func(o *Options) { o.Search, o.Factor, o.Resource = Halving, 2, "trees" }), ""},
		{with(func(o *Options) { o.Search, o.Choose = Halving, chooseOneSE }), "choose"},
		{with(func(o *Options) { o.Search, o.Factor = Halving, 1 }), "factor"},
		{with(func(o *Options) { o.Factor = 2 }), "factor"},
		{with(func(o *Options) { o.Resource = "trees" }), "resource"},
		{with(func(o *Options) { o.Draws = 5 }), "draws"},
		{with(func(o *Options) { o.Seed = 5 }), "seed"},
		{Engine{Options: sound, Candidates: append(ridges(1), Candidate{Engine: ridge(-2)})}, "lambda"},
	} {
		if got := enginetest.Fields(c.e.Validate()); got != c.fields {
			t.Errorf("%+v: complaints about %q, want %q", c.e.Options, got, c.fields)
		}
	}
	if err := (Engine{Options: sound, Candidates: []Candidate{{Engine: across{}}}}).Validate(); err == nil || !strings.Contains(err.Error(), "in stages of its own") {
		t.Errorf("stages: %v", err)
	}
}

// What all candidates can, the choice can; memory is that of the largest, and a copy of the rows.
func TestNeedsOfAll(t *testing.T) {
	t.Parallel()
	able := engines.Needs{Factors: true, Together: true}
	for want, of := range map[string][]engines.Needs{"true true": {able, able}, "false true": {able, {Together: true}}, "true false": {{Factors: true}, able}} {
		e := Engine{Candidates: []Candidate{{Engine: odd{Engine: ridge(1), needs: of[0], footprint: 1000}}, {Engine: odd{Engine: ridge(1), needs: of[1], footprint: 5000}}}}
		if n := e.Needs(); fmt.Sprint(n.Factors, " ", n.Together) != want || !n.Inner {
			t.Errorf("%+v, want %s", n, want)
		}
		shape := engines.Shape{Rows: 100, Columns: 10, Entries: 300}
		if got, least := e.Footprint(shape).Bytes, 5000+2*shape.EntryBytes()*shape.Entries; got < least || got > least+1000 {
			t.Errorf("%d bytes, expected %d and a little", got, least)
		}
	}
}

// Candidates that fail are counted, or named where all do; what models hold is let go, but for that of the chosen one.
func TestFailures(t *testing.T) {
	t.Parallel()
	v, held := enginetest.View(linear(40, 5, 1), nil), 0
	wrong := errors.New("singular")
	bad, good := Candidate{Engine: odd{Engine: ridge(1), err: wrong}, Label: "bad"}, Candidate{Engine: odd{Engine: ridge(1), held: &held}, Label: "good"}
	worse := Candidate{Engine: odd{Engine: ridge(1), err: wrong}, Label: "worse", Path: "lambda", Values: []float64{2, 1}}
	unknown := Candidate{Engine: odd{Engine: ridge(1), err: wrong}, Path: "lambda"}
	for _, c := range []struct {
		of         []Candidate
		note, fail string
	}{
		{[]Candidate{bad, good, worse}, "3 of 4 candidates could not be fitted to all inner folds", ""},
		{[]Candidate{good}, "", ""},
		{[]Candidate{bad, worse}, "", "no candidate could be fitted to all inner folds; bad: singular"},
		{[]Candidate{worse}, "", "no candidate could be fitted to all inner folds; worse, lambda=2: singular"},
		{[]Candidate{good, unknown}, "", "singular"},
		{[]Candidate{good, {Engine: odd{Engine: ridge(1), err: engines.Disturbance{Err: errors.New("disk full")}}}}, "", "a candidate on inner fold 0: disk full"},
	} {
		var notes []string
		held = 0
		run := engines.Run{Train: v, Rand: random(1), Workers: 1, Warn: func(n string) { notes = append(notes, n) }}
		m, err := Engine{Candidates: c.of, Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}}.Fit(t.Context(), run)
		if c.fail != "" {
			if err == nil || !strings.HasSuffix(err.Error(), c.fail) {
				t.Errorf("%v, want %s", err, c.fail)
			}
			continue
		}
		if err != nil || m.Outputs() != 1 || held != 1 || strings.Join(notes, "\n") != c.note {
			t.Errorf("%v, %d models held, notes %q; want %q", err, held, notes, c.note)
		}
	}
}

// Metrics that are none of predictions, or undefined everywhere, choose nothing.
func TestNothingToChooseBy(t *testing.T) {
	t.Parallel()
	same := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}, []float64{5}), enginetest.Real("y", 1, 1, 1, 1)), nil)
	for metric, want := range map[string]string{"selected": "tune: selected is no metric of predictions", "none": "tune: none is no metric", "test_r2": "tune: test_r2 is undefined for every candidate on the inner folds"} {
		_, err := Engine{Candidates: ridges(1), Options: Options{InnerFolds: engines.InnerFolds{K: 2, Repeats: 1, Metric: metric}, Choose: chooseBest}}.Fit(t.Context(), engines.Run{Train: same, Rand: random(1), Workers: 1})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Where higher is better, within one standard error is below the best; and what is told is the mean with its error.
func TestOneSEOfHigher(t *testing.T) {
	t.Parallel()
	c := &choice{candidates: ridges(3, 2, 1), points: []pathPoint{{0, 0}, {1, 0}, {2, 0}}, errs: make([]error, 3), scores: [][]float64{{1, 2, 1}, {2, 3, 2.5}, {2, 4, 3}}} // 3 ± 0.577
	if best, at := c.best(true), c.simplestWithinSE(2, true); best != 2 || at != 1 {
		t.Errorf("best is %d, within one standard error %d", best, at)
	}
	told := map[string]string{}
	c.tell(engines.Run{Tell: func(f data.Fact) { told[f.Name] = f.Value }}, "accuracy", 3, 2, 2)
	if told["inner accuracy"] != "3 ± 0.58" || len(told) != 3 {
		t.Errorf("told %q", told)
	}
	for n, want := range []string{"first", "second"} { // which of two metrics decides, where the first candidate is best
		c := &choice{candidates: ridges(2, 1), points: []pathPoint{{0, 0}, {1, 0}}, errs: make([]error, 2), innerScores: [][][]float64{{{1}, {2}}, {{1}, {2}}}, plain: n == 1}
		may, err := inner.Metrics(nil, "", enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}), enginetest.Class("y", 2, 0, 1)), nil))
		if err != nil || c.decides(may).Name != may[n].Name {
			t.Errorf("the %s does not decide: %v", want, err)
		}
	}
}
