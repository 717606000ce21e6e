package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/registry"
)

// Suite checks that an engine keeps every law below, on a small data set that meets its needs. The race detector sees the laws of
// Concurrent alone, since it has nothing to find in the others.
func Suite(t *testing.T, e engines.Engine) {
	t.Helper()
	check(t, e, parallel.RaceDetector)
}

// Concurrent checks the laws of Suite that fit with several workers: for a wrapper around one more engine, whose tests, and those of
// the wrapper around others, hold both to the whole suite.
func Concurrent(t *testing.T, e engines.Engine) {
	t.Helper()
	check(t, e, true)
}

func check(t *testing.T, e engines.Engine, concurrent bool) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatalf("the suite needs valid parameters: %v", err)
	}
	p := problemFor(e.Needs())
	for _, law := range laws {
		if concurrent && !law.concurrent {
			continue
		}
		t.Run(law.name, func(t *testing.T) {
			if err := law.check(e, p); err != nil {
				t.Error(err)
			}
		})
	}
}

type law struct {
	name       string
	check      func(engines.Engine, problem) error
	concurrent bool // it fits with several workers
}

var laws = []law{
	{"same result from every goroutine and number of workers", deterministic, true},
	{"fit does not change the engine", unchanged, false},
	{"a listener changes nothing", traced, true},
	{"coefficients are sorted, finite and not zero", sortedCoefs, false},
	{"columns have weights, unless its models are opaque", transparent, false},
	{"it takes the weights of rows that it says it takes", weighted, false},
	{"scores have the shape of the targets", shaped, false},
	{"a row's scores do not depend on the rows around it", rowByRow, false},
	{"a row by itself scores as it is predicted", scored, false},
	{"columns that it does not use change nothing", sparing, false},
	{"scores are intercepts and coefficients", linearly, false},
	{"what is told of the fit is sound", reported, false},
	{"the memory predicted grows with the data", predicted, false},
	{"the model can be kept", keeper, false},
	{"chooses what it fits", chooses, false},
	{"ends where it is cancelled", cancelled, false},
	{"asks often enough whether it is cancelled", asking, false},
}

// outcome is all that a fit shows.
type outcome struct {
	coefs  []engines.Coef
	scores []float64
	fitted engines.Fitted
}

func fit(e engines.Engine, p problem, workers int, trace engines.Trace) (engines.Model, outcome, error) {
	m, err := e.Fit(context.Background(), p.run(workers, trace))
	if err != nil {
		return nil, outcome{}, fmt.Errorf("fit: %w", err)
	}
	o := outcome{coefs: m.Coefs(), scores: scores(m, p.test)}
	if r, ok := m.(engines.Reporter); ok {
		o.fitted = r.Fitted()
	}
	return m, o, nil
}

func scores(m engines.Model, on *data.View) []float64 {
	dst := make([]float64, on.Len()*m.Outputs())
	m.Predict(dst, on.Inputs())
	return dst
}

func differ(a, b outcome) error {
	switch {
	case !reflect.DeepEqual(a.coefs, b.coefs):
		return fmt.Errorf("coefficients differ:\n%v\n%v", a.coefs, b.coefs)
	case !reflect.DeepEqual(a.scores, b.scores):
		return fmt.Errorf("scores differ:\n%v\n%v", a.scores, b.scores)
	case !reflect.DeepEqual(a.fitted, b.fitted):
		return fmt.Errorf("reports differ:\n%+v\n%+v", a.fitted, b.fitted)
	}
	return nil
}

// deterministic fits four times at once, with 1 and with 3 workers, and once more afterwards.
func deterministic(e engines.Engine, p problem) error {
	_, want, err := p.fit(e)
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	errs := make([]error, 4)
	for k := range errs {
		wait.Go(func() {
			_, got, err := fit(e, p, 1+2*(k%2), nil)
			errs[k] = errors.Join(err, differ(want, got))
		})
	}
	wait.Wait()
	_, again, err := fit(e, p, 3, nil)
	return errors.Join(errors.Join(errs...), err, differ(want, again))
}

func unchanged(e engines.Engine, p problem) error {
	before := fmt.Sprintf("%+v", e)
	if _, _, err := fit(e, p, 1, nil); err != nil {
		return err
	}
	if after := fmt.Sprintf("%+v", e); after != before {
		return fmt.Errorf("before: %s\nafter:  %s", before, after)
	}
	return nil
}

func traced(e engines.Engine, p problem) error {
	_, silent, err := p.fit(e)
	if err != nil {
		return err
	}
	var first, second []engines.Step
	_, heard, err := fit(e, p, 1, func(s engines.Step) { first = append(first, s) })
	if err == nil {
		_, _, err = fit(e, p, 3, func(s engines.Step) { second = append(second, s) })
	}
	if err == nil && !reflect.DeepEqual(first, second) {
		err = fmt.Errorf("two fits told of different steps: %d and %d", len(first), len(second))
	}
	return errors.Join(err, differ(silent, heard))
}

