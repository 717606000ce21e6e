package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
	"tenfold/reports/table"
)

var ten = []float64{1.31, 1.28, 1.35, 1.30, 1.33, 1.29, 1.34, 1.27, 1.32, 1.36}

func cell(algorithm string, values []float64, change ...func(*results.Row)) *cells.Cell {
	c := &cells.Cell{Dataset: "d", Algorithm: algorithm, Key: algorithm, Folds: len(values)}
	for i, v := range values {
		r := &results.Row{Label: results.Label{Dataset: "d", Algorithm: algorithm, Fold: int32(i), FoldDigest: fmt.Sprint("fold", i), DatasetDigest: "data"}}
		r.Status, r.RowsTrain, r.RowsTest, r.Columns = results.OK, 90, 10, 50
		r.Scores = []results.Score{{Metric: "test_mse", Point: -1, Value: v}, {Metric: "accuracy", Point: -1, Value: v, Higher: true}, {Metric: "nonzero", Point: -1, Value: v}}
		for _, f := range change {
			f(r)
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

func plus(shift ...float64) []float64 {
	out := slices.Clone(ten)
	for i := range out {
		out[i] += shift[i%len(shift)]
	}
	return out
}

func compare(a, b []*cells.Cell, metrics ...string) Result {
	if len(metrics) == 0 {
		metrics = []string{"test_mse"}
	}
	return Compare(Input{A: Run{Source: described, Name: "old", Cells: a}, B: Run{Source: described, Name: "new", Cells: b}, Metrics: metrics})
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, metric string
		b            *cells.Cell
		want         string // last slot
		compared     int
	}{
		{"better", "test_mse", cell("a", plus(-0.1, -0.12)), "better", 1},
		{"worse", "test_mse", cell("a", plus(0.1, 0.12)), "worse", 1},
		{"higher is better", "accuracy", cell("a", plus(0.1, 0.12)), "better", 1},
		{"higher is better, lower", "accuracy", cell("a", plus(-0.1, -0.12)), "worse", 1},
		{"no best", "nonzero", cell("a", plus(0.1, 0.12)), "more", 1},
		{"no detectable difference", "test_mse", cell("a", plus(0.1, -0.12)), "~", 1},
		{"all folds alike", "test_mse", cell("a", plus(0.5)), "worse", 1},
		{"other folds", "test_mse", cell("a", ten, func(r *results.Row) { r.FoldDigest += "x" }), "not the same folds", 0},
		{"fewer folds", "test_mse", cell("a", ten[:3]), "not the same folds", 0},
		{"other data", "test_mse", cell("a", ten, func(r *results.Row) { r.DatasetDigest = "x" }), "not the same data", 0},
		{"optimistic", "test_mse", cell("a", ten, func(r *results.Row) { r.Optimistic = true }), "optimistic against honest", 0},
		{"failed", "test_mse", cell("a", ten, func(r *results.Row) { r.Status = results.Failed }), "B: failed", 0},
		{"never ran", "test_mse", &cells.Cell{Dataset: "d", Algorithm: "a"}, "B: missing", 0},
		{"no value", "test_mse", cell("a", ten, func(r *results.Row) { r.Scores = nil }), "test_mse has no value", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := compare([]*cells.Cell{cell("a", ten)}, []*cells.Cell{c.b}, c.metric)
			if len(r.Grids) == 0 || len(r.Grids[0].Rows) != 1 {
				t.Fatalf("got %+v", r)
			}
			slots := r.Grids[0].Rows[0].Slots
			if got := slots[5].Text; got != c.want || r.Compared != c.compared {
				t.Errorf("got %q, %d compared: %+v", got, r.Compared, slots)
			}
			if said := strings.Contains(strings.Join(r.Notes, " "), "Nothing could be compared."); said != (c.compared == 0) {
				t.Errorf("notes %q", r.Notes)
			}
			noNaN(t, r)
		})
	}
}

func noNaN(t *testing.T, r Result) {
	t.Helper()
	var out bytes.Buffer
	for _, g := range r.Grids {
		if err := g.Markdown(&out); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.CSV(sanitize.NewCSV(&out, true), r.Grids); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "NaN") {
		t.Errorf("got\n%s", out.String())
	}
}

func TestIdenticalCellsAreCountedAndLeftOut(t *testing.T) {
	a := []*cells.Cell{cell("a", ten), cell("b", ten), cell("gone", ten)}
	b := []*cells.Cell{cell("new", ten), cell("b", plus(0.1, 0.2)), cell("a", ten)}
	r := compare(a, b)
	if r.Identical != 1 || r.Compared != 2 || len(r.Grids[0].Rows) != 1 || !strings.HasPrefix(r.Notes[0], "1 cell is identical.") {
		t.Errorf("got %+v", r)
	}
	if !slices.Equal(r.OnlyA, []string{"d, gone"}) || !slices.Equal(r.OnlyB, []string{"d, new"}) {
		t.Errorf("only in A %q, only in B %q", r.OnlyA, r.OnlyB)
	}
	// √(1 · 1.465/1.315), identical cells included.
	if want := "Geometric mean of new over old, 2 cells: 1.0555 (+5.55 %)."; !slices.Contains(r.Grids[0].Notes, want) {
		t.Errorf("got %q, want %q", r.Grids[0].Notes, want)
	}
	all := Compare(Input{A: Run{Source: described, Name: "old", Cells: a}, B: Run{Source: described, Name: "new", Cells: b}, Metrics: []string{"test_mse"}, All: true})
	if len(all.Grids[0].Rows) != 2 || all.Grids[0].Rows[0].Slots[5].Text != "~" {
		t.Errorf("with all: %+v", all.Grids[0].Rows)
	}
	if same := compare(a, a); same.Identical != 3 || len(same.Grids) != 0 || same.Compared != 3 {
		t.Errorf("against itself: %+v", same)
	}
}

func TestPairingIsByDigest(t *testing.T) {
	b := cell("a", ten)
	slices.Reverse(b.Rows)
	if r := compare([]*cells.Cell{cell("a", ten)}, []*cells.Cell{b}); r.Identical != 1 {
		t.Errorf("another order of rows makes a difference: %+v", r)
	}
}

func TestHolmOverAllCells(t *testing.T) {
	var a, b []*cells.Cell
	for i := range 30 {
		name := fmt.Sprint("a", i)
		a = append(a, cell(name, ten))
		shift := []float64{0.02, -0.02}
		if i == 0 {
			shift = []float64{0.03, -0.008, 0.025, -0.01, 0.02, 0.012, -0.004, 0.015, 0.012, -0.008}
		}
		b = append(b, cell(name, plus(shift...)))
	}
	alone, many := compare(a[:1], b[:1]), compare(a, b)
	if p, n := alone.Grids[0].Numbers[2].Adjusted, many.Grids[0].Numbers[2]; !(p < n.Adjusted) || p != n.P {
		t.Errorf("alone p = %v, among thirty %v, before adjustment %v", p, n.Adjusted, n.P)
	}
}

func TestOneFold(t *testing.T) {
	predicted := func(loss float64) *cells.Cell {
		c := cell("a", ten[:1])
		r, sum := c.Rows[0], 0.0
		for i := range 200 {
			e := loss + float64(i*37%11)/20
			r.Outcome.Predictions.Row = append(r.Outcome.Predictions.Row, fmt.Sprintf("r%03d", i))
			r.Outcome.Predictions.Truth = append(r.Outcome.Predictions.Truth, 0)
			r.Outcome.Predictions.Prediction = append(r.Outcome.Predictions.Prediction, e)
			sum += e * e
		}
		r.Scores[0].Value = sum / 200
		return c
	}
	r := compare([]*cells.Cell{predicted(1)}, []*cells.Cell{predicted(0.9)})
	if got := r.Grids[0].Rows[0].Slots[5].Text; got != "better" || !strings.Contains(strings.Join(r.Grids[0].Legend, " "), "bootstrap") {
		t.Errorf("got %q, %q", got, r.Grids[0].Legend)
	}
	without := compare([]*cells.Cell{cell("a", ten[:1])}, []*cells.Cell{cell("a", ten[1:2], func(r *results.Row) { r.FoldDigest = "fold0" })})
	if got := without.Grids[0].Rows[0].Slots; without.Compared != 1 || !strings.HasPrefix(got[5].Text, "no test: there are no predictions") || got[2].Text != "−0.030" {
		t.Errorf("without predictions: %+v", got)
	}
}

func TestSelections(t *testing.T) {
	with := func(features ...string) *cells.Cell {
		return cell("a", ten[:2], func(r *results.Row) {
			for i, f := range features {
				r.Outcome.Selected = append(r.Outcome.Selected, results.Selected{Feature: f, Coefficient: float64(i) - 0.5})
			}
			r.Features, r.SelectedSum = int32(len(features)), strings.Join(features, " ")
		})
	}
	r := compare([]*cells.Cell{with("x", "y", "z")}, []*cells.Cell{with("x", "y")})
	if len(r.Grids) != 1 || r.Identical != 0 {
		t.Fatalf("got %+v", r)
	}
	var got []string
	for _, s := range r.Grids[0].Rows[0].Slots {
		got = append(got, s.Text)
	}
	if strings.Join(got, " ") != "3.0 2.0 2.0 0.667 1.000" {
		t.Errorf("got %q", got)
	}
	same := compare([]*cells.Cell{with("x")}, []*cells.Cell{with("x")})
	if len(same.Grids) != 0 {
		t.Errorf("the same selection is shown: %+v", same.Grids)
	}
	noNaN(t, compare([]*cells.Cell{with()}, []*cells.Cell{with("x")}))
}

// Everything that a comparison prints of a cell, and what it says where it cannot test.
func TestSlots(t *testing.T) {
	lost := func(r *results.Row) { r.Scores = r.Scores[:1] }
	for _, c := range []struct {
		metric string
		a, b   *cells.Cell
		want   string
	}{
		{"test_mse", cell("a", ten), cell("a", plus(0.1, 0.12)), "1.315 ± 0.014|1.425 ± 0.012|+0.110|+0.099 … +0.121|<0.001|worse"},
		{"test_mse", cell("a", ten), cell("a", ten[:9], func(r *results.Row) { r.Status = results.Failed }), "1.315 ± 0.014|failed|–|–|–|B: failed"},
		{"accuracy", cell("a", ten, lost), cell("a", ten), "–|1.315 ± 0.014|–|–|–|accuracy has no value"},
		{"accuracy", cell("a", ten), cell("a", ten, lost), "1.315 ± 0.014|–|–|–|–|accuracy has no value"},
		{"accuracy", cell("a", ten, lost), cell("a", ten, lost), ""},
		{"accuracy", cell("a", ten, lost), cell("a", ten, lost, func(r *results.Row) { r.Status = results.Failed }), "–|failed|–|–|–|B: failed"},
		{"stability", selecting("xy", "xy"), selecting("xy", "xz"), "1.000|0.479|−0.521|–|–|no test: of all folds together"},
		{"stability", selecting("xy", "xy"), selecting("", ""), "1.000|–|–|–|–|has no value"},
	} {
		r := compare([]*cells.Cell{c.a}, []*cells.Cell{c.b}, c.metric)
		var got []string
		for _, g := range r.Grids {
			if g.Title == c.metric {
				for _, s := range g.Rows[0].Slots {
					got = append(got, s.Text)
				}
			}
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %s\nwant %s", c.metric, text, c.want)
		}
	}
}

// selecting has a fold for each text, whose letters are the features.
func selecting(folds ...string) *cells.Cell {
	c := cell("a", ten[:len(folds)])
	for i, r := range c.Rows {
		for _, f := range folds[i] {
			r.Outcome.Selected = append(r.Outcome.Selected, results.Selected{Feature: string(f), Coefficient: 1})
		}
		r.Features, r.SelectedSum = int32(len(folds[i])), folds[i]
	}
	return c
}

func TestNumbersForPrograms(t *testing.T) {
	r := compare([]*cells.Cell{cell("a", ten)}, []*cells.Cell{cell("a", plus(0.1, 0.12))})
	var out bytes.Buffer
	if err := table.CSV(sanitize.NewCSV(&out, true), r.Grids); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`test_mse,"d, a",old,test_mse,1.315,`, `test_mse,"d, a",new,test_mse,1.425,`, `test_mse,"d, a",difference,test_mse,0.11`, ",worse,"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing:\n%s", want, out.String())
		}
	}
}
