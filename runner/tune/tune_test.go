package tune

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/entropy/naivebayes"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/penalized/group"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/searches"
	"tenfold/engines/steps/stagewise"
	"tenfold/runner/inner"
)

func ridge(lambda float64) engines.Engine {
	e := leastsquares.RidgeKind.Defaults().(leastsquares.Ridge)
	e.Lambda = lambda
	return e
}

func ridges(lambdas ...float64) (out []Candidate) {
	for _, l := range lambdas {
		out = append(out, Candidate{Engine: ridge(l), Label: fmt.Sprintf("lambda=%v", l), Complexity: []float64{-l}})
	}
	return out
}

func TestSuite(t *testing.T) {
	t.Run("numbers", func(t *testing.T) {
		enginetest.Suite(t, Engine{Candidates: ridges(10, 1, 0.1), Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 2}, Choose: chooseOneSE, Search: Grid, Factor: defaultFactor, Resource: Rows}})
	})
	t.Run("classes", func(t *testing.T) {
		enginetest.Suite(t, Engine{Candidates: []Candidate{{Engine: univariate.SimesKind.Defaults()}, {Engine: logistic.Kind.Defaults()}}, Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 1}, Choose: chooseBest, Search: Grid, Factor: defaultFactor, Resource: Rows}})
	})
}

// linear is rows whose number depends on a few columns, with much noise.
func linear(n, m int, noise float64) *data.Dataset {
	rng := rand.New(rand.NewPCG(4, 4))
	dense, y := make([][]float64, n), make([]float64, n)
	for i := range dense {
		dense[i] = make([]float64, m)
		for j := range dense[i] {
			dense[i][j] = rng.NormFloat64()
		}
		y[i] = dense[i][0] - dense[i][1] + noise*rng.NormFloat64()
	}
	return enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Real("y", y...))
}

func fit(t *testing.T, e Engine, v *data.View) (engines.Model, map[string]string) {
	t.Helper()
	told := map[string]string{}
	m, err := e.Fit(t.Context(), engines.Run{
		Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1, Tell: func(f data.Fact) { told[f.Name] = f.Value },
	})
	if err != nil {
		t.Fatal(err)
	}
	return m, told
}

