package svm

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
	"tenfold/engines/numeric/sparse"
)

func with(set func(e *SVM)) SVM {
	e := Kind.Defaults().(SVM)
	set(&e)
	return e
}

func fit(t *testing.T, e SVM, v *data.View) engines.Model {
	t.Helper()
	m, err := e.Fit(context.Background(), engines.Run{Train: v, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func scores(m engines.Model, v *data.View) []float64 {
	s := make([]float64, v.Len()*m.Outputs())
	m.Predict(s, v.Inputs())
	return s
}

// near tells whether numbers are the same up to so much.
func near(a, b []float64, digits float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= digits*max(1, math.Abs(x)) })
}

func TestSuite(t *testing.T) {
	for name, e := range map[string]SVM{
		"rbf":                     Kind.Defaults().(SVM),
		"rbf, rest":               with(func(e *SVM) { e.Scheme, e.Scale, e.Cache = oneVsRest, toUnit, 0 }),
		"linear":                  with(func(e *SVM) { e.Kernel = "linear" }),
		"linear, rest":            with(func(e *SVM) { e.Kernel, e.Scheme, e.Scale = "linear", oneVsRest, toUnit }),
		"polynomial, rest":        with(func(e *SVM) { e.Kernel, e.Scheme, e.Coef0 = "polynomial", oneVsRest, 1 }),
		"polynomial, few steps":   with(func(e *SVM) { e.Kernel, e.Scale, e.MaxIter, e.Gamma = "polynomial", toUnit, 20, 1 }),
		"rbf, hard, small margin": with(func(e *SVM) { e.C, e.Gamma, e.Tol = 1000, 5, 1e-6 }),
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func TestValidate(t *testing.T) {
	for field, e := range map[string]SVM{
		"kernel":   with(func(e *SVM) { e.Kernel = "sigmoid" }),
		"c":        with(func(e *SVM) { e.C = 0 }),
		"gamma":    with(func(e *SVM) { e.Gamma = -1 }),
		"coef0":    with(func(e *SVM) { e.Coef0 = -0.5 }),
		"degree":   with(func(e *SVM) { e.Degree = 0 }),
		"scale":    with(func(e *SVM) { e.Scale = "max" }),
		"width":    with(func(e *SVM) { e.Width, e.Gamma = byColumns, 0.1 }),
		"scheme":   with(func(e *SVM) { e.Scheme = "all" }),
		"tol":      with(func(e *SVM) { e.Tol = math.NaN() }),
		"max_iter": with(func(e *SVM) { e.MaxIter = 0 }),
		"cache":    with(func(e *SVM) { e.Cache = -1 }),
	} {
		if err := e.Validate(); err == nil || !strings.HasPrefix(err.Error(), field+":") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := with(func(e *SVM) { e.C, e.Degree = math.Inf(1), 21 }).Validate(); err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two mistakes: %v", err)
	}
}

// levels of rows around so many centres.
func around(seed uint64, rows, levels int) ([][]float64, []float64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	var x [][]float64
	var y []float64
	for i := range rows {
		l := float64(i % levels)
		angle := 2 * math.Pi * l / float64(levels)
		x = append(x, []float64{3*math.Cos(angle) + rng.NormFloat64(), 3*math.Sin(angle) + rng.NormFloat64(), -2, 5 * rng.NormFloat64()})
		y = append(y, l)
	}
	return x, y
}

func view(x [][]float64, levels int, y []float64) *data.View {
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", levels, y...)), nil)
}

func TestNothingToLearn(t *testing.T) {
	x, _ := around(1, 6, 2)
	v := view(x, 3, []float64{1, 1, 1, 1, 1, 1})
	if _, err := Kind.Defaults().Fit(context.Background(), engines.Run{Train: v}); err == nil || !strings.Contains(err.Error(), `constant ("l1" in all 6`) {
		t.Errorf("one level: %v", err)
	}
	if _, err := Kind.Defaults().Fit(context.Background(), engines.Run{Train: v.Sub(nil)}); err == nil || !strings.Contains(err.Error(), "no training row") {
		t.Errorf("no row: %v", err)
	}
	big := view([][]float64{{1e200}, {-1e200}}, 2, []float64{0, 1})
	e := with(func(e *SVM) { e.Kernel, e.Gamma = "polynomial", 1 })
	if _, err := e.Fit(context.Background(), engines.Run{Train: big}); err == nil || !strings.Contains(err.Error(), "column 0: the sum of its squares is no finite number") {
		t.Errorf("a column without a standard deviation: %v", err)
	}
	e.Scale = unscaled
	if _, err := e.Fit(context.Background(), engines.Run{Train: big}); err == nil || !strings.Contains(err.Error(), "scale the columns") {
		t.Errorf("a kernel without bounds: %v", err)
	}
	e.Scale = toUnit
	same(t, fit(t, e, big), big, []float64{0, 1})
}

// TestAbsentLevel: a level that no training row has is never predicted, and changes nothing for the others.
func TestAbsentLevel(t *testing.T) {
	x, y := around(2, 60, 3)
	other := []float64{0, 2, 3} // of five levels, 1 and 4 being absent
	for _, scheme := range []string{oneVsOne, oneVsRest} {
		for _, k := range []string{"rbf", "linear"} {
			e := with(func(e *SVM) { e.Kernel, e.Scheme = k, scheme })
			few, many := view(x, 3, y), slices.Clone(y)
			for i, l := range y {
				many[i] = other[int(l)]
			}
			m := fit(t, e, view(x, 5, many))
			want := predicted(fit(t, e, few), few)
			for i := range want {
				want[i] = other[int(want[i])]
			}
			same(t, m, few, want)
			if notes := m.(engines.Reporter).Fitted().Notes; len(notes) != 2 || !strings.Contains(notes[1], "l4") {
				t.Errorf("notes %q", notes)
			}
		}
	}
}

// TestTwoLevels: the decision value is the score of the positive level, whichever that is, and both schemes are the same.
func TestTwoLevels(t *testing.T) {
	x, y := around(3, 40, 2)
	for _, k := range []string{"rbf", "linear"} {
		e := with(func(e *SVM) { e.Kernel, e.Tol = k, 1e-8 })
		target := enginetest.Class("y", 2, y...)
		one := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), target), nil)
		target.Positive = 0
		zero := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), target), nil)
		a, b := scores(fit(t, e, one), one), scores(fit(t, e, zero), one)
		for i := 0; i < len(a); i += 2 {
			if a[i] != 0 || b[i+1] != 0 || !(math.Abs(a[i+1]+b[i]) <= 1e-6) {
				t.Fatalf("%s: row %d scores %v, and with the other level as the positive one %v", k, i/2, a[i:i+2], b[i:i+2])
			}
		}
		e.Scheme = oneVsRest
		if !slices.Equal(a, scores(fit(t, e, one), one)) {
			t.Errorf("%s: one against the rest is something else", k)
		}
	}
}

