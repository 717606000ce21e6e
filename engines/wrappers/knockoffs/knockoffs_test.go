package knockoffs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/baselines/constant"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/steps/forward"
	"tenfold/engines/steps/lars"
	"tenfold/engines/steps/stagewise"
	"tenfold/engines/trees/forest"
)

// lassoAt a share of the largest penalty.
func lassoAt(ratio float64) lasso.Lasso {
	e := lasso.LassoKind.Defaults().(lasso.Lasso)
	e.Ratio = ratio
	return e
}

func TestSuite(t *testing.T) {
	t.Parallel()
	entry, several, loose := around(lars.Kind.Defaults()), around(lassoAt(0.2)), around(l1.L1Kind.Defaults())
	entry.Statistic = byEntry
	several.Draws, several.FDR = 3, 0.5
	loose.FDR, loose.Offset = 0.5, 0
	trees := forest.Kind.Defaults().(forest.Forest)
	trees.Trees = 10
	for name, e := range map[string]Engine{"lasso": around(lassoAt(0.2)), "entry": entry, "several draws": several, "classes": loose, "forest": around(trees)} {
		t.Run(name, func(t *testing.T) { t.Parallel(); enginetest.Suite(t, e) })
	}
}

// problem is normal rows in which each column goes with the one before, and every tenth is in the response.
func problem(seed uint64, rows, columns int, rho, size float64) (v *data.View, truth map[int]bool) {
	rng := rand.New(rand.NewPCG(seed, 3))
	x, y := make([][]float64, rows), make([]float64, rows)
	truth = map[int]bool{}
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
			if j > 0 {
				x[i][j] = rho*x[i][j-1] + math.Sqrt(1-rho*rho)*x[i][j]
			}
			if j%4 == 1 {
				y[i] += size * x[i][j] * float64(1-2*(j%8/4))
				truth[j] = true
			}
		}
		y[i] += rng.NormFloat64()
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil), truth
}

func runOn(v *data.View, seed uint64) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(seed, 1)), Workers: 1}
}

// Over data sets whose columns are related, the mean share of mistakes is at most fdr within its standard errors, and most true columns are
// found; the same of several draws, and with the low-memory distribution.
func TestFalseDiscoveryRate(t *testing.T) {
	t.Parallel()
	several := around(lassoAt(0.1))
	several.Draws = 4
	entry := func(base engines.Engine) Engine { // whatever parameter its steps name
		e := around(base)
		e.Statistic = byEntry
		return e
	}
	for name, c := range map[string]struct {
		e             Engine
		rows, columns int
	}{
		"one draw": {around(lassoAt(0.1)), 150, 60}, "several": {several, 150, 60}, "low": {around(lassoAt(0.1)), 80, 100},
		"entry": {entry(lars.Kind.Defaults()), 150, 60}, "entry, of steps": {entry(stagewise.Kind.Defaults()), 150, 60},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const sets = 40
			c.e.FDR = 0.2
			var fdp, power []float64
			for s := range uint64(sets) {
				v, truth := problem(s, c.rows, c.columns, 0.3, 1)
				chosen, _, err := c.e.Choose(t.Context(), runOn(v, s))
				if err != nil {
					t.Fatal(err)
				}
				wrong := 0
				for _, coef := range chosen {
					if !truth[coef.Feature] {
						wrong++
					}
				}
				fdp = append(fdp, float64(wrong)/float64(max(1, len(chosen))))
				power = append(power, float64(len(chosen)-wrong)/float64(len(truth)))
			}
			rate, se := meanAndError(fdp)
			found, _ := meanAndError(power)
			t.Logf("false discovery rate %.3f ± %.3f, power %.2f", rate, se, found)
			if rate > 0.2+3*se {
				t.Errorf("false discovery rate %v ± %v, promised 0.2", rate, se)
			}
			if found < 0.6 {
				t.Errorf("power %v", found)
			}
		})
	}
}

func meanAndError(v []float64) (mean, se float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		se += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(se / float64(len(v)-1) / float64(len(v)))
}

