package execute_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/folds"
)

// scripted is an engine whose fit does what the test says.
type scripted struct {
	fit func(ctx context.Context, run engines.Run) (engines.Model, error)
}

func (scripted) Validate() error      { return nil }
func (scripted) Needs() engines.Needs { return engines.Needs{} }
func (s scripted) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return s.fit(ctx, run)
}

func model(columns int, bias float64) engines.Model {
	return engines.NewLinear(columns, []float64{bias}, []engines.Coef{{Feature: 1, Value: 2}}, engines.Fitted{Best: 1, Iterations: 1})
}

func succeed(_ context.Context, run engines.Run) (engines.Model, error) {
	run.Trace.At(engines.Step{Changed: engines.Coef{Feature: -1}, Bias: 1})
	run.Trace.At(engines.Step{Iter: 1, Active: 1, Changed: engines.Coef{Feature: 1, Value: 2}, Bias: 0.5})
	return model(run.Train.Columns(), 0.5), nil
}

func dataset(t *testing.T) *data.Dataset {
	t.Helper()
	d := &data.Dataset{
		X:        sparse.New(3, []int{0, 1, 3, 4, 5}, []int32{0, 1, 2, 1, 2}, nil),
		Features: data.NewFeatures([]string{"a", "b", "c"}),
		Targets:  []data.Target{{Name: "y", Type: data.Real, Values: []float64{1, 2, 3, 5}}},
	}
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	return d
}

func split(d *data.Dataset) *execute.Split {
	return &execute.Split{Set: d, Fold: folds.Fold{Train: []int32{0, 1}, Test: []int32{2, 3}}}
}

type store struct {
	sync.Mutex
	got  map[string]*results.Outcome
	fail error
}

func (s *store) Put(unit string, o *results.Outcome) error {
	s.Lock()
	defer s.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.got[unit] = o
	return nil
}

func (s *store) Get(unit string) (*results.Outcome, bool, error) {
	s.Lock()
	defer s.Unlock()
	o, ok := s.got[unit]
	return o, ok, nil
}

// observer remembers how units ended; for one worker.
type observer map[string]*results.Outcome

func (observer) Begin(*execute.Unit)                       {}
func (s observer) End(u *execute.Unit, o *results.Outcome) { s[u.Label.Unit] = o }

func unit(name string, s *execute.Split, fit func(context.Context, engines.Run) (engines.Model, error)) *execute.Unit {
	return &execute.Unit{Label: results.Label{Unit: name, Algorithm: name}, Split: s, Engine: scripted{fit}, Predictions: true}
}