// What is chosen is the candidate with the best mean over inner folds, as computed from their definition, and the model is
// that of the candidate on all training rows.
func TestChoosesTheBest(t *testing.T) {
	v := enginetest.View(linear(40, 30, 2), nil)
	e := Engine{Candidates: ridges(1e4, 100, 30, 10, 1, 1e-3), Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}}
	m, told := fit(t, e, v)
	run := engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
	seed := run.Rand.Uint64()
	innerFolds, err := inner.Divide(t.Context(), run, e.InnerFolds, seed)
	if err != nil || len(innerFolds) != 4 {
		t.Fatal(len(innerFolds), err)
	}
	best, value := -1, math.Inf(1)
	for c, candidate := range e.Candidates {
		sum := 0.0
		for _, p := range innerFolds {
			train, validate := p.Views(v)
			model, err := candidate.Engine.Fit(t.Context(), engines.Run{Train: train, Rand: random(0), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float64, validate.Len())
			model.Predict(got, validate.Inputs())
			_, y := validate.Target(0)
			mse := 0.0
			for i := range y {
				mse += (got[i] - y[i]) * (got[i] - y[i]) / float64(len(y))
			}
			sum += mse / 4
		}
		if sum < value {
			best, value = c, sum
		}
	}
	if want := e.Candidates[best].Label; told["tuned"] != want {
		t.Errorf("chose %s, the best is %s (all: %v)", told["tuned"], want, told)
	}
	alone, err := e.Candidates[best].Engine.Fit(t.Context(), engines.Run{Train: v, Rand: random(0), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(m.Coefs()) != fmt.Sprint(alone.Coefs()) {
		t.Error("the model is not that of the candidate on all rows")
	}
}

func TestOneSE(t *testing.T) {
	c := &choice{
		candidates: ridges(5, 4, 3, 2), points: []pathPoint{{0, 0}, {1, 0}, {2, 0}, {3, 0}}, errs: make([]error, 4),
		scores: [][]float64{{5, 9, 7}, {2, 4, 3.5}, {2, 3, 4}, {2, 2.5, 3}},
	}
	if best := c.best(false); best != 3 {
		t.Errorf("best is %d", best)
	}
	c.scores[3][2] = math.NaN()
	if best := c.best(false); best != 2 {
		t.Errorf("a candidate without a score on a fold was chosen, or none: %d", best)
	}
	if at := c.simplestWithinSE(2, false); at != 1 { // 3 ± 0.577: 3.17 is within
		t.Errorf("within one standard error: %d", at)
	}
	c.scores[3][2], c.errs[3] = 3, fmt.Errorf("singular")
	if best := c.best(false); best != 2 {
		t.Errorf("a candidate that failed in a fold was chosen, or none: %d", best)
	}
	if best := c.best(true); best != 0 {
		t.Errorf("higher is better: %d", best)
	}
}

// A score on a single inner fold has no standard error to tell.
func TestTellsOfASingleFold(t *testing.T) {
	c := &choice{candidates: ridges(5, 4), points: []pathPoint{{0, 0}, {1, 0}}, errs: make([]error, 2), scores: [][]float64{{5}, {2}}}
	told := map[string]string{}
	c.tell(engines.Run{Tell: func(f data.Fact) { told[f.Name] = f.Value }}, "test_mse", 1, 0, 1)
	if told["inner test_mse"] != "5" || told["best inner test_mse"] != "2 at lambda=4" {
		t.Errorf("told %q", told)
	}
}

// votes is rows of two classes, one in four of the second. Columns 0 to 7 say a little each, and no cut at one of them names more
// classes rightly than the commonest does.
func votes(n int) *data.View {
	rng := rand.New(rand.NewPCG(5, 6))
	dense, y := make([][]float64, n), make([]float64, n)
	for i := range dense {
		y[i] = float64(i % 4 / 3)
		dense[i] = make([]float64, 8)
		for j := range dense[i] {
			dense[i][j] = 0.25*y[i] + rng.NormFloat64()
		}
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Class("y", 2, y...)), nil)
}

// Classes are compared by the loss of their probabilities, unless a candidate has none, no loss is finite, or the file says
// otherwise.
func TestDefaultMetricOfClasses(t *testing.T) {
	logistic := func(c2 float64) Candidate {
		e := logistic.Kind.Defaults().(logistic.Logistic)
		e.C2 = c2
		return Candidate{Engine: e, Label: fmt.Sprintf("c2=%v", c2)}
	}
	bayes := func(event string, smooth float64) Candidate {
		e := naivebayes.Kind.Defaults().(naivebayes.NaiveBayes)
		e.Event, e.Smooth = event, smooth
		return Candidate{Engine: e, Label: event}
	}
	counts := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1, 0}, []float64{0, 1}, []float64{1, 0}, []float64{0, 1}, []float64{1, 0}, []float64{0, 1}, []float64{1, 0}, []float64{0, 1}),
		enginetest.Class("y", 2, 0, 1, 0, 1, 0, 1, 0, 1)), nil)
	options := Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}
	by := func(name string) Options { o := options; o.Metric = name; return o }
	for _, c := range []struct {
		name         string
		rows         *data.View
		candidates   []Candidate
		options      Options
		metric, wins string
	}{
		{"probabilities", votes(120), []Candidate{logistic(1e6), logistic(10), logistic(1e-6)}, options, "log_loss", "c2=10"},
		{"said", votes(120), []Candidate{logistic(1e6), logistic(1e5)}, by("accuracy"), "accuracy", "c2=1e+06"}, // a tie: the first
		{"scores among them", counts, []Candidate{bayes("bernoulli", 1), bayes("complement", 1)}, options, "accuracy", "bernoulli"},
		{"scores alone", counts, []Candidate{bayes("complement", 1)}, options, "accuracy", "complement"},
		{"scores, and their probabilities asked for", counts, []Candidate{bayes("bernoulli", 1), bayes("complement", 1)}, by("log_loss"), "log_loss", "bernoulli"},
	} {
		_, told := fit(t, Engine{Candidates: c.candidates, Options: c.options}, c.rows)
		if _, ok := told["inner "+c.metric]; !ok || told["tuned"] != c.wins {
			t.Errorf("%s: %v, want %s by %s", c.name, told, c.wins, c.metric)
		}
	}
	nan := math.NaN()
	ms, err := inner.Metrics(nil, "", counts)
	if err != nil || len(ms) != 2 {
		t.Fatal(ms, err)
	}
	for want, c := range map[string]*choice{
		"log_loss": {innerScores: [][][]float64{{{nan}, {0.4}}, {{0.9}, {0.8}}}},
		"accuracy": {innerScores: [][][]float64{{{nan}, {nan}}, {{0.9}, {0.8}}}},
	} {
		c.points, c.errs, c.scores = []pathPoint{{0, 0}, {1, 0}}, make([]error, 2), c.innerScores[0]
		if m := c.decides(ms); m.Name != want {
			t.Errorf("%v: by %s, want %s", c.innerScores, m.Name, want)
		}
	}
}