// TestTies: rows on the boundary, and levels with equal votes, go to the first level.
func TestTies(t *testing.T) {
	v := view([][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 3, []float64{0, 1, 2, 0, 1, 2})
	nowhere := view([][]float64{{0, 0, 0}, {2, 2, 2}, {0, 1, 1}}, 3, []float64{0, 0, 0})
	m := fit(t, Kind.Defaults().(SVM), v)
	same(t, m, nowhere, []float64{0, 0, 1})
	// Equal rows with different levels: nothing tells them apart.
	equal := view([][]float64{{1}, {1}, {1}, {1}}, 2, []float64{0, 1, 0, 1})
	for _, k := range []string{"rbf", "linear", "polynomial"} {
		same(t, fit(t, with(func(e *SVM) { e.Kernel = k }), equal), equal, []float64{0, 0, 0, 0})
	}
}

// TestLinear: the coefficients predict, on columns as they came, what the kernel does.
func TestLinear(t *testing.T) {
	x, y := around(4, 90, 3)
	v := view(x, 3, y)
	for _, scale := range []string{unscaled, toUnit, toDeviation} {
		e := with(func(e *SVM) { e.Kernel, e.Scheme, e.Scale, e.Tol = "linear", oneVsRest, scale, 1e-8 })
		m := fit(t, e, v)
		if _, ok := m.(*engines.Linear); !ok {
			t.Fatalf("the model is a %T", m)
		}
		e.Kernel, e.Gamma, e.Degree = "polynomial", 1, 1 // the same kernel, moved as well where it is scaled
		p := fit(t, e, v)
		if a, b := scores(m, v), scores(p, v); !near(a, b, 1e-5) {
			t.Errorf("scale %s: weights score %v, kernels %v", scale, a[:6], b[:6])
		}
		e.Kernel, e.Scheme = "linear", oneVsOne
		votes := fit(t, e, v)
		if len(m.Coefs()) != 9 || len(votes.Coefs()) != 9 {
			t.Errorf("scale %s: %d coefficients, and %d from pairs, expected those of three columns that vary", scale, len(m.Coefs()), len(votes.Coefs()))
		}
	}
	if coefs := fit(t, Kind.Defaults().(SVM), v).Coefs(); len(coefs) != 0 {
		t.Errorf("kernel rbf has coefficients: %v", coefs)
	}
}

// TestPairCoefficients: of a level, they are the mean of its weights against the others.
func TestPairCoefficients(t *testing.T) {
	x, y := around(4, 60, 3)
	e := with(func(e *SVM) { e.Kernel, e.Scale, e.Tol = "linear", unscaled, 1e-8 })
	sum := make([]float64, 4)
	for _, other := range []float64{0, 2} {
		var rows [][]float64
		var is []float64 // level 1
		for i, l := range y {
			switch l {
			case 1:
				rows, is = append(rows, x[i]), append(is, 1)
			case other:
				rows, is = append(rows, x[i]), append(is, 0)
			}
		}
		for _, c := range fit(t, e, view(rows, 2, is)).Coefs() {
			sum[c.Feature] += c.Value / 2
		}
	}
	got := make([]float64, 4)
	for _, c := range fit(t, e, view(x, 3, y)).Coefs() {
		if c.Output == 1 {
			got[c.Feature] = c.Value
		}
	}
	if !near(got, sum, 1e-6) {
		t.Errorf("coefficients %v, expected %v", got, sum)
	}
}

// TestScale: columns scaled by the engine are as if they had been scaled beforehand, test rows by what was learnt of training
// rows, and columns that are constant in training are out.
func TestScale(t *testing.T) {
	x, y := around(6, 60, 3)
	for i := range x {
		x[i] = append(x[i], float64(i%2))
	}
	const train = 40
	x[50][2] = 7 // which is constant in training
	for how, from := range map[string]func(column []float64) (origin, unit float64){
		toUnit: func(c []float64) (float64, float64) { return slices.Min(c), slices.Max(c) - slices.Min(c) },
		toDeviation: func(c []float64) (mean, sd float64) {
			for _, v := range c {
				mean += v / train
			}
			for _, v := range c {
				sd += (v - mean) * (v - mean) / train
			}
			return mean, math.Sqrt(sd)
		},
	} {
		scaled := make([][]float64, len(x))
		for i := range x {
			scaled[i] = make([]float64, 5)
		}
		for j := range 5 {
			var column []float64
			for _, row := range x[:train] {
				column = append(column, row[j])
			}
			origin, unit := from(column)
			for i := range x {
				if unit > 1e-9 {
					scaled[i][j] = (x[i][j] - origin) / unit
				}
			}
		}
		for _, k := range []string{"rbf", "linear", "polynomial"} {
			for _, gamma := range []float64{0.7, 0} {
				e := with(func(e *SVM) {
					e.Kernel, e.Scheme, e.Scale, e.Gamma, e.Coef0, e.Tol = k, oneVsRest, unscaled, gamma, 0.3, 1e-9
				})
				plain := scores(fit(t, e, view(scaled[:train], 3, y[:train])), view(scaled, 3, y))
				e.Scale = how
				own := scores(fit(t, e, view(x[:train], 3, y[:train])), view(x, 3, y))
				if !near(plain, own, 1e-6) {
					t.Errorf("kernel %s, scale %s, gamma %v: scores %v, of columns scaled beforehand %v", k, how, gamma, own[:6], plain[:6])
				}
			}
		}
	}
}

// TestWidth: gamma is one divided by columns and variance of all entries, those that are not stored too.
func TestWidth(t *testing.T) {
	rows := [][]float64{{1, 0, 0, 3}, {0, 0, 2, 0}, {4, 0, 0, 0}}
	mean, variance := 0.0, 0.0
	for _, v := range slices.Concat(rows...) {
		mean += v / 12
	}
	for _, v := range slices.Concat(rows...) {
		variance += (v - mean) * (v - mean) / 12
	}
	for _, c := range []struct {
		name  string
		gamma float64
		with  func(*SVM)
	}{
		{"variance", 1 / (4 * variance), func(e *SVM) { e.Scale = unscaled }},
		{"deviations: three columns vary", 1. / 3, func(*SVM) {}},
		{"columns", 1. / 4, func(e *SVM) { e.Width = byColumns }},
		{"a number", 0.3, func(e *SVM) { e.Gamma = 0.3 }},
	} {
		s, err := with(c.with).readTrainingSet(view(rows, 2, []float64{0, 1, 0}))
		if err != nil || !(math.Abs(s.kernel.gamma-c.gamma) <= 1e-12) {
			t.Errorf("%s: gamma %v, expected %v, %v", c.name, s.kernel.gamma, c.gamma, err)
		}
	}
	if s, err := with(func(*SVM) {}).readTrainingSet(view([][]float64{{2}, {2}}, 2, []float64{0, 1})); err != nil || s.kernel.gamma != 1 {
		t.Errorf("nothing varies: gamma %v, %v", s.kernel.gamma, err)
	}
}

// TestOffset: columns on scales far apart, far from 0, are told apart as well as their standard scores.
func TestOffset(t *testing.T) {
	x, y := around(12, 120, 2)
	far := make([][]float64, len(x))
	for i, row := range x {
		far[i] = []float64{1e6 + 1000*row[0], 1e-4 * row[1], row[2], 40 * row[3]}
	}
	for _, k := range []string{"rbf", "polynomial", "linear"} {
		e := with(func(e *SVM) { e.Kernel, e.Tol = k, 1e-9 })
		a, b := scores(fit(t, e, view(x, 2, y)), view(x, 2, y)), scores(fit(t, e, view(far, 2, y)), view(far, 2, y))
		if !near(a, b, 1e-5) {
			t.Errorf("kernel %s: scores %v, of columns far from 0 %v", k, a[:6], b[:6])
		}
	}
}

// TestWeights: a row of weight two is two rows.
func TestWeights(t *testing.T) {
	x, y := around(7, 45, 3)
	weighted := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 3, y...))
	var rows [][]float64
	var levels []float64
	for i := range x {
		weighted.Weight = append(weighted.Weight, float64(1+i%2))
		for range 1 + i%2 {
			rows, levels = append(rows, x[i]), append(levels, y[i])
		}
	}
	e := with(func(e *SVM) { e.Scheme, e.Tol = oneVsRest, 1e-9 })
	v := enginetest.View(weighted, nil)
	a, b := fit(t, e, v), fit(t, e, view(rows, 3, levels))
	if !near(scores(a, v), scores(b, v), 1e-6) {
		t.Error("scores differ from those of repeated rows")
	}
	if p, q := objective(a), objective(b); !(math.Abs(p-q) <= 1e-6*p) {
		t.Errorf("objective %v, of repeated rows %v", p, q)
	}
}

