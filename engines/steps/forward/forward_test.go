package forward

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

func greedy(change func(e *Stepwise)) Stepwise {
	e := Kind.Defaults().(Stepwise)
	if change != nil {
		change(&e)
	}
	return e
}

func everything(e *Stepwise) { e.Criterion = criterionNone }

// realStepwise asks the suite for a real target.
type realStepwise struct{ Stepwise }

func (e realStepwise) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Sizes: e.Stepwise.Needs().Sizes}
}

func TestStepwiseSuite(t *testing.T) {
	t.Run("bic", func(t *testing.T) { enginetest.Suite(t, realStepwise{greedy(nil)}) })
	t.Run("classes", func(t *testing.T) { enginetest.Suite(t, greedy(nil)) })
	t.Run("all", func(t *testing.T) { enginetest.Suite(t, realStepwise{greedy(everything)}) })
	t.Run("matching pursuit", func(t *testing.T) {
		enginetest.Suite(t, realStepwise{greedy(func(e *Stepwise) { e.Choose, e.Criterion = chooseCorrelation, criterionF })})
	})
}

func stepwiseOn(t *testing.T, e Stepwise, run engines.Run) engines.Model {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	run.Workers = 2
	m, err := e.Fit(context.Background(), run)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// entered is the columns of a model in their order.
func entered(m engines.Model) []int {
	coefs := slices.Clone(m.Coefs())
	slices.SortFunc(coefs, func(a, b engines.Coef) int { return a.Rank - b.Rank })
	var out []int
	for _, c := range coefs {
		out = append(out, c.Feature)
	}
	return out
}

// sampleData is a small problem, dense or sparse, with a constant column and one that is the sum of two others.
func sampleData(rng *rand.Rand, rows, cols int, density float64) (x [][]float64, y []float64) {
	for range rows {
		row := make([]float64, cols)
		for j := range row {
			if rng.Float64() < density {
				row[j] = 3 + rng.NormFloat64()
			}
		}
		row[cols-1], row[cols-2] = 2, row[0]+row[1]
		x = append(x, row)
		y = append(y, 2*row[2]-row[0]+row[3]*0.3+rng.NormFloat64())
	}
	return x, y
}

// rssOf fits columns by Householder's QR, from the data.
func rssOf(x [][]float64, y []float64, columns []int) float64 {
	var basis [][]float64
	for _, j := range columns {
		basis = append(basis, enginetest.Centred(columnOf(x, j)))
	}
	return enginetest.SumOfSquares(enginetest.Regress(enginetest.Centred(y), basis))
}

func columnOf(x [][]float64, j int) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i][j]
	}
	return out
}

// Every step takes the column whose refit leaves the least, and the weights are those of that refit.
func TestStepwiseAgainstRefits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 20 {
		x, y := sampleData(rng, 15+round, 9, []float64{1, 0.4}[round%2])
		m := stepwiseOn(t, greedy(everything), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)})
		var in []int
		rss := enginetest.SumOfSquares(enginetest.Centred(y))
		for step, j := range entered(m) {
			for k := range x[0] {
				if slices.Contains(in, k) || enginetest.SumOfSquares(enginetest.Regress(enginetest.Centred(columnOf(x, k)), basisOf(x, in))) < 1e-8 {
					continue
				}
				if other := rssOf(x, y, append(slices.Clone(in), k)); other < rssOf(x, y, append(slices.Clone(in), j))*(1-1e-8) {
					t.Fatalf("round %d, step %d took column %d, but %d leaves %v", round, step, j, k, other)
				}
			}
			in = append(in, j)
			now := rssOf(x, y, in)
			for _, c := range m.Coefs() {
				if c.Rank == step {
					oracle.Near(t, "score", c.Score, rss-now, 1e-8)
				}
			}
			rss = now
		}
		for k := range x[0] {
			if z := enginetest.SumOfSquares(enginetest.Regress(enginetest.Centred(columnOf(x, k)), basisOf(x, in))); !slices.Contains(in, k) && z > 1e-8 {
				t.Errorf("round %d: column %d did not enter (%s)", round, k, m.(engines.Reporter).Fitted().Stop)
			}
		}
		scores := make([]float64, len(y))
		m.Predict(scores, enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil).Inputs())
		left := 0.0
		for i := range y {
			left += (y[i] - scores[i]) * (y[i] - scores[i])
		}
		oracle.Near(t, "RSS of the predictions", left, rss, 1e-8)
	}
}

func basisOf(x [][]float64, columns []int) (basis [][]float64) {
	for _, j := range columns {
		basis = append(basis, enginetest.Centred(columnOf(x, j)))
	}
	return basis
}

