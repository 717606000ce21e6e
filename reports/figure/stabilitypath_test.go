package figure

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/data/stabilitypath"
	"tenfold/reports/drawing"
)

// stabilityInput is a sweep one of whose fits had stability selection.
func stabilityInput() Input {
	in := many(1, 1)
	for _, r := range in.Cells[0].Rows {
		r.Outcome.Facts = []data.Fact{{Name: "other", Value: "1"}, stabilitypath.Path{Halves: 10, Least: 8, Lines: []stabilitypath.Line{
			{Name: "age", Counts: []int{9, 10, 10}}, {Name: "zip", Counts: []int{1, 5, 8}}, {Name: "x", Counts: []int{0, 2, 4}}, {Name: "y", Counts: []int{0, 0, 1}},
		}}.Fact()}
		r.Outcome.Facts[1].Name = "selection: " + r.Outcome.Facts[1].Name
	}
	return in
}

// Stable columns have names and colours, the others none; shares are of halves, from 0 at q 0 on.
func TestStabilityPath(t *testing.T) {
	c := buildCurves(t, Config{Kind: StabilityPath}, stabilityInput())
	if got, want := labels(c), "age; zip; not stable; ; threshold 0.8"; got != want {
		t.Fatalf("series %q, want %q", got, want)
	}
	if got, want := c.Series[1].Points, []drawing.Point{{}, {X: 1, Y: 0.1}, {X: 2, Y: 0.5}, {X: 3, Y: 0.8}}; !slices.Equal(got, want) {
		t.Errorf("points %v, want %v", got, want)
	}
	if c.Series[2].Colour != -1 || c.Series[1].Colour == c.Series[0].Colour {
		t.Error("stable columns differ in colour, and others have none")
	}
	if got := c.Series[4].Points[1]; got != (drawing.Point{X: 3, Y: 0.8}) {
		t.Errorf("the threshold ends at %v", got)
	}
	if got, want := c.Readings[1].Text, "q 2 · age 1.00 · zip 0.50"; got != want {
		t.Errorf("reading %q, want %q", got, want)
	}
	if want := "Of 10 halves, the share whose first q columns have the column; 2 of the 4 columns drawn are stable."; !strings.Contains(c.Caption, want) {
		t.Errorf("caption %q", c.Caption)
	}
}

func TestNoStabilityPath(t *testing.T) {
	_, err := Build(Config{Kind: StabilityPath}, many(1, 1))
	if err == nil || !strings.Contains(err.Error(), "expected an algorithm with stability") {
		t.Errorf("error %v", err)
	}
	if err := (Config{Kind: StabilityPath, X: "q"}).Validate(); err == nil {
		t.Error("x means nothing to it")
	}
}