func objective(m engines.Model) float64 { return m.(engines.Reporter).Fitted().Certificate.Objective }

// TestScore: a row alone scores what it scores in a view, with stored ones as without.
func TestScore(t *testing.T) {
	p := trial(3, 40, kernels[0], true, 1)
	var y []float64
	for i := range p.y {
		y = append(y, float64(i%3))
	}
	v := enginetest.View(enginetest.Dataset(p.x, enginetest.Class("y", 3, y...)), nil)
	m := fit(t, with(func(e *SVM) { e.Scheme = oneVsRest }), v)
	all, one := scores(m, v), make([]float64, 3)
	for i := range v.Len() {
		for _, row := range []sparse.Vec{v.Row(i), valued(v.Row(i))} {
			if m.(engines.Scorer).Score(one, row); !slices.Equal(one, all[3*i:3*i+3]) {
				t.Errorf("row %d: %v alone, %v in the view", i, one, all[3*i:3*i+3])
			}
		}
	}
}

// TestLongRow: a row with more ones than any training row is further from them than they are from each other.
func TestLongRow(t *testing.T) {
	v := view([][]float64{{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {1, 0, 0, 0, 0}}, 2, []float64{0, 1, 0})
	e := with(func(e *SVM) { e.Gamma = 1 })
	got := scores(fit(t, e, v), view([][]float64{{0, 0, 0, 1, 1}, {0.5, 0, 0, 0, 0}}, 2, []float64{0, 0}))
	one := scores(fit(t, e, v), view([][]float64{{0, 0, 0, 1, 1}}, 2, []float64{0}))
	if !slices.Equal(got[:2], one) {
		t.Errorf("scores %v with stored ones, %v without", got[:2], one)
	}
}

// TestSomeRows: rows without the target take no part.
func TestSomeRows(t *testing.T) {
	x, y := around(8, 30, 2)
	target := enginetest.Class("y", 2, y[10:]...)
	for i := range 20 {
		target.Rows = append(target.Rows, int32(i+10))
	}
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), target), nil)
	only := view(x[10:], 2, y[10:])
	e := Kind.Defaults().(SVM)
	if !slices.Equal(scores(fit(t, e, v), only), scores(fit(t, e, only), only)) {
		t.Error("rows without the target changed the model")
	}
}