// Multiplicities are rows repeated.
func TestStepwiseWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := sampleData(rng, 20, 8, 0.5)
	var weight, longY []float64
	var long [][]float64
	for i := range x {
		n := 1 + rng.IntN(3)
		weight = append(weight, float64(n))
		for range n {
			long, longY = append(long, x[i]), append(longY, y[i])
		}
	}
	weighted := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	weighted.Weight = weight
	for _, criterion := range []string{criterionAIC, criterionBIC, criterionNone} {
		e := greedy(func(e *Stepwise) { e.Criterion = criterion })
		got := stepwiseOn(t, e, engines.Run{Train: enginetest.Counted(weighted)}).Coefs()
		want := stepwiseOn(t, e, engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(long...), enginetest.Real("y", longY...)), nil)}).Coefs()
		if len(got) != len(want) {
			t.Fatalf("%s: %d and %d columns", criterion, len(got), len(want))
		}
		for k := range got {
			oracle.Near(t, criterion, got[k].Value, want[k].Value, 1e-9)
		}
	}
}

// The criteria, each at the last column that it lets in and the first that it does not.
func TestStepwiseCriteria(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 10 {
		x, y := sampleData(rng, 40, 12, 0.7)
		view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
		order := entered(stepwiseOn(t, greedy(everything), engines.Run{Train: view}))
		n := 40.0
		left := func(q int) float64 { return rssOf(x, y, order[:q]) }
		for criterion, improves := range map[string]func(q int) bool{ // with the q-th column
			criterionAIC: func(q int) bool { return n*math.Log(left(q))+2 < n*math.Log(left(q-1)) },
			criterionBIC: func(q int) bool { return n*math.Log(left(q))+math.Log(n) < n*math.Log(left(q-1)) },
			criterionF: func(q int) bool {
				nu := n - float64(q) - 1
				f := (left(q-1) - left(q)) / (left(q) / nu)
				return distuv.F{D1: 1, D2: nu}.Survival(f) <= 0.05
			},
		} {
			q := 0
			for q < len(order) && improves(q+1) {
				q++
			}
			m := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion = criterion }), engines.Run{Train: view})
			if got := entered(m); !slices.Equal(got, order[:q]) {
				t.Errorf("%s: %v, want %v", criterion, got, order[:q])
			}
			if stop := m.(engines.Reporter).Fitted().Stop; q < len(order) && stop != criterion {
				t.Errorf("%s stopped by %s", criterion, stop)
			}
		}
		m := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion, e.MinGain = criterionNone, 0.05 }), engines.Run{Train: view})
		for _, c := range m.Coefs() {
			if c.Score < 0.05*left(0) {
				t.Errorf("column %d gained %v of %v", c.Feature, c.Score, left(0))
			}
		}
	}
}

// Models of a path are those of separate fits; the steps traced add up to them.
func TestStepwisePath(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	x, y := sampleData(rng, 30, 10, 0.6)
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
	kept := map[int]engines.Model{}
	w := make([]float64, 10)
	check := func(s engines.Step) {
		for _, c := range append(slices.Clone(s.Also), s.Changed) {
			if c.Feature >= 0 {
				w[c.Feature] += c.Value
			}
		}
		alone := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion, e.MaxFeatures = criterionNone, max(1, s.Iter) }), engines.Run{Train: view})
		if s.Iter == 0 {
			return
		}
		want := make([]float64, 10)
		for _, c := range alone.Coefs() {
			want[c.Feature] = c.Value
		}
		oracle.NearAll(t, "weights along the path", w, want, 1e-9)
		oracle.Near(t, "bias", s.Bias, alone.(*engines.Linear).Bias(0), 1e-9)
	}
	last := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion, e.MaxFeatures = criterionNone, 20 }), engines.Run{
		Train: view, Trace: check, At: []int{2, 5, 20}, Keep: func(size int, m engines.Model) { kept[size] = m },
	})
	for _, size := range []int{2, 5} {
		alone := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion, e.MaxFeatures = criterionNone, size }), engines.Run{Train: view})
		if kept[size] == nil || !slices.Equal(kept[size].Coefs(), alone.Coefs()) {
			t.Errorf("size %d differs from a fit of its own", size)
		}
	}
	if kept[20] != nil || len(last.Coefs()) != 8 {
		t.Errorf("a model of 20 columns out of 8, and %d at the end", len(last.Coefs()))
	}
}

