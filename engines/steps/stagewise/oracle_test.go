package stagewise

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
)

// sample is data in the form of the reference cases.
type sample struct {
	P     int                 `json:"p"`
	Rows  [][]json.RawMessage `json:"rows"`
	Y     []float64           `json:"y"`
	TestX [][]json.RawMessage `json:"test_rows"`
	TestY []float64           `json:"test_y"`
}

type options struct {
	Scale   string
	Epsilon struct {
		Kind  string
		Value float64
	}
	Lookup struct {
		Kind  string
		Lists [][]int
		Size  int
		Carry bool
	}
	MaxIter    int     `json:"max_iter"`
	MaxEntered int     `json:"max_entered"`
	MinC       float64 `json:"min_c"`
	Patience   int
	TestEvery  int `json:"test_every"`
	Loop       *bool
}

type expectation struct {
	Stop       string
	Iterations int
	Steps      []struct {
		T, J, Sign int
		Skip       bool
		C, Eps     float64
		RSS        float64
		MSE        *float64 `json:"test_mse"`
	}
	Entered   []int
	Nonzero   int
	Evaluated int64
	Beta      []float64
	Coef      []float64
	Intercept float64
	Mean      []float64
	Gamma     []float64
	Constant  []int32 `json:"constant_columns"`
	TSS, RSS  float64
	R2        *float64
	InitialC  []float64 `json:"initial_abs_c"`
	InitialM  *float64  `json:"initial_test_mse"`
	Best      *struct {
		Iter, Entered int
		MSE           float64
		Coef          []float64
		Intercept     float64
	} `json:"best_test"`
}

// TestOracleStagewise runs the reference cases, eager and lazy and with every way to find the maximum.
func TestOracleStagewise(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"stagewise": func(t *testing.T, c oracle.Case) {
		var o options
		c.Decode(t, c.Options, &o)
		e := o.engine()
		if why := c.WantError(t); why != "" {
			if err := refused(t, c, e); err == nil {
				t.Fatalf("accepted, expected a refusal: %s", why)
			}
			return
		}
		checkCase(t, c, e)
		if e.Lookup == "full" {
			e.Scan = "full"
			checkCase(t, c, e)
			e.Scan, e.Block = "blocked", 2
			checkCase(t, c, e)
			if e.Step == "fixed" {
				e.Jumps = true
				checkCase(t, c, e)
			}
			return
		}
		e.Lazy = true
		checkCase(t, c, e)
	}})
}

func (o options) engine() Stagewise {
	e := Kind.Defaults().(Stagewise)
	e.Scale, e.Step, e.Epsilon = o.Scale, o.Epsilon.Kind, o.Epsilon.Value
	e.MaxIter, e.MaxEntered, e.MinC, e.Patience = o.MaxIter, o.MaxEntered, o.MinC, o.Patience
	if o.TestEvery > 0 {
		e.TestEvery = o.TestEvery
	}
	e.Loop = o.Loop == nil || *o.Loop
	if o.Lookup.Kind != "" {
		e.Lookup, e.Lists, e.Carry = o.Lookup.Kind, o.Lookup.Lists, o.Lookup.Carry
	}
	if o.Lookup.Size > 0 {
		e.Sample = o.Lookup.Size
	}
	e.Choose = "test"
	return e
}

func refused(t *testing.T, c oracle.Case, e Stagewise) error {
	var in sample
	c.Decode(t, c.Input, &in)
	if err := e.Validate(); err != nil {
		return err
	}
	set, err := in.dataset(t, in.Rows, in.Y)
	if err != nil {
		return err
	}
	e.Choose = "last"
	_, err = e.Fit(context.Background(), engines.Run{Train: viewOf(t, set), Rand: rand.New(rand.NewPCG(1, 2))})
	return err
}

func (s sample) dataset(t *testing.T, rows [][]json.RawMessage, y []float64) (*data.Dataset, error) {
	t.Helper()
	var b sparse.Builder
	for _, row := range rows {
		idx, val := make([]int32, len(row)), make([]float64, len(row))
		for q, raw := range row {
			val[q] = 1
			if json.Unmarshal(raw, &idx[q]) != nil {
				var pair [2]float64
				if err := json.Unmarshal(raw, &pair); err != nil {
					t.Fatal(err)
				}
				idx[q], val[q] = int32(pair[0]), pair[1]
			}
		}
		if err := b.Add(idx, val); err != nil {
			return nil, err
		}
	}
	set := dataset(b.Matrix(s.P), y, nil)
	set.Features = data.NewFeatures(named(s.P))
	return set, set.Check()
}

func dataset(x *sparse.Matrix, y, weight []float64) *data.Dataset {
	_, p := x.Dims()
	return &data.Dataset{
		X: x, Features: data.NewFeatures(named(p)), Weight: weight,
		Targets: []data.Target{{Name: "y", Type: data.Real, Values: y}},
	}
}

func named(p int) []string {
	names := make([]string, p)
	for j := range names {
		names[j] = fmt.Sprintf("x%d", j)
	}
	return names
}

