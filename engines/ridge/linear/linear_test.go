package linear

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/classweight"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/kernels/svm"
)

func defaults() SVM { return Kind.Defaults().(SVM) }

// forms are the engine with each of its choices.
func forms() map[string]SVM {
	all := map[string]SVM{}
	for _, l := range []string{hinge, squaredHinge} {
		for _, b := range []string{noBias, freeBias, penalizedBias} {
			e := defaults()
			e.Loss, e.Bias = l, b
			all[l+", bias "+b] = e
		}
	}
	together, weak := defaults(), defaults()
	together.Scheme = crammerSinger
	all["together"] = together
	together.Bias = noBias
	all["together, without bias"] = together
	weak.C = 0.3
	all["weak"] = weak
	return all
}

func TestSuite(t *testing.T) {
	for name, e := range forms() {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func fit(t *testing.T, e SVM, v *data.View) (engines.Model, engines.Fitted) {
	t.Helper()
	m, err := e.Fit(context.Background(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m, m.(engines.Reporter).Fitted()
}

// drawn has rows of the given levels with real columns.
func drawn(seed uint64, rows, columns, levels int) *data.View {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		best := math.Inf(-1)
		for range columns {
			x[i] = append(x[i], rng.NormFloat64())
		}
		for l := range levels {
			if s := x[i][l%columns] + 0.7*rng.NormFloat64(); s > best {
				best, y[i] = s, float64(l)
			}
		}
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", levels, y...)), nil)
}

// With the default's free bias, columns may be far from zero, and one more at every row changes nothing.
func TestFarFromZero(t *testing.T) {
	for _, loss := range []string{hinge, squaredHinge} {
		e := defaults()
		e.Loss, e.Tol = loss, 1e-8
		near := drawn(7, 200, 10, 3)
		var x [][]float64
		for i := range near.Len() {
			var row []float64
			for j := range near.Columns() {
				row = append(row, near.Row(i).Val[j]+float64(1000*(j+1)))
			}
			x = append(x, row)
		}
		_, y := near.Target(0)
		far := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 3, y...)), nil)
		want, _ := fit(t, e, near)
		got, f := fit(t, e, far)
		if f.Stop != "gap" {
			t.Errorf("%s: stop %q", loss, f.Stop)
		}
		for k, c := range got.Coefs() {
			if d := want.Coefs()[k]; c.Feature != d.Feature || !(math.Abs(c.Value-d.Value) <= 1e-3) {
				t.Errorf("%s: coefficient %+v, near zero %+v", loss, c, d)
			}
		}
	}
}

// The hinge with a free bias is what the engine svm minimises with a linear kernel, by another method.
func TestAgreesWithKernel(t *testing.T) {
	for _, size := range []struct{ levels, columns int }{{2, 6}, {3, 6}, {2, 300}, {3, 300}} {
		levels := size.levels
		for _, balanced := range []bool{false, true} {
			v := drawn(uint64(levels), 80, size.columns, levels).Weighted(classweight.Weights{Balanced: balanced})
			e, kernel := defaults(), svm.Kind.Defaults().(svm.SVM)
			e.Bias, e.Tol, e.MaxIter, e.C = freeBias, 1e-7, 100_000, 0.7
			kernel.Kernel, kernel.Scale, kernel.Scheme, kernel.Tol, kernel.C = "linear", "none", oneVsRest, 1e-8, 0.7
			m, f := fit(t, e, v)
			other, err := kernel.Fit(context.Background(), engines.Run{Train: v, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			want := other.(engines.Reporter).Fitted().Certificate.Objective
			if f.Stop != "gap" || !(math.Abs(f.Certificate.Objective-want) <= 1e-5*want) {
				t.Errorf("%d levels, balanced %v: objective %v (%s), that of svm %v", levels, balanced, f.Certificate.Objective, f.Stop, want)
			}
			a, b := m.Coefs(), other.Coefs()
			if len(a) != len(b) {
				t.Fatalf("%d coefficients, of svm %d", len(a), len(b))
			}
			for k := range a {
				if a[k].Output != b[k].Output || a[k].Feature != b[k].Feature || !(math.Abs(a[k].Value-b[k].Value) <= 2e-3) {
					t.Errorf("coefficient %+v, of svm %+v", a[k], b[k])
				}
			}
		}
	}
}

func TestOracleCrammerSinger(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"crammer_singer": func(t *testing.T, raw oracle.Case) {
		var input struct {
			X        [][]float64
			Y        []float64
			N_Labels int
		}
		var options struct{ C float64 }
		var expect struct {
			Objective float64
			Coef      [][]float64
		}
		var tol map[string]float64
		raw.Decode(t, raw.Input, &input)
		raw.Decode(t, raw.Options, &options)
		raw.Decode(t, raw.Expected, &expect)
		raw.Decode(t, raw.Tolerance, &tol)
		v := enginetest.View(enginetest.Dataset(enginetest.Matrix(input.X...), enginetest.Class("y", input.N_Labels, input.Y...)), nil)
		e := defaults()
		e.Scheme, e.Bias, e.C, e.Tol, e.MaxIter = crammerSinger, noBias, options.C, 1e-12, 1_000_000
		m, f := fit(t, e, v)
		if f.Stop != "gap" {
			t.Errorf("stopped for %s, gap %v", f.Stop, f.Certificate.Relative())
		}
		oracle.Near(t, "objective", f.Certificate.Objective, expect.Objective, tol["objective"])
		got := make([][]float64, input.N_Labels)
		for l := range got {
			got[l] = make([]float64, len(input.X[0]))
		}
		for _, c := range m.Coefs() {
			got[c.Output][c.Feature] = c.Value
		}
		for l := range got {
			oracle.NearAll(t, fmt.Sprintf("level %d", l), got[l], expect.Coef[l], tol["coef"])
		}
	}})
}

func TestOracleBadInput(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"families_bad_input": func(t *testing.T, raw oracle.Case) {
		var options struct {
			Target, Loss, Bias string
			C2                 float64
		}
		var expect struct{ Error string }
		raw.Decode(t, raw.Options, &options)
		if options.Target != "linear_l2" {
			t.Skipf("of %s", options.Target)
		}
		raw.Decode(t, raw.Expected, &expect)
		var input struct {
			X       [][]float64
			Y       []float64
			Weights []float64
		}
		raw.Decode(t, raw.Input, &input)
		e := defaults()
		e.C, e.Loss, e.Bias = 1/options.C2, strings.ReplaceAll(options.Loss, "_", "-"), options.Bias
		err := e.Validate()
		if err == nil {
			v := enginetest.View(enginetest.Dataset(enginetest.Matrix(input.X...), enginetest.Class("y", 2, input.Y...)), nil)
			_, err = e.Fit(context.Background(), engines.Run{Train: v, Workers: 1})
		}
		if err == nil {
			t.Errorf("no error, expected %s", expect.Error)
		}
	}})
}

