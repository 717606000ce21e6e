package redundancy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/univariate"
)

// engineOf is the engine of a criterion, by the name that reference cases have for it.
func engineOf(t *testing.T, criterion string, size int) engines.Engine {
	t.Helper()
	for _, k := range []engines.Kind{MIMKind, JMIKind, JMIMKind, NJMIMKind, DISRKind, CMIMKind} {
		if k.Name == criterion {
			e := k.Defaults().(Informed)
			e.Features, e.Discretize = size, eachValue
			return e
		}
	}
	e := MRMRKind.Defaults().(MRMR)
	e.Features, e.Discretize = size, eachValue
	switch criterion {
	case "mid":
		return e
	case "miq":
		e.Form = asQuotient
		return e
	}
	t.Fatalf("no engine of %q", criterion)
	return nil
}

// chosen columns in order of entry, and their scores.
func chosen(t *testing.T, e engines.Engine, set *data.Dataset) (order []int, scores []float64) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	cs, _, err := e.(engines.Chooser).Choose(t.Context(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(cs, func(a, b engines.Coef) int { return cmp.Compare(a.Rank, b.Rank) })
	for _, c := range cs {
		order, scores = append(order, c.Feature), append(scores, c.Score)
	}
	return order, scores
}

func classes(x [][]float64, y []float64) *data.Dataset {
	return enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 1+int(slices.Max(y)), y...))
}

func TestOracleFilters(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"info_filter": checkFilter, "info_numeric": checkNumeric, "info_variance": checkVariance})
}

type filterCase struct {
	in struct {
		X [][]float64
		Y []float64
	}
	options struct {
		Criterion, Target, Form string
		Size                    int
	}
	want struct {
		Selected                    []int
		Scores, Relevance, Variance []float64
	}
}

func checkFilter(t *testing.T, c oracle.Case) {
	var f filterCase
	c.Parts(t, &f.in, &f.options, &f.want)
	order, scores := chosen(t, engineOf(t, f.options.Criterion, f.options.Size), classes(f.in.X, f.in.Y))
	if !slices.Equal(order, f.want.Selected) {
		t.Errorf("selected %v, want %v", order, f.want.Selected)
	}
	oracle.NearAll(t, "scores", scores, f.want.Scores, 1e-9)
}

func checkNumeric(t *testing.T, c oracle.Case) {
	var f filterCase
	c.Parts(t, &f.in, &f.options, &f.want)
	set := enginetest.Dataset(enginetest.Matrix(f.in.X...), enginetest.Real("y", f.in.Y...))
	if f.options.Target == "class" {
		set = classes(f.in.X, f.in.Y)
	}
	e := MRMRKind.Defaults().(MRMR)
	e.Measure, e.Form, e.Features = ofCorrelation, f.options.Form, f.options.Size
	order, scores := chosen(t, e, set)
	if !slices.Equal(order, f.want.Selected) {
		t.Errorf("selected %v, want %v", order, f.want.Selected)
	}
	oracle.NearAll(t, "scores", scores, f.want.Scores, 1e-8)
	m, err := newCorrelations(t.Context(), enginetest.View(set, nil), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	oracle.NearAll(t, "relevance", m.relevance(), f.want.Relevance, 1e-8)
}

func checkVariance(t *testing.T, c oracle.Case) {
	var f filterCase
	c.Parts(t, &f.in, &f.options, &f.want)
	e := VarianceKind.Defaults().(Variance)
	e.Features = f.options.Size
	set := enginetest.Dataset(enginetest.Matrix(f.in.X...), enginetest.Real("y", make([]float64, len(f.in.X))...))
	if order, _ := chosen(t, e, set); !slices.Equal(order, f.want.Selected) {
		t.Errorf("selected %v, want %v", order, f.want.Selected)
	}
	v, err := variances(t.Context(), enginetest.View(set, nil))
	if err != nil {
		t.Fatal(err)
	}
	oracle.NearAll(t, "variance", v, f.want.Variance, 1e-9)
}

// entropy of rows by their keys: the definition.
func entropy(keys ...[]float64) float64 {
	count, h := map[string]float64{}, 0.0
	for i := range keys[0] {
		key := ""
		for _, k := range keys {
			key += fmt.Sprint(k[i], " ")
		}
		count[key]++
	}
	n := float64(len(keys[0]))
	for _, c := range count {
		h -= c / n * math.Log(c/n)
	}
	return h
}

// literally is the search by the definitions, on dense columns: the score of every column at a step, by criterion.
func literally(criterion string, x [][]float64, y []float64, selected []int, j int) float64 {
	column := func(j int) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = x[i][j]
		}
		return out
	}
	a := column(j)
	relevance := entropy(a) + entropy(y) - entropy(a, y)
	if len(selected) == 0 {
		return relevance
	}
	sum, least := 0.0, math.Inf(1)
	for _, s := range selected {
		b := column(s)
		joint := entropy(a, b) + entropy(y) - entropy(a, b, y)
		v := map[string]float64{
			"mid": entropy(a) + entropy(b) - entropy(a, b), "miq": entropy(a) + entropy(b) - entropy(a, b),
			"jmi": joint, "jmim": joint, "disr": joint / entropy(a, b, y), "njmim": joint / entropy(a, b, y),
			"cmim": entropy(a, b) + entropy(b, y) - entropy(b) - entropy(a, b, y),
		}[criterion]
		sum, least = sum+v, min(least, v)
	}
	k := float64(len(selected))
	return map[string]float64{
		"mim": relevance, "mid": relevance - sum/k, "miq": relevance / max(1e-10, sum/k),
		"jmi": sum, "disr": sum, "jmim": least, "njmim": least, "cmim": min(relevance, least),
	}[criterion]
}