// entering is an engine whose columns 2 and 0 enter, one a step, as a parameter has some values.
type entering struct {
	engines.Engine
	parameter string
	values    [3]float64
}

func (e entering) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	for k, j := range []int{-1, 2, 0} {
		run.Trace.At(engines.Step{Iter: k, Changed: engines.Coef{Feature: j}, Parameter: e.parameter, ParameterValue: e.values[k]})
	}
	return engines.NewLinear(run.Train.Columns(), []float64{0}, nil, engines.Fitted{}), nil
}

// The penalty is that at which a column enters. Where steps have another parameter, or none, the first columns count most.
func TestEntries(t *testing.T) {
	t.Parallel()
	v, _ := problem(1, 20, 3, 0, 1)
	for _, c := range []struct {
		e    entering
		want []float64
	}{
		{entering{parameter: "lambda", values: [3]float64{9, 5, 2}}, []float64{5, 0, 9}},
		{entering{parameter: "trees", values: [3]float64{0, 1, 2}}, []float64{1, 0, 2}},
		{entering{parameter: "epsilon", values: [3]float64{0.1, 0.1, 0.1}}, []float64{1, 0, 2}},
		{entering{}, []float64{1, 0, 2}},
	} {
		d := &comparison{engine: around(c.e)}
		if got, err := d.entries(t.Context(), runOn(v, 1)); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v; %v", c.e.parameter, got, c.want, err)
		}
	}
}

