package selection

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// cell has a fold for each text: "+a -b +c/y2" are features with their signs, and an output where there are several; "!"
// is a fold that failed. The digests are those of the first folds.
func cell(name string, folds ...string) *cells.Cell {
	c := &cells.Cell{Dataset: "d", Algorithm: name, Folds: len(folds)}
	for i, text := range folds {
		r := &results.Row{Label: results.Label{Algorithm: name, Fold: int32(i), FoldDigest: fmt.Sprint("f", i)},
			Outcome: results.Outcome{Status: results.OK, Columns: 20}}
		distinct := map[string]bool{}
		for rank, f := range strings.Fields(text) {
			if f == "!" {
				r.Status = results.Failed
				break
			}
			feature, output, _ := strings.Cut(f[1:], "/")
			distinct[feature] = true
			coefficient := float64(rank + 1)
			if f[0] == '-' {
				coefficient = -coefficient
			}
			r.Outcome.Selected = append(r.Outcome.Selected, results.Selected{Rank: int32(rank), Feature: feature, Output: output, Coefficient: coefficient})
		}
		r.Features = int32(len(distinct))
		c.Rows = append(c.Rows, r)
	}
	return c
}

// numbers of an overlap as text, in which NaN equals NaN.
func numbers(o Overlap) string {
	return fmt.Sprintf("%d folds: %.12g", o.Folds, []float64{o.SizeA, o.SizeB, o.Shared, o.Jaccard, o.SameSign, o.Agree})
}

func TestCompare(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name string
		a, b []string
		want Overlap // without its cells
	}{
		{"the same", []string{"+a -b", "+a"}, []string{"-b +a", "+a"},
			Overlap{Folds: 2, SizeA: 1.5, SizeB: 1.5, Shared: 1.5, Jaccard: 1, SameSign: 1, Agree: 1}},
		{"by hand", []string{"+a +b +c", "+a -b"}, []string{"+a -b +d", "-b"},
			Overlap{Folds: 2, SizeA: 2.5, SizeB: 2, Shared: 1.5, Jaccard: 0.5, SameSign: 0.75, Agree: (0.25 + 0.5) / 2}},
		{"nothing shared", []string{"+a"}, []string{"+b"}, Overlap{Folds: 1, SizeA: 1, SizeB: 1, SameSign: nan}},
		{"a fold on which neither selects", []string{"+a", ""}, []string{"+a", ""},
			Overlap{Folds: 2, SizeA: 0.5, SizeB: 0.5, Shared: 0.5, Jaccard: 1, SameSign: 1, Agree: 1}},
		{"nothing at all", []string{""}, []string{""}, Overlap{Folds: 1, Jaccard: nan, SameSign: nan, Agree: nan}},
		{"other outputs", []string{"+a +b"}, []string{"+a/y"}, Overlap{Folds: 1, SizeA: 2, SizeB: 1, Shared: 1, Jaccard: 0.5, SameSign: nan, Agree: nan}},
		{"signs of each output", []string{"+a/y +a/z +b/y"}, []string{"+a/y -a/z"},
			Overlap{Folds: 1, SizeA: 2, SizeB: 1, Shared: 1, Jaccard: 0.5, SameSign: 0.5, Agree: 1.0 / 3}},
	} {
		got, err := NewComparer(cells.InRows{}).Compare(cell("a", c.a...), cell("b", c.b...))
		if err != nil || numbers(got) != numbers(c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
		back, err := NewComparer(cells.InRows{}).Compare(cell("b", c.b...), cell("a", c.a...))
		back.SizeA, back.SizeB = back.SizeB, back.SizeA
		if err != nil || numbers(back) != numbers(c.want) {
			t.Errorf("%s, the other way round: %+v, %v", c.name, back, err)
		}
	}
}

