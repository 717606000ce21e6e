package stagewise

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

func fit(t testing.TB, e Stagewise, r engines.Run) (*engines.Linear, engines.Fitted) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*engines.Linear), m.(engines.Reporter).Fitted()
}

func TestChooseValidation(t *testing.T) {
	s := settings(12, 200, 60)[0]
	e := defaults()
	e.Choose, e.Patience, e.TestEvery, e.MaxIter = "validation", 50, 5, 5000
	var first, second []engines.Step
	r := engines.Run{Train: viewOf(t, s.data()), Rand: rand.New(rand.NewPCG(1, 2)), Trace: func(s engines.Step) {
		if s.Reset || second != nil {
			second = append(second, s)
		} else {
			first = append(first, s)
		}
	}}
	m, f := fit(t, e, r)
	best := -1
	for _, s := range first {
		if s.Best {
			best = s.Iter
		}
	}
	if f.Stop != stopPatience || best <= 0 || len(first)-1 != best+50 {
		t.Errorf("stop %s after %d iterations with the best at %d", f.Stop, len(first)-1, best)
	}
	if f.Best != best || len(second)-1 != best || !second[0].Reset || f.Iterations != len(first)+len(second)-2 || f.Optimistic {
		t.Errorf("the refit took %d iterations, best %d of %d, want %d", len(second)-1, f.Best, f.Iterations, best)
	}
	e.Choose, e.Patience, e.MaxIter, e.TestEvery = "last", 0, best, defaultTestEvery
	want, _ := fit(t, e, r)
	if !reflect.DeepEqual(m.Coefs(), want.Coefs()) || m.Bias(0) != want.Bias(0) {
		t.Error("the refit is not the path on all training rows")
	}
}

func TestSplitKeepsGroupsTogether(t *testing.T) {
	s := settings(12, 200, 10)[0]
	set := s.data()
	set.Groups = &data.Groups{Of: make([]int32, 200), Key: make([]uint64, 20)}
	for i := range set.Groups.Of {
		set.Groups.Of[i] = int32(i*7) % 20
	}
	part, held, err := splitForValidation(viewOf(t, set), rand.New(rand.NewPCG(1, 2)), 0.25)
	if err != nil {
		t.Fatal(err)
	}
	if part.Len() != 150 || held.Len() != 50 {
		t.Errorf("%d and %d rows, want 150 and 50", part.Len(), held.Len())
	}
	in := map[int32]bool{}
	for _, g := range part.Groups().Of {
		in[g] = true
	}
	for i, g := range held.Groups().Of {
		if in[g] {
			t.Fatalf("row %d of group %d is held out while others of the group are not", i, g)
		}
	}
	one := s.data()
	one.Groups = &data.Groups{Of: make([]int32, 200), Key: make([]uint64, 1)}
	if _, _, err := splitForValidation(viewOf(t, one), rand.New(rand.NewPCG(1, 2)), 0.25); err == nil || !strings.Contains(err.Error(), "1 groups") {
		t.Errorf("one group was split: %v", err)
	}
}

func TestChooseTest(t *testing.T) {
	s := settings(12, 200, 60)[0]
	e := defaults()
	e.Choose, e.Patience, e.MaxIter = "test", 50, 10_000
	if !e.Needs().Watch || defaults().Needs().Watch {
		t.Error("only choose: test watches the test rows")
	}
	r := engines.Run{Train: viewOf(t, s.data()), Watch: viewOf(t, settings(13, 90, 60)[0].data()), Rand: rand.New(rand.NewPCG(1, 2))}
	if _, f := fit(t, e, r); !f.Optimistic || f.Best <= 0 || f.Best+50 != f.Iterations {
		t.Errorf("best %d of %d, optimistic %v", f.Best, f.Iterations, f.Optimistic)
	}
	r.Watch = nil
	if _, err := e.Fit(context.Background(), r); err == nil {
		t.Error("choose: test without test rows was accepted")
	}
	r.Watch = viewOf(t, settings(13, 90, 60)[0].data()).Sub([]int32{})
	if _, err := e.Fit(context.Background(), r); err == nil {
		t.Error("choose: test with no test row was accepted")
	}
}

