package univariate

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
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/registry"
)

// on asks the suite for other data.
type on struct {
	engines.Engine
	change func(n *engines.Needs)
}

func (e on) Needs() engines.Needs {
	n := e.Engine.Needs()
	e.change(&n)
	return n
}

func TestFilterSuite(t *testing.T) {
	few := Keep{Features: 4, Percentile: 100, Alpha: 1}
	for name, e := range map[string]engines.Engine{
		"chi2":               Chi2{ofSums, few, Ridge{Ridge: 1}},
		"chi2 of presence":   Chi2{ofPresence, few, Ridge{Ridge: 1}},
		"mutual information": MutualInformation{few, Ridge{Ridge: 1}},
		"anova":              Anova{few, Ridge{Ridge: 1}},
		"anova of times":     on{Anova{few, Ridge{Ridge: 1}}, func(n *engines.Needs) { n.Target = data.Survival }},
		"fdr":                FDR{byAnova, 0.3, bh, Ridge{Ridge: 1}},
		"fdr chi2":           FDR{byChi2, 0.3, bh, Ridge{Ridge: 1}},
		"fdr information":    FDR{byInformation, 0.3, bh, Ridge{Ridge: 1}},
		"fdr ranks":          FDR{byKruskal, 0.3, bh, Ridge{Ridge: 1}},
	} {
		for _, levels := range []int{2, 3} {
			t.Run(fmt.Sprint(name, levels), func(t *testing.T) {
				enginetest.Suite(t, on{e, func(n *engines.Needs) { n.Target, n.Levels = data.Class, levels }})
			})
		}
	}
	for name, e := range map[string]engines.Engine{"anova": Anova{few, Ridge{Ridge: 1}}, "fdr": FDR{byAnova, 0.3, bh, Ridge{Ridge: 1}}, "fdr ranks": FDR{bySpearman, 0.3, bh, Ridge{Ridge: 1}}} {
		t.Run(name+" of numbers", func(t *testing.T) {
			enginetest.Suite(t, on{e, func(n *engines.Needs) { n.Target = data.Real }})
		})
	}
}

// testOf is the test of a filter, by name.
func testOf(t *testing.T, name string, presence bool, v *data.View) *ranking.Ranking {
	t.Helper()
	x, test, err := map[string]func(*data.View) (*sparse.Matrix, ranking.ColumnTest, error){
		byChi2:        onClasses(func(c *classes) ranking.ColumnTest { return c.chiSquared(presence) }),
		byInformation: onClasses(func(c *classes) ranking.ColumnTest { return c.mutualInformation }),
		byAnova:       varianceTest,
	}[name](v)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ranking.ScoreColumns(context.Background(), x, test)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// plainly is a data set of a matrix and a class target, or numbers.
func plainly(x [][]float64, y []float64, numbers bool) *data.Dataset {
	if numbers {
		return enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	}
	return enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 1+int(slices.Max(y)), y...))
}

func TestScikitLearnFilters(t *testing.T) {
	for k, c := range oracle.Fixture[struct {
		Test, Of string
		Real     bool
		X        [][]float64
		Y        []float64
		Score, P []float64
	}](t, "filters.json") {
		t.Run(fmt.Sprint(k, " ", c.Test), func(t *testing.T) {
			r := testOf(t, c.Test, c.Of == ofPresence, enginetest.View(plainly(c.X, c.Y, c.Real), nil))
			for j := range c.Score {
				oracle.Near(t, "score", r.Score[j], c.Score[j], 1e-10)
				relative(t, "p", r.P[j], c.P[j], 1e-8)
			}
		})
	}
}

func TestScikitLearnFDR(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		Test     string
		X        [][]float64
		Y        []float64
		Selected map[string][]int
	}](t, "fdr.json") {
		for _, alpha := range []float64{0.01, 0.05, 0.3} {
			m := fitted(t, FDR{c.Test, alpha, bh, Ridge{Ridge: 1e-3}}, plainly(c.X, c.Y, false))
			if got, want := columns(m), c.Selected[fmt.Sprint(alpha)]; !slices.Equal(got, want) {
				t.Errorf("%s at %v: %v, want %v", c.Test, alpha, got, want)
			}
		}
	}
}

