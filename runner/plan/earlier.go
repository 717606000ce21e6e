package plan

import (
	"fmt"
	"slices"
	"time"

	"tenfold/io/results"
)

// unitIndex finds units of an earlier plan by their key, or by what they are called.
type unitIndex struct {
	byKey  map[string]*Ingredients
	byName map[unitName][]earlierUnit
}

// unitName identifies a unit as a person would, except for its grid point.
type unitName struct {
	dataset, algorithm, stage string
	repeat, fold              int
}

// earlierUnit is a unit of an earlier plan with its grid point.
type earlierUnit struct {
	grid []GridValue
	in   *Ingredients
}

func (f *Frozen) indexUnits() unitIndex {
	e := unitIndex{byKey: map[string]*Ingredients{}, byName: map[unitName][]earlierUnit{}}
	if f == nil {
		return e
	}
	for _, c := range slices.Concat(f.Stages, f.Cells) {
		for _, u := range c.Units {
			in := c.Ingredients(u)
			e.byKey[u.Unit] = &in
			name := unitName{c.Dataset, c.Algorithm, c.Stage, u.Repeat, u.Fold}
			e.byName[name] = append(e.byName[name], earlierUnit{c.Grid, &in})
		}
	}
	return e
}

// nearest returns the ingredients of the earlier unit that u corresponds to: the one with the same key (same is then true), else
// the one with the same data set, algorithm, repeat, fold and grid point. If the grid has other parameters now, it is the one
// whose point shares most values. nearest returns nil if there is none, as for a new point of an old grid.
func (e unitIndex) nearest(u *Unit) (was *Ingredients, same bool) {
	if in := e.byKey[u.Label.Unit]; in != nil {
		return in, true
	}
	best := -1
	for _, c := range e.byName[unitName{u.Label.Dataset, u.Label.Algorithm, u.Label.Stage, int(u.Label.Repeat), int(u.Label.Fold)}] {
		n := sharedCoordinates(c.grid, u.Label.Grid)
		if len(c.grid) == len(u.Label.Grid) && n < len(c.grid) {
			continue
		}
		if n > best {
			best, was = n, c.in
		}
	}
	return was, false
}

func sharedCoordinates(was []GridValue, is []results.Param) int {
	n := 0
	for _, p := range is {
		if slices.ContainsFunc(was, func(g GridValue) bool { return g.Name == p.Name && Coordinate(g.Value) == Coordinate(p.Value) }) {
			n++
		}
	}
	return n
}

// Coordinate formats a grid value so that equal numbers of a plan and of a file are equal texts: JSON has one number
// type, YAML two.
func Coordinate(value any) string {
	switch x := value.(type) {
	case int64:
		return fmt.Sprint(float64(x))
	case int:
		return fmt.Sprint(float64(x))
	}
	return fmt.Sprint(value)
}

// historyKey identifies fits that take about equally long. The engine alone does not, since a selection step before it may take
// longer than the fit.
type historyKey struct{ dataset, algorithm, engine, stage string }

type average struct {
	seconds float64
	n       int
}

func (a average) mean() time.Duration {
	if a.n == 0 {
		return 0
	}
	return seconds(a.seconds / float64(a.n))
}

// meanTimes returns the mean time of stored fits of an earlier plan, by data set and algorithm.
func (f *Frozen) meanTimes(store Store) map[historyKey]average {
	out := map[historyKey]average{}
	if f == nil {
		return out
	}
	for _, c := range slices.Concat(f.Stages, f.Cells) {
		for _, u := range c.Units {
			if h, ok := store.Head(u.Unit); ok && h.Status == results.OK {
				k := historyKey{c.DatasetDigest, c.Algorithm, c.Engine, c.Stage}
				out[k] = average{out[k].seconds + h.SecondsFit, out[k].n + 1}
			}
		}
	}
	return out
}
