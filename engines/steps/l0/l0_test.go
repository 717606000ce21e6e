package l0

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/scaled"
)

func TestOracle(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"l0_descent": checkDescent, "families_bad_input": checkBadInput})
}

func checkBadInput(t *testing.T, c oracle.Case) {
	var options struct {
		Target, Family   string
		Lambda0, Lambda2 float64
	}
	c.Decode(t, c.Options, &options)
	if options.Target != "l0_descent" {
		t.Skipf("a case about %s", options.Target)
	}
	e := Kind.Defaults().(L0)
	if e.Lambda, e.Lambda2 = options.Lambda0, options.Lambda2; options.Family == "binomial" {
		e.Loss = "logistic"
	}
	if e.Validate() == nil {
		t.Error("accepted")
	}
}

func numbers(x [][]float64, y []float64) *data.View {
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
}

func started(t *testing.T, v *data.View, lambda2 float64) *model {
	t.Helper()
	x, err := scaled.Standardize(v.Matrix(), nil, "unit")
	if err != nil {
		t.Fatal(err)
	}
	_, y := v.Target(0)
	centred, _, _ := x.Center(y)
	return newModel(x, centred, lambda2)
}

// From zero, the descents of the cases end at their objectives, and swaps are theirs.
func checkDescent(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct {
		Lambda0, Lambda2 float64
		Swaps            bool
	}
	var want struct {
		Objective  float64
		Selected   []int32
		Coef       []float64
		Objectives []float64 `json:"objectives_after_descent"`
		Swaps      [][2]int32
	}
	c.Parts(t, &in, &options, &want)
	m := started(t, numbers(in.X, in.Y), options.Lambda2)
	var objectives []float64
	var swaps [][2]int32
	for {
		m.descend(t.Context(), options.Lambda0, 1000)
		objectives = append(objectives, m.objective(options.Lambda0))
		if !options.Swaps {
			break
		}
		out, in, ok := m.swap(t.Context(), 0)
		if !ok {
			break
		}
		swaps = append(swaps, [2]int32{out, in})
	}
	oracle.NearAll(t, "objectives", objectives, want.Objectives, 1e-9)
	if !slices.Equal(m.support, want.Selected) || len(swaps)+len(want.Swaps) > 0 && !slices.Equal(swaps, want.Swaps) {
		t.Errorf("selected %v by swaps %v, expected %v by %v", m.support, swaps, want.Selected, want.Swaps)
	}
	for j, b := range m.b {
		oracle.Near(t, "coefficient", b*m.x.Scale[j], want.Coef[j], 1e-7)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	ridge, priced := Kind.Defaults().(L0), Kind.Defaults().(L0)
	ridge.Lambda2, ridge.Swaps, ridge.Features = 0.3, false, 4
	priced.Lambda = 0.5
	for name, e := range map[string]L0{"defaults": Kind.Defaults().(L0), "a ridge": ridge, "a price": priced} {
		t.Run(name, func(t *testing.T) { t.Parallel(); enginetest.Suite(t, e) })
	}
}

// problem is normal rows, of which some columns make the response.
func problem(seed uint64, rows, columns int, noise float64, truth ...int) *data.View {
	rng := rand.New(rand.NewPCG(seed, 9))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			if x[i][j] = rng.NormFloat64(); j > 0 {
				x[i][j] = 0.4*x[i][j-1] + 0.9*x[i][j]
			}
		}
		for _, j := range truth {
			y[i] += x[i][j]
		}
		y[i] += noise * rng.NormFloat64()
	}
	return numbers(x, y)
}

