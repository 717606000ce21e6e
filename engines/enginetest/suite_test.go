package enginetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
)

// good keeps every law: it predicts a constant plus the first column.
type good struct{ needs engines.Needs }

func (good) Validate() error        { return nil }
func (g good) Needs() engines.Needs { return g.needs }
func (g good) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	for range 9 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	run.Trace.At(engines.Step{Iter: 1})
	outputs := 0
	for t := range run.Train.Targets() {
		outputs += max(1, len(run.Train.TargetInfo(t).Levels))
	}
	return engines.NewLinear(run.Train.Columns(), make([]float64, outputs), []engines.Coef{{Feature: 0, Value: 1}}, engines.Fitted{}), nil
}

func TestSuiteAcceptsGoodEngines(t *testing.T) {
	for name, needs := range map[string]engines.Needs{
		"anything": {},
		"real":     {Target: data.Real, Tasks: true},
		"class":    {Target: data.Class, Binary: true, Watch: true},
		"classes":  {Target: data.Class, FeatureClasses: true, Tasks: true},
	} {
		t.Run(name, func(t *testing.T) { Suite(t, good{needs}) })
	}
}

func TestProblemsMeetNeeds(t *testing.T) {
	p := problemFor(engines.Needs{Target: data.Class, Binary: true, FeatureClasses: true, Tasks: true, Watch: true})
	levels := p.train.TargetInfo(0).Levels
	_, y := p.train.Target(0)
	for k := range levels {
		if !slices.Contains(y, float64(k)) {
			t.Errorf("no training row of class %d", k)
		}
	}
	if !p.train.Matrix().Binary() || !p.train.Features().HasClasses() || p.train.Targets() != 2 || p.run(1, nil).Watch == nil {
		t.Error("the data do not meet the needs")
	}
	if problemFor(engines.Needs{}).train.Matrix().Binary() {
		t.Error("data are binary where nobody asked")
	}
}

// The engines below each break one law.

type stateful struct {
	good
	next chan int
}

func newStateful() stateful {
	s := stateful{next: make(chan int, 1)}
	s.next <- 0
	return s
}

// Fit counts fits in shared state, and the count leaks into the model.
func (s stateful) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	n := <-s.next + 1
	s.next <- n
	return linear(run, engines.Coef{Feature: 1, Value: float64(n)}), nil
}

type remembers struct {
	good
	last float64
}

func (r *remembers) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	_, y := run.Train.Target(0)
	r.last = y[0]
	return linear(run), nil
}

type byWorkers struct{ good }

func (byWorkers) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	return linear(run, engines.Coef{Feature: 1, Value: float64(run.Workers)}), nil
}

type shy struct{ good }

func (shy) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	v := 1.0
	if run.Trace != nil {
		v = 2
	}
	return linear(run, engines.Coef{Feature: 1, Value: v}), nil
}

// misnames has a parameter that is none of its own.
type misnames struct{ good }

func (misnames) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	run.Trace.At(engines.Step{Parameter: "lambda", ParameterValue: 1})
	return linear(run), nil
}

func TestStepParameters(t *testing.T) {
	if StepParameters(misnames{}) == nil || StepParameters(deaf{}) != nil {
		t.Error("a step with a value of no parameter passes, or one without is refused")
	}
}

type deaf struct{ good }

func (deaf) Fit(_ context.Context, run engines.Run) (engines.Model, error) { return linear(run), nil }

// looks looks at its context so many times, and to its end whatever it sees.
type looks struct {
	good
	times, steps int  // steps that it tells of at each look
	errs         bool // in the end it returns the cause
}

func (l looks) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	var err error
	for k := range l.times {
		if ctx.Err() != nil && l.errs {
			err = context.Cause(ctx)
		}
		for range l.steps {
			run.Trace.At(engines.Step{Iter: k})
		}
	}
	return linear(run, engines.Coef{Feature: 0, Value: 1}), err
}

type misfit struct{ good }

func (misfit) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	return odd{linear(run).(*engines.Linear)}, nil
}

// odd has unsorted coefficients and one output too many, and scores a row by its neighbours.
type odd struct{ *engines.Linear }

func (odd) Outputs() int { return 2 }
func (odd) Coefs() []engines.Coef {
	return []engines.Coef{{Feature: 1, Value: 1}, {Feature: 0, Value: 1}}
}
func (odd) Predict(dst []float64, in data.Inputs) {
	for k := range dst {
		dst[k] = float64(k)
	}
}

type forgetful struct{ good }

func (forgetful) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	return struct{ engines.Model }{linear(run)}, nil
}

