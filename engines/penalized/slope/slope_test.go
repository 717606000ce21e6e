package slope

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/convex"
)

var _ engines.Pathed = Slope{}

// usual parameters.
func usual() Slope { return Kind.Defaults().(Slope) }

// classes asks the suite for class targets.
type classes struct{ Slope }

func (classes) Needs() engines.Needs { return engines.Needs{Target: data.Class, Levels: 2} }

func TestSuite(t *testing.T) {
	t.Parallel()
	path, raw := usual(), usual()
	path.Ratio, path.Path = 0.05, convex.Path{Steps: 5}
	raw.Standardize, raw.Scale = false, 0.3
	for name, e := range map[string]engines.Engine{"defaults": usual(), "path": path, "raw": raw, "classes": classes{path}, "raw classes": classes{raw}} {
		t.Run(name, func(t *testing.T) { t.Parallel(); enginetest.Suite(t, e) })
	}
}

func TestValidate(t *testing.T) {
	nan := math.NaN()
	given := func(l ...float64) Slope {
		e := usual()
		e.Lambdas = l
		return e
	}
	flat := given(1, 1, 0)
	flat.Q = 0.2
	for _, c := range []struct {
		engine Slope
		fields string
	}{
		{usual(), ""},
		{given(2, 2, 1, 0), ""},
		{given(1, 2), "lambdas"},
		{given(1, -1), "lambdas"},
		{given(math.Inf(1), 1), "lambdas"},
		{given(2, nan), "lambdas"},
		{given(0, 0), "lambdas"},
		{flat, "q"},
		{Slope{}, "q tol max_iter"},
		{Slope{Q: 2, Scale: nan, Ratio: 1.1, Path: convex.Path{Steps: -1}, Tol: math.Inf(1), MaxIter: -1}, "q scale scale_ratio path tol max_iter"},
	} {
		if got := enginetest.Fields(c.engine.Validate()); got != c.fields {
			t.Errorf("%+v: complaints about %q, want %q", c.engine, got, c.fields)
		}
	}
}

func TestOracle(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"slope": checkFit, "slope_prox": checkProx, "families_bad_input": checkBadInput})
}

func checkFit(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct {
		Family   string
		Q, Scale float64
		Dup      bool
	}
	var want struct {
		Lambdas, Coef              []float64
		Objective, Loss, Intercept float64
	}
	c.Parts(t, &in, &options, &want)
	target := enginetest.Real("y", in.Y...)
	if options.Family == "binomial" {
		target = enginetest.Class("y", 2, in.Y...)
	}
	e := usual()
	e.Q, e.Scale, e.Tol = options.Q, options.Scale, 1e-13
	m, f, err := fit(t, e, enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), target), nil))
	if c.Refused(t, err) {
		return
	}
	for i := range f.penalties {
		oracle.Near(t, "lambda", e.Scale*f.penalties[i], want.Lambdas[i], 1e-9)
	}
	proof := m.(engines.Reporter).Fitted().Certificate
	oracle.Near(t, "objective", proof.Objective, want.Objective, 1e-9)
	oracle.Near(t, "dual", proof.Dual, want.Objective, 1e-9)
	oracle.Near(t, "loss", f.loss, want.Loss, 1e-6)
	bias := engines.Biases(m)
	oracle.Near(t, "intercept", bias[len(bias)-1], want.Intercept, 1e-6)
	if len(want.Coef) > 0 {
		oracle.NearAll(t, "coef", byColumn(m, len(in.X[0])), want.Coef, 1e-6)
	}
}