func TestEveryEnding(t *testing.T) {
	t.Parallel()
	s := split(dataset(t))
	tries := 0
	slow := unit("slow", s, func(ctx context.Context, run engines.Run) (engines.Model, error) {
		run.Trace.At(engines.Step{Changed: engines.Coef{Feature: -1}})
		<-ctx.Done()
		return nil, ctx.Err()
	})
	slow.Limits.Time = 20 * time.Millisecond
	large := unit("large", s, succeed)
	large.Footprint.Bytes, large.Limits.Memory = 1<<30, 1<<20
	units := []*execute.Unit{
		unit("good", s, succeed),
		unit("errs", s, func(context.Context, engines.Run) (engines.Model, error) { return nil, errors.New("singular") }),
		unit("panics", s, func(context.Context, engines.Run) (engines.Model, error) { panic("index out of range") }),
		unit("none", s, func(context.Context, engines.Run) (engines.Model, error) { return nil, nil }),
		unit("diverges", s, func(context.Context, engines.Run) (engines.Model, error) {
			zero := 0.0
			return model(3, 1/zero), nil
		}),
		slow, large,
		unit("second", s, func(ctx context.Context, run engines.Run) (engines.Model, error) {
			if tries++; tries < 2 {
				return nil, errors.New("not yet")
			}
			return succeed(ctx, run)
		}),
	}
	st := &store{got: map[string]*results.Outcome{}}
	if err := execute.Run(t.Context(), units, st, execute.Options{Jobs: 3, Memory: 1 << 20, Retries: 1}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		status   results.Status
		text     string
		attempts int32
	}{
		"good": {results.OK, "", 1}, "errs": {results.Failed, "singular", 2}, "panics": {results.Failed, "panic: index out of range", 2},
		"none": {results.Failed, "no model", 2}, "diverges": {results.Failed, "predicts +Inf for row 0", 2},
		"slow": {results.Timeout, "exceeded its limit of 20ms", 1}, "large": {results.Skipped, "predicted to need", 1}, "second": {results.OK, "", 2},
	} {
		o := st.got[name]
		if o == nil {
			t.Errorf("%s: no outcome", name)
			continue
		}
		if o.Status != want.status || !strings.Contains(o.Error, want.text) || o.Attempts != want.attempts {
			t.Errorf("%s: %s %q after %d attempts, want %s %q after %d", name, o.Status, o.Error, o.Attempts, want.status, want.text, want.attempts)
		}
	}
	if p := st.got["slow"].Path; len(p) != 1 {
		t.Errorf("a fit that overran keeps the %d points that it had recorded, want 1", len(p))
	}
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	st := &store{got: map[string]*results.Outcome{}}
	if err := execute.Run(t.Context(), []*execute.Unit{unit("u", split(dataset(t)), succeed)}, st, execute.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	o := st.got["u"]
	// Test rows: {1} with y = 3 and {2} with y = 5; the model is 0.5 + 2·x1.
	scores := map[string]float64{}
	for _, s := range o.Scores {
		scores[s.Metric] = s.Value
	}
	if want := (0.5*0.5 + 4.5*4.5) / 2; scores["test_mse"] != want {
		t.Errorf("test_mse %v, want %v", scores["test_mse"], want)
	}
	if o.Nonzero != 1 || o.Features != 1 || o.Selected[0].Feature != "b" || scores["selected"] != 1 {
		t.Errorf("selected %+v", o.Selected)
	}
	if n := len(o.Path); n != 2 || o.Path[0].TestError != (4.0+16)/2 || o.Path[1].TestError != scores["test_mse"] || !o.Path[1].Best {
		t.Errorf("path %+v: the test curve must start at the mean model and end at the model's own error", o.Path)
	}
	if len(o.Predictions.Row) != 2 || o.Predictions.Row[1] != "3" || o.Predictions.Prediction[0] != 2.5 {
		t.Errorf("predictions %+v", o.Predictions)
	}
}

// TestWorkers: a fit that runs alone may use all workers, several share them.
func TestWorkers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{1: 4, 2: 1} {
		var units []*execute.Unit
		s := split(dataset(t))
		for i := range n {
			units = append(units, unit(fmt.Sprint(i), s, func(ctx context.Context, run engines.Run) (engines.Model, error) {
				if run.Workers != want {
					t.Errorf("%d fits: %d workers each, want %d", n, run.Workers, want)
				}
				return succeed(ctx, run)
			}))
		}
		if err := execute.Run(t.Context(), units, &store{got: map[string]*results.Outcome{}}, execute.Options{Jobs: 4}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStopping(t *testing.T) {
	t.Parallel()
	s := split(dataset(t))
	t.Run("a sink that fails", func(t *testing.T) {
		st := &store{fail: errors.New("no space left")}
		err := execute.Run(t.Context(), []*execute.Unit{unit("a", s, succeed), unit("b", s, succeed)}, st, execute.Options{Jobs: 1})
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("cancellation", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		st, seen := &store{got: map[string]*results.Outcome{}}, observer{}
		units := []*execute.Unit{unit("first", s, succeed), unit("flying", s, func(ctx context.Context, _ engines.Run) (engines.Model, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}), unit("never", s, succeed)}
		if err := execute.Run(ctx, units, st, execute.Options{Jobs: 1, Observer: seen}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		if len(seen) != 2 || seen["first"] == nil || seen["flying"] != nil {
			t.Errorf("observed %v, want the abandoned unit to end without an outcome", seen)
		}
		if len(st.got) != 1 || st.got["first"] == nil {
			t.Errorf("stored %v, want the finished unit alone", st.got)
		}
	})
}

// TestFinishedAtTheEnd: a fit that was done when the run was stopped is kept.
func TestFinishedAtTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	st := &store{got: map[string]*results.Outcome{}}
	done := unit("done", split(dataset(t)), func(ctx context.Context, run engines.Run) (engines.Model, error) {
		cancel()
		return succeed(ctx, run)
	})
	if err := execute.Run(ctx, []*execute.Unit{done}, st, execute.Options{Jobs: 1}); !errors.Is(err, context.Canceled) || st.got["done"] == nil {
		t.Errorf("%v, stored %v", err, st.got)
	}
}

// TestBuildingOn: a unit starts after those that it builds on, whatever the order they are given in, and gets their
// outcomes; one that builds on a failure is skipped.
func TestBuildingOn(t *testing.T) {
	t.Parallel()
	s := split(dataset(t))
	build := func(after execute.Before) (engines.Engine, error) {
		o, err := after(0)
		if err != nil {
			return nil, err
		}
		if o.Nonzero != 1 {
			return nil, fmt.Errorf("built on %+v", o)
		}
		return scripted{succeed}, nil
	}
	first, failing := unit("first", s, succeed), unit("failing", s, func(context.Context, engines.Run) (engines.Model, error) {
		return nil, errors.New("singular")
	})
	second, third, lost := unit("second", s, nil), unit("third", s, nil), unit("lost", s, nil)
	second.After, second.Build = []*execute.Unit{first}, build
	third.After, third.Build = []*execute.Unit{second}, build
	lost.After, lost.Build = []*execute.Unit{failing}, build
	for jobs := 1; jobs < 4; jobs++ {
		st := &store{got: map[string]*results.Outcome{}}
		if err := execute.Run(t.Context(), []*execute.Unit{lost, third, second, failing, first}, st, execute.Options{Jobs: jobs}); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]results.Status{"first": results.OK, "second": results.OK, "third": results.OK, "lost": results.Skipped} {
			if o := st.got[name]; o == nil || o.Status != want {
				t.Errorf("%d jobs: %s: %+v, want %s", jobs, name, o, want)
			}
		}
	}
}

// TestStages: a stage leaves an artefact and is not scored; one without data sums up others; what builds on it gets that.
func TestStages(t *testing.T) {
	t.Parallel()
	s := split(dataset(t))
	left := func(text string) func(context.Context, engines.Run) (engines.Model, error) {
		return func(ctx context.Context, run engines.Run) (engines.Model, error) {
			m, err := succeed(ctx, run)
			return leaver{m, text}, err
		}
	}
	a, b, none := unit("a", s, left("A")), unit("b", s, left("B")), unit("none", s, succeed)
	pool, cell, broken := &execute.Unit{}, unit("cell", s, nil), &execute.Unit{}
	pool.Label = results.Label{Unit: "pool", Dataset: "words", Algorithm: "transfer"}
	pool.After = []*execute.Unit{b, a}
	pool.Pool = func(_ context.Context, after execute.Before) (p engines.Pooled, err error) {
		for i := range 2 {
			o, err := after(i)
			if err != nil {
				return p, err
			}
			p.Artefact = append(p.Artefact, o.Artefact...)
		}
		p.Clusters = []engines.TaskCluster{
			{Members: []engines.ClusterMember{{Task: "kill", Output: "1", Rows: 9, Features: 3, Nearest: 0.5}}, Shared: []engines.SharedFeature{{Name: "f", Members: 1}, {Name: "g", Members: 1}}},
			{Background: true},
		}
		return p, nil
	}
	broken.Label, broken.After, broken.Pool = results.Label{Unit: "broken"}, []*execute.Unit{a, none}, pool.Pool
	cell.After = []*execute.Unit{pool}
	cell.Build = func(after execute.Before) (engines.Engine, error) {
		o, err := after(0)
		if err != nil || string(o.Artefact) != "BA" {
			return nil, fmt.Errorf("built on %+v, %w", o, err)
		}
		return scripted{succeed}, nil
	}
	for _, u := range []*execute.Unit{a, b, none, pool, broken} {
		u.Label.Stage = "stage"
	}
	st := &store{got: map[string]*results.Outcome{}}
	if err := execute.Run(t.Context(), []*execute.Unit{cell, broken, pool, none, b, a}, st, execute.Options{Jobs: 2, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]results.Status{"a": results.OK, "pool": results.OK, "cell": results.OK, "none": results.Failed, "broken": results.Skipped} {
		if o := st.got[name]; o == nil || o.Status != want {
			t.Errorf("%s: %+v, want %s", name, o, want)
		}
	}
	if o := st.got["a"]; len(o.Scores) > 0 || len(o.Selected) > 0 {
		t.Errorf("a stage was scored: %+v", o)
	}
	want := []results.Cluster{{Number: 0, Shared: "f (1), g (1)", Members: []results.Member{{Task: "kill", Output: "1", Rows: 9, Features: 3, Nearest: 0.5}}}, {Number: results.Background}}
	if got := st.got["pool"].Clusters; !reflect.DeepEqual(got, want) {
		t.Errorf("clusters %+v, want %+v", got, want)
	}
	if text := st.got["broken"].Error; !strings.Contains(text, "leaves nothing") {
		t.Errorf("%q does not say why the stage before failed", text)
	}
}

type leaver struct {
	engines.Model
	text string
}

func (l leaver) Artefact() ([]byte, error) { return []byte(l.text), nil }

func TestMemoryBudget(t *testing.T) {
	t.Parallel()
	s := split(dataset(t))
	var mu sync.Mutex
	var flying, most int64
	var units []*execute.Unit
	for i := range 20 {
		u := unit(fmt.Sprint(i), s, nil)
		u.Footprint.Bytes = int64(i%4+1) << 20
		u.Engine = scripted{func(ctx context.Context, run engines.Run) (engines.Model, error) {
			mu.Lock()
			flying += u.Footprint.Bytes
			most = max(most, flying)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			flying -= u.Footprint.Bytes
			mu.Unlock()
			return succeed(ctx, run)
		}}
		units = append(units, u)
	}
	st := &store{got: map[string]*results.Outcome{}}
	if err := execute.Run(t.Context(), units, st, execute.Options{Jobs: 8, Memory: 6 << 20}); err != nil {
		t.Fatal(err)
	}
	if most > 6<<20 || len(st.got) != 20 {
		t.Errorf("%d MiB in flight with a budget of 6; %d outcomes", most>>20, len(st.got))
	}
}

func BenchmarkTrivialUnits(b *testing.B) {
	d := &data.Dataset{
		X: sparse.New(1, []int{0, 1, 2}, []int32{0, 0}, nil), Features: data.NewFeatures([]string{"a"}),
		Targets: []data.Target{{Name: "y", Type: data.Real, Values: []float64{1, 2}}},
	}
	s := &execute.Split{Set: d, Fold: folds.Fold{Train: []int32{0}, Test: []int32{1}}}
	st := &store{got: map[string]*results.Outcome{}}
	units := make([]*execute.Unit, 1000)
	for i := range units {
		units[i] = unit(fmt.Sprint(i), s, func(_ context.Context, run engines.Run) (engines.Model, error) {
			return engines.NewLinear(1, []float64{0}, nil, engines.Fitted{}), nil
		})
	}
	for b.Loop() {
		if err := execute.Run(b.Context(), units, st, execute.Options{Jobs: 2}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/unit")
}

// TestPathsThatCannotBeFollowed: a step that moves nothing (a skipped turn) keeps the test curve, one that moves
// everything ends it.
func TestPathsThatCannotBeFollowed(t *testing.T) {
	t.Parallel()
	none := engines.Coef{Feature: -1}
	st := &store{got: map[string]*results.Outcome{}}
	u := unit("u", split(dataset(t)), func(_ context.Context, run engines.Run) (engines.Model, error) {
		run.Trace.At(engines.Step{Changed: none, Bias: 1})
		run.Trace.At(engines.Step{Iter: 1, Changed: none, Bias: 1})
		run.Trace.At(engines.Step{Iter: 2, Changed: engines.Coef{Feature: 1, Value: 2}, Bias: 0.5})
		run.Trace.At(engines.Step{Iter: 3, Changed: none, Whole: true, Bias: 0.5})
		return model(run.Train.Columns(), 0.5), nil
	})
	if err := execute.Run(t.Context(), []*execute.Unit{u}, st, execute.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	p := st.got["u"].Path
	if len(p) != 4 || p[1].TestError != p[0].TestError || p[2].TestError != (0.25+20.25)/2 || !math.IsNaN(p[3].TestError) {
		t.Errorf("path %+v", p)
	}
}

// TestTask: a fold of a task sees the task's rows and columns alone, and predictions name the rows of the whole data set.
func TestTask(t *testing.T) {
	t.Parallel()
	d := dataset(t)
	d.Targets = []data.Target{{Name: "y", Type: data.Class, Levels: []string{"p", "q", "r"}, Values: []float64{0, 2, 1, 2}}}
	task := &execute.Task{Subset: data.Subset{Rows: []int32{1, 2, 3}, Levels: []string{"q", "r"}, To: []int32{-1, 0, 1}}}
	task.Shape = execute.ShapeOf(task.Of(d))
	if task.Shape != (execute.Shape{Rows: 3, Columns: 2, Entries: 4}) {
		t.Errorf("shape %+v", task.Shape)
	}
	s := &execute.Split{Set: d, Task: task, Fold: folds.Fold{Train: []int32{0, 1}, Test: []int32{2}}}
	st := &store{got: map[string]*results.Outcome{}}
	u := unit("u", s, func(_ context.Context, run engines.Run) (engines.Model, error) {
		_, y := run.Train.Target(0)
		if names := run.Train.Features().Name(0) + run.Train.Features().Name(1); names != "bc" || !slices.Equal(y, []float64{1, 0}) {
			return nil, fmt.Errorf("columns %s, target %v", names, y)
		}
		return engines.NewLinear(2, []float64{0, 1}, nil, engines.Fitted{}), nil
	})
	u.Predictions = true
	if err := execute.Run(t.Context(), []*execute.Unit{u}, st, execute.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	o := st.got["u"]
	if o.Status != results.OK || o.Columns != 2 || o.RowsTrain != 2 {
		t.Errorf("%s %s: %d columns", o.Status, o.Error, o.Columns)
	}
	if p := o.Predictions; len(p.Row) != 1 || p.Row[0] != "3" || p.TruthLabel[0] != "r" {
		t.Errorf("%+v", p)
	}
	if whole := split(d).Bytes(); s.Bytes() >= 2*whole {
		t.Errorf("%d bytes, of the whole data set %d", s.Bytes(), whole)
	}
}

// What a fit tells of its progress stands with its unit while it is at work.
func TestProgress(t *testing.T) {
	t.Parallel()
	var u *execute.Unit
	u = unit("long", split(dataset(t)), func(ctx context.Context, run engines.Run) (engines.Model, error) {
		if u.Progress() != "" {
			t.Error("progress before any was made")
		}
		run.ShowProgress("1 of 2")
		if got := u.Progress(); got != "1 of 2" {
			t.Errorf("%q", got)
		}
		return succeed(ctx, run)
	})
	if err := execute.Run(t.Context(), []*execute.Unit{u}, &store{got: map[string]*results.Outcome{}}, execute.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := u.Progress(); got != "" {
		t.Errorf("after the end: %q", got)
	}
}