// Of each size, the best model of the path is the best subset of all, where signals are clear.
func TestBestSubsets(t *testing.T) {
	t.Parallel()
	const columns = 10
	missed := 0
	for seed := range uint64(10) {
		v := problem(seed, 60, columns, 0.7, 1, 4, 7)
		all := started(t, v, 0)
		for size := 1; size <= 5; size++ {
			least, best := math.Inf(1), []int32(nil)
			for set := uint(0); set < 1<<columns; set++ {
				if bits.OnesCount(set) != size {
					continue
				}
				m := *all
				m.b, m.c, m.support = make([]float64, columns), slices.Clone(all.start), nil
				for j := range int32(columns) {
					if set>>j&1 == 1 {
						m.move(j, 1e-3)
					}
				}
				if m.solve(t.Context()); m.rss() < least {
					least, best = m.rss(), m.support
				}
			}
			e := Kind.Defaults().(L0)
			e.Features = size
			fit, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if got := engines.ColumnsOf(fit, columns); !slices.Equal(got, best) {
				missed++
				t.Logf("seed %d: the best %d columns are %v, found %v", seed, size, best, got)
			}
		}
	}
	if missed > 5 {
		t.Errorf("%d of 50 best subsets were missed", missed)
	}
}

// No column alone, and with swaps none in the place of another one, makes a model of the path better.
func TestNothingBetter(t *testing.T) {
	t.Parallel()
	v := problem(3, 50, 120, 1, 5, 50, 90)
	e := Kind.Defaults().(L0)
	p, err := e.newPath(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		lambda := below * p.m.current().entry()
		if err := p.solve(t.Context(), lambda); err != nil {
			t.Fatal(err)
		}
		m := p.m.(*model)
		now := m.objective(lambda)
		change := func(what string, out, in int32) {
			other := *m
			other.b, other.c, other.support = slices.Clone(m.b), slices.Clone(m.c), slices.Clone(m.support)
			if out >= 0 {
				other.move(out, 0)
			}
			if in >= 0 {
				other.move(in, other.c[in]+other.b[in])
			}
			if after := other.objective(lambda); after < now-1e-9 {
				t.Fatalf("%s %d, %d: the objective is %v, before %v", what, out, in, after, now)
			}
		}
		for j := range int32(120) {
			if m.b[j] != 0 {
				change("without", j, -1)
				for k := range int32(120) {
					if m.b[k] == 0 {
						change("swap", j, k)
					}
				}
			} else {
				change("with", -1, j)
			}
		}
	}
}

// Nor does a column in the place of another one where the others are refitted, with correlated columns on which descents and swaps alone end above.
func TestNoExchange(t *testing.T) {
	t.Parallel()
	const columns = 8
	helped := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		x, y := make([][]float64, 24), make([]float64, 24)
		for i := range x {
			x[i] = make([]float64, columns)
			common := 2 * rng.NormFloat64() * float64(seed%2)
			for j := range x[i] {
				x[i][j] = common + rng.NormFloat64()
				y[i] += float64(x[i][j] * float64(j%3-1))
			}
			y[i] += rng.NormFloat64()
		}
		v := numbers(x, y)
		lambda2 := 0.2 * float64(seed%3)
		refitted := func(in []int32) float64 {
			m := started(t, v, lambda2)
			for _, j := range in {
				m.move(j, 1e-3)
			}
			m.solve(t.Context())
			return m.fit()
		}
		e := Kind.Defaults().(L0)
		e.Lambda2 = lambda2
		for size := 1; size <= 5; size++ {
			e.Features = size
			fit, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			in := engines.ColumnsOf(fit, columns)
			now := refitted(in)
			for a := range in {
				for k := range int32(columns) {
					other := slices.Clone(in)
					if other[a] = k; !slices.Contains(in, k) && refitted(other) < now*(1-1e-6) {
						t.Errorf("seed %d: %v is better than %v", seed, other, in)
					}
				}
			}
			if e.Swaps = false; size == 3 {
				if plain, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1}); err != nil || refitted(engines.ColumnsOf(plain, columns)) > now*(1+1e-6) {
					helped++
				}
			}
			e.Swaps = true
		}
	}
	if helped == 0 {
		t.Error("descents alone are as good everywhere")
	}
}