var allCriteria = []string{"mim", "mid", "miq", "jmi", "disr", "jmim", "njmim", "cmim"}

// drawnLevels is rows with columns of up to so many levels, of which the first goes with the class, the last repeats the first and the
// one before it is constant. Negative levels are among them.
func drawnLevels(seed uint64, rows, columns, levels, classes int) (x [][]float64, y []float64) {
	rng := rand.New(rand.NewPCG(seed, uint64(levels)))
	for range rows {
		c := rng.IntN(classes)
		row := make([]float64, columns)
		for j := range columns - 2 {
			v := rng.IntN(levels)
			if j%3 == 0 && rng.IntN(3) > 0 {
				v = c % levels
			}
			if j%2 == 0 && rng.IntN(3) == 0 {
				v = 0
			}
			row[j] = float64(v)
			if levels > 2 && j%4 == 1 {
				row[j] -= 1
			}
		}
		row[columns-2], row[columns-1] = 1, row[0]
		x, y = append(x, row), append(y, float64(c))
	}
	return x, y
}

// Every criterion scores, step by step, as its definition does on dense columns, and takes the first of the best; for 0/1 columns and
// those of several levels.
func TestAsDefined(t *testing.T) {
	t.Parallel()
	for _, levels := range []int{2, 4} {
		for seed := range uint64(3) {
			x, y := drawnLevels(seed, 80, 12, levels, 3)
			for _, name := range allCriteria {
				order, scores := chosen(t, engineOf(t, name, 0), classes(x, y))
				if len(order) < 4 {
					t.Fatalf("%s: %d columns are too few to compare", name, len(order))
				}
				for k := range order {
					best, most := -1, math.Inf(-1)
					for j := range x[0] {
						if j == 10 || slices.Contains(order[:k], j) {
							continue
						}
						if v := literally(name, x, y, order[:k], j); v > most+1e-9*math.Abs(v) {
							best, most = j, v
						}
					}
					if order[k] != best {
						t.Errorf("%s, %d levels: column %d entered after %v, want %d", name, levels, order[k], order[:k], best)
					}
					oracle.Near(t, fmt.Sprintf("%s, %d levels: score %d", name, levels, k), scores[k], most, 1e-9)
				}
			}
		}
	}
}