// TestNoColumn: what is left is the more frequent level.
func TestNoColumn(t *testing.T) {
	var b sparse.Builder
	for range 5 {
		if err := b.Add(nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	v := enginetest.View(enginetest.Dataset(b.Matrix(0), enginetest.Class("y", 2, 1, 1, 0, 1, 0)), nil)
	for _, k := range []string{"rbf", "linear", "polynomial"} {
		same(t, fit(t, with(func(e *SVM) { e.Kernel = k }), v), v, []float64{1, 1, 1, 1, 1})
	}
}

// TestReports: what a fit tells of itself.
func TestReports(t *testing.T) {
	x, y := around(9, 200, 4)
	v := view(x, 4, y)
	f := fit(t, Kind.Defaults().(SVM), v).(engines.Reporter).Fitted()
	if f.Stop != "tolerance" || len(f.Notes) != 0 || f.Iterations == 0 || f.Evaluated < int64(f.Iterations) || !(f.Certificate.Relative() <= 1e-2) {
		t.Errorf("%+v", f)
	}
	m := fit(t, with(func(e *SVM) { e.C = 0.5 }), v).(*Model)
	all, bounded := 0, 0
	for _, d := range m.machines {
		for _, b := range d.beta.Val {
			if all++; math.Abs(b) == 0.5 {
				bounded++
			}
		}
	}
	vectors, _ := m.vectors.x.Dims()
	want := fmt.Sprintf("[{support vectors %d of 200 rows} {at their bound %d of %d} {machines 6} {gamma 0.333333 (1 / (columns · variance))} {columns all %d, in the kernel}]", vectors, bounded, all, v.Columns())
	if got := fmt.Sprint(m.Fitted().Facts); got != want || bounded == 0 || bounded == all {
		t.Errorf("facts %s, want %s", got, want)
	}
	f = fit(t, with(func(e *SVM) { e.MaxIter = 5 }), v).(engines.Reporter).Fitted()
	if f.Stop != "max_iter" || len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], "not converged: 6 of 6 machines took 5 steps") || f.Iterations != 30 {
		t.Errorf("%+v", f)
	}
}