// Rows that count twice are rows that stand twice.
func TestWeightsAreMultiplicities(t *testing.T) {
	s := settings(14, 80, 25)[3]
	var b sparse.Builder
	var y []float64
	for i, w := range s.weight {
		for range int(w) {
			row := s.x.Row(i)
			if err := b.Add(row.Idx, row.Val); err != nil {
				t.Fatal(err)
			}
			y = append(y, s.y[i])
		}
	}
	twice := setting{x: b.Matrix(25), y: y}
	for _, e := range policies() {
		got, want := walkOn(t, e, s, nil), walkOn(t, e, twice, nil)
		if !reflect.DeepEqual(choices(got.steps), choices(want.steps)) {
			t.Errorf("%s, %s: another path", e.Scale, e.Step)
		}
		oracle.Near(t, "RSS", got.rss, want.rss, 1e-9)
	}
}

func TestFitIsRepeatable(t *testing.T) {
	s := settings(15, 120, 40)[1]
	view := viewOf(t, s.data())
	e := defaults()
	e.Choose, e.Lookup, e.Carry = "validation", "random", true
	var wait sync.WaitGroup
	models := make([]*engines.Linear, 4)
	for q := range models {
		wait.Go(func() {
			models[q], _ = fit(t, e, engines.Run{Train: view, Rand: rand.New(rand.NewPCG(3, 4))})
		})
	}
	wait.Wait()
	for _, m := range models[1:] {
		if !reflect.DeepEqual(m.Coefs(), models[0].Coefs()) {
			t.Fatal("two fits differ")
		}
	}
}

func TestCancel(t *testing.T) {
	e := defaults()
	e.MaxIter, e.Loop, e.MinC = math.MaxInt, false, 0
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	steps := 0
	_, err := e.Fit(ctx, engines.Run{
		Train: viewOf(t, settings(16, 90, 30)[0].data()), Rand: rand.New(rand.NewPCG(1, 2)),
		Trace: func(engines.Step) {
			if steps++; steps == 50 {
				cancel(cause)
			}
		},
	})
	if !errors.Is(err, cause) || steps > 51 {
		t.Errorf("%v after %d steps, want the cause after 50", err, steps)
	}
}

func TestFootprint(t *testing.T) {
	var _ engines.Sized = Stagewise{}
	shape := engines.Shape{Rows: 1000, Columns: 500, Entries: 20_000}
	e := Kind.Defaults().(Stagewise)
	all := e.Footprint(shape).Bytes
	e.Choose = "last"
	last := e.Footprint(shape).Bytes
	e.Lookup, e.Lazy = "random", true
	if lazy := e.Footprint(shape).Bytes; !(lazy < last && last < all) || e.Footprint(engines.Shape{}).Bytes != 16 {
		t.Errorf("lazy %d, last %d, with validation %d bytes", lazy, last, all)
	}
	for family, e := range likelihoods() {
		for what, more := range map[string]engines.Shape{
			"rows": {Rows: 2000, Columns: 500, Entries: 20_000}, "columns": {Rows: 1000, Columns: 600, Entries: 20_000}, "entries": {Rows: 1000, Columns: 500, Entries: 30_000},
		} {
			if few, many := e.Footprint(shape).Bytes, e.Footprint(more).Bytes; few >= many {
				t.Errorf("%s: %d bytes, with more %s %d", family, few, what, many)
			}
		}
		if got := e.Footprint(shape).Bytes; got < 5*20_000+4*20_000 {
			t.Errorf("%s: %d bytes are less than the rows and columns take", family, got)
		}
	}
}

func TestValidate(t *testing.T) {
	for field, change := range map[string]func(*Stagewise){
		"epsilon":     func(e *Stagewise) { e.Epsilon = 0 },
		"step":        func(e *Stagewise) { e.Step = "fixd" },
		"scale":       func(e *Stagewise) { e.Scale = "" },
		"lookup":      func(e *Stagewise) { e.Lookup = "some" },
		"sample":      func(e *Stagewise) { e.Sample = 0 },
		"carry":       func(e *Stagewise) { e.Carry = true },
		"lists":       func(e *Stagewise) { e.Lookup = "list" },
		"lazy":        func(e *Stagewise) { e.Lazy = true },
		"max_iter":    func(e *Stagewise) { e.MaxIter = -1 },
		"max_entered": func(e *Stagewise) { e.MaxEntered = -1 },
		"min_c":       func(e *Stagewise) { e.MinC = math.NaN() },
		"patience":    func(e *Stagewise) { e.Choose, e.Patience = "last", 5 },
		"test_every":  func(e *Stagewise) { e.TestEvery = 0 },
		"loop_run":    func(e *Stagewise) { e.LoopRun = -1 },
		"choose":      func(e *Stagewise) { e.Choose = "best" },
		"validation":  func(e *Stagewise) { e.Validation = 1 },
		"jumps":       func(e *Stagewise) { e.Jumps, e.Step = true, "rss" },
		"drift_every": func(e *Stagewise) { e.DriftEvery = -1 },
		"scan":        func(e *Stagewise) { e.Scan = "fast" },
		"block":       func(e *Stagewise) { e.Block = 48 },
		"gram_memory": func(e *Stagewise) { e.GramMemory = -1 },
	} {
		e := Kind.Defaults().(Stagewise)
		if err := e.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&e)
		var bad *param.FieldError
		if err := e.Validate(); !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	e := Kind.Defaults().(Stagewise)
	e.Step, e.Epsilon = "linesearch", 1.5
	if e.Validate() == nil {
		t.Error("a line search that overshoots was accepted")
	}
}