// A level of which no row is left is never predicted; one level alone is an error that names it.
func TestAbsentLevels(t *testing.T) {
	x := [][]float64{{1, 0}, {0, 1}, {1, 1}, {0, 0}, {2, 0}, {0, 2}}
	for name, e := range forms() {
		v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 4, 0, 2, 0, 2, 3, 3)), nil)
		m, f := fit(t, e, v)
		if !strings.Contains(strings.Join(f.Notes, "\n"), "has no training row: it is never predicted") {
			t.Errorf("%s: notes %q", name, f.Notes)
		}
		scores := make([]float64, len(x)*4)
		m.Predict(scores, v.Inputs())
		for i := range x {
			if row := scores[i*4:][:4]; row[1] >= min(row[0], row[2], row[3]) {
				t.Errorf("%s, row %d: scores %v", name, i, row)
			}
		}
		one := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 3, 1, 1, 1, 1, 1, 1)), nil)
		if _, err := e.Fit(context.Background(), engines.Run{Train: one, Workers: 1}); err == nil || !strings.Contains(err.Error(), `constant ("l1"`) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Rows without entries have losses all the same.
func TestEmptyRows(t *testing.T) {
	x := [][]float64{{1, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}}
	for name, e := range forms() {
		e.Tol, e.MaxIter = 1e-9, 100_000
		v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, 0, 1, 0, 1, 1)), nil)
		if _, f := fit(t, e, v); f.Stop != "gap" {
			t.Errorf("%s: stopped for %s with a gap of %v", name, f.Stop, f.Certificate.Relative())
		}
	}
}

