package cells

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"tenfold/io/results"
	"tenfold/io/results/stability"
)

func picks(features string) []results.Selected {
	var out []results.Selected
	for i, f := range features {
		out = append(out, results.Selected{Rank: int32(i), Feature: string(f), Output: "y", Coefficient: float64(i + 1), Score: math.Pi})
	}
	return out
}

// cell has a fold for each text, whose letters are the features; "-" is a fold that failed.
func cell(dataset string, columns int64, folds ...string) *Cell {
	c := &Cell{Dataset: dataset, Algorithm: "a", Folds: len(folds)}
	for i, f := range folds {
		r := row("a", dataset, int32(i), results.OK)
		r.Columns, r.Outcome.Selected, r.Features = columns, picks(f), int32(len(f))
		if f == "-" {
			r.Status = results.Failed
		}
		c.Rows = append(c.Rows, &r)
	}
	return c
}

func TestStabilityOf(t *testing.T) {
	partly := cell("d", 10, "ab", "-", "ab", "ac")
	partly.Rows[2].Columns = 12 // cutoffs are counted on training rows
	partly.Rows[0].Outcome.Selected = append(partly.Rows[0].Outcome.Selected, results.Selected{Feature: "a", Output: "z"})
	want, err := stability.Of([][]string{{"a", "b"}, {"a", "b"}, {"a", "c"}}, 12)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := StabilityOf(InRows{}, partly, results.StabilityMetric); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	lost := cell("d", 10, "ab", "ab")
	lost.Rows[1].Outcome.Selected = nil
	for _, c := range []struct {
		cell *Cell
		want error
	}{
		{cell("d", 10, "ab"), stability.ErrUndefined},
		{cell("d", 10, "ab", "-"), stability.ErrUndefined},
		{cell("d", 10, "-", "-"), stability.ErrUndefined},
		{cell("d", 10, "", ""), stability.ErrUndefined},
		{cell("d", 2, "ab", "bc"), stability.ErrUndefined}, // every fold has all of its columns
		{lost, ErrNotKept},
	} {
		if s, err := StabilityOf(InRows{}, c.cell, results.StabilityMetric); !errors.Is(err, c.want) || s.Folds != 0 {
			t.Errorf("%+v: %v, want %v", s, err, c.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	a, b, none := cell("d", 10, "ab", "ab", "ac"), cell("e", 10, "ab", "ab", "ab"), cell("f", 10, "", "")
	a.Rows[0].Scores = []results.Score{{Metric: "mae", Point: -1, Value: 3}}
	if s := Measure(InRows{}, []*Cell{a}, "mae"); s.N != 1 || s.Mean != 3 {
		t.Errorf("a metric of folds: %+v", s)
	}
	one, err := StabilityOf(InRows{}, a, results.StabilityMetric)
	if err != nil {
		t.Fatal(err)
	}
	if s := Measure(InRows{}, []*Cell{a}, "stability"); s.N != 3 || s.Mean != one.Mean || s.Low != one.Low || s.High != one.High {
		t.Errorf("of one cell: %+v", s)
	}
	if s := Measure(InRows{}, []*Cell{a, none, b}, "stability"); s.N != 6 || !(math.Abs(s.Mean-(one.Mean+1)/2) <= 1e-15) {
		t.Errorf("of several: %+v", s)
	}
	if s := Measure(InRows{}, []*Cell{none}, "stability"); s.N != 0 || !math.IsNaN(s.Mean) {
		t.Errorf("of none: %+v", s)
	}
	if !a.Higher("stability") || !OfCell("stability") || OfCell("mae") {
		t.Error("stability is of cells, and higher is better")
	}
}

// counting hands out selections and counts how often it is asked.
type counting struct {
	InRows
	asked int
	err   error
}

func (c *counting) Selected(r *results.Row) ([]results.Selected, error) {
	c.asked++
	if c.err != nil {
		return nil, c.err
	}
	return c.InRows.Selected(r)
}

func TestCacheReadsOnce(t *testing.T) {
	c := cell("d", 10, "ab", "", "bc")
	src := &counting{}
	cache := Cache(src)
	for range 3 {
		for _, r := range c.Rows {
			got, err := cache.Selected(r)
			if err != nil || len(got) != len(r.Outcome.Selected) || len(got) > 0 && !reflect.DeepEqual(got, r.Outcome.Selected) {
				t.Fatalf("%+v, %v, want %+v", got, err, r.Outcome.Selected)
			}
		}
	}
	if src.asked != 3 {
		t.Errorf("asked %d times for 3 rows", src.asked)
	}
}

func TestCacheKeepsSoMany(t *testing.T) {
	c := cell("d", 10, "ab")
	src := &counting{}
	cache := Cache(src)
	cache.size = keep - 1
	for range 2 {
		if got, err := cache.Selected(c.Rows[0]); err != nil || len(got) != 2 {
			t.Errorf("%v, %v", got, err)
		}
	}
	if src.asked != 2 || len(cache.kept) != 0 {
		t.Errorf("asked %d times, %d rows kept", src.asked, len(cache.kept))
	}
}

func TestCacheTellsErrors(t *testing.T) {
	c := cell("d", 10, "ab", "ab")
	src := &counting{err: fmt.Errorf("damaged")}
	cache := Cache(src)
	if s := Measure(cache, []*Cell{c}, "stability"); s.N != 0 || cache.Err() != src.err {
		t.Errorf("%+v, %v", s, cache.Err())
	}
	src.err = nil
	if s := Measure(cache, []*Cell{c}, "stability"); s.N != 2 {
		t.Errorf("an error was kept: %+v", s)
	}
}

// streamed hands out selections one by one, and counts how often it holds all of a row.
type streamed struct {
	InRows
	held int
}

func (s *streamed) Selected(r *results.Row) ([]results.Selected, error) {
	s.held++
	return s.InRows.Selected(r)
}

func (s *streamed) EachSelected(r *results.Row, do func(results.Selected)) error {
	for _, one := range r.Outcome.Selected {
		do(one)
	}
	return nil
}

// One by one come the same features as all together, without kept ones, and those of a large model are held by nobody.
func TestEachSelected(t *testing.T) {
	c := cell("d", 1<<17, "abc", "de")
	c.Rows[0].Outcome.Selected[1].Kept = true
	c.Rows[1].Features = MaxKept + 1
	src := &streamed{}
	cached := Cache(src)
	for _, r := range c.Rows {
		want, err := Selection(InRows{}, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range []Source{InRows{}, cached, cached} {
			var got []results.Selected
			if err := EachSelected(source, r, func(s results.Selected) { got = append(got, s) }); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%T: %v, %v, want %v", source, got, err, want)
			}
		}
	}
	if src.held != 1 {
		t.Errorf("selections were held %d times, expected those of the small model alone, once", src.held)
	}
	c.Rows[1].Outcome.Selected = nil
	if err := EachSelected(cached, c.Rows[1], func(results.Selected) {}); !errors.Is(err, ErrNotKept) {
		t.Errorf("nothing kept: %v", err)
	}
}