// TestFootprint: memory grows with the rows up to the cache, and does not overflow.
func TestFootprint(t *testing.T) {
	e := Kind.Defaults().(SVM)
	for _, c := range []struct {
		rows   int
		kernel int64
	}{{1000, 8e6}, {100_000, 256 << 20}, {1 << 30, 16 << 30}} {
		if got := e.Footprint(engines.Shape{Rows: c.rows}).Bytes - 160*int64(c.rows); got != c.kernel {
			t.Errorf("%d rows: %d bytes for the kernel, expected %d", c.rows, got, c.kernel)
		}
	}
}

// A linear kernel on many rows says which engine is for them, and no other does.
func TestManyRowsNote(t *testing.T) {
	for _, c := range []struct {
		kernel string
		rows   int
		want   bool
	}{{"linear", manyRows, true}, {"linear", manyRows - 1, false}, {"rbf", manyRows, false}} {
		x, y := make([][]float64, c.rows), make([]float64, c.rows)
		for i := range x {
			y[i] = float64(i % 2)
			x[i] = []float64{2*y[i] - 1}
		}
		e := Kind.Defaults().(SVM)
		e.Kernel, e.Cache = c.kernel, 0
		m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(m.(engines.Reporter).Fitted().Notes, "\n")
		if strings.Contains(notes, "linear-svm") != c.want {
			t.Errorf("kernel %s, %d rows: notes %q", c.kernel, c.rows, notes)
		}
	}
}