func fit(t *testing.T, e Slope, v *data.View) (engines.Model, *fitting, error) {
	t.Helper()
	if err := e.Validate(); err != nil {
		return nil, nil, err
	}
	f, err := e.read(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	m, err := convex.Fit(t.Context(), f, e.Path.Strength(e.Scale, e.Ratio, f.scaleMax))
	return m, f, err
}

func byColumn(m engines.Model, columns int) []float64 {
	b := make([]float64, columns)
	for _, c := range m.Coefs() {
		b[c.Feature] = c.Value
	}
	return b
}

func checkProx(t *testing.T, c oracle.Case) {
	var in struct{ Z, Lambdas []float64 }
	var want struct{ Prox []float64 }
	c.Parts(t, &in, &struct{}{}, &want)
	var p proximal
	p.step(in.Z, in.Lambdas, 1)
	oracle.NearAll(t, "prox", in.Z, want.Prox, 1e-12)
}

func checkBadInput(t *testing.T, c oracle.Case) {
	var in struct{ X [][]float64 }
	var options struct {
		Target  string
		Lambdas []float64
		Q       *float64
		Scale   *float64
	}
	var want struct{ Error string }
	c.Parts(t, &in, &options, &want)
	if options.Target != "slope" {
		t.Skipf("a case about %s", options.Target)
	}
	e := usual()
	if e.Lambdas = options.Lambdas; options.Q != nil {
		e.Q = *options.Q
	}
	if options.Scale != nil {
		e.Scale = *options.Scale
	}
	err := e.Validate()
	if err == nil {
		_, err = e.sequence(len(in.X[0]), len(in.X[0]))
	}
	if err == nil {
		t.Errorf("accepted, expected %s", want.Error)
	}
}

// sketch is a data set in plain numbers.
type sketch struct {
	x        [][]float64
	y, m     []float64
	logistic bool
}

func (s sketch) view() *data.View {
	target := enginetest.Real("y", s.y...)
	if s.logistic {
		target = enginetest.Class("y", 2, s.y...)
	}
	set := enginetest.Dataset(enginetest.Matrix(s.x...), target)
	set.Weight = s.m
	return enginetest.View(set, nil)
}

// draw columns that go together in pairs; one is constant, and the last repeats the first.
func draw(seed uint64, rows, columns int, logistic bool) sketch {
	rng := rand.New(rand.NewPCG(seed, 11))
	s := sketch{logistic: logistic}
	for range rows {
		row, y := make([]float64, columns), rng.NormFloat64()
		for j := range row {
			if row[j] = rng.NormFloat64(); j%2 == 1 {
				row[j] = 0.8*row[j-1] + 0.6*row[j]
			}
			if j < 4 {
				y += row[j]
			}
		}
		row[columns-2], row[columns-1] = 7, row[0]
		if logistic {
			y = map[bool]float64{true: 1}[y > 0]
		}
		s.x, s.y = append(s.x, row), append(s.y, y)
	}
	return s
}

// The proximal point is the best of a fine grid in two dimensions, and of many draws in more.
func TestProximalPoint(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n <= 8; n++ {
		for range 50 {
			z, penalties := make([]float64, n), make([]float64, n)
			for i := range z {
				z[i], penalties[i] = math.Round(8*rng.NormFloat64())/4, math.Round(8*rng.Float64())/8
			}
			slices.Sort(penalties)
			slices.Reverse(penalties)
			got := slices.Clone(z)
			new(proximal).step(got, penalties, 0.7)
			value := func(b []float64) float64 {
				sizes, sum := make([]float64, n), 0.0
				for i, v := range b {
					sizes[i] = math.Abs(v)
					sum += (v - z[i]) * (v - z[i]) / 2
				}
				slices.Sort(sizes)
				slices.Reverse(sizes)
				return sum + 0.7*norm(sizes, penalties)
			}
			best := value(got)
			for range 200 {
				other := slices.Clone(got)
				for i := range other {
					other[i] += math.Exp(-6*rng.Float64()) * rng.NormFloat64()
				}
				if value(other) < best-1e-12 {
					t.Fatalf("of %v by %v: %v, and %v is better", z, penalties, got, other)
				}
			}
		}
	}
}

// Every point of a path ends by its gap, with weights of rows too; the first has no column, the next one has.
func TestCertified(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		s := draw(seed, 40, []int{8, 60}[seed/2%2], seed%2 == 1)
		if seed%3 == 0 {
			for i := range s.x {
				s.m = append(s.m, float64(1+i%3))
			}
		}
		e := usual()
		e.Tol = 1e-10
		run := engines.Run{Train: s.view(), Workers: 2}
		r, err := e.PathValues(run)
		if err != nil {
			t.Fatal(err)
		}
		values := r.Values[:min(40, len(r.Values))]
		before := 0
		err = e.FitPath(t.Context(), run, engines.PathPoints{Parameter: "scale_ratio", Values: values}, func(i int, m engines.Model) {
			told := m.(engines.Reporter).Fitted()
			b := byColumn(m, len(s.x[0]))
			if i == 0 && slices.ContainsFunc(b, func(v float64) bool { return v != 0 }) {
				t.Errorf("seed %d: coefficients %v at the largest scale", seed, b)
			}
			if i == 1 && !slices.ContainsFunc(b, func(v float64) bool { return v != 0 }) {
				t.Errorf("seed %d: no coefficient below it", seed)
			}
			if told.Stop != convex.Gap {
				t.Errorf("seed %d, point %d: stop %s, %+v", seed, i, told.Stop, told)
			}
			before = max(before, told.Iterations)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Levels at which the sequence is no number, or nothing, are refused.
func TestSequenceRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		q       float64
		varying int
		err     string
	}{
		{0.1, 0, ""}, {0.1, 1000, ""}, {1.9, 2, ""}, {1e-300, 0, ""},
		{1, 1, "q: 1 leaves no penalty above 0 for 1 columns"}, {1.5, 1, "q: 1.5 leaves no penalty above 0"}, {1e-300, 3, "q: 1e-300 makes penalties infinite for 3 columns"},
	} {
		got, err := Slope{Q: c.q}.sequence(2000, c.varying)
		if (err == nil) != (c.err == "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("q %v of %d columns: %v", c.q, c.varying, err)
		}
		if err == nil && (len(got) != c.varying || !slices.IsSortedFunc(got, func(a, b float64) int { return cmp.Compare(b, a) })) {
			t.Errorf("q %v of %d columns: %v", c.q, c.varying, got)
		}
	}
}

// Penalties may be one, of one column; equal columns have coefficients of one size, which facts count.
func TestOnePenaltyAndOneSize(t *testing.T) {
	t.Parallel()
	if got, err := (Slope{Q: defaultQ, Lambdas: []float64{3}}).sequence(1, 1); err != nil || !slices.Equal(got, []float64{3}) {
		t.Errorf("one penalty: %v (%v)", got, err)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	var x [][]float64
	var y []float64
	for range 30 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x, y = append(x, []float64{a, a, b}), append(y, 2*a+9*b+0.1*rng.NormFloat64())
	}
	e := usual()
	e.Ratio = 0.1
	m, err := e.Fit(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.(engines.Reporter).Fitted().Facts {
		if f.Name == "coefficients of different sizes" && f.Value != "2, of 3 columns" {
			t.Errorf("%s: %s, of %v", f.Name, f.Value, m.Coefs())
		}
	}
}

// With penalties that are all alike the model is the lasso's: subgradients by the rows.
func TestEqualPenalties(t *testing.T) {
	t.Parallel()
	s := draw(5, 30, 12, false)
	e := usual()
	e.Lambdas, e.Scale, e.Standardize, e.Tol = slices.Repeat([]float64{1}, 12), 3, false, 1e-13
	m, _, err := fit(t, e, s.view())
	if err != nil {
		t.Fatal(err)
	}
	b, bias := byColumn(m, 12), engines.Biases(m)[0]
	for j := range b {
		g := 0.0
		for i, row := range s.x {
			fit := bias
			for k, x := range row {
				fit += b[k] * x
			}
			g += row[j] * (s.y[i] - fit)
		}
		if b[j] == 0 && !(math.Abs(g) <= 3+1e-6) || b[j] != 0 && j != 0 && j != 11 && !(math.Abs(g-math.Copysign(3, b[j])) <= 1e-5) {
			t.Errorf("column %d: coefficient %v, gradient %v", j, b[j], g)
		}
	}
}

// A gap that rounding does not let anything reach ends the fit for that, soon, with a note.
func TestEndsAtPrecision(t *testing.T) {
	t.Parallel()
	for _, logistic := range []bool{false, true} {
		e := usual()
		e.Ratio, e.Tol = 0.1, 1e-30
		m, _, err := fit(t, e, draw(8, 50, 30, logistic).view())
		if err != nil {
			t.Fatal(err)
		}
		if told := m.(engines.Reporter).Fitted(); !(told.Certificate.Relative() <= 1e-12) || told.Iterations > 5000 {
			t.Errorf("%+v", told)
		}
	}
}

// Columns far from zero, of any units, have the fit of the same columns near it.
func TestFarFromZero(t *testing.T) {
	t.Parallel()
	near := draw(9, 40, 10, false)
	far := draw(9, 40, 10, false)
	for i := range far.x {
		for j := range far.x[i] {
			far.x[i][j] = 1e4 + 1e-3*far.x[i][j]
		}
	}
	e := usual()
	e.Ratio, e.Tol = 0.1, 1e-10
	want, _, err := fit(t, e, near.view())
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := fit(t, e, far.view())
	if err != nil {
		t.Fatal(err)
	}
	a, b := byColumn(want, 10), byColumn(got, 10)
	for j := range a {
		oracle.Near(t, "coefficient", 1e-3*b[j], a[j], 1e-6)
	}
}