// paths counts how often it is fitted, and ends where it is told to.
type paths struct {
	engines.Engine
	fits   *int
	asked  map[float64]int // by penalty, how often
	usual  engines.PathRange
	ending float64 // the smallest penalty that it fits
}

func (p paths) PathParameters() []string                          { return []string{"lambda"} }
func (p paths) PathValues(engines.Run) (engines.PathRange, error) { return p.usual, nil }
func (p paths) AtValue(v float64) engines.Engine                  { return ridge(v) }
func (p paths) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	*p.fits++
	for i, v := range points.Values {
		p.asked[v]++
		m, err := ridge(v).Fit(ctx, run)
		if err != nil {
			return err
		}
		if keep(i, m); points.MayEnd && v <= p.ending {
			break
		}
	}
	return nil
}

// A path is fitted once an inner fold, and chooses what single fits choose.
func TestPath(t *testing.T) {
	v, fits := enginetest.View(linear(40, 30, 2), nil), 0
	along := []Candidate{{Engine: paths{ridge(1), &fits, map[float64]int{}, engines.PathRange{Values: []float64{100, 10, 1}}, 0}, Path: "lambda", Label: "scale=none"}}
	m, told := fit(t, Engine{Candidates: along, Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}}, v)
	single, alone := fit(t, Engine{Candidates: ridges(100, 10, 1), Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}}, v)
	if fits != 4 || told["tuned"] != "scale=none, "+alone["tuned"] || fmt.Sprint(m.Coefs()) != fmt.Sprint(single.Coefs()) {
		t.Errorf("%d fits of the path; chose %s and %s", fits, told["tuned"], alone["tuned"])
	}
}

