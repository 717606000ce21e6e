package hazards

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/convex"
)

// survivalView has times and events.
func survivalView(x [][]float64, times []float64, events []int8, weights []float64) *data.View {
	d := enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events})
	d.Weight = weights
	return enginetest.View(d, nil)
}

func TestOracleCox(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"cox": checkCox})
}

func checkCox(t *testing.T, c oracle.Case) {
	var in struct {
		X       [][]float64
		Time    []float64
		Event   []int8
		Weights []float64
	}
	var options struct {
		Ties             string
		Lambda1, Lambda2 float64
	}
	var want struct {
		Objective, Loglik float64
		Null              float64 `json:"null_loglik"`
		Coef              []float64
		Most              float64 `json:"lambda_max"`
		Baseline          [][2]float64
		Dual              *float64 `json:"dual_objective"`
		At                struct {
			Time     float64
			Rows     []int
			Survival []float64
		} `json:"survival_at"`
	}
	c.Parts(t, &in, &options, &want)
	view := survivalView(in.X, in.Time, in.Event, in.Weights)
	e := Cox{Ties: options.Ties, Penalty: byL1, Gamma: defaultGamma, Alpha: 1, Lambda: options.Lambda1, Lambda2: options.Lambda2, Tol: 1e-13, MaxIter: 1000}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.read(context.Background(), view, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	oracle.Near(t, "lambda_max", p.LambdaMax(), want.Most, 1e-9)
	oracle.Near(t, "null_loglik", -p.TrainError(), want.Null, 1e-9)
	f := m.(engines.Reporter).Fitted()
	if e.Lambda+e.Lambda2 > 0 {
		oracle.Near(t, "objective", f.Certificate.Objective, want.Objective, 1e-9)
		oracle.Near(t, "dual_objective", f.Certificate.Dual, want.Objective, 1e-6)
	}
	oracle.NearAll(t, "coef", coefficients(m, len(want.Coef)), want.Coef, 1e-6)
	for k, step := range want.Baseline {
		oracle.Near(t, "baseline time", f.Baseline.Time[k], step[0], 0)
		oracle.Near(t, "baseline", f.Baseline.Hazard[k], step[1], 1e-6)
	}
	scores := make([]float64, len(in.X))
	m.Predict(scores, view.Inputs())
	for k, i := range want.At.Rows {
		oracle.Near(t, "survival", f.Baseline.Survival(want.At.Time, scores[i]), want.At.Survival[k], 1e-6)
	}
}

// drawn is a problem whose first columns shorten times, with ties and censored rows.
func drawn(seed uint64, rows, columns int) (x [][]float64, times []float64, events []int8) {
	rng := rand.New(rand.NewPCG(seed, 7))
	for range rows {
		row := make([]float64, columns)
		for j := range row {
			if rng.Float64() < 0.7 {
				row[j] = rng.NormFloat64() * float64(1+j%4)
			}
		}
		x = append(x, row)
		t := math.Ceil(20*rng.ExpFloat64()*math.Exp(-row[0]-row[1]/2)) / 10
		event := int8(1)
		if c := math.Ceil(30*rng.ExpFloat64()) / 10; c < t {
			t, event = c, 0
		}
		times, events = append(times, t), append(events, event)
	}
	return x, times, events
}

// Along a path, the certificate holds at every penalty, for both kinds of ties and penalties and with weights, however few columns
// the strong rule looks at.
func TestCoxPathIsCertified(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		x, times, events := drawn(seed, 60, 150)
		weights := make([]float64, len(times))
		for i := range weights {
			weights[i] = float64(1 + i%3)
		}
		for _, e := range []Cox{
			{Penalty: byL1, Gamma: defaultGamma, Ties: efron, Alpha: 1, Lambda: 1, Standardize: true, Tol: 1e-8, MaxIter: 1000},
			{Penalty: byL1, Gamma: defaultGamma, Ties: breslow, Alpha: 0.5, Lambda: 1, Tol: 1e-8, MaxIter: 1000},
			{Penalty: byL1, Gamma: defaultGamma, Ties: efron, Alpha: 0.9, Lambda2: 1, Lambda: 1, Standardize: true, Tol: 1e-8, MaxIter: 1000},
		} {
			view := survivalView(x, times, events, weights)
			values, n := []float64{1, 0.9, 0.7, 0.3, 0.1, 0.05}, 0
			err := e.FitPath(context.Background(), engines.Run{Train: view, Workers: 1}, engines.PathPoints{Parameter: "lambda_ratio", Values: values}, func(k int, m engines.Model) {
				n++
				f := m.(engines.Reporter).Fitted()
				if len(f.Notes) > 0 || !(f.Certificate.Relative() <= 1e-6) {
					t.Errorf("seed %d, %+v, ratio %v: %v, gap %v", seed, e, values[k], f.Notes, f.Certificate.Relative())
				}
				if selected := len(m.Coefs()); (selected == 0) != (values[k] == 1) {
					t.Errorf("ratio %v selects %d columns", values[k], selected)
				}
			})
			if err != nil || n != len(values) {
				t.Errorf("%d models of %d: %v", n, len(values), err)
			}
		}
	}
}