func TestReportTellsOfColumns(t *testing.T) {
	e := defaults()
	r := engines.Run{Train: viewOf(t, settings(17, 90, 30)[0].data()), Rand: rand.New(rand.NewPCG(1, 2))}
	m, f := fit(t, e, r)
	facts := map[string]string{}
	for _, fact := range f.Facts {
		facts[fact.Name] = fact.Value
	}
	if facts["constant columns"] != "2: x2, x3" && facts["constant columns"] != "1: x3" {
		t.Errorf("constant columns %q", facts["constant columns"])
	}
	if facts["identical columns"] != "2 in 1 groups: x6 = x29" {
		t.Errorf("identical columns %q", facts["identical columns"])
	}
	for _, c := range m.Coefs() {
		if c.Feature == 29 {
			t.Error("the duplicate of column 6 moved")
		}
		if c.Rank < 0 || c.Score <= 0 {
			t.Errorf("coefficient of %d: rank %d, score %v", c.Feature, c.Rank, c.Score)
		}
	}
}

// The path on the diabetes data of Efron et al. (2004) with a small step is the one of the lars package's
// forward.stagewise: features enter in its order, and coefficients agree where it has knots.
func TestDiabetes(t *testing.T) {
	names, view, knots := enginetest.Diabetes(t, "x10", "stagewise")
	_, y := view.Target(0)
	e := defaults()
	e.Scale, e.Epsilon, e.MaxIter, e.Loop = "unit", 0.05, 200_000, true
	w := walkOn(t, e, setting{x: view.Matrix(), y: y}, nil)

	var order []string
	for k, knot := range knots {
		for _, a := range strings.Split(knot.Action, ",") {
			if name, entered := strings.CutPrefix(a, "+"); entered && !slices.Contains(order, name) {
				order = append(order, name)
			}
		}
		if knot.Lambda >= 15 { // below, the path turns on differences of the size of a step
			checkKnot(t, w, k, knot)
		}
	}
	for rank, in := range w.entered {
		if got := names[w.d.Column[in.position]]; rank < len(order) && got != order[rank] {
			t.Errorf("%s entered as number %d, want %s", got, rank, order[rank])
		}
	}
	if len(w.entered) < 8 {
		t.Errorf("%d features entered", len(w.entered))
	}
}

// checkKnot compares coefficients where the largest |c| has first come down to the knot's.
func checkKnot(t *testing.T, w walked, number int, knot enginetest.Knot) {
	t.Helper()
	b := make([]float64, len(w.d.Position))
	for _, s := range w.steps[1:] {
		if w.cBefore(s) < knot.Lambda {
			break
		}
		b[s.Changed.Feature] += s.Changed.Value
	}
	for j, want := range knot.Coef {
		if !(math.Abs(b[j]-want) <= 1) {
			t.Errorf("knot %d: coefficient %d is %.3f, want %.3f", number, j, b[j], want)
		}
	}
}

// cBefore is the |c| that a traced step saw, from the fall of the residual sum of squares.
func (w walked) cBefore(s engines.Step) float64 {
	fall := (w.steps[s.Iter-1].TrainError - s.TrainError) * w.d.N
	return (fall + s.ParameterValue*s.ParameterValue) / (2 * s.ParameterValue)
}

// By default a tenth is held out, of few rows twenty, or a third.
func TestHeldOutByDefault(t *testing.T) {
	for rows, want := range map[int]int{9: 3, 41: 13, 60: 20, 150: 20, 442: 44} {
		y := make([]float64, rows)
		_, held, err := splitForValidation(viewOf(t, enginetest.Dataset(enginetest.Matrix(make([][]float64, rows)...), enginetest.Real("y", y...))), rand.New(rand.NewPCG(1, 2)), 0)
		if err != nil || held.Len() != want {
			t.Errorf("%d of %d rows held out, want %d: %v", held.Len(), rows, want, err)
		}
	}
}