// While the last value of a path is the best, the path goes on, as far as the engine says, and chooses what single fits of all these
// values choose; where that is the last one, a note says so. A path that ends by itself in an inner fold counts there as its last
// model does.
func TestPathGoesOn(t *testing.T) {
	v := enginetest.View(linear(60, 5, 0), nil)
	onward := []engines.PathPiece{{Values: []float64{1e3, 100}, Near: 1}, {Values: []float64{10, 1}, Near: 1}, {Values: []float64{0.1, 0.01}, Near: 1}}
	for _, c := range []struct {
		name   string
		onward []engines.PathPiece
		ending float64
		open   bool
		chosen string
		fits   int
		noted  bool
	}{
		{"to the end", onward, 0, true, "lambda=0.01", 16, true},
		{"to the end, where nothing is beyond", onward, 0, false, "lambda=0.01", 16, false},
		{"not at all", nil, 0, true, "lambda=10000", 4, true},
		{"until it ends by itself", onward, 10, true, "lambda=10", 12, false},
		{"while the best is near the end", []engines.PathPiece{{Values: []float64{10, 1e6}, Near: 1}, {Values: []float64{1e7}, Near: 2}, {Values: []float64{0.1}, Near: 2}}, 0, true, "lambda=10", 12, false},
		{"until it ends by itself at the last value", onward[:1], 100, true, "lambda=100", 8, true},
	} {
		fits := 0
		e := paths{ridge(1), &fits, map[float64]int{}, engines.PathRange{Values: []float64{1e5, 1e4}, Onward: c.onward, Open: c.open}, c.ending}
		var notes []string
		run := engines.Run{Train: v, Rand: random(1), Workers: 1, Warn: func(n string) { notes = append(notes, n) }}
		told := map[string]string{}
		run.Tell = func(f data.Fact) { told[f.Name] = f.Value }
		tuned := Engine{Candidates: []Candidate{
			{Engine: ridge(1e6), Label: "far too much"}, {Engine: e, Path: "lambda"}, {Engine: ridge(1e7), Label: "more still"},
		}, Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}}
		if _, err := tuned.Fit(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if noted := strings.Contains(strings.Join(notes, "\n"), engines.EndOfRange); told["tuned"] != c.chosen || fits != c.fits || noted != c.noted {
			t.Errorf("%s: chose %s after %d fits of the path, notes %q; expected %s after %d", c.name, told["tuned"], fits, notes, c.chosen, c.fits)
		}
		for v, n := range e.asked {
			if n != 4 {
				t.Errorf("%s: %v was fitted %d times, expected once an inner fold", c.name, v, n)
			}
		}
	}
}

// uneven is a path that ends at its second value on every other inner fold.
type uneven struct{ paths }

func (u uneven) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	if u.ending = 0; *u.fits%2 == 0 {
		u.ending = points.Values[1]
	}
	return u.paths.FitPath(ctx, run, points, keep)
}

