package recheck

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/io/results"
	"tenfold/runner/plan"
)

func row(unit string, value float64) results.Row {
	return results.Row{Label: results.Label{Dataset: "d", Algorithm: "a", Unit: unit, Fold: 3},
		Outcome: results.Outcome{Status: results.OK, Scores: []results.Score{{Metric: "test_mse", Point: -1, Value: value}}}}
}

func TestComparison(t *testing.T) {
	t.Parallel()
	was := row("u", 1)
	for _, x := range []struct {
		is   float64
		want string
	}{{1, "1 equal"}, {1 + 1e-12, "1 equal to 1e-12"}, {1 + 5e-10, "1 equal to 5e-10"}, {1 + 2e-9, "1 different"}, {math.NaN(), "1 different"}} {
		var c Comparison
		is := row("u", x.is)
		c.Add(&was, &is)
		if c.String() != x.want || c.Fits != 1 {
			t.Errorf("%v: %s of %d fits, want %s", x.is, c, c.Fits, x.want)
		}
		if different := strings.Contains(x.want, "different"); different != (len(c.Lines) == 1) || different && !strings.HasPrefix(c.Lines[0], "d, a, repeat 0 fold 3: test_mse") {
			t.Errorf("%v: %q", x.is, c.Lines)
		}
	}
	var all, other Comparison
	for _, v := range []float64{1, 1 + 1e-12, 1 + 1e-11, 7} {
		is := row("u", v)
		all.Add(&was, &is)
	}
	all.Add(nil, &was)
	other.Lacks(&was.Label)
	other.Add(&was, &was)
	all.Join(other)
	if got := all.String(); got != "2 equal, 2 equal to 1e-11, 1 different, 1 not comparable" || all.Fits != 5 || len(all.Lines) != 2 {
		t.Errorf("%s of %d fits: %q", got, all.Fits, all.Lines)
	}
	var sum, none Comparison
	none.Join(all)
	sum.Varies(&was.Label, "varies")
	sum.Join(none)
	sum.Join(sum)
	if got := sum.String(); got != "4 equal, 4 equal to 1e-11, 2 different, 2 different as declared, 2 not comparable" || sum.Fits != 10 || len(sum.Lines) != 6 {
		t.Errorf("joined: %s of %d fits: %q", got, sum.Fits, sum.Lines)
	}
}

// TestVarying: a fit that is not repeatable may come out differently, but may not fail.
func TestVarying(t *testing.T) {
	t.Parallel()
	was := row("u", 1)
	was.Notes = []string{engines.NotRepeatable + ": as declared"}
	var all Comparison
	for i, value := range []float64{1, 7, 8, 9} {
		is := row("u", value)
		if i < 3 { // either of both may say so
			is.Notes = was.Notes
		}
		if i == 2 {
			is.Status = results.Failed
		}
		all.Add(&was, &is)
	}
	if got := all.String(); got != "1 equal, 1 different, 2 different as declared" || len(all.Lines) != 3 || !strings.HasSuffix(all.Lines[0], "(not deterministic)") {
		t.Errorf("%s: %q", got, all.Lines)
	}
}

func TestSameData(t *testing.T) {
	t.Parallel()
	one, other := results.Set{Name: "one", Digest: strings.Repeat("a", 64)}, results.Set{Name: "one", Digest: strings.Repeat("b", 64)}
	if err := SameData([]results.Set{one}, []results.Set{{Name: "two"}, one}); err != nil {
		t.Error(err)
	}
	for want, present := range map[string][]results.Set{
		"data set one is not in the plan":                         nil,
		"digest bbbbbbbbbbbbbbbbbbbb…, was aaaaaaaaaaaaaaaaaaaa…": {other},
	} {
		if err := SameData([]results.Set{one}, present); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSample: only cells that ended well on all folds, each once, the same ones whatever their order, and others with another seed.
func TestSample(t *testing.T) {
	t.Parallel()
	var cells []plan.FrozenCell
	var rows []results.Row
	for i := range 40 {
		c := plan.FrozenCell{Key: fmt.Sprint("key", i)}
		for k := range 2 {
			unit := fmt.Sprintf("%d-%d", i, k)
			c.Units = append(c.Units, plan.FrozenUnit{Unit: unit})
			r := row(unit, 1)
			switch {
			case i == 5 && k == 1:
				continue
			case i == 6 && k == 1:
				r.Status = results.Failed
			}
			rows = append(rows, r)
		}
		cells = append(cells, c)
	}
	cells[7].Units = cells[7].Units[:1]
	cells = append(cells, cells[0], plan.FrozenCell{Key: "empty"})
	r := Of(rows)
	all := r.Sample(cells, func(n int) int { return n }, 0)
	if len(all) != 38 || all["key5"] || all["key6"] || all["empty"] {
		t.Errorf("%d cells: %v", len(all), all)
	}
	some := func(n int) int { return n / 4 }
	chosen := r.Sample(cells, some, 1)
	slices.Reverse(cells)
	if again := r.Sample(cells, some, 1); len(chosen) != 9 || fmt.Sprint(again) != fmt.Sprint(chosen) {
		t.Errorf("%v, then %v", chosen, again)
	}
	if other := r.Sample(cells, some, 2); fmt.Sprint(other) == fmt.Sprint(chosen) {
		t.Error("another seed draws the same cells")
	}
	unit := func(key string) *plan.Unit {
		u := &plan.Unit{}
		u.Label.Unit = key
		return u
	}
	if c := (&plan.Cell{Units: []*plan.Unit{unit("none"), unit("6-1")}}); !r.Has(c) || r.Has(&plan.Cell{Units: c.Units[:1]}) {
		t.Error("which cells have something recorded")
	}
}
