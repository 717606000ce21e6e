package permutation

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/trees/forest"
)

// around returns the selection around an engine, with the defaults changed.
func around(base engines.Engine, change func(*Options)) Engine {
	o := Wrapper.Kind.Defaults().(Options)
	o.K, o.Repeats = 3, 3
	change(&o)
	return Engine{base, o}
}

func TestSuite(t *testing.T) {
	trees := forest.Kind.Defaults().(forest.Forest)
	trees.Trees = 5
	for name, e := range map[string]Engine{
		"numbers": around(leastsquares.RidgeKind.Defaults(), func(o *Options) {}),
		"classes": around(logistic.Kind.Defaults(), func(o *Options) { o.Features = 3 }),
		"kernels": around(svm.Kind.Defaults(), func(o *Options) { o.Features = 3 }),
		"trees":   around(trees, func(o *Options) { o.Within = group }),
		"pairs":   around(leastsquares.RidgeKind.Defaults(), func(o *Options) { o.Pairs, o.K = true, 12 }),
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); enginetest.Suite(t, e) })
	}
}

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"permutation_importance": checkImportance})
}

// checkImportance measures with the permutations of the case.
func checkImportance(t *testing.T, c oracle.Case) {
	var in struct {
		X, X_test    [][]float64
		Y, Y_test    []float64
		Units        [][]int32
		Permutations [][][]int32
	}
	var options struct {
		Engine struct {
			Kind      string
			Ridge, C2 float64
		}
		Metrics []string
		Exact   bool
	}
	var want struct {
		Baseline any
		Drop     map[string][][]float64
		Mean     any
	}
	c.Parts(t, &in, &options, &want)
	var base engines.Engine = leastsquares.Ridge{Lambda: options.Engine.Ridge, Scale: "none", Tol: 1e-12}
	target := func(y []float64) data.Target { return enginetest.Real("y", y...) }
	if options.Engine.Kind == "logistic" {
		l := logistic.Kind.Defaults().(logistic.Logistic)
		l.C2, l.Bias, l.Tol = options.Engine.C2, "free", 1e-12
		base, target = l, func(y []float64) data.Target { return enginetest.Class("y", 2, y...) }
	}
	train := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), target(in.Y)), nil)
	held := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X_test...), target(in.Y_test)), nil)
	if in.Units == nil {
		for j := range int32(train.Columns()) {
			in.Units = append(in.Units, []int32{j})
		}
	}
	v := engines.Comparison{Measure: func(m engines.Model, _, held *data.View) ([]float64, error) {
		return metrics(options.Metrics, m, held), nil
	}}
	for _, name := range options.Metrics {
		v.Metrics = append(v.Metrics, engines.InnerMetric{Name: name, Higher: slices.Contains([]string{"r2", "accuracy", "auc"}, name)})
	}
	f := permutedFold{v: v, engine: base, seed: [2]uint64{1, 1}, HeldOut: engines.HeldOut{Train: train, Held: held}, units: in.Units, orders: func(u int) [][]int32 { return in.Permutations[u] }}
	if options.Exact {
		var err error
		if f.orders, err = (Drawing{Pairs: true}).orders(1, 0, nil, held); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.measureBase(t.Context(), engines.Run{Train: train}); err != nil {
		t.Fatal(err)
	}
	for m, name := range options.Metrics {
		number := func(v any) any {
			if by, ok := v.(map[string]any); ok {
				return by[name]
			}
			return v
		}
		oracle.Near(t, name, f.base[m], number(want.Baseline).(float64), 1e-7)
		for u := range in.Units {
			if err := f.measureUnit(t.Context(), engines.Run{Train: train}, u); err != nil {
				t.Fatal(err)
			}
			oracle.Near(t, "mean of "+name, f.drops[u][m], number(want.Mean).([]any)[u].(float64), 1e-7)
			for r, order := range f.orders(u) {
				values, err := f.measure(u, order)
				if err != nil || options.Exact {
					break
				}
				drop := values[m] - f.base[m]
				if v.Metrics[m].Higher {
					drop = -drop
				}
				oracle.Near(t, "drop of "+name, drop, want.Drop[name][u][r], 1e-7)
			}
		}
	}
}

