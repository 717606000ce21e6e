package univariate

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

func TestSuite(t *testing.T) {
	t.Run("correlation", func(t *testing.T) { enginetest.Suite(t, SimesKind.Defaults()) })
	t.Run("hypergeometric", func(t *testing.T) {
		enginetest.Suite(t, Simes{Test: byHypergeometric, Alpha: 0.5, Ridge: Ridge{Ridge: 1}})
	})
}

// teas are eight cups, in two kinds: the first column tells them apart but for one cup of each, the second is its opposite,
// the third is constant, the fourth tells nothing.
func teas(positive int, values ...float64) *data.Dataset {
	set := enginetest.Dataset(enginetest.Matrix(
		[]float64{1, 0, 1, 1}, []float64{1, 0, 1, 0}, []float64{1, 0, 1, 1}, []float64{1, 0, 1, 0}, []float64{1, 0, 1, 1}, []float64{0, 1, 1, 0},
		[]float64{0, 1, 1, 1}, []float64{0, 1, 1, 0}, []float64{0, 1, 1, 1}, []float64{0, 1, 1, 0}, []float64{0, 1, 1, 1}, []float64{1, 0, 1, 0},
	), enginetest.Class("milk", 2, values...))
	set.Targets[0].Positive = positive
	return set
}

var milk = []float64{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0}

func selection(t *testing.T, e Simes, set *data.Dataset) (engines.Model, []engines.Coef) {
	t.Helper()
	m, err := e.Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m, m.Coefs()
}

// A column and its opposite: whichever goes with the positive class is selected. Five of six in either kind: the odds are
// 5 to 1 both ways, so the slope is 2·log 5 but for the ridge.
func TestSelector(t *testing.T) {
	for _, test := range []string{byCorrelation, byHypergeometric} {
		for level, column := range []int{1, 0} {
			e := Simes{Test: test, Alpha: 0.2, Ridge: Ridge{Ridge: 1e-9}}
			m, coefs := selection(t, e, teas(level, milk...))
			if len(coefs) != 1 || coefs[0].Feature != column || coefs[0].Output != 1 || coefs[0].Rank != 0 {
				t.Fatalf("%s, level %d: %+v", test, level, coefs)
			}
			sign := float64(2*level - 1)
			oracle.Near(t, "slope", sign*coefs[0].Value, 2*math.Log(5), 1e-6)
			set := teas(level, milk...)
			y := slices.Clone(milk)
			if level == 0 {
				for i := range y {
					y[i] = 1 - y[i]
				}
			}
			p, err := e.test(context.Background(), set.X, y, nil, 12)
			if err != nil {
				t.Fatal(err)
			}
			oracle.Near(t, "score", coefs[0].Score, p[column], 0)
			scores := make([]float64, 2*12)
			m.Predict(scores, enginetest.View(set, nil).Inputs())
			enginetest.Exp(scores)
			oracle.NearAll(t, "probabilities", scores[:2], []float64{1. / 6, 5. / 6}, 1e-6)
			oracle.NearAll(t, "probabilities", scores[10:12], []float64{5. / 6, 1. / 6}, 1e-6)
		}
	}
}

// Nothing selected, or a single class, leaves the classes' shares.
func TestNoneSelected(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   []float64
	}{
		{[]float64{1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, []float64{0.75, 0.25}},
		{make([]float64, 12), []float64{1, 0}},
		{slices.Repeat([]float64{1}, 12), []float64{0, 1}},
	} {
		for level := range 2 {
			m, coefs := selection(t, Simes{Test: byCorrelation, Alpha: 0.01, Ridge: Ridge{Ridge: 1}}, teas(level, c.values...))
			scores := make([]float64, 2)
			m.Predict(scores, enginetest.View(teas(level, c.values...), []int32{3}).Inputs())
			oracle.NearAll(t, "shares", enginetest.Exp(scores), c.want, 1e-12)
			if f := m.(engines.Reporter).Fitted(); len(coefs) > 0 || f.Stop != "none_selected" || !f.Probabilities {
				t.Errorf("%v, %+v", coefs, f)
			}
		}
	}
}

// A target that is defined on some rows is tested and fitted on these.
func TestSomeRows(t *testing.T) {
	set := teas(1, milk...)
	part := set.Targets[0]
	part.Rows, part.Values = []int32{0, 1, 2, 3, 6, 7, 8, 9, 10}, []float64{1, 1, 1, 1, 0, 0, 0, 0, 0}
	set.Targets[0] = part
	e := Simes{Test: byCorrelation, Alpha: 0.05, Ridge: Ridge{Ridge: 0.1}}
	_, coefs := selection(t, e, set)
	alone := teas(1, milk...).Select(part.Rows)
	_, want := selection(t, e, alone)
	if len(coefs) != 1 || coefs[0] != want[0] {
		t.Errorf("got %+v, want %+v", coefs, want)
	}
}

func TestSelectorRefusals(t *testing.T) {
	for want, e := range map[string]Simes{
		`test: "fisher"`: {Test: "fisher", Alpha: 0.05, Ridge: Ridge{Ridge: 1}},
		"alpha: 1":       {Test: byCorrelation, Alpha: 1, Ridge: Ridge{Ridge: 1}},
		"ridge: -1":      {Test: byCorrelation, Alpha: 0.05, Ridge: Ridge{Ridge: -1}},
	} {
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	weighted := teas(1, milk...)
	weighted.Weight = slices.Repeat([]float64{2}, 12)
	few := teas(1, milk...).Select([]int32{0, 8})
	few.Targets[0].Levels = []string{"no", "yes"}
	exact := SimesKind.Defaults().(Simes)
	exact.Test = byHypergeometric
	if _, err := exact.Fit(t.Context(), engines.Run{Train: enginetest.View(weighted, nil), Workers: 1}); err == nil || !strings.Contains(err.Error(), "the rows have weights; expected correlation") {
		t.Errorf("got %v", err)
	}
	for want, set := range map[string]*data.Dataset{
		"at least 3 rows": few,
		"3 levels":        enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{0}, []float64{1}), enginetest.Class("y", 3, 0, 1, 2)),
	} {
		_, err := SimesKind.Defaults().Fit(context.Background(), engines.Run{Train: enginetest.View(set, nil), Workers: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