// On an inner fold where a path ended, its last model counts for all values that follow; on the others, each its own.
func TestPathsEndOnSomeFolds(t *testing.T) {
	v, fits := enginetest.View(linear(40, 30, 2), nil), 0
	options := Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}
	_, got := scoresOf(t, Engine{Candidates: []Candidate{{Engine: uneven{paths{ridge(1), &fits, map[float64]int{}, engines.PathRange{}, 0}}, Path: "lambda", Values: []float64{100, 10, 1, 0.1}}}, Options: options}, v)
	_, single := scoresOf(t, Engine{Candidates: ridges(100, 10, 1, 0.1), Options: options}, v)
	for k := range 4 {
		if k%2 == 0 {
			single[2][k], single[3][k] = single[1][k], single[1][k]
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(single) {
		t.Errorf("%v, want %v", got, single)
	}
	fits, v = 0, enginetest.View(linear(60, 5, 0), nil)
	e := uneven{paths{ridge(1), &fits, map[float64]int{}, engines.PathRange{Values: []float64{1e5, 1e4, 1e3}, Onward: []engines.PathPiece{{Values: []float64{100, 10}, Near: 1}}}, 0}}
	if _, told := fit(t, Engine{Candidates: []Candidate{{Engine: e, Path: "lambda"}}, Options: options}, v); told["tuned"] != "lambda=10" || fits != 6 {
		t.Errorf("chose %s after %d fits, expected those of the folds where it goes on", told["tuned"], fits)
	}
}

// A value at an end of its list is told of where it is chosen.
func TestEndOfList(t *testing.T) {
	v := enginetest.View(linear(60, 5, 0), nil)
	for want, last := range map[bool]float64{true: 0.01, false: 1e4} {
		of := ridges(1e5, last)
		of[1].Ends = []string{"lambda=0.01, the smallest of 2 in the list"}
		var notes []string
		run := engines.Run{Train: v, Rand: random(1), Workers: 1, Warn: func(n string) { notes = append(notes, n) }}
		e := Engine{Candidates: append(of, Candidate{Engine: ridge(1), Label: "lambda=1"}), Options: Options{InnerFolds: engines.InnerFolds{K: 4, Repeats: 1}, Choose: chooseBest}}
		if _, err := e.Fit(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if got := slices.Equal(notes, []string{"lambda=0.01, the smallest of 2 in the list, was chosen " + engines.EndOfRange}); got != want {
			t.Errorf("last value %v: notes %q", last, notes)
		}
	}
}

// Inner folds keep groups whole and the order of time, as outer ones do.
func TestInnerFolds(t *testing.T) {
	set := linear(30, 3, 1)
	set.Groups = &data.Groups{Name: "patient", Of: make([]int32, 30)}
	set.Time = make([]float64, 30)
	for i := range 30 {
		set.Groups.Of[i] = int32(i % 6)
		set.Time[i] = float64((i * 7) % 30)
	}
	for k := range 6 {
		set.Groups.Key = append(set.Groups.Key, data.Key(fmt.Sprint(k)))
	}
	v := enginetest.View(set, nil)
	e := Engine{Candidates: ridges(1), Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 1}, Choose: chooseBest}}
	innerFolds, err := inner.Divide(t.Context(), engines.Run{Train: v, Inner: engines.Inner{By: true}}, e.InnerFolds, 1)
	if err != nil || len(innerFolds) != 3 {
		t.Fatal(len(innerFolds), err)
	}
	for _, p := range innerFolds {
		seen := map[int32]bool{}
		train, validate := p.Views(v)
		for _, g := range train.Groups().Of {
			seen[g] = true
		}
		for _, g := range validate.Groups().Of {
			if seen[g] {
				t.Errorf("group %d is on both sides", g)
			}
		}
	}
	e.K = 8
	if innerFolds, err = inner.Divide(t.Context(), engines.Run{Train: v, Inner: engines.Inner{By: true}}, e.InnerFolds, 1); err != nil || len(innerFolds) != 6 {
		t.Fatal(len(innerFolds), err)
	}
	e.K = 3
	if innerFolds, err = inner.Divide(t.Context(), engines.Run{Train: v, Inner: engines.Inner{Ordered: true}}, e.InnerFolds, 1); err != nil || len(innerFolds) != 3 {
		t.Fatal(len(innerFolds), err)
	}
	for _, p := range innerFolds {
		last := math.Inf(-1)
		train, validate := p.Views(v)
		for i := range train.Len() {
			last = max(last, set.Time[train.Origin(i)])
		}
		for i := range validate.Len() {
			if at := set.Time[validate.Origin(i)]; at <= last {
				t.Errorf("time %v is validated by a model that saw %v", at, last)
			}
		}
	}
}

// A target of which an inner fold's training rows have one level is left out there, and compared on the other folds.
func TestRareTargets(t *testing.T) {
	set := linear(30, 3, 1)
	rare, usual := make([]float64, 30), make([]float64, 30)
	rare[4] = 1
	for i := range usual {
		usual[i] = float64(i % 2)
	}
	set.Targets = []data.Target{enginetest.Class("rare", 2, rare...), enginetest.Class("usual", 2, usual...)}
	e := Engine{Candidates: []Candidate{{Engine: group.MultiTaskKind.Defaults()}}, Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 1}, Choose: chooseBest}}
	run := engines.Run{Train: enginetest.View(set, nil), Rand: random(1), Workers: 1}
	innerFolds, err := inner.Divide(t.Context(), run, e.InnerFolds, 1)
	if err != nil || len(innerFolds) != 3 {
		t.Fatal(len(innerFolds), err)
	}
	targets := 0
	for _, p := range innerFolds {
		train, validate := p.Views(run.Train)
		targets += train.Targets()
		if validate.Targets() != train.Targets() || train.Columns() != 3 {
			t.Errorf("%d targets and %d columns to fit, %d targets to compare", train.Targets(), train.Columns(), validate.Targets())
		}
	}
	if targets != 5 {
		t.Errorf("%d targets in 3 inner folds, expected 2 in two of them and 1 in the third", targets)
	}
	if _, err := e.Fit(t.Context(), run); err != nil {
		t.Error(err)
	}
}