// metrics returns metrics by their definitions.
func metrics(names []string, m engines.Model, held *data.View) (out []float64) {
	s := make([]float64, held.Len()*m.Outputs())
	m.Predict(s, held.Inputs())
	_, y := held.Target(0)
	n, mean := float64(len(y)), 0.0
	for _, v := range y {
		mean += v / n
	}
	for _, name := range names {
		sum, spread, pairs := 0.0, 0.0, 0.0
		for i := range y {
			switch name {
			case "mse", "r2":
				sum += float64((s[i] - y[i]) * (s[i] - y[i]))
				spread += float64((y[i] - mean) * (y[i] - mean))
			case "mae":
				sum += math.Abs(s[i] - y[i])
			case "log_loss":
				sum -= s[2*i+int(y[i])]
			case "accuracy":
				if (s[2*i+1] > s[2*i]) == (y[i] == 1) {
					sum++
				}
			case "auc":
				for k := range y {
					if y[i] > y[k] {
						pairs++
						if a, b := s[2*i+1]-s[2*i], s[2*k+1]-s[2*k]; a > b {
							sum++
						} else if a == b {
							sum += 0.5
						}
					}
				}
			}
		}
		switch name {
		case "r2":
			sum = n * (1 - sum/spread)
		case "auc":
			sum *= n / pairs
		}
		out = append(out, sum/n)
	}
	return out
}

// problem returns rows of normal columns of which the first three make the response, each less than the one before.
func problem(columns int, treatment data.Treatment) *data.View {
	rng := rand.New(rand.NewPCG(5, uint64(columns)))
	x, y := make([][]float64, 120), make([]float64, 120)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		y[i] = 3*x[i][0] + 2*x[i][1] + x[i][2] + rng.NormFloat64()
	}
	return enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), treatment)
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 2, Divide: enginetest.Divide}
}

// The columns that matter are selected in their order; kept ones always are, and units as a whole.
func TestSelects(t *testing.T) {
	ols := leastsquares.OLSKind.Defaults()
	columns := func(change func(*Options), treatment data.Treatment) (out []int, fitted engines.Fitted) {
		t.Helper()
		chosen, fitted, err := around(ols, change).Choose(t.Context(), runOn(problem(8, treatment)))
		if err != nil {
			t.Fatal(err)
		}
		slices.SortStableFunc(chosen, func(a, b engines.Coef) int { return a.Rank - b.Rank })
		for _, c := range chosen {
			out = append(out, c.Feature)
		}
		return out, fitted
	}
	for name, change := range map[string]func(*Options){"draws": func(o *Options) { o.Features = 3 }, "pairs": func(o *Options) { o.Features, o.Pairs = 3, true }} {
		if got, told := columns(change, data.Treatment{}); !slices.Equal(got, []int{0, 1, 2}) || !strings.HasPrefix(told.Facts[1].Value, "x0 ") {
			t.Errorf("%s: %v, %+v", name, got, told.Facts)
		}
	}
	if got, _ := columns(func(o *Options) { o.Features = 1 }, data.Treatment{Factor: []float64{0, 1, 1, 1, 1, 1, 1, 0}}); !slices.Equal(got, []int{0, 7, 1}) {
		t.Errorf("beside kept columns: %v", got)
	}
	if got, _ := columns(func(o *Options) { o.Features = 1 }, data.Treatment{Unit: []int32{0, 1, 1, 2, 2, 0, 3, 4}, Together: true}); !slices.Equal(got, []int{0, 5}) {
		t.Errorf("units: %v", got)
	}
	if got, told := columns(func(o *Options) { o.Features = 8 }, data.Treatment{}); len(got) < 8 && len(told.Notes) != 1 {
		t.Errorf("%v, notes %q", got, told.Notes)
	}
}

