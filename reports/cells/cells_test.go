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