// Of equal columns one is taken, constant ones never, and a response that columns make exactly ends the path.
func TestDegenerate(t *testing.T) {
	t.Parallel()
	x, y := make([][]float64, 30), make([]float64, 30)
	for i := range x {
		a, b := math.Sin(float64(i*i)), math.Cos(float64(3*i))
		x[i], y[i] = []float64{a, a, 2, b, -b}, 3*a-2*b+1
	}
	m, err := Kind.Defaults().Fit(t.Context(), engines.Run{Train: numbers(x, y), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, f := engines.ColumnsOf(m, 5), m.(engines.Reporter).Fitted(); !slices.Equal(got, []int32{0, 3}) || f.Stop != stopColumns {
		t.Errorf("columns %v, ended by %s", got, f.Stop)
	}
	bad := L0{Features: 0, Loss: "hinge", Lambda: -1, Lambda2: math.NaN()}
	if err := bad.Validate(); err == nil || strings.Count(err.Error(), "\n") != 4 {
		t.Errorf("%v", err)
	}
}

// A descent that takes all passes that it may take, and no more, has ended; else it says so.
func TestPasses(t *testing.T) {
	t.Parallel()
	v := problem(3, 60, 8, 0.5, 1, 4)
	price := 0.05 * started(t, v, 0).current().entry()
	takes := started(t, v, 0).descend(t.Context(), price, 1000)
	if takes < 3 || takes > 1000 {
		t.Fatalf("%d passes", takes)
	}
	for _, most := range []int{takes, takes - 1} {
		if got := started(t, v, 0).descend(t.Context(), price, most); got != takes {
			t.Errorf("of at most %d passes: %d, expected %d", most, got, takes)
		}
	}
	e := Kind.Defaults().(L0)
	e.Features, e.Swaps = 1, false
	for e.MaxIter = 1; e.MaxIter < 10; e.MaxIter++ { // two passes for the first column: it enters, and stays
		m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f := m.(engines.Reporter).Fitted(); (len(f.Notes) == 0) != (e.MaxIter >= 2) {
			t.Errorf("at most %d passes: %v", e.MaxIter, f.Notes)
		}
	}
}

// Steps tell the price, which falls, and what changed since the last one; the model tells the price at which it was found.
func TestStepsAndFacts(t *testing.T) {
	t.Parallel()
	v := problem(3, 60, 8, 0.5, 1, 4)
	e := Kind.Defaults().(L0)
	e.Features = 8
	last, sum := math.Inf(1), make([]float64, 8)
	m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1, Trace: func(s engines.Step) {
		if s.Parameter != "lambda" || !(s.ParameterValue < last) {
			t.Errorf("step %d: %s %v after %v", s.Iter, s.Parameter, s.ParameterValue, last)
		}
		last = s.ParameterValue
		for _, c := range append(slices.Clone(s.Also), s.Changed) {
			if c.Feature >= 0 && c.Value == 0 {
				t.Errorf("step %d: column %d has not changed", s.Iter, c.Feature)
			}
			if c.Feature >= 0 {
				sum[c.Feature] += c.Value
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Coefs() {
		oracle.Near(t, "sum of steps", sum[c.Feature], c.Value, 1e-9)
	}
	if got, want := m.(engines.Reporter).Fitted().Facts[0].Value, fmt.Sprintf("%.6g", last); got != want {
		t.Errorf("the model is of price %s, expected %s", got, want)
	}
}

// Numbers of columns on the path of tuning: all to 20, then a tenth more each, to 100, the columns, or half of the rows.
func TestPathValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rows, columns, last, values int }{{60, 8, 8, 8}, {10, 30, 5, 5}, {1, 3, 1, 1}, {60, 40, 30, 25}, {300, 120, 94, 38}} {
		r, err := L0{}.PathValues(engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Random(1, c.rows, c.columns, 1, false), enginetest.Real("y", make([]float64, c.rows)...)), nil)})
		if err != nil || len(r.Values) != c.values || r.Values[len(r.Values)-1] != float64(c.last) {
			t.Errorf("%d rows, %d columns: %v (%v)", c.rows, c.columns, r.Values, err)
		}
	}
}

