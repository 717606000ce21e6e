package narrowed

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/baselines/constant"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
)

func defaults[E engines.Engine](k engines.Kind) E { return k.Defaults().(E) }

func tpc() mdl.MDL {
	e := defaults[mdl.MDL](mdl.Kind)
	e.CoefBits = 0
	return e
}

func TestSuite(t *testing.T) {
	for name, e := range map[string]Engine{
		"classes": {Select: univariate.SimesKind.Defaults(), Refit: logistic.Kind.Defaults()},
		"numbers": {Select: tpc(), Refit: leastsquares.OLSKind.Defaults()},
		"nothing": {Select: constant.Majority{}, Refit: logistic.Kind.Defaults()},
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

// planted is n rows of m columns of noise, of which two carry a number.
func planted(n, m int) *data.Dataset {
	rng := rand.New(rand.NewPCG(4, 4))
	dense, y := make([][]float64, n), make([]float64, n)
	for i := range dense {
		dense[i] = make([]float64, m)
		for j := range dense[i] {
			dense[i][j] = rng.NormFloat64()
		}
		y[i] = 3*dense[i][5] - 2*dense[i][9] + 1 + 0.1*rng.NormFloat64()
	}
	return enginetest.Dataset(enginetest.Matrix(dense...), enginetest.Real("y", y...))
}

// The second model is what it would be on the selected columns alone, under the names of the whole data.
func TestOnTheSelection(t *testing.T) {
	set := planted(60, 20)
	rows := enginetest.View(set, nil)
	run := func(v *data.View) engines.Run {
		return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
	}
	selector := defaults[mdl.MDL](mdl.Kind)
	m, err := Engine{selector, leastsquares.OLSKind.Defaults()}.Fit(t.Context(), run(rows))
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := selector.Fit(t.Context(), run(rows))
	if err != nil {
		t.Fatal(err)
	}
	columns := engines.ColumnsOf(chosen, 20)
	if !slices.Contains(columns, 5) || !slices.Contains(columns, 9) || len(columns) > 6 {
		t.Fatalf("selected %v", columns)
	}
	narrow := rows.Narrow(columns)
	alone, err := leastsquares.OLSKind.Defaults().Fit(t.Context(), run(narrow))
	if err != nil {
		t.Fatal(err)
	}
	want, got := make([]float64, 60), make([]float64, 60)
	alone.Predict(want, narrow.Inputs())
	m.Predict(got, rows.Inputs())
	if !slices.Equal(got, want) {
		t.Errorf("predictions %v, on the columns alone %v", got[:3], want[:3])
	}
	one := make([]float64, 1)
	for i := range 60 {
		if m.(engines.Scorer).Score(one, rows.Row(i)); !(math.Abs(one[0]-want[i]) <= 1e-12) {
			t.Errorf("row %d scored by itself: %v, among the others %v", i, one[0], want[i])
		}
	}
	for k, c := range m.Coefs() {
		own := alone.Coefs()[k]
		if c.Feature != int(columns[own.Feature]) || c.Value != own.Value || c.Bits == nil || c.Rank < 0 {
			t.Errorf("coefficient %+v of %+v", c, own)
		}
	}
}

// choosing is an engine that chooses, and whose fit would fail.
type choosing struct {
	part
	chosen []engines.Coef
}

func (c choosing) Choose(context.Context, engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return c.chosen, engines.Fitted{Stop: "chosen", Evaluated: 20, Best: -1}, nil
}

// An engine that chooses columns by itself fits nothing to them.
func TestChoosesAlone(t *testing.T) {
	never := part{fit: func(engines.Run) (engines.Model, error) { return nil, errors.New("fitted") }}
	rows := enginetest.View(planted(60, 20), nil)
	for _, columns := range [][]int{{5, 9}, {}} {
		e := Engine{choosing{part: never}, leastsquares.OLSKind.Defaults()}
		c := e.Select.(choosing)
		for k, j := range columns {
			c.chosen = append(c.chosen, engines.Coef{Feature: j, Rank: 1 - k, Score: float64(j)})
		}
		e.Select = c
		m, err := e.Fit(t.Context(), runOn(rows))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Coefs(); len(got) != len(columns) || len(got) == 2 && (got[0].Feature != 5 || got[0].Rank != 1 || got[1].Score != 9) {
			t.Errorf("coefficients %+v of %v", got, columns)
		}
		saved, err := engines.Save(m)
		if err != nil || !strings.Contains(string(saved.State), `"columns":[`) {
			t.Errorf("kept as %s, %v", saved.State, err)
		}
	}
}
