package subset

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
)

func TestOracleSuite(t *testing.T) { enginetest.Suite(t, OracleKind.Defaults()) }

// Of two classes that one column divides, the ridge alone keeps its weight finite; another true column that the fold left
// out is noted.
func TestOracleOfClasses(t *testing.T) {
	x := enginetest.Matrix([]float64{5, 1, 0}, []float64{3, 2, 0}, []float64{4, -1, 0}, []float64{6, -2, 0})
	d := enginetest.Dataset(x, enginetest.Class("y", 2, 1, 1, 0, 0), enginetest.Class("same", 2, 1, 1, 1, 1))
	d.Truth = []data.True{{Feature: 1, Value: 3}, {Feature: 2, Value: 1}, {Feature: 0, Target: 1, Value: 1}}
	p, err := prepare.Recipe{Cutoff: 1}.Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	view := p.View(nil)
	m, err := Oracle{Ridge: 1e-3}.Fit(t.Context(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, view.Len()*m.Outputs())
	m.Predict(scores, view.Inputs())
	enginetest.Exp(scores)
	for i := range view.Len() {
		row := scores[i*4 : i*4+4]
		if sum := row[0] + row[1]; !(math.Abs(sum-1) <= 1e-9) || (row[1] > 0.95) != (i < 2) || row[3] != 1 {
			t.Errorf("row %d: %v", i, row)
		}
	}
	for _, c := range m.Coefs() {
		if c.Feature != 1 || c.Output > 1 {
			t.Errorf("coefficient %+v", c)
		}
	}
	if notes := m.(engines.Reporter).Fitted().Notes; len(notes) != 1 || notes[0] != "1 true coefficients are of columns that the fold does not have" {
		t.Errorf("notes %q", notes)
	}
	if _, err := (Oracle{Ridge: 1}).Fit(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(x, enginetest.Real("y", 1, 2, 3, 4)), nil)}); err == nil {
		t.Error("an oracle without a truth")
	}
	for _, ridge := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if got := enginetest.Fields(Oracle{Ridge: ridge}.Validate()); got != "ridge" {
			t.Errorf("ridge %v: complaints about %q", ridge, got)
		}
	}
}

// The model goes by the target and by how many columns there are.
func TestFor(t *testing.T) {
	x := enginetest.Random(1, 6, 3, 0.7, false)
	number, class, one := enginetest.Real("y", 1, 2, 3, 4, 5, 6), enginetest.Class("c", 2, 0, 1, 0, 1, 1, 1), enginetest.Class("c", 2, 1, 1, 1, 1, 1, 1)
	for _, c := range []struct {
		name    string
		target  data.Target
		columns []int32
		want    string
	}{
		{"numbers", number, []int32{0, 1}, "OLS"}, {"numbers, one column", number, []int32{2}, "OLS"}, {"numbers, none", number, []int32{}, "Mean"},
		{"classes", class, []int32{0, 1}, "Logistic"}, {"classes, one column", class, []int32{1}, "Logistic"}, {"classes, none", class, []int32{}, "Majority"},
		{"one class", one, []int32{0, 1}, "Majority"},
	} {
		v := enginetest.View(enginetest.Dataset(x, c.target), nil).Narrow(c.columns)
		e := For(v, 1)
		if got := typeOf(e); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if err := e.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := typeOf(For(v.Sub([]int32{3}), 1)); c.target.Type == data.Class && got != "Majority" {
			t.Errorf("%s, one row: %s", c.name, got)
		}
	}
}

func typeOf(e engines.Engine) string { return reflect.TypeOf(e).Name() }

// The truth names columns in any order, and a column more than once.
func TestOrderOfTheTruth(t *testing.T) {
	d := enginetest.Dataset(enginetest.Random(2, 30, 5, 0.6, false), enginetest.Real("a", ramp(30)...))
	var first []engines.Coef
	for k, columns := range [][]int32{{1, 3, 4}, {4, 1, 3}, {3, 4, 3, 1, 1}} {
		d.Truth = []data.True{}
		for _, j := range columns {
			d.Truth = append(d.Truth, data.True{Feature: j, Value: 1})
		}
		m, err := Oracle{Ridge: 1}.Fit(t.Context(), engines.Run{Train: enginetest.View(d, nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if k == 0 {
			first = m.Coefs()
		}
		if len(first) != 3 || !slices.Equal(m.Coefs(), first) {
			t.Errorf("truth %v: coefficients %v, want %v", columns, m.Coefs(), first)
		}
	}
}

// What is told is that of the regressions together.
func TestOracleTells(t *testing.T) {
	d := enginetest.Dataset(enginetest.Random(2, 30, 5, 0.6, false), enginetest.Real("a", ramp(30)...), enginetest.Real("b", ramp(30)...))
	iterations := func(truth ...data.True) int {
		d.Truth = truth
		m, err := Oracle{Ridge: 1}.Fit(t.Context(), engines.Run{Train: enginetest.View(d, nil), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		f := m.(engines.Reporter).Fitted()
		if len(f.Notes) > 0 {
			t.Errorf("notes %q", f.Notes)
		}
		return f.Iterations
	}
	a, b := data.True{Feature: 0, Target: 0, Value: 1}, data.True{Feature: 3, Target: 1, Value: 1}
	if one, other, both := iterations(a), iterations(b), iterations(a, b); one == 0 || other == 0 || both != one+other {
		t.Errorf("%d and %d iterations, together %d", one, other, both)
	}
}

func ramp(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = float64(i % 7)
	}
	return y
}
