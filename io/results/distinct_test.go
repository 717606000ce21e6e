package results

import (
	"strings"
	"testing"
)

// Two cells of one label would be joined by whoever goes by labels.
func TestCellsOfOneLabel(t *testing.T) {
	row := func(algorithm, cell string, grid ...Param) Row {
		return Row{Label: Label{Dataset: "d", Algorithm: algorithm, Cell: cell, Grid: grid}}
	}
	for _, c := range []struct {
		name string
		rows []Row
		want string
	}{
		{"two cells", []Row{row("r", "k1"), row("r", "k1"), row("s", "k2"), row("r", "k1")}, ""},
		{"two keys", []Row{row("r", "k1"), row("s", "k3"), row("r", "k2")}, `two cells, k1 and k2, are both called "r" on "d"`},
		{"a point and a name", []Row{row("r", "k1", Param{Name: "x", Value: 1.0}), row("r x=1", "k2")}, `both called "r x=1"`},
		{"close points", []Row{row("r", "k1", Param{Name: "x", Value: 0.1}), row("r", "k2", Param{Name: "x", Value: 0.10000000001})}, ""},
	} {
		if err := checkLabels(c.rows); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