func fitted(t *testing.T, e engines.Engine, set *data.Dataset) engines.Model {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func columns(m engines.Model) []int {
	out := []int{}
	for _, c := range m.Coefs() {
		out = append(out, c.Feature)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// drawn is a problem in which the first columns tell about the response, the last is constant, and the one before repeats
// the first.
func drawn(levels int, zeroOne bool) (x [][]float64, y []float64) {
	rng := rand.New(rand.NewPCG(2, uint64(levels)))
	for i := range 67 {
		row := make([]float64, 12)
		c := i % levels
		for j := range row {
			if row[j] = float64(rng.IntN(3)); zeroOne {
				row[j] = float64(rng.IntN(2))
			}
			if j < 3 && rng.IntN(12-4*j) > 0 {
				row[j] = indicator(c == j%levels)
			}
		}
		row[11], row[10] = 1, row[0]
		x, y = append(x, row), append(y, float64(c))
	}
	return x, y
}

// The laws of ranking: ranks are by falling score, equal columns by their numbers, constant ones never, models of a path are
// those of fits of their own; and order of rows, numbers of levels and a level without rows change nothing.
func TestFilterLaws(t *testing.T) {
	for _, levels := range []int{2, 3} {
		x, y := drawn(levels, true)
		for name, make := range map[string]func(k Keep) engines.Engine{
			"chi2":     func(k Keep) engines.Engine { return Chi2{ofSums, k, Ridge{Ridge: 1}} },
			"presence": func(k Keep) engines.Engine { return Chi2{ofPresence, k, Ridge{Ridge: 1}} },
			"mi":       func(k Keep) engines.Engine { return MutualInformation{k, Ridge{Ridge: 1}} },
			"anova":    func(k Keep) engines.Engine { return Anova{k, Ridge{Ridge: 1}} },
		} {
			whole := fitted(t, make(Keep{Percentile: 100, Alpha: 1}), plainly(x, y, false))
			if got := columns(whole); slices.Contains(got, 11) || len(got) != 11 {
				t.Errorf("%s: columns %v", name, got)
			}
			byRank := map[int]engines.Coef{}
			for _, c := range whole.Coefs() {
				byRank[c.Rank] = c
			}
			if byRank[0].Feature+1 != 1 || byRank[1].Feature != 10 {
				t.Errorf("%s: first %d, then %d; want a column and its repetition", name, byRank[0].Feature, byRank[1].Feature)
			}
			for k := 1; k < len(byRank); k++ {
				if byRank[k].Score > byRank[k-1].Score {
					t.Errorf("%s: rank %d scores %v, the one before %v", name, k, byRank[k].Score, byRank[k-1].Score)
				}
			}
			kept := map[int][]engines.Coef{}
			last, err := make(Keep{Features: 50, Percentile: 100, Alpha: 1}).Fit(t.Context(), engines.Run{
				Train: enginetest.View(plainly(x, y, false), nil), Workers: 1, At: []int{1, 4, 11, 50}, Keep: func(size int, m engines.Model) { kept[size] = m.Coefs() },
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 4, 11} {
				if alone := fitted(t, make(Keep{Features: size, Percentile: 100, Alpha: 1}), plainly(x, y, false)).Coefs(); !slices.Equal(kept[size], alone) {
					t.Errorf("%s: size %d differs from a fit of its own", name, size)
				}
			}
			if n := len(last.Coefs()); kept[50] != nil || n < 11 || n >= 50 {
				t.Errorf("%s: a model of 50 columns, and %d at the end", name, n)
			}
			set := plainly(x, y, false)
			set.Targets[0].Levels = append(set.Targets[0].Levels, "never")
			more := fitted(t, make(Keep{Features: 4, Percentile: 100, Alpha: 1}), set)
			if !slices.Equal(columns(more), columns(fitted(t, make(Keep{Features: 4, Percentile: 100, Alpha: 1}), plainly(x, y, false)))) {
				t.Errorf("%s: a level without rows changes the selection", name)
			}
		}
	}
}

// Every limit of Keep.
func TestKeep(t *testing.T) {
	r := &ranking.Ranking{Score: []float64{5, 0, 4, 3, 2, 1, 0, 0, 0, 0}, P: []float64{0.001, 1, 0.01, 0.05, 0.2, 0.5, 1, 1, 1, 1}, Order: []int32{0, 2, 3, 4, 5}}
	for _, c := range []struct {
		keep Keep
		want int
	}{
		{Keep{0, 100, 1}, 5}, {Keep{3, 100, 1}, 3}, {Keep{99, 100, 1}, 5}, {Keep{0, 20, 1}, 2}, {Keep{0, 24, 1}, 2}, {Keep{0, 25, 1}, 3},
		{Keep{0, 0.1, 1}, 1}, {Keep{0, 100, 0.05}, 3}, {Keep{0, 100, 0.049}, 2}, {Keep{0, 100, 1e-9}, 0}, {Keep{2, 40, 0.2}, 2},
	} {
		if got := c.keep.countKept(r); got != c.want {
			t.Errorf("%+v keeps %d, want %d", c.keep, got, c.want)
		}
	}
	if got := (FDR{Alpha: 0.06, Procedure: bh}).countDiscovered(r); got != 2 { // bounds 0.006, 0.012, 0.018 …
		t.Errorf("%d discovered, want 2", got)
	}
}

// Numbers: the F test is that of the correlation, whichever way it goes; the model is least squares.
func TestAnovaOfNumbers(t *testing.T) {
	var x [][]float64
	var y []float64
	rng := rand.New(rand.NewPCG(4, 4))
	for range 25 {
		a, b, noise := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		x, y = append(x, []float64{noise, a, -b, 3}), append(y, 1+2*a+b)
	}
	m := fitted(t, Anova{Keep{2, 100, 1}, Ridge{Ridge: 1}}, plainly(x, y, true))
	coefs := m.Coefs()
	if len(coefs) != 2 || coefs[0].Feature != 1 || coefs[1].Feature != 2 || coefs[0].Rank != 0 || coefs[1].Rank != 1 {
		t.Fatalf("%+v", coefs)
	}
	oracle.NearAll(t, "weights", []float64{coefs[0].Value, coefs[1].Value, m.(*engines.Linear).Bias(0)}, []float64{2, -1, 1}, 1e-8)
	// A column that is the response is beyond all others, and its score is a number.
	for i := range x {
		x[i][0] = 5 - y[i]
	}
	c := fitted(t, Anova{Keep{1, 100, 1}, Ridge{Ridge: 1}}, plainly(x, y, true)).Coefs()[0]
	if c.Feature != 0 || !(c.Score > 1e20) || math.IsInf(c.Score, 0) {
		t.Errorf("%+v", c)
	}
}

// Nothing kept, or one class alone: the model is the classes' shares, or the mean.
func TestNothingKept(t *testing.T) {
	x, y := drawn(3, true)
	for name, e := range map[string]engines.Engine{
		"alpha": Chi2{ofSums, Keep{0, 100, 1e-300}, Ridge{Ridge: 1}},
		"fdr":   FDR{byInformation, 1e-300, bh, Ridge{Ridge: 1}},
	} {
		m := fitted(t, e, plainly(x, y, false))
		scores := make([]float64, 3*67)
		m.Predict(scores, enginetest.View(plainly(x, y, false), nil).Inputs())
		oracle.NearAll(t, name, enginetest.Exp(scores[:3]), []float64{23. / 67, 22. / 67, 22. / 67}, 1e-12)
		if f := m.(engines.Reporter).Fitted(); len(m.Coefs()) > 0 || f.Stop != "none_selected" || !f.Probabilities {
			t.Errorf("%s: %+v", name, f)
		}
	}
	one := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, make([]float64, 67)...))
	for _, e := range []engines.Engine{Chi2Kind.Defaults(), MutualInformationKind.Defaults(), AnovaKind.Defaults(), FDRKind.Defaults()} {
		m := fitted(t, e, one)
		if len(m.Coefs()) > 0 {
			t.Errorf("%T: coefficients %v of one class", e, m.Coefs())
		}
	}
}

// A column that every row has tells nothing by its presence, however its values vary.
func TestPresenceInEveryRow(t *testing.T) {
	set := plainly([][]float64{{1}, {2}, {3}, {1}}, []float64{0, 0, 1, 1}, false)
	if r := testOf(t, byChi2, true, enginetest.View(set, nil)); r.Score[0] != 0 || r.P[0] != 1 {
		t.Errorf("score %v, p-value %v, expected 0 and 1", r.Score[0], r.P[0])
	}
}

// A target that is defined on some rows is tested and fitted on these.
func TestFiltersOnSomeRows(t *testing.T) {
	x, y := drawn(3, true)
	part := enginetest.Class("y", 3)
	var rows [][]float64
	for i := range x {
		if i%4 > 0 {
			part.Rows, part.Values = append(part.Rows, int32(i)), append(part.Values, y[i])
			rows = append(rows, x[i])
		}
	}
	for _, e := range []engines.Engine{Chi2{ofSums, usual, Ridge{Ridge: 1}}, MutualInformation{usual, Ridge{Ridge: 1}}, Anova{usual, Ridge{Ridge: 1}}} {
		got := fitted(t, e, enginetest.Dataset(enginetest.Matrix(x...), part)).Coefs()
		want := fitted(t, e, plainly(rows, part.Values, false)).Coefs()
		if !slices.Equal(got, want) {
			t.Errorf("%T: got %v, want %v", e, got, want)
		}
	}
}

func TestFilterRefusals(t *testing.T) {
	for want, e := range map[string]engines.Engine{
		`of: "values"`:    Chi2{"values", usual, Ridge{Ridge: 1}},
		"features: -2":    Chi2{ofSums, Keep{-2, 100, 1}, Ridge{Ridge: 1}},
		"percentile: 0":   Anova{Keep{1, 0, 1}, Ridge{Ridge: 1}},
		"percentile: 101": Anova{Keep{1, 101, 1}, Ridge{Ridge: 1}},
		"percentile: NaN": Anova{Keep{1, math.NaN(), 1}, Ridge{Ridge: 1}},
		"alpha: 0,":       MutualInformation{Keep{1, 100, 0}, Ridge{Ridge: 1}},
		"alpha: 1.5":      MutualInformation{Keep{1, 100, 1.5}, Ridge{Ridge: 1}},
		"ridge: -1":       MutualInformation{usual, Ridge{Ridge: -1}},
		`test: "t"`:       FDR{"t", 0.1, bh, Ridge{Ridge: 1}},
		"alpha: 1, exp":   FDR{byAnova, 1, bh, Ridge{Ridge: 1}},
		"ridge: +Inf":     FDR{byAnova, 0.1, bh, Ridge{Ridge: math.Inf(1)}},
	} {
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	x, y := drawn(2, false)
	weighted := plainly(x, y, false)
	weighted.Weight = slices.Repeat([]float64{2}, 67)
	negative := plainly(x, y, false)
	negative.X = enginetest.Matrix(slices.Concat(slices.Clone(x[:66]), [][]float64{{0, -1}})...)
	for _, c := range []struct {
		e    engines.Engine
		set  *data.Dataset
		want string
	}{
		{FDR{bySpearman, 0.1, bh, Ridge{}}, weighted, "the rows have weights"},
		{Chi2Kind.Defaults(), negative, "target y: column 1, row 66: value -1, expected a count of 0 or more"},
		{Chi2Kind.Defaults(), plainly([][]float64{{1e308}, {1e308}, {0}}, []float64{0, 0, 1}, false), "target y: column 0, all rows: the values are too large, or too small, to sum"},
		{FDR{byChi2, 0.1, bh, Ridge{Ridge: 1}}, plainly([][]float64{{1e200}, {1e200}, {0}}, []float64{0, 0, 1}, false), "target y: column 0, all rows: the values are too large, or too small, to sum"},
		{MutualInformationKind.Defaults(), plainly(x, y, false), "expected 0 or 1: mutual information is counted"},
		{AnovaKind.Defaults(), plainly([][]float64{{1}, {2}}, []float64{0, 1}, false), "more rows than classes, there are 2 rows of 2 classes"},
		{AnovaKind.Defaults(), plainly([][]float64{{1}, {2}}, []float64{0, 1}, true), "at least 3 rows"},
		{FDRKind.Defaults(), enginetest.Dataset(enginetest.Matrix([]float64{1}), data.Target{Name: "y", Type: data.Real, Rows: []int32{}, Values: []float64{}}), "no training row"},
	} {
		_, err := c.e.Fit(context.Background(), engines.Run{Train: enginetest.View(c.set, nil), Workers: 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	// What the needs declare, so that plans refuse it before.
	if n := MutualInformationKind.Defaults().Needs(); n.Target != data.Class || !n.Binary {
		t.Errorf("%+v", n)
	}
}

// All filters fit their model with one ridge unless a file says another, so that they differ in their selections alone.
func TestOneRidge(t *testing.T) {
	for _, k := range []engines.Kind{Chi2Kind, MutualInformationKind, AnovaKind, FDRKind, SimesKind} {
		found := false
		for _, p := range registry.Params(k.Defaults(), k.Defaults()) {
			if p.Name == "ridge" {
				found = true
				if p.Value != 0.0 {
					t.Errorf("%s: ridge %v, expected 0", k.Name, p.Value)
				}
			}
		}
		if !found {
			t.Errorf("%s has no ridge", k.Name)
		}
	}
}