// A column that no model uses has importance 0, and so has a constant one; importance does not depend on where columns stand.
func TestMeasure(t *testing.T) {
	v := problem(5, data.Treatment{})
	units := [][]int32{{0}, {1}, {2}, {3}, {4}}
	d := Defaults()
	found, err := d.Measure(t.Context(), leastsquares.OLSKind.Defaults(), runOn(v), units)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(units)
	back, err := d.Measure(t.Context(), leastsquares.OLSKind.Defaults(), runOn(v), units)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Reverse(back.Mean); !slices.Equal(found.Mean, back.Mean) {
		t.Errorf("importances %v, in another order %v", found.Mean, back.Mean)
	}
	x, y := [][]float64{}, []float64{}
	for i := range 30 {
		x, y = append(x, []float64{math.Sin(float64(i)), 4}), append(y, math.Sin(float64(i)))
	}
	found, err = d.Measure(t.Context(), leastsquares.RidgeKind.Defaults(), runOn(enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)), units[3:])
	if err != nil || found.Mean[0] != 0 || found.Mean[1] < 0.1 {
		t.Errorf("importances %v of a constant column and one that is the response, %v", found.Mean, err)
	}
}

// Rows of a group exchange values, and no others.
func TestWithinGroups(t *testing.T) {
	set := enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}, []float64{4}, []float64{5}), enginetest.Real("y", 1, 2, 3, 4, 5))
	set.Groups = &data.Groups{Name: "g", Of: []int32{0, 1, 0, 1, 1}, Key: []uint64{7, 8}}
	orders, err := Drawing{Within: group, Repeats: 20}.orders(1, 0, []string{"a"}, enginetest.View(set, nil))
	if err != nil {
		t.Fatal(err)
	}
	moved := false
	for _, order := range orders(0) {
		for i, j := range order {
			moved = moved || int(j) != i
			if set.Groups.Of[i] != set.Groups.Of[j] {
				t.Fatalf("order %v", order)
			}
		}
	}
	if !moved {
		t.Error("no row has another value")
	}
}

type failing struct{ leastsquares.OLS }

var errFailing = errors.New("wrong")

func (failing) Fit(context.Context, engines.Run) (engines.Model, error) { return nil, errFailing }

func TestRefusals(t *testing.T) {
	if _, _, err := around(failing{}, func(o *Options) {}).Choose(t.Context(), runOn(problem(3, data.Treatment{}))); !errors.Is(err, errFailing) {
		t.Errorf("a fit that fails: %v", err)
	}
	if _, _, err := around(leastsquares.OLSKind.Defaults(), func(o *Options) {}).Choose(t.Context(), runOn(problem(3, data.Treatment{Factor: []float64{0, 0, 0}}))); err == nil {
		t.Error("nothing to select from")
	}
	run := runOn(problem(3, data.Treatment{}))
	run.Divide = func(ctx context.Context, run engines.Run, o engines.InnerFolds, seed uint64) (engines.Validation, error) {
		v, err := enginetest.Divide(ctx, run, o, seed)
		v.Metrics[0].ByRow = false
		return v, err
	}
	if _, _, err := around(leastsquares.OLSKind.Defaults(), func(o *Options) { o.Pairs = true }).Choose(t.Context(), run); err == nil || !strings.Contains(err.Error(), "no mean over rows") {
		t.Errorf("pairs of a metric that is no mean: %v", err)
	}
	for _, c := range []struct {
		change func(*Options)
		fields string
	}{
		{func(o *Options) {}, ""},
		{func(o *Options) { o.Features = -1 }, "features"},
		{func(o *Options) { o.K = 1 }, "k"},
		{func(o *Options) { o.Repeats = 0 }, "repeats"},
		{func(o *Options) { o.Within = "day" }, "within"},
		{func(o *Options) { o.Within, o.Pairs = group, true }, "within"},
	} {
		if got := enginetest.Fields(around(leastsquares.RidgeKind.Defaults(), c.change).Options.Validate()); got != c.fields {
			t.Errorf("complaints about %q, want %q", got, c.fields)
		}
	}
}
