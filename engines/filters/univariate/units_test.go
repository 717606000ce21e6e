package univariate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// TestOracleUnits: χ² of the table of a variable's levels.
func TestOracleUnits(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"unit_chi2": func(t *testing.T, c oracle.Case) {
		var in struct {
			X    [][]float64
			Y    []float64
			Unit []int32
		}
		var options struct{}
		var want struct{ Score, P []float64 }
		c.Parts(t, &in, &options, &want)
		target := enginetest.Class("y", 1+int(slices.Max(in.Y)), in.Y...)
		view := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(in.X...), target), data.Treatment{Unit: data.Numbered(in.Unit), Together: true})
		r, err := Chi2{Of: ofSums, Keep: usual}.filter().Rank(t.Context(), engines.Run{Train: view, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		oracle.NearAll(t, "score", r.Score, want.Score, 1e-9)
		oracle.NearAll(t, "p", r.P, want.P, 1e-9)
	}})
}

// variables are two categorical columns, of three levels and of two, and two columns by themselves.
func variables(target data.Target, further data.Treatment) *data.View {
	x := [][]float64{}
	for i := range 24 {
		row := []float64{0, 0, 0, 0, 0, float64(i % 2), float64((i / 5) % 2)}
		row[i%3] = 1
		row[3+(i/2)%2] = 1
		x = append(x, row)
	}
	further.Unit, further.Together = []int32{0, 0, 0, 1, 1, 2, 3}, true
	further.Name = []string{"colour", "size", "", ""}
	return enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), target), further)
}

// The tests of units are those of tables, and of regression on all columns of a variable.
func TestUnits(t *testing.T) {
	t.Parallel()
	var y, classes []float64
	for i := range 24 {
		y = append(y, []float64{1, 4, -2}[i%3]+math.Sin(float64(i)))
		classes = append(classes, []float64{0, 1}[min(1, i%3*(i%7))])
	}
	numbers, byClass := variables(enginetest.Real("y", y...), data.Treatment{}), variables(enginetest.Class("c", 2, classes...), data.Treatment{})
	choose := func(e engines.Chooser, v *data.View) []engines.Coef {
		t.Helper()
		chosen, _, err := e.Choose(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return chosen
	}
	one := Keep{Features: 1, Percentile: 100, Alpha: 1}
	var columns []int
	for _, c := range choose(Anova{Keep: one}, numbers) {
		columns = append(columns, c.Feature)
		// 1 − RSS/TSS of the means of three levels, over 2 and 21 degrees of freedom
		var mean [3]float64
		whole, rss, tss := 0.0, 0.0, 0.0
		for i, v := range y {
			mean[i%3] += v / 8
			whole += v / 24
		}
		for i, v := range y {
			rss += (v - mean[i%3]) * (v - mean[i%3])
			tss += (v - whole) * (v - whole)
		}
		if want := (tss - rss) / 2 / (rss / 21); !(math.Abs(c.Score-want) <= 1e-9*want) {
			t.Errorf("F %v, expected %v", c.Score, want)
		}
	}
	if !slices.Equal(columns, []int{0, 1, 2}) {
		t.Errorf("anova selects %v, expected the three columns of one variable", columns)
	}
	chi2 := choose(Chi2{Of: ofSums, Keep: one}, byClass)
	information := choose(MutualInformation{Keep: one}, byClass)
	table, level, class := [][]float64{{4, 4}, {4, 4}, {4, 4}}, []float64{8, 8, 8}, []float64{12, 12}
	for i := range table {
		table[i] = make([]float64, 2)
	}
	for i, k := range classes {
		table[i%3][int(k)]++
	}
	for k := range class {
		class[k] = 0
		for l := range level {
			class[k] += table[l][k]
		}
	}
	score, statistic := 0.0, 0.0
	for l := range table {
		for k, n := range table[l] {
			e := level[l] * class[k] / 24
			statistic += (n - e) * (n - e) / e
			if n > 0 {
				score += n / 24 * math.Log(n/e)
			}
		}
	}
	if len(chi2) != 3 || !(math.Abs(chi2[0].Score-statistic) <= 1e-9) {
		t.Errorf("chi2 %+v, expected three columns of %v", chi2, statistic)
	}
	if len(information) != 3 || !(math.Abs(information[0].Score-score) <= 1e-9) {
		t.Errorf("mutual information %+v, expected three columns of %v", information, score)
	}
	for _, c := range choose(Anova{Keep: one}, byClass) {
		alone, err := Anova{Keep: one}.filter().Rank(t.Context(), engines.Run{Train: byClass.Alike(), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if most := slices.Max(alone.Score[:3]); c.Score != most {
			t.Errorf("anova of classes scores a unit %v, expected %v, the largest of its columns", c.Score, most)
		}
	}
}

// A variable of which all rows have one level, as those of a part of the rows may, tells nothing, whatever rounding makes of the mean.
func TestUnitOfOneLevel(t *testing.T) {
	t.Parallel()
	var x [][]float64
	var y, classes []float64
	for i := range 21 {
		x = append(x, []float64{1, 0, float64(i % 3 % 2)})
		y, classes = append(y, 0.1+math.Sin(float64(i))), append(classes, float64(i%2))
	}
	of := data.Treatment{Unit: []int32{0, 0, 1}, Together: true}
	for _, c := range []struct {
		e      engines.Chooser
		target data.Target
	}{
		{Anova{Keep: usual}, enginetest.Real("y", y...)}, {Anova{Keep: usual}, enginetest.Class("c", 2, classes...)},
		{Chi2{Of: ofSums, Keep: usual}, enginetest.Class("c", 2, classes...)}, {MutualInformation{Keep: usual}, enginetest.Class("c", 2, classes...)},
	} {
		v := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), c.target), of)
		chosen, _, err := c.e.Choose(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil || len(chosen) != 1 || chosen[0].Feature != 2 {
			t.Errorf("%T of %s: %+v, %v", c.e, c.target.Type, chosen, err)
		}
	}
}

// A variable is kept whole, or the error says which columns of it differ.
func TestUnitsKept(t *testing.T) {
	t.Parallel()
	y := make([]float64, 24)
	for i := range y {
		y[i] = float64(i % 4)
	}
	e := Anova{Keep: Keep{Features: 1, Percentile: 100, Alpha: 1}}
	v := variables(enginetest.Real("y", y...), data.Treatment{Factor: []float64{0, 0, 0, 1, 1, 1, 1}})
	chosen, _, err := e.Choose(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(chosen) < 4 || chosen[0].Feature != 0 || chosen[2].Feature != 2 {
		t.Errorf("kept and selected %+v, expected columns 0 to 2 and one unit more", chosen)
	}
	v = variables(enginetest.Real("y", y...), data.Treatment{Factor: []float64{0, 1, 1, 1, 1, 1, 1}})
	if _, _, err := e.Choose(t.Context(), engines.Run{Train: v, Workers: 1}); err == nil || !strings.Contains(err.Error(), "keep all columns of a variable") {
		t.Errorf("a variable of which a level is kept: %v", err)
	}
}