// Rows that count twice are rows that stand twice, by Breslow; times count by their order alone.
func TestCoxInvariances(t *testing.T) {
	t.Parallel()
	x, times, events := drawn(5, 40, 6)
	e := Cox{Penalty: byL1, Gamma: defaultGamma, Ties: breslow, Alpha: 1, Lambda: 2, Tol: 1e-12, MaxIter: 1000}
	fit := func(v *data.View, e Cox) []float64 {
		m, err := e.Fit(context.Background(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return coefficients(m, 6)
	}
	twice, later := make([]float64, len(times)), make([]float64, len(times))
	x2, times2, events2 := x, times, events
	for i := range times {
		twice[i], later[i] = 1, math.Exp(times[i])
		if i%2 == 0 {
			twice[i] = 2
			x2, times2, events2 = append(x2, x[i]), append(times2, times[i]), append(events2, events[i])
		}
	}
	oracle.NearAll(t, "doubled", fit(survivalView(x2, times2, events2, nil), e), fit(survivalView(x, times, events, twice), e), 1e-6)
	e.Ties = efron
	oracle.NearAll(t, "other times", fit(survivalView(x, later, events, nil), e), fit(survivalView(x, times, events, nil), e), 1e-9)
}

// A column that orders all events has no finite coefficient without a penalty: the fit says so.
func TestCoxWithoutMaximum(t *testing.T) {
	t.Parallel()
	view := survivalView([][]float64{{4, 0}, {3, 1}, {2, 0}, {1, 1}}, []float64{1, 2, 3, 4}, []int8{1, 1, 1, 0}, nil)
	e := Cox{Penalty: byL1, Gamma: defaultGamma, Ties: efron, Alpha: 1, Tol: 1e-9, MaxIter: 1000}
	m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.(engines.Reporter).Fitted(); f.Stop != convex.Infinite || len(f.Notes) != 1 || f.Certificate != nil {
		t.Errorf("%+v", f)
	}
	wide := make([][]float64, 40) // more columns than rows: any order of events is one of theirs
	times, events := make([]float64, len(wide)), make([]int8, len(wide))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range wide {
		wide[i] = make([]float64, 100)
		for j := range wide[i] {
			wide[i][j] = r.NormFloat64()
		}
		times[i], events[i] = r.ExpFloat64(), int8(i%2)
	}
	if m, err = e.Fit(context.Background(), engines.Run{Train: survivalView(wide, times, events, nil), Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if f := m.(engines.Reporter).Fitted(); f.Stop != convex.Infinite || f.Iterations > 100 {
		t.Errorf("more columns than rows: stop %q after %d iterations", f.Stop, f.Iterations)
	}
	censored := survivalView([][]float64{{1}, {2}}, []float64{1, 2}, []int8{0, 0}, nil)
	if _, err := e.Fit(context.Background(), engines.Run{Train: censored, Workers: 1}); err == nil {
		t.Error("all times are censored, and there is no error")
	}
}

// TestCoxFactors: with an L1 penalty alone, a column with the factor f is one divided by f, whose coefficient is multiplied by it; a column
// without a penalty has the coefficient of a fit of its own where nothing else is selected, from lambda_max on, and certificates count it
// out.
func TestCoxFactors(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 9))
	const rows, columns = 60, 8
	x, scaled, alone := make([][]float64, rows), make([][]float64, rows), make([][]float64, rows)
	times, events, factor := make([]float64, rows), make([]int8, rows), make([]float64, columns)
	for j := range factor {
		factor[j] = 0.5 + rng.Float64()
	}
	for i := range x {
		x[i], scaled[i] = make([]float64, columns), make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
			scaled[i][j] = x[i][j] / factor[j]
		}
		alone[i] = x[i][2:3]
		times[i] = math.Floor(20*math.Exp(-x[i][0]+x[i][2]+0.5*rng.NormFloat64())) + 1
		if rng.Float64() < 0.8 {
			events[i] = 1
		}
	}
	fit := func(x [][]float64, factor []float64, change func(*Cox)) engines.Model {
		t.Helper()
		d := enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events})
		e := Cox{Penalty: byL1, Gamma: defaultGamma, Ties: efron, Alpha: 1, Lambda: 4, Tol: 1e-12, MaxIter: 1000}
		change(&e)
		return mustFit(t, e, enginetest.Treated(d, data.Treatment{Factor: factor}))
	}
	coefficients := func(m engines.Model) []float64 {
		w := make([]float64, columns)
		for _, c := range m.Coefs() {
			w[c.Feature] = c.Value
		}
		return w
	}
	none := func(*Cox) {}
	with, without := coefficients(fit(x, factor, none)), coefficients(fit(scaled, nil, none))
	for j, f := range factor {
		oracle.Near(t, "coefficient", with[j], without[j]/f, 1e-5)
	}
	factor[2] = 0
	for _, l2 := range []float64{0, 2} {
		own := fit(alone, nil, func(e *Cox) { e.Lambda = 0 }).Coefs()[0].Value
		m := fit(x, factor, func(e *Cox) { e.Lambda, e.Ratio, e.Lambda2 = 0, 1, l2 })
		if n := len(m.Coefs()); n != 1 || m.Coefs()[0].Feature != 2 {
			t.Fatalf("%d coefficients at lambda_max", n)
		}
		oracle.Near(t, "without a penalty", m.Coefs()[0].Value, own, 1e-5)
		f := fit(x, factor, func(e *Cox) { e.Lambda, e.Ratio, e.Lambda2 = 0, 0.2, l2 }).(engines.Reporter).Fitted()
		loose := fit(x, factor, func(e *Cox) { e.Lambda, e.Ratio, e.Lambda2, e.Tol = 0, 0.2, l2, 1e-3 }).(engines.Reporter).Fitted()
		if f.Stop != "gap" || loose.Stop != "gap" || loose.Certificate.Dual > f.Certificate.Objective*(1+1e-11) {
			t.Errorf("stops %s and %s, a bound of %v above the minimum %v", f.Stop, loose.Stop, loose.Certificate.Dual, f.Certificate.Objective)
		}
		if just := fit(x, factor, func(e *Cox) { e.Lambda, e.Ratio, e.Lambda2 = 0, 0.99, l2 }); len(just.Coefs()) < 2 {
			t.Error("nothing is selected just below lambda_max")
		}
	}
}
