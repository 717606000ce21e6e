package stagewise

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/steps/stagewise/likelihood"
)

// likelihoodSample is the data of a reference case of kind likelihood.
type likelihoodSample struct {
	P         int
	Contexts  int
	Classes   int
	Rows      oracle.Rows
	Weights   oracle.Numbers
	Y         oracle.Numbers
	Intercept *float64
	Features  [][2]int32
}

type likelihoodOptions struct {
	Family      string
	Select      string
	Epsilon     float64
	MaxIter     int     `json:"max_iter"`
	MaxEntered  int     `json:"max_entered"`
	MinGradient float64 `json:"min_gradient"`
	MinIncrease float64 `json:"min_increase"`
	Loop        *bool
}

type likelihoodExpectation struct {
	Stop       string
	Iterations int
	Steps      []struct {
		T, J, Sign       int
		Gradient, Loglik float64
	}
	Entered  []int
	Lambda   []float64
	InitialL float64   `json:"initial_loglik"`
	Loglik   float64   `json:"loglik"`
	InitialG []float64 `json:"initial_gradient"`
	FinalG   []float64 `json:"final_gradient"`
}

// TestOracleLikelihood runs the reference cases with every way to find the next step.
func TestOracleLikelihood(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"likelihood": func(t *testing.T, c oracle.Case) {
		var o likelihoodOptions
		var in likelihoodSample
		c.Decode(t, c.Options, &o)
		c.Decode(t, c.Input, &in)
		for _, change := range []func(*Stagewise){
			func(e *Stagewise) {},
			func(e *Stagewise) { e.Scan = "full" },
			func(e *Stagewise) { e.Block = 2 },
		} {
			e := o.engine()
			change(&e)
			w, steps, err := in.walk(t, e)
			if why := c.WantError(t); why != "" {
				if err == nil {
					t.Fatalf("accepted, expected a refusal: %s", why)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			var want likelihoodExpectation
			c.Decode(t, c.Expect, &want)
			checkLikelihood(t, w, steps, want, c.Tol(t))
		}
	}})
}

func (o likelihoodOptions) engine() Stagewise {
	e := Kind.Defaults().(Stagewise)
	e.Family, e.Scale, e.Choose, e.Epsilon = o.Family, "none", "last", o.Epsilon
	if o.Select != "" {
		e.Select = o.Select
	}
	e.MaxIter, e.MaxEntered, e.MinGradient, e.MinIncrease = o.MaxIter, o.MaxEntered, o.MinGradient, o.MinIncrease
	e.Loop = o.Loop == nil || *o.Loop
	return e
}

// climbed is a finished ascent with the slopes that its steps saw.
type climbed struct {
	*likelihoodPath
	begun []float64
	saw   []float64
}

func (s likelihoodSample) walk(t *testing.T, e Stagewise) (climbed, []engines.Step, error) {
	t.Helper()
	if err := e.Validate(); err != nil {
		return climbed{}, nil, err
	}
	x, err := s.Rows.Matrix(t, max(s.P, s.Contexts))
	if err != nil {
		return climbed{}, nil, err
	}
	target := enginetest.Class("y", max(s.Classes, 2), s.Y...)
	if e.Family == "expfam" {
		target = enginetest.Real("w", s.Weights...)
	}
	set := enginetest.Dataset(x, target)
	if err := set.Check(); err != nil {
		return climbed{}, nil, err
	}
	var steps []engines.Step
	r := engines.Run{Train: enginetest.View(set, nil), Rand: rand.New(rand.NewPCG(1, 2)), Trace: func(s engines.Step) { steps = append(steps, s) }}
	w, err := s.begin(t, e, r)
	if err != nil {
		return climbed{}, nil, err
	}
	out := climbed{likelihoodPath: w.(*likelihoodPath)}
	if s.Intercept != nil {
		out.likelihood.(*likelihood.Logistic).Intercepts[1] = *s.Intercept
		if err := out.initialize(context.Background(), r); err != nil {
			return climbed{}, nil, err
		}
	}
	out.begun = out.slopes()
	l := out.likelihood
	out.likelihood = recorder{l, func(k int) { out.saw = append(out.saw, l.Value(k)) }}
	return out, steps, w.run(context.Background())
}