// Weights of rows times a number change no model.
func TestWeights(t *testing.T) {
	t.Parallel()
	v := problem(3, 60, 8, 0.5, 1, 4)
	_, y := v.Target(0)
	_, x := enginetest.Table(v)
	for _, loss := range []string{"squared", "logistic"} {
		e := Kind.Defaults().(L0)
		e.Features, e.Loss, e.Swaps = 2, loss, false
		if loss == "logistic" {
			e.Lambda2 = 1e-6
		}
		var want []engines.Coef
		for _, weight := range []float64{1, 1e-3, 1e3} {
			target := enginetest.Real("y", y...)
			if loss == "logistic" {
				level := make([]float64, len(y))
				for i, v := range y {
					level[i] = float64(min(1, max(0, math.Ceil(v))))
				}
				target = enginetest.Class("y", 2, level...)
			}
			d := enginetest.Dataset(enginetest.Matrix(x...), target)
			d.Weight = slices.Repeat([]float64{weight}, len(y))
			m, err := e.Fit(t.Context(), engines.Run{Train: enginetest.View(d, nil), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = m.Coefs()
			}
			if got := m.Coefs(); len(got) != 2 || got[0].Feature != want[0].Feature || !(math.Abs(got[1].Value-want[1].Value) <= 1e-4*math.Abs(want[1].Value)) {
				t.Errorf("%s, weights of %v: %v, expected %v", loss, weight, got, want)
			}
		}
	}
}

// BenchmarkD looks for the twelve true columns of D1 and D3.
func BenchmarkD(b *testing.B) {
	for _, name := range []string{"D1", "D3"} {
		p := enginetest.BenchmarkDense(b, name)
		for _, size := range []int{12, 20} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				e, hits := Kind.Defaults().(L0), 0
				e.Features = size
				for b.Loop() {
					m, err := e.Fit(b.Context(), engines.Run{Train: p.Train, Workers: 1})
					if err != nil {
						b.Fatal(err)
					}
					hits = 0
					for _, c := range m.Coefs() {
						if slices.Contains(p.Support, [2]int32{int32(c.Output), int32(c.Feature)}) {
							hits++
						}
					}
				}
				b.ReportMetric(float64(hits), "true")
				b.ReportMetric(float64(len(p.Support)), "of")
			})
		}
	}
}

// Columns far from zero have the fit of the same columns near it, of numbers and of classes.
func TestFarFromZero(t *testing.T) {
	t.Parallel()
	near := problem(4, 60, 20, 0.5, 3, 9)
	var x [][]float64
	for i := range near.Len() {
		row := make([]float64, 20)
		for j := range row {
			row[j] = 1e4 + 1e-3*near.Row(i).At(j)
		}
		x = append(x, row)
	}
	_, y := near.Target(0)
	far := numbers(x, y)
	for loss, pair := range map[string][2]*data.View{"squared": {near, far}, "logistic": {classesOf(near), classesOf(far)}} {
		e := Kind.Defaults().(L0)
		e.Loss = loss
		e.Features, e.Lambda2 = 3, 0.1
		var b [2][]float64
		for k, v := range pair {
			m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			b[k] = make([]float64, 20)
			for _, c := range m.Coefs() {
				b[k][c.Feature] = c.Value
			}
		}
		for j := range b[0] {
			oracle.Near(t, "coefficient", 1e-3*b[1][j], b[0][j], 1e-6)
		}
	}
}

// objective at a price of λ.
func (m *model) objective(lambda float64) float64 {
	return float64(0.5*m.rss()) + float64(lambda*float64(len(m.support))) + float64(0.5*m.lambda2*m.squares())
}