// What cannot change a selection: a constant added to all values, the way rows are ordered, workers, a class without rows, columns that
// tell nothing, and what lies behind the columns selected.
func TestSelectionLaws(t *testing.T) {
	t.Parallel()
	x, y := drawnLevels(7, 60, 14, 3, 3)
	changed := map[string]*data.Dataset{"values": nil, "rows": nil, "class": classes(x, y), "columns": nil}
	var moved, turned, wider [][]float64
	var turnedY []float64
	for i, row := range x {
		var m []float64
		for _, v := range row {
			m = append(m, 10*v+5)
		}
		moved, wider = append(moved, m), append(wider, append(slices.Clone(row), 0, 3))
		turned, turnedY = append(turned, x[len(x)-1-i]), append(turnedY, y[len(x)-1-i])
	}
	changed["values"], changed["rows"], changed["columns"] = classes(moved, y), classes(turned, turnedY), classes(wider, y)
	changed["class"].Targets[0].Levels = append(changed["class"].Targets[0].Levels, "never")
	for _, name := range allCriteria {
		order, scores := chosen(t, engineOf(t, name, 6), classes(x, y))
		for what, set := range changed {
			other, otherScores := chosen(t, engineOf(t, name, 6), set)
			if !slices.Equal(order, other) {
				t.Errorf("%s: %s change the selection from %v to %v", name, what, order, other)
			}
			oracle.NearAll(t, name+": scores after a change of "+what, otherScores, scores, 1e-9)
		}
		if fewer, _ := chosen(t, engineOf(t, name, 3), classes(x, y)); !slices.Equal(fewer, order[:3]) {
			t.Errorf("%s: three are %v of %v", name, fewer, order)
		}
		cs, _, err := engineOf(t, name, 6).(engines.Chooser).Choose(t.Context(), engines.Run{Train: enginetest.View(classes(x, y), nil), Workers: 7})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			if order[c.Rank] != c.Feature || scores[c.Rank] != c.Score {
				t.Errorf("%s: seven workers have %+v, one %v %v", name, c, order, scores)
			}
		}
	}
}

// A copy of a column enters next by mim, never by cmim, at last by mrmr, which goes on below 0, and with a score of 0 by a quotient of correlations.
func TestCopies(t *testing.T) {
	t.Parallel()
	x, y := drawnLevels(3, 90, 8, 2, 2) // column 7 repeats 0
	order, _ := chosen(t, engineOf(t, "mim", 0), classes(x, y))
	if at := slices.Index(order, 0); at+1 == len(order) || order[at+1] != 7 {
		t.Errorf("mim: %v", order)
	}
	if order, _ := chosen(t, engineOf(t, "cmim", 0), classes(x, y)); slices.Contains(order, 7) || !slices.Contains(order, 0) {
		t.Errorf("cmim: %v", order)
	}
	e := engineOf(t, "mid", 0).(MRMR)
	all, scores := chosen(t, e, classes(x, y))
	if len(all) != 7 || scores[len(scores)-1] >= 0 {
		t.Errorf("mrmr: %v with %v, expected all that vary, the last of them below 0", all, scores)
	}
	e.Positive = true
	some, _ := chosen(t, e, classes(x, y))
	if n := len(some); n == 0 || n == len(all) || !slices.Equal(some, all[:n]) || scores[n-1] <= 0 || scores[n] > 0 {
		t.Errorf("mrmr with positive: %v of %v", some, all)
	}
	for i, row := range x {
		x[i] = []float64{row[0], row[0]}
	}
	if order, scores := chosen(t, MRMR{ofCorrelation, asQuotient, false, Size{}, cutWhereMany, plain}, classes(x, y)); !slices.Equal(order, []int{0, 1}) || scores[1] != 0 {
		t.Errorf("quotient of correlations: %v with %v", order, scores)
	}
}