// Swapping a column with its knockoff changes the sign of its W and nothing else.
func TestFlipSign(t *testing.T) {
	t.Parallel()
	v, _ := problem(5, 60, 8, 0.3, 1)
	e := around(lassoAt(0.05))
	d, err := e.newComparison(t.Context(), runOn(v, 1))
	if err != nil {
		t.Fatal(err)
	}
	z, normals := d.rows.Standardised(), d.stream("normal", 0)
	copies := d.rows.Draw(t.Context(), 1, func() float64 { return elementary.Normal(normals.Uint64()) })
	standardise(copies)
	none := make([]bool, 8)
	w := func() []float64 {
		on := runOn(v.Replaced(d.beside(z, copies, none), d.both), 1)
		w, err := d.contrast(t.Context(), on, none)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	before := w()
	for i := range z {
		z[i][2], copies[i][2] = copies[i][2], z[i][2]
	}
	for k, after := range w() {
		want := before[k]
		if k == 2 {
			want = -want
		}
		if !(math.Abs(after-want) <= 1e-4) {
			t.Errorf("W_%d is %v, before the swap %v", k, after, before[k])
		}
	}
}

// What cannot be selected, and what is not promised, is said.
func TestNotes(t *testing.T) {
	t.Parallel()
	few, _ := problem(1, 40, 6, 0.3, 1)
	near, _ := problem(1, 80, 30, 0.9999, 1)
	ones := make([][]float64, 60)
	y := make([]float64, 60)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range ones {
		ones[i] = make([]float64, 20)
		for j := range ones[i] {
			ones[i][j] = float64(rng.IntN(2))
		}
		y[i] = rng.NormFloat64()
	}
	binary := enginetest.View(enginetest.Dataset(enginetest.Matrix(ones...), enginetest.Real("y", y...)), nil)
	for want, v := range map[string]*data.View{"nothing can be selected": few, "nearly the same": near, "of 0 and 1": binary} {
		_, fitted, err := around(lassoAt(0.2)).Choose(t.Context(), runOn(v, 1))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(fitted.Notes, func(n string) bool { return strings.Contains(n, want) }) {
			t.Errorf("no note has %q: %q", want, fitted.Notes)
		}
	}
	shrunk := around(lassoAt(0.2))
	shrunk.Shrink, shrunk.Memory = 0, dense
	wide, _ := problem(1, 20, 30, 0, 1)
	wider, _ := problem(1, 510, 505, 0, 1)
	program := around(lassoAt(0.2))
	program.S = sdp
	for want, c := range map[string]struct {
		e Engine
		v *data.View
	}{"expected shrink above 0": {shrunk, wide}, "up to 500 columns, and 505 vary": {program, wider}} {
		if _, _, err := c.e.Choose(t.Context(), runOn(c.v, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no error has %q: %v", want, err)
		}
	}
}

// The options, and engines that they do not suit.
func TestValidate(t *testing.T) {
	t.Parallel()
	change := func(f func(*Options)) Engine {
		e := around(lassoAt(0.2))
		f(&e.Options)
		return e
	}
	for want, e := range map[string]Engine{
		"fdr: 1":                            change(func(o *Options) { o.FDR = 1 }),
		"offset: 2":                         change(func(o *Options) { o.Offset = 2 }),
		"offset: 0, expected 1 with":        change(func(o *Options) { o.Offset, o.Draws = 0, 2 }),
		"draws: 0":                          change(func(o *Options) { o.Draws = 0 }),
		"there is one draw":                 change(func(o *Options) { o.FDRDraw = 0.1 }),
		"shrink: 2":                         change(func(o *Options) { o.Shrink = 2 }),
		"memory: low":                       change(func(o *Options) { o.Memory, o.S = low, sdp }),
		"entry: the steps of the engine":    change(func(o *Options) { o.Statistic = byEntry }),
		`statistic: "size" is not one of`:   change(func(o *Options) { o.Statistic = "size" }),
		"fdr: -0.1, expected a share above": change(func(o *Options) { o.FDR = -0.1 }),
	} {
		err := fmt.Sprint(e.Options.Validate(), e.Validate())
		if !strings.Contains(err, want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	forward := around(forward.Kind.Defaults())
	forward.Statistic = byEntry
	for _, e := range []Engine{forward, change(func(o *Options) { o.Offset = 0 }), change(func(o *Options) { o.Draws, o.FDRDraw = 2, 0.3 }), change(func(o *Options) { o.S = sdp }), change(func(o *Options) { o.Memory = low })} {
		if err := errors.Join(e.Options.Validate(), e.Validate()); err != nil {
			t.Error(err)
		}
	}
}

// A model with neither coefficients nor importances cannot choose.
func TestNothingToCompare(t *testing.T) {
	t.Parallel()
	v, _ := problem(1, 40, 12, 0.3, 1)
	if chosen, _, err := around(constant.Mean{}).Choose(t.Context(), runOn(v, 1)); err != nil || len(chosen) > 0 {
		t.Errorf("%v, %v", chosen, err)
	}
	if m, err := around(leastsquares.RidgeKind.Defaults()).Fit(t.Context(), runOn(v, 1)); err != nil || m == nil {
		t.Error(err)
	}
}

// BenchmarkKnockoffs of 500 rows of 1,000 columns: the distribution, a draw, and the path of the lasso on both.
func BenchmarkKnockoffs(b *testing.B) {
	v, _ := problem(1, 500, 1000, 0.3, 1)
	e := around(lassoAt(0.1))
	for b.Loop() {
		if _, _, err := e.Choose(b.Context(), runOn(v, 1)); err != nil {
			b.Fatal(err)
		}
	}
}

// talking is an engine whose fits tell something.
type talking struct{ engines.Engine }

func (e talking) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	run.Say("λ", "1")
	return e.Engine.Fit(ctx, run)
}

// How it ended and how far knockoffs are from their columns is told, and what one draw has to say, but not several.
func TestFacts(t *testing.T) {
	t.Parallel()
	v, _ := problem(4, 150, 20, 0.3, 1)
	for _, c := range []struct {
		set  func(*Options)
		stop string
		told int
	}{
		{func(o *Options) { o.FDR = 0.4 }, "done", 1}, {func(o *Options) { o.FDR, o.S = 0.4, sdp }, "done", 1},
		{func(o *Options) { o.FDR = 0.001 }, "none_selected", 1}, {func(o *Options) { o.FDR, o.Draws = 0.4, 3 }, "done", 0},
	} {
		e := around(talking{lassoAt(0.05)})
		c.set(&e.Options)
		run, told := runOn(v, 1), 0
		run.Tell = func(data.Fact) { told++ }
		d, err := e.newComparison(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		_, fitted, err := e.Choose(t.Context(), run)
		if err != nil || fitted.Stop != c.stop || told != c.told {
			t.Errorf("it ended by %s, and told %d facts, want %s and %d; %v", fitted.Stop, told, c.stop, c.told, err)
		}
		least, mean := slices.Min(d.distribution.S), 0.0
		for _, s := range d.distribution.S {
			mean += s / 20
		}
		want := fmt.Sprintf("%.4g", least)
		if e.S == sdp {
			want = fmt.Sprintf("%.4g on average, at least %.4g", mean, least)
		}
		if !slices.Contains(fitted.Facts, data.Fact{Name: "1 - correlation of column and knockoff (s)", Value: want}) {
			t.Errorf("facts %+v, want s of %s", fitted.Facts, want)
		}
	}
}

// treated is an engine that tells which factors of the penalty its fits have.
type treated struct {
	engines.Engine
	factors *[]float64
}

func (e treated) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	*e.factors = run.Train.Factors()
	return e.Engine.Fit(ctx, run)
}

// Fits have the factors of the columns, and knockoffs those of theirs; where all columns are alike there are none.
func TestFactors(t *testing.T) {
	t.Parallel()
	v, _ := problem(2, 60, 4, 0, 1)
	for _, factor := range [][]float64{nil, {1, 0, 3, 0.5}} {
		var got []float64
		var want []float64
		if factor != nil {
			want = []float64{1, 0, 3, 0.5, 1, 3, 0.5}
		}
		if _, _, err := around(treated{lassoAt(0.2), &got}).Choose(t.Context(), runOn(v.WithFactors(factor), 1)); err != nil || !slices.Equal(got, want) {
			t.Errorf("of factors %v fits have %v, want %v; %v", factor, got, want, err)
		}
	}
}

// Columns that every model has are beside columns and knockoffs, and have none; those of penalty ∞ are nowhere.
func TestKept(t *testing.T) {
	t.Parallel()
	v, _ := problem(7, 150, 30, 0.3, 12)
	plain := v.Columns()
	factor := slices.Repeat([]float64{1}, plain)
	factor[3], factor[20], factor[5] = 0, 0, math.Inf(1)
	treated := v.WithFactors(factor)
	for _, s := range []string{equi, sdp} {
		e := around(lassoAt(0.05))
		e.FDR, e.S = 0.2, s
		chosen, fitted, err := e.Choose(t.Context(), runOn(treated, 1))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(fitted.Facts, func(f data.Fact) bool {
			return f.Name == "columns with knockoffs" && f.Value == "27 of 27: those that vary"
		}) {
			t.Errorf("facts %+v, expected 27 columns with knockoffs", fitted.Facts)
		}
		kept := 0
		for _, c := range chosen {
			switch c.Feature {
			case 5:
				t.Error("a column of penalty ∞ is selected")
			case 3, 20:
				if kept++; c.Rank != -1 {
					t.Errorf("a kept column has rank %d", c.Rank)
				}
			}
		}
		if kept != 2 || len(chosen) < 7 {
			t.Errorf("s %s: selected %+v, expected both kept columns and some others", s, chosen)
		}
	}
	e := around(lassoAt(0.05))
	e.FDR = 0.2
	d, err := e.newComparison(t.Context(), runOn(v.WithFactors(slices.Concat([]float64{0}, factor[:3], slices.Repeat([]float64{2}, plain-4))), 1))
	if err != nil {
		t.Fatal(err)
	}
	f := d.factors()
	if len(f) != 2*plain-1 || f[0] != 0 || f[plain] != 1 || f[2*plain-2] != 2 {
		t.Errorf("factors %v, expected those of the columns, and then those of all but the first again", f)
	}
	if _, _, err := e.Choose(t.Context(), runOn(v.WithFactors(make([]float64, plain)), 1)); err == nil {
		t.Error("knockoffs where every column is kept")
	}
}
