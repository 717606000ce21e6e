package cells

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
)

// scored is a cell with one fold and two metrics, of which the one is better when higher and the other when lower.
func scored(algorithm, key string, value float64, status results.Status) results.Row {
	r := row(algorithm, key, 0, status, results.Param{Name: "x", Value: key})
	r.Scores = []results.Score{{Metric: "accuracy", Point: -1, Value: value, Higher: true}, {Metric: "cost", Point: -1, Value: -value}}
	return r
}

func TestBestOfEach(t *testing.T) {
	ok, inf := results.OK, math.Inf(1)
	cs := Group([]results.Row{
		scored("a", "1", 0.5, ok), scored("a", "2", 0.7, ok), scored("a", "3", 0.7, ok), scored("a", "4", 0.9, results.Failed),
		scored("b", "1", 0.1, results.Timeout), scored("b", "2", 0.05, ok), scored("c", "1", inf, ok), scored("c", "2", 0.3, ok), scored("d", "1", 1, ok),
	})
	for metric, want := range map[string]string{
		"accuracy": "a 2 of 4, b 2 of 2, c 2 of 2, d 1 of 1", // the first of equals
		"cost":     "a 2 of 4, b 2 of 2, c 2 of 2, d 1 of 1",
		"":         "a 1 of 4, b 1 of 2, c 1 of 2, d 1 of 1",
		"mae":      "a 1 of 4, b 1 of 2, c 1 of 2, d 1 of 1",
	} {
		var got []string
		for _, b := range BestOfEach(InRows{}, cs, metric) {
			got = append(got, fmt.Sprintf("%s %s of %d", b.Algorithm, b.Key, b.Of))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("by %q: %s, want %s", metric, text, want)
		}
	}
}

func TestByDataset(t *testing.T) {
	at := func(dataset, algorithm string, cutoff int64) results.Row {
		r := row(algorithm, dataset+algorithm+fmt.Sprint(cutoff), 0, results.OK, results.Param{Name: "data_cutoff", Value: cutoff})
		r.Dataset = dataset
		return r
	}
	cs := Group([]results.Row{at("y", "a", 2), at("x", "a", 2), at("y", "b", 2), at("y", "a", 5)})
	describe := func(sets []Dataset) string {
		var out []string
		for _, s := range sets {
			out = append(out, fmt.Sprintf("%s %d", s.Label, len(s.Cells)))
		}
		return strings.Join(out, "; ")
	}
	if got, want := describe(ByDataset(cs)), "y cutoff=2 2; x cutoff=2 1; y cutoff=5 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := describe(ByDataset(cs, "data_cutoff")), "y 3; x 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPairs(t *testing.T) {
	cell := func(algorithm string, digests ...string) *Cell {
		c := &Cell{Algorithm: algorithm}
		for i, d := range digests {
			r := row(algorithm, "1", int32(i), results.OK)
			r.FoldDigest = d
			if d == "!" {
				r.Status = results.Failed
			}
			c.Rows = append(c.Rows, &r)
		}
		return c
	}
	pairs, err := Pairs(cell("a", "p", "q", "!", "p"), cell("b", "p", "p", "q"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pairs {
		got = append(got, fmt.Sprint(p[0].Fold, p[1].Fold))
	}
	if text := strings.Join(got, ", "); text != "0 0, 1 2, 3 1" {
		t.Errorf("paired %s", text)
	}
	for _, c := range []struct {
		a, b *Cell
		want string
	}{
		{cell("a", "p", "q"), cell("b", "p", "!"), "2 of a ended well, 1 of b"},
		{cell("a", "p", "q"), cell("b", "p", "p"), "repeat 0, fold 1 of a has no partner in b"},
		{cell("a", "!"), cell("b"), "no fold of a and b ended well"},
	} {
		if _, err := Pairs(c.a, c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