// shifted makes models that tell of another intercept than they have.
type shifted struct{ good }

func (shifted) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	return offset{linear(run).(*engines.Linear)}, nil
}

type offset struct{ *engines.Linear }

func (offset) Biases() []float64 { return []float64{1} }

type shrinks struct{ good }

func (shrinks) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: 1 << 40, Resident: 1<<40 - s.Entries}
}

type boasts struct {
	good
	fitted engines.Fitted
}

func (b boasts) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	return engines.NewLinear(run.Train.Columns(), []float64{0}, nil, b.fitted), nil
}

// unlogged gives probabilities and says that they are logarithms of some.
type unlogged struct{ good }

func (unlogged) Needs() engines.Needs { return engines.Needs{Target: data.Class, Levels: 2} }

func (unlogged) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	return engines.NewLinear(run.Train.Columns(), []float64{0.25, 0.75}, nil, engines.Fitted{Probabilities: true}), nil
}

func linear(run engines.Run, coefs ...engines.Coef) engines.Model {
	return engines.NewLinear(run.Train.Columns(), []float64{0}, coefs, engines.Fitted{})
}

func TestSuiteCatchesBadEngines(t *testing.T) {
	for _, c := range []struct {
		name   string
		engine func() engines.Engine
		law    func(engines.Engine, problem) error
	}{
		{"state shared by fits", func() engines.Engine { return newStateful() }, deterministic},
		{"result depends on workers", func() engines.Engine { return byWorkers{} }, deterministic},
		{"fit changes the engine", func() engines.Engine { return &remembers{} }, unchanged},
		{"result depends on the listener", func() engines.Engine { return shy{} }, traced},
		{"deaf to cancellation", func() engines.Engine { return deaf{} }, cancelled},
		{"a model in spite of cancellation", func() engines.Engine { return looks{times: 9} }, cancelled},
		{"work after cancellation", func() engines.Engine { return looks{times: 2 * pollsAfter, errs: true} }, cancelled},
		{"steps after cancellation", func() engines.Engine { return looks{times: 9, errs: true, steps: 1} }, cancelled},
		{"one look at the context for any number of entries", func() engines.Engine { return looks{times: 1, errs: true} }, asking},
		{"steps without a look", func() engines.Engine { return looks{times: 9, steps: 2} }, asking},
		{"unsorted coefficients", func() engines.Engine { return misfit{} }, sortedCoefs},
		{"wrong number of outputs", func() engines.Engine { return misfit{} }, shaped},
		{"scores depend on neighbours", func() engines.Engine { return misfit{} }, rowByRow},
		{"scores that are not predicted", func() engines.Engine { return misfit{} }, scored},
		{"a step that was not taken", func() engines.Engine { return boasts{fitted: engines.Fitted{Best: 3, Iterations: 2}} }, reported},
		{"a step that cannot be", func() engines.Engine { return boasts{fitted: engines.Fitted{Best: -2}} }, reported},
		{"an objective below its bound", func() engines.Engine {
			return boasts{fitted: engines.Fitted{Certificate: &engines.Certificate{Objective: 1, Dual: 1.1}}}
		}, reported},
		{"a bound that is no number", func() engines.Engine {
			return boasts{fitted: engines.Fitted{Certificate: &engines.Certificate{Objective: 1, Dual: math.NaN()}}}
		}, reported},
		{"probabilities in place of their logarithms", func() engines.Engine { return unlogged{} }, shaped},
		{"an intercept that is not in the scores", func() engines.Engine { return shifted{} }, linearly},
		{"less memory for more data", func() engines.Engine { return shrinks{} }, predicted},
		{"a model that cannot be kept", func() engines.Engine { return forgetful{} }, keeper},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := c.engine()
			if c.law(e, problemFor(e.Needs())) == nil {
				t.Error("the law accepted it")
			}
		})
	}
}

func TestFields(t *testing.T) {
	a, b := param.Errorf("a", "no"), param.Errorf("b.c", "no")
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""}, {a, "a"}, {errors.Join(b, nil, a), "b.c a"}, {errors.Join(a, errors.Join(b, a)), "a b.c a"}, {errors.Join(errors.New("of no field"), a), "? a"},
		{fmt.Errorf("wrapped: %w", a), "a"},
	} {
		if got := Fields(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

func TestGauss(t *testing.T) {
	if got := Gauss([][]float64{{0, 2, 1, 7}, {1, 1, 1, 6}, {2, 0, -1, -1}}); !slices.EqualFunc(got, []float64{1, 2, 3}, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("got %v", got)
	}
}
