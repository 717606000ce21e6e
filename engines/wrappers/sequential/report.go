package sequential

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/searches"
)

// nothing returns the error of a search that found no set of a size that may be chosen.
func (f *fits) nothing() error {
	if f.first != nil {
		return fmt.Errorf("no set of columns of a size that may be chosen could be fitted to all inner folds: %w", f.first)
	}
	return errors.New("no set of columns of a size that may be chosen has a finite value on the inner folds")
}

// coefs returns the columns of a set, rising, with those in every model.
func (f *fits) coefs(chosen *set) (out []engines.Coef) {
	entered := f.search.entry(chosen)
	for _, move := range entered {
		mean, _ := f.search.mean(move.to)
		for _, j := range f.columns[move.unit] {
			out = append(out, engines.Coef{Feature: int(j), Rank: len(out), Score: mean})
		}
	}
	if entered == nil {
		mean, _ := f.search.mean(chosen)
		for _, u := range chosen.units {
			for _, j := range f.columns[u] {
				out = append(out, engines.Coef{Feature: int(j), Rank: -1, Score: mean})
			}
		}
	}
	for _, j := range f.kept {
		out = append(out, engines.Coef{Feature: int(j), Rank: -1})
	}
	slices.SortFunc(out, func(a, b engines.Coef) int { return a.Feature - b.Feature })
	return out
}

// fitted reports the search: the chosen size, the best set of each size as its difference to that of the size before, and the work.
func (f *fits) fitted(chosen *set) engines.Fitted {
	s := f.search
	out := engines.Fitted{Stop: s.stop, Best: -1, Iterations: s.turns, Evaluated: int64(len(s.known))}
	name := s.metrics[s.metric].Name
	var sizes []string
	var before []int32
	for size, m := range s.best {
		if m == nil {
			continue
		}
		sizes = append(sizes, strconv.Itoa(size)+": "+f.value(m)+f.difference(before, m.units))
		before = m.units
	}
	out.Facts = []data.Fact{
		{Name: "size", Value: strconv.Itoa(len(chosen.units))},
		{Name: "inner " + name, Value: f.value(chosen)},
		{Name: "inner " + name + " by size", Value: strings.Join(sizes, "; ")},
		{Name: "search", Value: fmt.Sprintf("%d sets on %d inner folds, %d steps, %d sets restored", len(s.known), len(f.validation.Folds), len(s.steps), s.restores)},
	}
	dropped := 0
	for _, is := range s.defined {
		if !is {
			dropped++
		}
	}
	if dropped > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s has no value for every set on %d of %d inner folds, which are left out", name, dropped, len(s.defined)))
	}
	if f.failed > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d of %d sets of columns could not be fitted to all inner folds, and took no part: %v", f.failed, len(s.known), f.first))
	}
	return out
}

// searched returns what was measured of each set.
func (f *fits) searched(chosen *set) searches.Record {
	s := f.search
	out := searches.Record{Kind: "sequential", Parameter: "size"}
	best, smallestNear := s.choices()
	for _, sets := range s.measured {
		stage := searches.Stage{Metric: s.metrics[s.metric].Name, Folds: engines.SizesOf(f.validation.Folds)}
		for _, m := range sets {
			a := searches.Attempt{
				Candidate: f.moveTo(m), Number: float64(len(m.units)), Seconds: f.seconds[nameOf(m.units)],
				Kept: slices.Contains(s.best, m), Best: m == best, OneSE: m == smallestNear, Chosen: m == chosen,
			}
			if m.values != nil {
				a.Values = m.values[s.metric]
			} else {
				a.Values = slices.Repeat([]float64{math.NaN()}, len(stage.Folds))
			}
			stage.Attempts = append(stage.Attempts, a)
		}
		out.Stages = append(out.Stages, stage)
	}
	return out
}

// moveTo names the column, or unit, by which the search came to a set.
func (f *fits) moveTo(m *set) string {
	switch {
	case m.action == add:
		return "+" + f.name(m.unit)
	case m.action == drop:
		return "−" + f.name(m.unit)
	case len(m.units) == 0:
		return "no columns"
	}
	return "all columns"
}

// name returns the name of a unit.
func (f *fits) name(unit int32) string {
	j := int(f.columns[unit][0])
	if name := f.run.Train.UnitName(j); name != "" && f.run.Train.Together() {
		return name
	}
	return f.run.Train.Features().Name(j)
}

// value returns the mean of a set and its standard error.
func (f *fits) value(m *set) string {
	mean, se := f.search.mean(m)
	if math.IsNaN(se) { // a single inner fold
		return fmt.Sprintf("%.6g", mean)
	}
	return fmt.Sprintf("%.6g ± %.2g", mean, se)
}

// difference names the units that entered and left between two sets.
func (f *fits) difference(before, after []int32) string {
	var out strings.Builder
	mark := func(sign string, units, others []int32) {
		for _, u := range units {
			if _, has := slices.BinarySearch(others, u); !has {
				out.WriteString(" " + sign + f.name(u))
			}
		}
	}
	mark("+", after, before)
	mark("−", before, after)
	return out.String()
}
