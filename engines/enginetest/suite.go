package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"tenfold/engines"
	"tenfold/engines/core/parallel"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
)

// Suite checks that an engine keeps every law below, on a small data set that meets its needs.
func Suite(t *testing.T, e engines.Engine) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatalf("the suite needs valid parameters: %v", err)
	}
	for _, law := range laws {
		if parallel.RaceDetector && !law.concurrent {
			continue // it has nothing for the detector to see
		}
		t.Run(law.name, func(t *testing.T) {
			if err := law.check(e, problemFor(e.Needs())); err != nil {
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
	{"scores have the shape of the targets", shaped, false},
	{"a row's scores do not depend on the rows around it", rowByRow, false},
	{"a row by itself scores as it is predicted", scored, false},
	{"columns that it does not use change nothing", sparing, false},
	{"scores are intercepts and coefficients", linearly, false},
	{"what is told of the fit is sound", told, false},
	{"the memory predicted grows with the data", predicted, false},
	{"the model can be kept", keeper, false},
	{"chooses what it fits", chooses, false},
	{"ends where it is cancelled", cancelled, false},
	{"asks often enough whether it is cancelled", asking, false},
}

// problem is a fold of a tiny data set.
type problem struct {
	train, test *data.View
	watch       bool
}

// run is a fresh run: every fit gets the same random numbers.
func (p problem) run(workers int, trace engines.Trace) engines.Run {
	r := engines.Run{Train: p.train, Rand: rand.New(rand.NewPCG(7, 8)), Trace: trace, Workers: workers}
	if p.watch {
		r.Watch = p.test
	}
	return r
}

// problemFor makes 60 rows × 12 columns with what the needs ask for: a quarter of the rows is the test part.
func problemFor(needs engines.Needs) problem { return problemOf(needs, 60, 12) }

// problemOf makes a data set with what the needs ask for: a quarter of the rows is the test part. Rows come in groups of two;
// the last column repeats the first, and the one before it is constant.
func problemOf(needs engines.Needs, rows, cols int) problem {
	rng := rand.New(rand.NewPCG(1, 2))
	dense := make([][]float64, rows)
	for i := range dense {
		dense[i] = make([]float64, cols)
		for j := range cols - 2 {
			if rng.Float64() < 0.4 {
				dense[i][j] = 1
				if !needs.Binary {
					dense[i][j] = 1 + math.Round(8*rng.NormFloat64())/16
					if needs.Counts {
						dense[i][j] = math.Abs(dense[i][j])
					}
				}
			}
		}
		dense[i][cols-2], dense[i][cols-1] = 1, dense[i][0]
	}
	tasks := 1
	if needs.Tasks {
		tasks = 2
	}
	var targets []data.Target
	for k := range tasks {
		targets = append(targets, respond(needs, fmt.Sprintf("y%d", k), dense, k, rng))
	}
	set := Dataset(Matrix(dense...), targets...)
	if needs.FeatureClasses {
		class := make([]int32, cols)
		for j := range class {
			class[j] = int32(j % 3)
		}
		set.Features = set.Features.WithClasses(class, []string{"a", "b", "c"})
	}
	if needs.Truth {
		for t := range targets {
			set.Truth = append(set.Truth, data.True{Feature: int32(t), Target: int32(t), Value: 2}, data.True{Feature: int32(t + 2), Target: int32(t), Value: -1})
		}
	}
	set.Groups = &data.Groups{Name: "pair", Of: make([]int32, rows), Key: make([]uint64, rows/2)}
	for i := range rows {
		set.Groups.Of[i] = int32(i / 2)
	}
	for k := range set.Groups.Key {
		set.Groups.Key[k] = rng.Uint64()
	}
	p, err := prepare.Recipe{}.Fit(set, nil)
	if err != nil {
		panic(err)
	}
	return problem{train: p.View(between(0, rows*3/4)), test: p.View(between(rows*3/4, rows)), watch: needs.Watch}
}

func respond(needs engines.Needs, name string, dense [][]float64, task int, rng *rand.Rand) data.Target {
	y := make([]float64, len(dense))
	for i, row := range dense {
		y[i] = max(0.1, 3+2*row[task]-row[task+2]+0.25*row[5]+0.5*rng.NormFloat64()) // some families take it for a weight
	}
	levels := needs.Levels
	switch {
	case levels > 0:
	case needs.Target == data.Survival:
		return Survival(name, y...)
	case needs.Target == data.Class:
		levels = 3
	default:
		return Real(name, y...)
	}
	for i, v := range y {
		y[i] = min(float64(levels-1), max(0, math.Floor(v-2)))
	}
	return Class(name, levels, y...)
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

// deterministic fits six times at once, with 1 and with 3 workers, and once more afterwards.
func deterministic(e engines.Engine, p problem) error {
	_, want, err := fit(e, p, 1, nil)
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	errs := make([]error, 6)
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
	_, silent, err := fit(e, p, 1, nil)
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

func sortedCoefs(e engines.Engine, p problem) error {
	m, o, err := fit(e, p, 1, nil)
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
	m, o, err := fit(e, p, 1, nil)
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

// rowByRow asks for the test rows backwards, and for one alone.
func rowByRow(e engines.Engine, p problem) error {
	m, want, err := fit(e, p, 1, nil)
	if err != nil {
		return err
	}
	n, k := p.test.Len(), m.Outputs()
	back := make([]int32, n)
	for i := range back {
		back[i] = int32(n - 1 - i)
	}
	for _, rows := range [][]int32{back, {int32(n / 2)}} {
		got := scores(m, p.test.Sub(rows))
		for r, i := range rows {
			if row := want.scores[int(i)*k : int(i)*k+k]; !reflect.DeepEqual(got[r*k:r*k+k], row) {
				return fmt.Errorf("row %d: scores %v among all rows, %v among %d others", i, row, got[r*k:r*k+k], len(rows)-1)
			}
		}
	}
	return nil
}

// scored scores every row by itself, where the model can.
func scored(e engines.Engine, p problem) error {
	m, want, err := fit(e, p, 1, nil)
	if err != nil {
		return err
	}
	s, ok := m.(engines.Scorer)
	if !ok {
		return nil
	}
	k := m.Outputs()
	got := make([]float64, k)
	for i := range p.test.Len() {
		if s.Score(got, p.test.Row(i)); !slices.EqualFunc(got, want.scores[i*k:(i+1)*k], same) {
			return fmt.Errorf("row %d: by itself %v, predicted %v", i, got, want.scores[i*k:(i+1)*k])
		}
	}
	return nil
}

// sparing scores every row by itself with other values in the columns that the model does not use, and without them.
func sparing(e engines.Engine, p problem) error {
	m, want, err := fit(e, p, 1, nil)
	if err != nil {
		return err
	}
	s, ok := m.(engines.Scorer)
	if !ok {
		return nil
	}
	used := make([]bool, p.test.Columns())
	for _, j := range engines.Uses(m, p.test.Columns()) {
		used[j] = true
	}
	k := m.Outputs()
	got := make([]float64, k)
	for i := range p.test.Len() {
		row := p.test.Row(i)
		var other, without sparse.Vec
		for j := range used {
			v := 0.0
			if at, has := slices.BinarySearch(row.Idx, int32(j)); has {
				v = row.At(at)
			}
			if used[j] && v != 0 {
				without.Idx, without.Val = append(without.Idx, int32(j)), append(without.Val, v)
			}
			if !used[j] {
				v = 7
			}
			if v != 0 {
				other.Idx, other.Val = append(other.Idx, int32(j)), append(other.Val, v)
			}
		}
		for _, row := range []sparse.Vec{other, without} {
			if s.Score(got, row); !slices.EqualFunc(got, want.scores[i*k:(i+1)*k], same) {
				return fmt.Errorf("row %d: %v, without what it does not use %v", i, want.scores[i*k:(i+1)*k], got)
			}
		}
	}
	return nil
}

// linearly computes scores from the intercepts and coefficients of a model that has the former and no features of its own, for rows
// of ones in the columns of the test rows: they are the outputs of a number, and logarithms of probabilities are as far apart.
func linearly(e engines.Engine, p problem) error {
	m, want, err := fit(e, p, 1, nil)
	if err != nil {
		return err
	}
	bias := engines.Biases(m)
	scorer, can := m.(engines.Scorer)
	if _, own := m.(engines.Namer); bias == nil || own || !can || p.train.Targets() > 1 {
		return nil
	}
	if len(bias) != m.Outputs() {
		return fmt.Errorf("%d intercepts of %d outputs", len(bias), m.Outputs())
	}
	number, scores := p.train.TargetInfo(0).Type == data.Real, make([]float64, len(bias))
	for i := range p.test.Len() {
		row := sparse.Vec{Idx: p.test.Row(i).Idx}
		dense, sums := make([]float64, p.test.Columns()), slices.Clone(bias)
		row.AddTo(dense, 1)
		scorer.Score(scores, row)
		for _, c := range want.coefs {
			sums[c.Output] += c.Value * dense[c.Feature]
		}
		for a := range sums {
			for b := range sums {
				apart, of := scores[a]-scores[b], sums[a]-sums[b]
				if !number && want.fitted.Probabilities && math.Abs(apart-of) > 1e-9*(1+math.Abs(of)) {
					return fmt.Errorf("row %d: outputs %v, of the sums %v", i, scores, sums)
				}
			}
			if number && !want.fitted.Probabilities && math.Abs(sums[a]-scores[a]) > 1e-9*(1+math.Abs(sums[a])) {
				return fmt.Errorf("row %d: output %v, of the sum %v", i, scores[a], sums[a])
			}
		}
	}
	return nil
}

// told is numbers of steps that can be, and a bound that the objective is not below.
func told(e engines.Engine, p problem) error {
	_, o, err := fit(e, p, 1, nil)
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
	m, _, err := fit(e, p, 1, nil)
	if err != nil {
		return err
	}
	saved, err := engines.Save(m)
	if err == nil && (saved.Kind == "" || !json.Valid(saved.State)) {
		err = fmt.Errorf("kind %q with the state %.80s", saved.Kind, saved.State)
	}
	return err
}
