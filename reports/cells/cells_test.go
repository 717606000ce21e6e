package cells

import (
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
)

func row(algorithm, cell string, fold int32, status results.Status, grid ...results.Param) results.Row {
	return results.Row{Label: results.Label{Dataset: "d", Algorithm: algorithm, Cell: cell, Fold: fold, Grid: grid},
		Outcome: results.Outcome{Status: status}}
}

func TestGroupAndTrouble(t *testing.T) {
	ok := results.OK
	cs := Group([]results.Row{
		row("b", "1", 1, ok), row("b", "1", 0, ok), row("a", "2", 0, results.Failed), row("a", "2", 1, ok),
		row("c", "3", 0, results.Timeout), row("c", "3", 1, results.Timeout), row("e", "4", 0, ok),
	})
	want := map[string]string{"b": "", "a": "1/2 failed", "c": "timeout", "e": "1/2 missing"}
	for _, c := range cs {
		if got := c.Trouble(); got != want[c.Algorithm] {
			t.Errorf("%s: %q, want %q", c.Algorithm, got, want[c.Algorithm])
		}
	}
	if got := (&Cell{Folds: 3}).Trouble(); got != "missing" {
		t.Errorf("a cell that never ran: %q", got)
	}
	if len(cs) != 4 || cs[0].Algorithm != "b" || cs[0].Rows[0].Fold != 0 {
		t.Errorf("cells are not in order of the file, or rows not in order of folds")
	}
}

func TestSelect(t *testing.T) {
	grid := func(x float64) results.Param { return results.Param{Name: "epsilon", Value: x} }
	cs := Group([]results.Row{
		row("stagewise", "1", 0, results.OK, grid(0.1)), row("stagewise", "2", 0, results.OK, grid(math.Pow(10, -2.5))),
		row("stagewise", "3", 0, results.OK, grid(0.14)), row("ridge", "4", 0, results.OK),
	})
	for _, c := range []struct{ name, value, want string }{
		{"epsilon", "0.1", "1 4"},
		{"epsilon", "1e-1", "1 4"},
		{"epsilon", "0.00316", "2 4"},
		{"epsilon", "0.1, 0.14", "1 3 4"},
		{"algorithm", "st*", "1 2 3"},
		{"algorithm", "ridge", "4"},
	} {
		got, err := Select(cs, map[string]string{c.name: c.value})
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, cell := range got {
			keys = append(keys, cell.Key)
		}
		if s := strings.Join(keys, " "); s != c.want {
			t.Errorf("%s: %s keeps %s, want %s", c.name, c.value, s, c.want)
		}
	}
	if _, err := Select(cs, map[string]string{"algorithm": "ols"}); err == nil || !strings.Contains(err.Error(), "have stagewise, ridge") {
		t.Errorf("no match: %v", err)
	}
}

func TestDimensionsAndLabels(t *testing.T) {
	grid := func(x any) results.Param { return results.Param{Name: "epsilon", Value: x} }
	cs := Group([]results.Row{row("stagewise", "0123456789abcdef", 0, results.OK, grid(0.003162277660168379)), row("ridge", "2", 0, results.OK),
		row("stagewise", "3", 0, results.OK, grid("auto")), row("stagewise", "4", 0, results.OK, grid(int64(2)))})
	if got := Differing(cs); len(got) != 2 || got[0] != "algorithm (stagewise, ridge)" || got[1] != "epsilon (0.00316228, –, auto, 2)" {
		t.Errorf("differing in %q", got)
	}
	if got := Differing(cs[:1]); got != nil {
		t.Errorf("one cell differs in %q", got)
	}
	if got := cs[0].AlgorithmLabel(); got != "stagewise epsilon=0.00316228" {
		t.Errorf("label %q", got)
	}
	if _, got := cs[0].ExactLabels(); got != "stagewise epsilon=0.003162277660168379" {
		t.Errorf("exact label %q", got)
	}
	if got := ShortKey(cs[0].Key) + ShortKey(cs[1].Key); got != "0123456789ab2" {
		t.Errorf("short keys %q", got)
	}
	if got := strings.Join(Split(" a, ,b,"), "|"); got != "a|b" {
		t.Errorf("split into %q", got)
	}
}

func TestMeasures(t *testing.T) {
	rows := []results.Row{row("a", "1", 0, results.OK), row("a", "1", 1, results.OK), row("a", "1", 2, results.Failed), row("a", "1", 3, results.OK)}
	for i, v := range []float64{4, 1, 100, 2} {
		rows[i].Scores = []results.Score{{Metric: "mae", Point: -1, Value: v}}
	}
	cs := Group(rows)
	if s := cs[0].Stat("mae"); s.N != 3 || !(math.Abs(s.Mean-7.0/3) <= 1e-15) {
		t.Errorf("over the folds that ended well: %+v", s)
	}
	if got := Median(cs, "mae"); got != 2 {
		t.Errorf("median %v", got)
	}
	rows[3].Status = results.Timeout
	if got := Median(Group(rows), "mae"); got != 2.5 {
		t.Errorf("median of two %v", got)
	}
	if got := Median(cs, "accuracy"); !math.IsNaN(got) {
		t.Errorf("median of nothing %v", got)
	}
	if cs[0].Optimistic() {
		t.Error("no row is optimistic")
	}
	if rows[1].Optimistic = true; !cs[0].Optimistic() {
		t.Error("one row is optimistic")
	}
}

// A plan knows of fits, and cells, without rows.
func TestPlanned(t *testing.T) {
	label := func(algorithm, cell string, fold int32) results.Label {
		return results.Label{Dataset: "d", Algorithm: algorithm, Cell: cell, Fold: fold}
	}
	cs := Planned([]results.Row{row("b", "2", 0, results.OK), row("gone", "9", 0, results.OK)},
		[]results.Label{label("a", "1", 0), label("a", "1", 1), label("b", "2", 0), label("b", "2", 1)})
	if len(cs) != 2 || cs[0].Algorithm != "a" || cs[0].Trouble() != "missing" || cs[1].Folds != 2 || cs[1].Trouble() != "1/2 missing" {
		t.Errorf("%d cells, %+v", len(cs), cs[0])
	}
}