func (s likelihoodSample) begin(t *testing.T, e Stagewise, r engines.Run) (path, error) {
	if s.Features == nil {
		return e.family().start(context.Background(), e, r)
	}
	d, known, err := e.loglinearData(context.Background(), r)
	if err != nil {
		return nil, err
	}
	var pairs []loglinear.Feature
	for _, f := range s.Features {
		if f[0] < 0 || int(f[0]) >= s.Contexts || f[1] < 0 || int(f[1]) >= s.Classes {
			return nil, fmt.Errorf("feature %v is none of %d contexts × %d classes", f, s.Contexts, s.Classes)
		}
		pairs = append(pairs, loglinear.Feature{Column: f[0], Class: f[1]})
	}
	return e.startPairs(context.Background(), r, d, known, pairs)
}

// recorder tells of moves before they are made.
type recorder struct {
	likelihood.Likelihood
	moves func(k int)
}

func (r recorder) Update(ctx context.Context, k int, h float64) float64 {
	r.moves(k)
	return r.Likelihood.Update(ctx, k, h)
}

// slopes of all features, in order of index.
func (w climbed) slopes() []float64 { return byIndex(w.likelihoodPath, w.likelihood.Value) }

func byIndex(w *likelihoodPath, f func(k int) float64) []float64 {
	index := w.likelihood.GradientState().TieRank
	out := make([]float64, len(index))
	for k, i := range index {
		out[i] = f(k)
	}
	return out
}

func checkLikelihood(t *testing.T, w climbed, steps []engines.Step, want likelihoodExpectation, tol float64) {
	t.Helper()
	oracle.Near(t, "log-likelihood at the start", w.initialLogLikelihood, want.InitialL, tol)
	oracle.NearAll(t, "gradient at the start", w.begun, want.InitialG, tol)
	if len(steps) != len(want.Steps)+1 {
		t.Fatalf("%d steps, want %d", len(steps)-1, len(want.Steps))
	}
	for i, ref := range want.Steps {
		got := steps[i+1]
		j := w.number(got.Changed)
		if got.Iter != ref.T || j != ref.J || (got.Changed.Value > 0) != (ref.Sign > 0) {
			t.Fatalf("iteration %d moved %d by %v, want iteration %d, %d with sign %d", got.Iter, j, got.Changed.Value, ref.T, ref.J, ref.Sign)
		}
		oracle.Near(t, fmt.Sprintf("log-likelihood of iteration %d", ref.T), -got.TrainError*w.n, ref.Loglik, tol)
		oracle.Near(t, fmt.Sprintf("gradient of iteration %d", ref.T), w.saw[i], ref.Gradient, tol)
	}
	if w.stop != want.Stop || w.iteration != want.Iterations {
		t.Errorf("stop %s after %d, want %s after %d", w.stop, w.iteration, want.Stop, want.Iterations)
	}
	var entered []int
	for _, in := range w.entered {
		entered = append(entered, int(w.likelihood.GradientState().TieRank[in.position]))
	}
	if fmt.Sprint(entered) != fmt.Sprint(want.Entered) {
		t.Errorf("entered %v, want %v", entered, want.Entered)
	}
	lambda := w.unscale(make([]float64, len(w.multiples)), w.multiples)
	oracle.NearAll(t, "weights", byIndex(w.likelihoodPath, func(k int) float64 { return lambda[k] }), want.Lambda, tol)
	oracle.NearAll(t, "gradient at the end", w.slopes(), want.FinalG, tol)
	oracle.Near(t, "log-likelihood", -w.best.loss, want.Loglik, tol)
	square := 0.0
	for _, g := range want.FinalG {
		square += g * g
	}
	oracle.Near(t, "norm of the gradient", w.likelihood.GradientState().Norm(), math.Sqrt(square), tol)
}

// number is the index of the feature that a step moved.
func (w climbed) number(c engines.Coef) int {
	s := w.likelihood.GradientState()
	for k, j := range s.Column {
		if int(j) == c.Feature && s.ClassOf(k) == c.Output {
			return int(s.TieRank[k])
		}
	}
	return -1
}
