package cells

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/io/results/stability"
)

// along is a fold with scores at some sizes; the final model scores one more than the last.
func along(fold int32, sizes ...int32) results.Row {
	r := row("sgc", "1", fold, results.OK, results.Param{Name: "lookahead", Value: int64(fold / 10)})
	for i, at := range sizes {
		for _, s := range []results.Score{{Metric: "accuracy", Value: float64(at) + float64(fold), Higher: true}, {Metric: "selected", Value: float64(at)}} {
			s.Point = at
			r.Scores = append(r.Scores, s)
			if s.Point = -1; i == len(sizes)-1 {
				s.Value++
				r.Scores = append(r.Scores, s)
			}
		}
	}
	r.Outcome.Selected, r.Features = picks("abc"), 3
	r.Outcome.Predictions.Row = []string{"1"}
	return r
}

func TestAtPoints(t *testing.T) {
	failed := row("ifs", "2", 0, results.Failed)
	rows := []results.Row{along(0, 10, 2, 300), along(1, 2, 10), failed, scored("maxent", "3", 0.5, results.OK)}
	final := Group(rows)
	for _, dims := range [][]string{nil, {"algorithm", "metric"}} {
		if same, err := AtPoints(InRows{}, final, dims...); err != nil || len(same) != 3 || same[0] != final[0] {
			t.Errorf("where no dimension is point: %d cells, %v", len(same), err)
		}
	}
	cs, err := AtPoints(InRows{}, final, "algorithm", "point")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cs {
		s := c.Stat("accuracy")
		got = append(got, fmt.Sprintf("%s: %g of %d, %s", c.AlgorithmLabel(), s.Mean, s.N, c.Trouble()))
	}
	want := "sgc lookahead=0 point=2: 2.5 of 2, ; sgc lookahead=0 point=10: 10.5 of 2, ; sgc lookahead=0 point=300: 300 of 1, ; ifs: NaN of 0, 1/2 failed, 1/2 missing; maxent x=3: 0.5 of 1, 1/2 missing"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got\n%s, want\n%s", text, want)
	}
	if c := final[0]; len(c.Grid) != 1 || c.Stat("accuracy").Mean != 156.5 {
		t.Errorf("the cell itself changed: %+v", c.Stat("accuracy"))
	}
	if !cs[0].Higher("accuracy") || cs[0].Key != "1" || cs[0].Rows[0].Features != 2 {
		t.Errorf("%+v", cs[0].Rows[0])
	}
	if kept, err := Select(cs, map[string]string{"point": "10"}); err != nil || len(kept) != 3 {
		t.Errorf("at 10 and without points: %d cells, %v", len(kept), err)
	}
}

// What belongs to the final model is not taken for another one's.
func TestPointsHaveNoPredictions(t *testing.T) {
	cs, err := AtPoints(InRows{}, Group([]results.Row{along(0, 2, 10), along(1, 2, 10)}), "point")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cs {
		r := c.Rows[0]
		if p, err := (InRows{}).Predictions(r); err != nil || len(p.Row) > 0 || r.Cell != "" {
			t.Errorf("predictions %v, %v, of cell %q", p.Row, err, r.Cell)
		}
	}
}

// At a size the selections are the first so many; where they are not what the model of that size has, nothing is measured.
func TestStabilityAtSizes(t *testing.T) {
	fold := func(k int32, features string, sizes ...int32) results.Row {
		r := along(k, sizes...)
		r.Columns, r.Outcome.Selected, r.Features = 10, picks(features), int32(len(features))
		return r
	}
	measured := func(rows ...results.Row) (out []string) {
		cs, err := AtPoints(InRows{}, Group(rows), "point")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cs {
			s, err := StabilityOf(InRows{}, c, results.StabilityMetric)
			if err != nil {
				out = append(out, WhyNot(err))
				continue
			}
			out = append(out, fmt.Sprintf("%.4f", s.Mean))
		}
		return out
	}
	of := func(sets ...[]string) string {
		s, err := stability.Of(sets, 10)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%.4f", s.Mean)
	}
	ends := fold(2, "a", 1) // before the others
	got := measured(fold(0, "abcd", 1, 2, 4), fold(1, "acbd", 1, 2, 4), ends)
	want := []string{"1.0000", of([]string{"a", "b"}, []string{"a", "c"}, []string{"a"}), of([]string{"a", "b", "c", "d"}, []string{"a", "b", "c", "d"}, []string{"a"})}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	left := fold(0, "abcd", 2, 4)
	left.Outcome.Selected[1].Rank = 3 // the second to enter has left since
	if got := measured(left, fold(1, "abcd", 2, 4)); got[0] != "the order of entry does not tell the columns at this size" || got[1] != "1.0000" {
		t.Errorf("after a column left: %v", got)
	}
}

type broken struct{ InRows }

func (broken) Scores(*results.Row) ([]results.Score, error) { return nil, errors.New("damaged") }

func TestPointsThatCannotBeRead(t *testing.T) {
	_, err := AtPoints(broken{}, Group([]results.Row{along(0, 2)}), "point")
	if err == nil || err.Error() != "scores along the path of sgc, repeat 0, fold 0: damaged" {
		t.Errorf("%v", err)
	}
}