// However few rows there are in time, as many inner folds as there can be.
func TestInnerFoldsInTime(t *testing.T) {
	for rows := 3; rows < 40; rows++ {
		set := linear(rows, 2, 1)
		set.Time = make([]float64, rows)
		for i := range rows {
			set.Time[i] = float64(i)
		}
		e := Engine{Candidates: ridges(1), Options: Options{InnerFolds: engines.InnerFolds{K: 5, Repeats: 3}, Choose: chooseBest}}
		innerFolds, err := inner.Divide(t.Context(), engines.Run{Train: enginetest.View(set, nil), Inner: engines.Inner{Ordered: true}}, e.InnerFolds, 1)
		if err != nil || len(innerFolds) != min(5, rows-1) || len(innerFolds[0].Fitted) == 0 {
			t.Errorf("%d rows: %d folds, %v", rows, len(innerFolds), err)
		}
	}
}

// Where most rows have the first time, there are fewer inner folds, none without training rows; where all have it, none can be made.
func TestInnerFoldsOfTies(t *testing.T) {
	for _, c := range []struct{ tied, folds int }{{1, 3}, {10, 2}, {14, 1}, {30, 0}} {
		set := linear(30, 2, 1)
		set.Time = make([]float64, 30)
		for i := c.tied; i < 30; i++ {
			set.Time[i] = float64(i)
		}
		e := Engine{Candidates: ridges(1), Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 1}, Choose: chooseBest}}
		innerFolds, err := inner.Divide(t.Context(), engines.Run{Train: enginetest.View(set, nil), Inner: engines.Inner{Ordered: true}}, e.InnerFolds, 1)
		if (err == nil) != (c.folds > 0) || len(innerFolds) != c.folds {
			t.Errorf("%d rows of one time: %d folds, %v", c.tied, len(innerFolds), err)
		}
		for _, f := range innerFolds {
			if len(f.Fitted) < c.tied || len(f.Held) == 0 {
				t.Errorf("%d rows of one time: %d to fit, %d held out", c.tied, len(f.Fitted), len(f.Held))
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	one := enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}), enginetest.Class("y", 2, 0, 0, 1)), nil)
	for _, c := range []struct {
		name, want string
		e          Engine
		v          *data.View
	}{
		{"one class in all inner training rows", "two classes", Engine{Candidates: []Candidate{{Engine: logistic.Kind.Defaults()}}, Options: Options{InnerFolds: engines.InnerFolds{K: 2, Repeats: 1}, Choose: chooseBest}},
			enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}), enginetest.Class("y", 2, 0, 0, 0)), nil)},
		{"a metric of the other type", "is for a real target", Engine{Candidates: []Candidate{{Engine: logistic.Kind.Defaults()}}, Options: Options{InnerFolds: engines.InnerFolds{K: 2, Repeats: 1, Metric: "test_mse"}, Choose: chooseBest}}, one},
		{"one row", "1 training rows make no two inner folds", Engine{Candidates: ridges(1), Options: Options{InnerFolds: engines.InnerFolds{K: 2, Repeats: 1}}}, enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}), enginetest.Real("y", 1)), nil)},
	} {
		_, err := c.e.Fit(t.Context(), engines.Run{Train: c.v, Rand: random(1), Workers: 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.want)
		}
	}
	watching := stagewise.Kind.Defaults().(stagewise.Stagewise)
	watching.Choose = "test"
	naive := naivebayes.Kind.Defaults()
	for want, candidates := range map[string][]Candidate{
		"the engine with choose=test chooses by the test rows":                      {{Engine: stagewise.Kind.Defaults()}, {Engine: watching, Label: "choose=test"}},
		"the engine with b takes a class target only, and another one that is real": {{Engine: ridge(1), Label: "a"}, {Engine: naive, Label: "b"}},
	} {
		if err := (Engine{Candidates: candidates, Options: Options{InnerFolds: engines.InnerFolds{K: 2, Repeats: 1}, Choose: chooseBest}}).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	together := Engine{Candidates: []Candidate{{Engine: naive}, {Engine: univariate.SimesKind.Defaults()}}}.Needs()
	if !together.Counts || !together.Inner || together.Target != data.Class || together.Levels != univariate.SimesKind.Defaults().Needs().Levels {
		t.Errorf("candidates together need %+v", together)
	}
	if err := (Options{InnerFolds: engines.InnerFolds{K: 1, Repeats: 0, Metric: "nonzero"}, Choose: "worst"}).Validate(); err == nil || strings.Count(err.Error(), "\n") < 2 {
		t.Errorf("bad options: %v", err)
	}
}

