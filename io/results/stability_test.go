package results

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results/stability"
)

func near(a, b, tolerance float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance
}

// The file names its source: a computation from the definition that shares nothing with this one.
func letters(sets ...string) [][]string {
	out := make([][]string, len(sets))
	for i, s := range sets {
		out[i] = strings.Split(s, "")
	}
	return out
}

func TestMeanStability(t *testing.T) {
	one, err := stability.Of(letters("abc", "abd", "ab", "ae"), 12)
	if err != nil {
		t.Fatal(err)
	}
	s := MeanStability([]stability.Estimate{one})
	if s.N != 4 || s.Mean != one.Mean || s.SE != one.SE || s.Low != one.Low || s.High != one.High || !math.IsNaN(s.SD) || s.Integers {
		t.Errorf("of one: %+v, want %+v", s, one)
	}
	both := MeanStability([]stability.Estimate{one, {Folds: 3, Mean: one.Mean + 0.5, SE: 0}})
	if both.N != 7 || !near(both.Mean, one.Mean+0.25, 1e-15) || !near(both.SE, one.SE/2, 1e-15) {
		t.Errorf("of two: %+v", both)
	}
	if none := MeanStability(nil); none.N != 0 || !math.IsNaN(none.Mean) || !math.IsNaN(none.Low) {
		t.Errorf("of none: %+v", none)
	}
}

func selecting(algorithm string, fold int32, columns int64, features ...string) Row {
	r := Row{Label: Label{Dataset: "d", Algorithm: algorithm, Cell: algorithm, Fold: fold},
		Outcome: Outcome{Status: OK, Columns: columns, Features: int32(len(features))}}
	for i, f := range features {
		r.Outcome.Selected = append(r.Outcome.Selected, Selected{Rank: int32(i), Feature: f, Coefficient: 1})
	}
	return r
}

// metrics.json has the stability of the folds that ended well; cells without a selection have none.
func TestSummaryHasStability(t *testing.T) {
	failed := selecting("partly", 2, 0)
	failed.Status = Failed
	dense := []Row{selecting("dense", 0, 2, "a", "b"), selecting("dense", 1, 3, "a", "b", "c")}
	rows := slices.Concat([]Row{
		selecting("good", 0, 9, "a", "b"), selecting("good", 1, 10, "a", "b"), selecting("good", 2, 8, "a"),
		selecting("partly", 0, 9, "a"), selecting("partly", 1, 9, "a"), failed,
	}, dense, []Row{
		selecting("once", 0, 9, "a"), selecting("empty", 0, 9), selecting("empty", 1, 9),
		selecting("apart", 0, 9, "a"), selecting("other", 0, 9, "a"), selecting("apart", 1, 9, "a"), selecting("apart", 2, 9, "b"),
	})
	w := newSummaryWriter()
	for i := range rows {
		w.addRow(&rows[i], nil)
	}
	s := w.finish(Meta{}, "")
	want, err := stability.Of(letters("ab", "ab", "a"), 10)
	if err != nil {
		t.Fatal(err)
	}
	good := s.Results["d"]["good"].Metrics[StabilityMetric]
	if *good.Mean != want.Mean || good.N != 3 || good.SE == nil || *good.SE != want.SE || *good.Low != want.Low || *good.High != want.High {
		t.Errorf("%+v, want %+v", good, want)
	}
	if partly := s.Results["d"]["partly"].Metrics[StabilityMetric]; *partly.Mean != 1 || partly.N != 2 || partly.SE != nil || partly.Low != nil {
		t.Errorf("two of three folds: %+v", partly)
	}
	for _, name := range []string{"dense", "once", "empty", "apart", "other"} {
		if m, ok := s.Results["d"][name].Metrics[StabilityMetric]; m.State != Absent || m.Mean != nil || !ok {
			t.Errorf("%s has a stability: %+v", name, m)
		}
	}
}

func TestStudentInterval(t *testing.T) {
	// t of 3 degrees of freedom at 97.5 % is 3.182446305284263 (any table); 120 is beyond what is tabulated: 1.979930405.
	s := Summarise([]float64{1, 2, 3, 4})
	if half := 3.182446305284263 * s.SE; !near(s.Low, 2.5-half, 1e-12) || !near(s.High, 2.5+half, 1e-12) {
		t.Errorf("%v … %v", s.Low, s.High)
	}
	if got := Student975(120); !near(got, 1.979930405, 1e-8) {
		t.Errorf("t of 120: %v", got)
	}
	if one := Summarise([]float64{1}); !math.IsNaN(one.Low) || !math.IsNaN(one.High) {
		t.Errorf("of one value: %v … %v", one.Low, one.High)
	}
}