// Correlations are those of the columns as they are: sparse, dense, far from zero, and of numbers and classes; by the definition.
func TestCorrelationsAsDefined(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	var x [][]float64
	var y []float64
	for range 50 {
		row := make([]float64, 7)
		for j := range row {
			if row[j] = rng.NormFloat64(); j%2 == 1 && rng.IntN(3) > 0 {
				row[j] = 0
			}
		}
		y = append(y, row[0]+row[2]+0.5*row[3]+rng.NormFloat64())
		row[4] = 1e6 + row[0] + 0.1*row[4]
		row[6] = 7
		x = append(x, row)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	r := func(a, b func(i int) float64) float64 {
		var ma, mb, aa, ab, bb float64
		for i := range x {
			ma, mb = ma+a(i)/50, mb+b(i)/50
		}
		for i := range x {
			aa, ab, bb = aa+(a(i)-ma)*(a(i)-ma), ab+(a(i)-ma)*(b(i)-mb), bb+(b(i)-mb)*(b(i)-mb)
		}
		return ab / math.Sqrt(aa*bb)
	}
	column := func(j int) func(i int) float64 { return func(i int) float64 { return x[i][j] } }
	for _, form := range []string{asDifference, asQuotient} {
		order, scores := chosen(t, MRMR{ofCorrelation, form, false, Size{}, cutWhereMany, plain}, set)
		if len(order) != 6 {
			t.Fatalf("%s: %v", form, order)
		}
		for k, j := range order {
			with := r(column(j), func(i int) float64 { return y[i] })
			f, mean := with*with/(1-with*with)*48, 0.0
			for _, s := range order[:k] {
				one := math.Abs(r(column(j), column(s)))
				if form == asQuotient {
					one = max(0.001, one)
				}
				mean += one / float64(k)
			}
			switch {
			case k > 0 && form == asQuotient:
				f /= mean
			case k > 0:
				f -= mean
			}
			oracle.Near(t, fmt.Sprintf("%s: score of column %d", form, j), scores[k], f, 1e-8)
		}
	}
}

// onClasses asks the suite for classes.
type onClasses struct{ engines.Engine }

func (e onClasses) Needs() engines.Needs {
	n := e.Engine.Needs()
	n.Target = data.Class
	return n
}

// The laws of engines, with what the defaults leave out: cut values, quotients, correlations, numbers, few columns.
func TestSuite(t *testing.T) {
	t.Parallel()
	few := Size{4}
	for name, e := range map[string]engines.Engine{
		"jmi of equal widths":   Informed{few, Levels{Discretize: equalWidth, Bins: 5}, plain, &jmi},
		"cmim of frequencies":   Informed{few, Levels{Discretize: equalFrequency, Bins: 3}, plain, &cmim},
		"jmim at cuts":          Informed{few, Levels{Discretize: atCuts, Bins: 10, Cuts: []float64{0, 1}}, plain, &jmim},
		"disr as praznik":       Informed{few, Levels{Discretize: asPraznik, Bins: 10}, plain, &disr},
		"mrmr quotient":         MRMR{ofInformation, asQuotient, false, few, asTheyAre, plain},
		"mrmr of classes":       onClasses{MRMR{ofCorrelation, asQuotient, false, few, cutWhereMany, plain}},
		"mrmr of numbers":       MRMR{ofCorrelation, asQuotient, false, few, cutWhereMany, plain},
		"mrmr of positive":      MRMR{ofCorrelation, asDifference, true, few, cutWhereMany, plain},
		"variance, few columns": Variance{few, plain},
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

// A path hands out what fits of their own would give, and says where it ends.
func TestPath(t *testing.T) {
	t.Parallel()
	x, y := drawnLevels(11, 70, 9, 2, 3)
	for _, name := range allCriteria {
		kept := map[int]engines.Model{}
		last, err := engineOf(t, name, 50).Fit(t.Context(), engines.Run{
			Train: enginetest.View(classes(x, y), nil), Workers: 2, At: []int{1, 3, 50}, Keep: func(size int, m engines.Model) { kept[size] = m },
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 3} {
			own, err := engineOf(t, name, size).Fit(t.Context(), engines.Run{Train: enginetest.View(classes(x, y), nil), Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := enginetest.Same(kept[size], own, enginetest.View(classes(x, y), nil)); err != nil {
				t.Errorf("%s: size %d and a fit of its own: %v", name, size, err)
			}
		}
		f := last.(engines.Reporter).Fitted()
		if kept[50] != nil || f.Stop != "exhausted" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Nothing that tells anything: the model is the shares of the classes.
func TestNothingSelected(t *testing.T) {
	t.Parallel()
	x, _ := drawnLevels(1, 40, 6, 2, 2)
	for _, name := range allCriteria {
		one := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, make([]float64, len(x))...))
		m, err := engineOf(t, name, 5).Fit(t.Context(), engines.Run{Train: enginetest.View(one, nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if f := m.(engines.Reporter).Fitted(); len(m.Coefs()) > 0 || f.Stop != "none_selected" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// mim is mutual-information, of columns of 0 and 1.
func TestMIMIsMutualInformation(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		x, y := drawnLevels(seed, 150, 30, 2, 3)
		theirs := univariate.MutualInformationKind.Defaults().(univariate.MutualInformation)
		theirs.Features = 12
		want, wantScores := chosen(t, theirs, classes(x, y))
		order, scores := chosen(t, engineOf(t, "mim", 12), classes(x, y))
		if !slices.Equal(order, want) {
			t.Errorf("selected %v, mutual-information %v", order, want)
		}
		oracle.NearAll(t, "scores", scores, wantScores, 1e-9)
	}
}