// A fit that is cut short says so, and what would help.
func TestUnfinished(t *testing.T) {
	v := drawn(5, 60, 4, 3)
	for name, e := range forms() {
		e.Tol, e.MaxIter = 1e-12, 2
		if _, f := fit(t, e, v); f.Stop != "max_iter" || len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], engines.NotConverged) {
			t.Errorf("%s: stopped for %s, notes %q", name, f.Stop, f.Notes)
		}
	}
}

func TestParameters(t *testing.T) {
	for want, change := range map[string]func(*SVM){
		"c: 0":                    func(e *SVM) { e.C = 0 },
		"c: NaN":                  func(e *SVM) { e.C = math.NaN() },
		"loss: ":                  func(e *SVM) { e.Loss = "log" },
		"bias: ":                  func(e *SVM) { e.Bias = "yes" },
		"scheme: ":                func(e *SVM) { e.Scheme = "one-vs-one" },
		"loss: squared-hinge: sc": func(e *SVM) { e.Scheme, e.Loss = crammerSinger, squaredHinge },
		"bias: free: scheme":      func(e *SVM) { e.Scheme, e.Bias = crammerSinger, freeBias },
		"tol: 0":                  func(e *SVM) { e.Tol = 0 },
		"max_iter: 0":             func(e *SVM) { e.MaxIter = 0 },
	} {
		e := defaults()
		change(&e)
		if err := e.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s…", err, want)
		}
	}
}

// Each model of a path is what a fit with its c gives, up to the tolerance, whatever the order of the values.
func TestPath(t *testing.T) {
	for name, e := range forms() {
		for _, levels := range []int{2, 3} {
			v := drawn(7, 90, 5, levels)
			run := engines.Run{Train: v, Workers: 2}
			usual, err := e.PathValues(run)
			if err != nil {
				t.Fatal(err)
			}
			e.Tol, e.MaxIter = 1e-5, 100_000
			values := append(usual.Values[:len(usual.Values):len(usual.Values)], 0.3, 1, 0.01)
			count := 0
			if err := e.FitPath(context.Background(), run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values, MayEnd: true}, func(i int, m engines.Model) {
				count++
				got := m.(engines.Reporter).Fitted()
				_, want := fit(t, e.AtValue(values[i]).(SVM), v)
				if a, b := got.Certificate.Objective, want.Certificate.Objective; got.Stop != "gap" || !(math.Abs(a-b) <= 2e-5*max(1, b)) {
					t.Errorf("%s, %d levels, c %v: objective %v (%s), by itself %v", name, levels, values[i], a, got.Stop, b)
				}
			}); err != nil {
				t.Fatal(err)
			}
			if count != len(values) {
				t.Errorf("%s, %d levels: %d models of %d values", name, levels, count, len(values))
			}
			if err := e.FitPath(context.Background(), run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: []float64{0}, MayEnd: true}, nil); err == nil || !strings.Contains(err.Error(), "c 0") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

// Memory grows with the levels of the target, of which each has weights; classes of features take none.
func TestFootprintOfLevels(t *testing.T) {
	t.Parallel()
	for name, e := range forms() {
		few := engines.Shape{Rows: 1000, Columns: 400, Entries: 20_000, Levels: 2, Classes: 2}
		many, grouped := few, few
		many.Levels, grouped.Classes = 1000, 1000
		if more := e.Footprint(many).Bytes - e.Footprint(few).Bytes; more < 998*8*400 {
			t.Errorf("%s: 998 more levels take %d bytes more", name, more)
		}
		if e.Footprint(grouped) != e.Footprint(few) {
			t.Errorf("%s: classes of features take memory", name)
		}
	}
}

// At the first value of a path no row is beyond the hinge's bend: the weights are the difference of the sums of the two sides.
func TestPathBegins(t *testing.T) {
	e, v := defaults(), drawn(3, 50, 4, 2)
	usual, err := e.PathValues(engines.Run{Train: v})
	if err != nil {
		t.Fatal(err)
	}
	e.C, e.Tol, e.Bias = usual.Values[0], 1e-10, penalizedBias
	m, _ := fit(t, e, v)
	want := make([]float64, v.Columns())
	_, y := v.Target(0)
	for i, l := range y {
		v.Row(i).AddTo(want, e.C*(2*float64(l)-1))
	}
	for _, c := range m.Coefs() {
		if !(math.Abs(c.Value-want[c.Feature]) <= 1e-9*math.Abs(want[c.Feature])+1e-15) {
			t.Errorf("weight %d is %v, want %v", c.Feature, c.Value, want[c.Feature])
		}
	}
}