// Columns end two before the rows do; what is told of the fit is that of the model.
func TestStepwiseSaturated(t *testing.T) {
	x := enginetest.Random(4, 7, 20, 1, false)
	y := []float64{3, 1, 4, 1, 5, 9, 2}
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", y...)), nil)
	for limit, want := range map[int]string{0: "saturated", 2: "max_features"} {
		m := stepwiseOn(t, greedy(func(e *Stepwise) { everything(e); e.MaxFeatures = limit }), engines.Run{Train: view})
		told, q := m.(engines.Reporter).Fitted(), len(m.Coefs())
		if told.Stop != want || q != cmp.Or(limit, 5) {
			t.Errorf("max_features %d: %d columns, %s", limit, q, told.Stop)
		}
		scores, rss, tss := make([]float64, 7), 0.0, enginetest.SumOfSquares(enginetest.Centred(y))
		m.Predict(scores, view.Inputs())
		for i := range y {
			rss += (y[i] - scores[i]) * (y[i] - scores[i])
		}
		n := 7.0
		for k, want := range []float64{rss, 1 - rss/tss, n*math.Log(rss/n) + 2*float64(q), n*math.Log(rss/n) + math.Log(n)*float64(q)} {
			got, err := strconv.ParseFloat(told.Facts[k].Value, 64)
			if err != nil {
				t.Fatal(err)
			}
			oracle.Near(t, told.Facts[k].Name, got, want, 1e-6)
		}
	}
}

// Classes of two levels are 0 and 1; duplicates go to the first; rows without the response are not looked at.
func TestStepwiseClasses(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0, 1}, []float64{1, 1, 1}, []float64{0, 0, 0}, []float64{0, 1, 0}, []float64{1, 0, 1}, []float64{9, 9, 1})
	y := enginetest.Class("y", 2, 1, 1, 0, 0, 0)
	y.Rows = []int32{0, 1, 2, 3, 4}
	view := enginetest.View(enginetest.Dataset(x, y), nil)
	m := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion, e.MaxFeatures = criterionNone, 1 }), engines.Run{Train: view})
	if c := m.Coefs(); len(c) != 1 || c[0].Feature != 0 || c[0].Output != 1 {
		t.Fatalf("%+v", m.Coefs())
	}
	scores := make([]float64, 2*view.Len())
	m.Predict(scores, view.Inputs())
	oracle.NearAll(t, "scores", scores[:6], []float64{1. / 3, 2. / 3, 1. / 3, 2. / 3, 1, 0}, 1e-12)
	one := make([]float64, 2)
	m.(engines.Scorer).Score(one, view.Row(1))
	oracle.NearAll(t, "score of a row", one, []float64{1. / 3, 2. / 3}, 1e-12)
}

// R's lars 1.3 with type stepwise: matching pursuit on the diabetes data.
func TestStepwiseDiabetes(t *testing.T) {
	for _, columns := range []string{"x10", "x64"} {
		t.Run(columns, func(t *testing.T) {
			names, view, knots := enginetest.Diabetes(t, columns, "stepwise")
			models := map[int]engines.Model{}
			e := greedy(func(e *Stepwise) { e.Choose, e.Criterion = chooseCorrelation, criterionNone })
			run := engines.Run{Train: view, Keep: func(size int, m engines.Model) { models[size] = m }}
			for size := range knots[1:] {
				run.At = append(run.At, size+1)
			}
			stepwiseOn(t, e, run)
			for size, knot := range knots[1:] {
				m := models[size+1]
				if m == nil {
					t.Fatalf("no model of %d columns", size+1)
				}
				if order := entered(m); "+"+names[order[size]] != knot.Action {
					t.Fatalf("step %d: %s, want %s", size+1, names[order[size]], knot.Action)
				}
				got := make([]float64, len(names))
				for _, c := range m.Coefs() {
					got[c.Feature] = c.Value
				}
				oracle.NearAll(t, "coefficients", got, knot.Coef, 1e-6)
			}
		})
	}
}

func TestStepwiseRefusals(t *testing.T) {
	for want, change := range map[string]func(e *Stepwise){
		"max_features: -1":  func(e *Stepwise) { e.MaxFeatures = -1 },
		`choose: "best"`:    func(e *Stepwise) { e.Choose = "best" },
		`criterion: "mdl"`:  func(e *Stepwise) { e.Criterion = "mdl" },
		"alpha: 1":          func(e *Stepwise) { e.Alpha = 1 },
		"min_gain: -0.1":    func(e *Stepwise) { e.MinGain = -0.1 },
		"min_gain: NaN":     func(e *Stepwise) { e.MinGain = math.NaN() },
		"alpha: NaN, exp":   func(e *Stepwise) { e.Alpha = math.NaN() },
		"min_gain: 1, expe": func(e *Stepwise) { e.MinGain = 1 },
	} {
		if err := greedy(change).Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	x := enginetest.Matrix([]float64{1, 2}, []float64{0, 1}, []float64{2, 2})
	for want, set := range map[string]*data.Dataset{
		"target y is constant (4 in all 3":    enginetest.Dataset(x, enginetest.Real("y", 4, 4, 4)),
		"target y has 3 levels":               enginetest.Dataset(x, enginetest.Class("y", 3, 0, 1, 2)),
		"target y is constant (\"l1\" in all": enginetest.Dataset(x, enginetest.Class("y", 2, 1, 1, 1)),
		"target y has no training row":        enginetest.Dataset(x, data.Target{Name: "y", Type: data.Real, Rows: []int32{}, Values: []float64{}}),
	} {
		_, err := greedy(nil).Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