// StepParameters fits an engine as it is documented, and refuses steps with a value of what is no parameter of it.
func StepParameters(e engines.Engine) error {
	known := registry.Params(e, e)
	var wrong error
	_, _, err := fit(e, problemFor(e.Needs()), 1, func(s engines.Step) {
		named := slices.ContainsFunc(known, func(p registry.Param) bool { return p.Name == s.Parameter })
		if !named && (s.Parameter != "" || s.ParameterValue != 0) {
			wrong = fmt.Errorf("step %d has a value of %q, which is no parameter", s.Iter, s.Parameter)
		}
	})
	return errors.Join(err, wrong)
}

func transparent(e engines.Engine, p problem) error {
	m, _, err := p.fit(e)
	if err != nil {
		return err
	}
	if _, ok := engines.ColumnWeights(m, p.train.Columns(), func(sum, coef float64) float64 { return sum + coef }); ok == e.Needs().Opaque {
		return fmt.Errorf("opaque is %v, and that columns have weights is %v", e.Needs().Opaque, ok)
	}
	return nil
}

func weighted(e engines.Engine, p problem) error {
	set := *p.set
	for weight, refused := range map[float64]bool{2: e.Needs().Unweighted, 1.5: e.Needs().Unweighted || e.Needs().WholeWeights} {
		set.Weight = slices.Repeat([]float64{weight}, set.Rows())
		_, _, err := fit(e, split(&set, p.watch), 1, nil)
		if err != nil && !refused || err == nil && refused && !e.Needs().Inner { // of several candidates another one may fit
			return fmt.Errorf("needs %+v, and weights of %v: %v", e.Needs(), weight, err)
		}
	}
	return nil
}

func sortedCoefs(e engines.Engine, p problem) error {
	m, o, err := p.fit(e)
	if err != nil {
		return err
	}
	_, named := m.(engines.Namer) // it may have features of its own
	for k, c := range o.coefs {
		switch {
		case c.Value == 0 || math.IsNaN(c.Value) || math.IsInf(c.Value, 0):
			return fmt.Errorf("coefficient %d has the value %v: %+v", k, c.Value, c)
		case c.Feature < 0 || c.Feature >= p.train.Columns() && !named || c.Output < 0 || c.Output >= m.Outputs():
			return fmt.Errorf("coefficient %d is outside %d columns × %d outputs: %+v", k, p.train.Columns(), m.Outputs(), c)
		case k > 0 && !(o.coefs[k-1].Output < c.Output || o.coefs[k-1].Output == c.Output && o.coefs[k-1].Feature < c.Feature):
			return fmt.Errorf("coefficients %d and %d are out of order: %+v, %+v", k-1, k, o.coefs[k-1], c)
		}
	}
	return nil
}

func shaped(e engines.Engine, p problem) error {
	m, o, err := p.fit(e)
	if err != nil {
		return err
	}
	want := 0
	for t := range p.train.Targets() {
		want += max(1, len(p.train.TargetInfo(t).Levels))
	}
	if m.Outputs() != want {
		return fmt.Errorf("%d outputs, expected %d", m.Outputs(), want)
	}
	for k, v := range o.scores {
		if v-v != 0 && !(o.fitted.Probabilities && math.IsInf(v, -1)) { // the logarithm of a probability of 0
			return fmt.Errorf("score %d is %v", k, v)
		}
	}
	return addUp(p, o)
}

// reported checks numbers of steps that can be, and a bound that the objective is not below.
func reported(e engines.Engine, p problem) error {
	_, o, err := p.fit(e)
	if err != nil {
		return err
	}
	f := o.fitted
	if f.Best < -1 || f.Iterations < 0 || f.Evaluated < 0 || f.Best > f.Iterations {
		return fmt.Errorf("the model is that of step %d of %d, %d candidates were examined", f.Best, f.Iterations, f.Evaluated)
	}
	if c := f.Certificate; c != nil && !(c.Dual <= c.Objective+1e-9*max(1, math.Abs(c.Objective))) {
		return fmt.Errorf("the objective %v is below its bound %v", c.Objective, c.Dual)
	}
	return nil
}

// predicted compares predictions for data of one size with those for more rows, columns or entries; an engine that can tell nothing
// predicts 0.
func predicted(e engines.Engine, _ problem) error {
	shape := engines.Shape{Rows: 1000, Columns: 400, Entries: 20_000, Classes: 3}
	before := engines.FootprintOf(e, shape)
	if _, sized := e.(engines.Sized); sized && before.Bytes <= 0 {
		return fmt.Errorf("%+v for %+v", before, shape)
	}
	rows, columns, entries := shape, shape, shape
	rows.Rows, columns.Columns, entries.Entries = 1500, 600, 30_000
	for _, more := range []engines.Shape{rows, columns, entries} {
		after := engines.FootprintOf(e, more)
		if after.Bytes < before.Bytes || after.Resident < before.Resident || after.Useful < before.Useful {
			return fmt.Errorf("%+v for %+v, but %+v for %+v", before, shape, after, more)
		}
	}
	return nil
}

// keeper saves the model. That it comes back the same is a test of package all, which knows every kind of model.
func keeper(e engines.Engine, p problem) error {
	m, _, err := p.fit(e)
	if err != nil {
		return err
	}
	saved, err := engines.Save(m)
	if err == nil && (saved.Kind == "" || !json.Valid(saved.State)) {
		err = fmt.Errorf("kind %q with the state %.80s", saved.Kind, saved.State)
	}
	return err
}