// Folds are paired by digest, whatever their order, and equal ones one by one.
func TestCompareByDigest(t *testing.T) {
	a, b := cell("a", "+a", "+b", "+b"), cell("b", "+b", "+a", "+b")
	for i, digest := range []string{"y", "x", "y"} {
		b.Rows[i].FoldDigest = digest
	}
	for i, digest := range []string{"x", "y", "y"} {
		a.Rows[i].FoldDigest = digest
	}
	if o, err := NewComparer(cells.InRows{}).Compare(a, b); err != nil || o.Jaccard != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestCompareRefuses(t *testing.T) {
	other, lost := cell("b", "+a", "+a"), cell("b", "+a", "+a")
	other.Rows[1].FoldDigest = "elsewhere"
	lost.Rows[1].Outcome.Selected = nil
	for _, c := range []struct {
		b    *cells.Cell
		want string
	}{
		{other, "repeat 0, fold 1 of a has no partner in b"},
		{cell("b", "+a", "!"), "not on the same folds: 2 of a ended well, 1 of b"},
		{cell("b", "+a"), "not on the same folds"},
		{lost, "not kept: of b, repeat 0, fold 1"},
	} {
		if _, err := NewComparer(cells.InRows{}).Compare(cell("a", "+a", "+b"), c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := NewComparer(cells.InRows{}).Compare(cell("a", "!"), cell("b", "!")); err == nil || !strings.Contains(err.Error(), "no fold") {
		t.Errorf("nothing ended well: %v", err)
	}
}

func TestFrequency(t *testing.T) {
	f, err := FrequencyOf(cells.InRows{}, cell("a", "+a +b", "!", "+a -b +c", "+b +a", "+a/z +d +e"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range f.Features {
		got = append(got, fmt.Sprintf("%s/%s %d %.3g %.3g %.3g %v", x.Name, x.Output, x.Folds, x.Rank, x.Coefficient.Mean, x.Coefficient.SD, x.Flips))
	}
	// b has coefficients 2, −2 and 1; a without an output 1, 1 and 2.
	want := "[a/ 3 0.333 1.33 0.577 false b/ 3 0.667 0.333 2.08 true a/z 1 0 1 NaN false d/ 1 1 2 NaN false c/ 1 2 3 NaN false e/ 1 2 3 NaN false]"
	if s := fmt.Sprint(got); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	if f.Folds != 4 || f.All != 1 || f.Half != 2 || f.Once != 3 || f.Any != 5 {
		t.Errorf("%+v", f)
	}
}

// A sign flips where there are both; 0 has none.
func TestFlips(t *testing.T) {
	for _, c := range []struct {
		coefficients []float64
		want         bool
	}{{[]float64{1, -1}, true}, {[]float64{0, -1}, false}, {[]float64{1, 0}, false}} {
		if got := (&gathered{coefficients: c.coefficients}).asFeature().Flips; got != c.want {
			t.Errorf("%v: %v", c.coefficients, got)
		}
	}
}

// Half of the folds is as many as lack the feature.
func TestHalfOfTheFolds(t *testing.T) {
	for want, folds := range [][]string{{"+a", "+a", "+b", "", ""}, {"+a", "+a", "+b", ""}, {"+a +b", "+a", "+b", ""}} {
		if f, err := FrequencyOf(cells.InRows{}, cell("a", folds...)); err != nil || f.Half != want {
			t.Errorf("%q: %+v, %v, want %d", folds, f, err, want)
		}
	}
}

// asked counts how often selections are read.
type asked struct {
	cells.InRows
	times int
}

func (a *asked) Selected(r *results.Row) ([]results.Selected, error) {
	a.times++
	return a.InRows.Selected(r)
}

// Of many pairs each selection is read once; what is too much to keep is read again, to the same numbers.
func TestComparerReadsOnce(t *testing.T) {
	a, b, c := cell("a", "+a -b", "+a"), cell("b", "+b", "+a +c"), cell("c", "-a", "+c")
	for size, want := range map[int]int{0: 6, keep: 12} {
		src := &asked{}
		comparer := NewComparer(src)
		comparer.size = size
		for _, p := range [][2]*cells.Cell{{a, b}, {a, c}, {b, c}} {
			got, err := comparer.Compare(p[0], p[1])
			fresh, _ := NewComparer(cells.InRows{}).Compare(p[0], p[1])
			if err != nil || numbers(got) != numbers(fresh) {
				t.Errorf("%+v, %v, want %+v", got, err, fresh)
			}
		}
		if src.times != want {
			t.Errorf("after %d coefficients: asked %d times, want %d", size, src.times, want)
		}
	}
}

// A coefficient that is named twice counts once, as it was named last.
func TestCompareNamedTwice(t *testing.T) {
	o, err := NewComparer(cells.InRows{}).Compare(cell("a", "+a -a +b"), cell("b", "-a +b +b"))
	if want := (Overlap{Folds: 1, SizeA: 2, SizeB: 2, Shared: 2, Jaccard: 1, SameSign: 1, Agree: 1}); err != nil || numbers(o) != numbers(want) {
		t.Errorf("%+v, %v, want %+v", o, err, want)
	}
}

// Columns of one unit are coefficients of one feature, each with its sign.
func TestCompareUnits(t *testing.T) {
	a, b := cell("a", "+u1 +u2 +c"), cell("b", "+u1 -u2")
	for _, c := range []*cells.Cell{a, b} {
		for i := range 2 {
			c.Rows[0].Outcome.Selected[i].Unit = "u"
		}
	}
	o, err := NewComparer(cells.InRows{}).Compare(a, b)
	if want := (Overlap{Folds: 1, SizeA: 2, SizeB: 1, Shared: 1, Jaccard: 0.5, SameSign: 0.5, Agree: 1.0 / 3}); err != nil || numbers(o) != numbers(want) {
		t.Errorf("%+v, %v, want %+v", o, err, want)
	}
}

func TestFrequencyWithoutRanks(t *testing.T) {
	c := cell("a", "+a -b")
	for i := range c.Rows[0].Outcome.Selected {
		c.Rows[0].Outcome.Selected[i].Rank = -1
	}
	f, err := FrequencyOf(cells.InRows{}, c)
	if err != nil || len(f.Features) != 2 || f.Features[0].Name != "b" || !math.IsNaN(f.Features[0].Rank) {
		t.Errorf("the largest coefficient comes first: %+v, %v", f, err)
	}
	c.Rows[0].Outcome.Selected = nil
	if _, err := FrequencyOf(cells.InRows{}, c); !errors.Is(err, cells.ErrNotKept) {
		t.Errorf("lost: %v", err)
	}
	if f, err := FrequencyOf(cells.InRows{}, cell("a", "!")); err != nil || f.Folds != 0 || len(f.Features) != 0 || f.All != 0 {
		t.Errorf("failed: %+v, %v", f, err)
	}
}