func viewOf(t testing.TB, set *data.Dataset) *data.View {
	t.Helper()
	prepared, err := prepare.Recipe{}.Fit(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	return prepared.View(nil)
}

func checkCase(t *testing.T, c oracle.Case, e Stagewise) {
	t.Helper()
	var in sample
	var want expectation
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Expect, &want)
	set, err := in.dataset(t, in.Rows, in.Y)
	if err != nil {
		t.Fatal(err)
	}
	r := engines.Run{Train: viewOf(t, set), Rand: rand.New(rand.NewPCG(1, 2))}
	if in.TestX != nil {
		held, err := in.dataset(t, in.TestX, in.TestY)
		if err != nil {
			t.Fatal(err)
		}
		r.Watch = viewOf(t, held)
	} else {
		e.Choose = "last"
	}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	var steps []engines.Step
	r.Trace = func(s engines.Step) { steps = append(steps, s) }
	w, err := e.startLeastSquares(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	checkStart(t, w, want, c.Tol(t))
	if err := w.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	checkSteps(t, w, steps, want, c.Tol(t))
	checkEnd(t, w, want, c.Tol(t))
}

func checkStart(t *testing.T, w *leastSquaresPath, want expectation, tol float64) {
	t.Helper()
	oracle.Near(t, "TSS", w.d.TSS, want.TSS, tol)
	if got := w.d.ConstantColumns(); fmt.Sprint(got) != fmt.Sprint(want.Constant) && len(got)+len(want.Constant) > 0 {
		t.Errorf("constant columns %v, want %v", got, want.Constant)
	}
	for j, k := range w.d.Position {
		if k < 0 {
			continue
		}
		oracle.Near(t, fmt.Sprintf("mean of %d", j), w.d.Scales[k].Mu, want.Mean[j], tol)
		oracle.Near(t, fmt.Sprintf("gamma of %d", j), w.d.Scales[k].Gamma, want.Gamma[j], tol)
		oracle.Near(t, fmt.Sprintf("|c| of %d at the start", j), max(w.correlations.Value(int(k)), -w.correlations.Value(int(k))), want.InitialC[j], tol)
	}
}

func checkSteps(t *testing.T, w *leastSquaresPath, steps []engines.Step, want expectation, tol float64) {
	t.Helper()
	if len(steps) != len(want.Steps)+1 {
		t.Fatalf("%d steps, want %d", len(steps)-1, len(want.Steps))
	}
	n := w.d.N
	for i, ref := range want.Steps {
		got, before := steps[i+1], steps[i]
		if got.Iter != ref.T {
			t.Fatalf("step %d: iteration %d, want %d", i, got.Iter, ref.T)
		}
		if ref.Skip {
			if got.Changed.Feature != -1 {
				t.Fatalf("iteration %d moved %d, want it skipped", ref.T, got.Changed.Feature)
			}
			continue
		}
		if got.Changed.Feature != ref.J || (got.Changed.Value > 0) != (ref.Sign > 0) {
			t.Fatalf("iteration %d moved %d by %v, want %d with sign %d", ref.T, got.Changed.Feature, got.Changed.Value, ref.J, ref.Sign)
		}
		oracle.Near(t, fmt.Sprintf("epsilon of iteration %d", ref.T), got.ParameterValue, ref.Eps, tol)
		oracle.Near(t, fmt.Sprintf("RSS of iteration %d", ref.T), got.TrainError*n, ref.RSS, tol)
		norm := w.d.Norm[w.d.Position[ref.J]]
		delta := ref.Eps * float64(ref.Sign)
		c := ((before.TrainError-got.TrainError)*n + delta*delta*norm) / (2 * delta)
		oracle.Near(t, fmt.Sprintf("c of iteration %d", ref.T), c, ref.C, 10*tol)
	}
}

func checkEnd(t *testing.T, w *leastSquaresPath, want expectation, tol float64) {
	t.Helper()
	if w.e.Jumps { // several steps for one look
		want.Evaluated = w.evaluated
	}
	if w.stop != want.Stop || w.iteration != want.Iterations || w.nonzero != want.Nonzero || w.evaluated != want.Evaluated {
		t.Errorf("stop %s after %d with %d non-zero, %d evaluated; want %s, %d, %d, %d",
			w.stop, w.iteration, w.nonzero, w.evaluated, want.Stop, want.Iterations, want.Nonzero, want.Evaluated)
	}
	var entered []int
	for _, in := range w.entered {
		entered = append(entered, int(w.d.Column[in.position]))
	}
	if fmt.Sprint(entered) != fmt.Sprint(want.Entered) {
		t.Errorf("entered %v, want %v", entered, want.Entered)
	}
	oracle.Near(t, "RSS", w.rss, want.RSS, tol)
	if want.R2 != nil {
		oracle.Near(t, "R²", 1-w.rss/w.d.TSS, *want.R2, tol)
	}
	if want.Best != nil {
		oracle.Near(t, "test MSE at the start", w.initialError, *want.InitialM, tol)
		oracle.Near(t, "best test MSE", w.best.error, want.Best.MSE, tol)
		if w.best.iteration != want.Best.Iter || w.best.entered != want.Best.Entered {
			t.Errorf("best at iteration %d with %d entered, want %d with %d", w.best.iteration, w.best.entered, want.Best.Iter, want.Best.Entered)
		}
		checkModel(t, w, want.Best.Coef, want.Best.Intercept, tol)
	}
	w.best = w.currentPoint(0, w.rss)
	checkModel(t, w, want.Coef, want.Intercept, tol)
}

func checkModel(t *testing.T, w *leastSquaresPath, coef []float64, intercept, tol float64) {
	t.Helper()
	m := w.model(engines.Fitted{}).(*engines.Linear)
	got := make([]float64, len(w.d.Position))
	for _, c := range m.Coefs() {
		got[c.Feature] = c.Value
	}
	oracle.NearAll(t, "coefficients", got, coef, tol)
	oracle.Near(t, "intercept", m.Bias(0), intercept, tol)
}