// The canary: with labels drawn at random, what tunes and screens inside the training rows scores at chance on rows that it
// has not seen. A screen that sees them does not: then the test can fail.
func TestCanary(t *testing.T) {
	const rows, columns, k = 60, 2000, 5
	rng := rand.New(rand.NewPCG(9, 9))
	dense, y := make([][]float64, rows), make([]float64, rows)
	for i := range dense {
		dense[i] = make([]float64, columns)
		for j := range dense[i] {
			dense[i][j] = rng.NormFloat64()
		}
		y[i] = float64(i % 2)
	}
	rng.Shuffle(rows, func(i, j int) { y[i], y[j] = y[j], y[i] })
	set := enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Class("y", 2, y...))
	v := enginetest.View(set, nil)

	var candidates []Candidate
	for _, alpha := range []float64{0.9, 0.5} {
		for _, c2 := range []float64{10, 0.1} {
			screen, logistic := univariate.SimesKind.Defaults().(univariate.Simes), logistic.Kind.Defaults().(logistic.Logistic)
			screen.Alpha, logistic.C2 = alpha, c2
			candidates = append(candidates, Candidate{Engine: narrowed.Engine{Select: screen, Refit: logistic}})
		}
	}
	honest := Engine{Candidates: candidates, Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 1}, Choose: chooseBest}}
	innerFolds, err := inner.Divide(t.Context(), engines.Run{Train: v}, engines.InnerFolds{K: k, Repeats: 1}, 5)
	if err != nil {
		t.Fatal(err)
	}
	accuracy := func(e engines.Engine, narrow []int32) float64 {
		right := 0
		for _, p := range innerFolds {
			train, test := p.Views(v)
			if narrow != nil {
				train, test = train.Narrow(narrow), test.Narrow(narrow)
			}
			m, err := e.Fit(t.Context(), engines.Run{Train: train, Rand: random(1), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			scores := make([]float64, 2*test.Len())
			m.Predict(scores, test.Inputs())
			_, truth := test.Target(0)
			for i, l := range truth {
				if (scores[2*i+1] > scores[2*i]) == (l == 1) {
					right++
				}
			}
		}
		return float64(right) / rows
	}
	if got := accuracy(honest, nil); got > 0.7 || got < 0.3 { // chance is 0.5 ± 0.065
		t.Errorf("shuffled labels: accuracy %.3f, expected chance", got)
	}

	var leaked []int32 // columns that all rows, test rows among them, speak for: one in fifty of so many
	for j := range columns {
		apart := 0.0
		for i := range dense {
			apart += (2*y[i] - 1) * dense[i][j]
		}
		if apart > 2.05*math.Sqrt(rows) {
			leaked = append(leaked, int32(j))
		}
	}
	if got := accuracy(logistic.Kind.Defaults(), leaked); got < 0.75 {
		t.Errorf("screening on all rows: accuracy %.3f; the canary would not notice", got)
	}
}

// What a search measured is reported: every candidate on every inner fold, and which is the best, the simplest near it, and the chosen.
func TestSearchIsReported(t *testing.T) {
	v := enginetest.View(linear(60, 4, 1), nil)
	searched := func(e Engine) (found []searches.Record) {
		t.Helper()
		run := engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1, Searched: func(s searches.Record) { found = append(found, s) }}
		if _, err := e.Fit(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		return found
	}
	candidates := ridges(0.01, 1, 1e4)
	for i, text := range []string{"0.01", "1", "10000"} {
		candidates[i].Label = "lambda=" + text
	}
	options := Kind.Defaults().(Options)
	options.K = 3
	found := searched(Engine{Base: ridge(1), Options: options, Candidates: candidates})
	if len(found) != 1 || found[0].Kind != "tune" || found[0].Parameter != "lambda" || len(found[0].Stages) != 1 {
		t.Fatalf("%+v", found)
	}
	stage := found[0].Stages[0]
	if stage.Metric != "test_mse" || !slices.Equal(stage.Folds, slices.Repeat([]searches.Rows{{Fitted: 40, Held: 20}}, 3)) || len(stage.Attempts) != 3 {
		t.Fatalf("%+v", stage)
	}
	if last := stage.Attempts[2]; last.Candidate != "lambda=10000" || last.Number != 1e4 || len(last.Values) != 3 || len(last.Seconds) != 3 || last.Best || last.Chosen || !last.Kept {
		t.Errorf("%+v", last)
	}
	best, chosen := 0, 0
	for _, a := range stage.Attempts {
		if a.Best {
			best++
		}
		if a.Chosen {
			chosen++
		}
	}
	if best != 1 || chosen != 1 {
		t.Errorf("%d are best, %d chosen", best, chosen)
	}
	candidates[2].Label = "scale=none"
	if found := searched(Engine{Base: ridge(1), Options: options, Candidates: candidates}); found[0].Parameter != "" || !math.IsNaN(found[0].Stages[0].Attempts[2].Number) {
		t.Errorf("of two parameters: %+v", found)
	}
	halved := halved(3, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6)
	v = enginetest.View(linear(400, 4, 1), nil)
	if found = searched(halved); len(found) != 1 || found[0].Kind != Halving || len(found[0].Stages) < 2 {
		t.Fatalf("%+v", found)
	}
	kept := slices.DeleteFunc(slices.Clone(found[0].Stages[0].Attempts), func(a searches.Attempt) bool { return !a.Kept })
	if n := len(found[0].Stages[1].Attempts); len(found[0].Stages[0].Attempts) != 9 || len(kept) != n || n != 3 {
		t.Errorf("%d of the first rung go on, and the second has %d", len(kept), n)
	}
	if a, b := found[0].Stages[0].Folds[0].Fitted, found[0].Stages[1].Folds[0].Fitted; a >= b {
		t.Errorf("rungs of %d and %d rows", a, b)
	}
}

// The fits that are foretold are those that are made, and progress counts them.
func TestInnerFits(t *testing.T) {
	v := enginetest.View(linear(400, 4, 1), nil)
	plain := Kind.Defaults().(Options)
	along := paths{ridge(1), new(int), map[float64]int{}, engines.PathRange{Values: []float64{10, 1, 0.1}}, 0}
	for name, e := range map[string]Engine{
		"lists":   {Base: ridge(1), Options: plain, Candidates: ridges(0.1, 1, 10)},
		"a path":  {Base: ridge(1), Options: plain, Candidates: []Candidate{{Engine: along, Path: "lambda"}}},
		"halving": halved(3, 0.01, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6),
	} {
		made, last := 0, ""
		run := engines.Run{Train: v, Rand: random(1), Workers: 1, Progress: func(text string) { last = text }}
		run.Recall = func(run engines.Run, _ engines.Work, do func(engines.Run) (engines.Yield, error)) (engines.Yield, float64, error) {
			made++
			y, err := do(run)
			return y, 1, err
		}
		if _, err := e.Fit(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if want := e.InnerFits(engines.Shape{Rows: 400, Columns: 4}); made != want {
			t.Errorf("%s: %d fits, foretold %d", name, made, want)
		}
		if number, total, ok := strings.Cut(strings.TrimSuffix(last, " inner fits"), " of "); !ok || number != total {
			t.Errorf("%s: %q is shown at the end", name, last)
		}
	}
}
