package models

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/numeric/exact"
	"tenfold/engines/suggest"
	"tenfold/io/model"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/runner"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/metric"
	"tenfold/runner/plan"
)

// renameOnlyFlag makes an error about --only name --cell instead, which fit calls it.
func renameOnlyFlag(err error) error {
	if text := err.Error(); strings.HasPrefix(text, "--only") {
		return errors.New("--cell" + strings.TrimPrefix(text, "--only"))
	}
	return err
}

// maxNamedCells limits the cells that a message lists.
const maxNamedCells = 20

// chooseCell returns the one cell that the flags name or, with --best, the best of those they match.
func chooseCell(s *runner.Session, f fitFlags, held *model.Held) (*plan.Cell, error) {
	var found []*plan.Cell
	for _, c := range s.Cells {
		ok, err := runner.Matches(f.cell, c)
		if err != nil {
			return nil, app.Invalid(fmt.Errorf("--cell %s: %w", f.cell, err))
		}
		if ok && !slices.ContainsFunc(found, func(other *plan.Cell) bool { return other.Key == c.Key }) {
			found = append(found, c)
		}
	}
	if f.best != "" {
		return bestCell(s, found, f, held)
	}
	if len(found) == 1 {
		return found[0], nil
	}
	lines := []string{fmt.Sprintf("%d cells, and a model is of one: choose with --cell, or by the results of a run with --best METRIC", len(found))}
	for _, c := range found[:min(maxNamedCells, len(found))] {
		lines = append(lines, fmt.Sprintf("  %s  %s", c.Key[:10], experiments.CellName(c.Set.Name, c)))
	}
	if len(found) > maxNamedCells {
		lines = append(lines, fmt.Sprintf("  … and %d more", len(found)-maxNamedCells))
	}
	return nil, app.Invalid(sanitize.NewLines(lines...))
}

// bestCell returns the cell with the best mean over its folds. It fails if some cell lacks results of some folds.
func bestCell(s *runner.Session, cells []*plan.Cell, f fitFlags, held *model.Held) (*plan.Cell, error) {
	m, ok := s.File.Defined.Find(f.best)
	if !ok {
		return nil, app.Invalid(fmt.Errorf("--best %s: no such metric%s", f.best, suggest.Choices(f.best, s.File.Defined.Names())))
	}
	all, means, ended := make([][]float64, len(cells)), make([]float64, len(cells)), 0
	for i, c := range cells {
		if c.Set.Name != cells[0].Set.Name {
			return nil, app.Invalid(fmt.Errorf("--best %s: cells on several data sets are not compared (%s, %s): choose one with --cell", f.best, cells[0].Set.Name, c.Set.Name))
		}
		if values, ratio := s.Values(c, f.best, scorePoint(f.point)); len(values) == len(c.Units) {
			all[i], means[i] = values, statOf(values, ratio).Mean
			ended++
		}
	}
	compete := results.Compete(all)
	var best *plan.Cell
	var value float64
	compared := 0
	for i, c := range cells {
		if !compete[i] || !results.Finite(means[i]) {
			continue
		}
		compared++
		if best == nil || m.Better == metric.Higher && means[i] > value || m.Better == metric.Lower && means[i] < value {
			best, value = c, means[i]
		}
	}
	switch {
	case ended == 0:
		return nil, app.WithExit(app.ExitIncomplete, fmt.Errorf("--best %s: no cell has it on all folds in %s; run the experiment first (tenfold run %s), or name the folder of its run with --run", f.best, s.Dir, s.File.Path))
	case ended < len(cells):
		return nil, app.WithExit(app.ExitIncomplete, fmt.Errorf("--best %s: %d of %d cells have no complete results in %s, and may be better; run the experiment first (tenfold run %s), or name the folder of its run with --run",
			f.best, len(cells)-ended, len(cells), s.Dir, s.File.Path))

	case best == nil:
		return nil, app.WithExit(app.ExitIncomplete, fmt.Errorf("--best %s: no cell has a finite value on each fold, and not all lack it on the same folds, so that none can be compared; choose by another metric", f.best))
	}
	held.Chosen, held.Of = f.best, compared
	return best, nil
}

// statOf summarises the values there are on the folds of a cell, which share training rows.
func statOf(values []float64, ratio float64) results.Stat {
	s := results.SummariseFolds(slices.DeleteFunc(slices.Clone(values), math.IsNaN), ratio)
	s.Of = len(values)
	return s
}

// scorePoint converts --point to the path point of stored scores, where -1 means none.
func scorePoint(size int) int32 {
	if size == 0 {
		return -1
	}
	return int32(size)
}

// addHeldOutScores adds the means over the cell's folds to held, for each metric of the file that has results. It
// reports whether there are any.
func addHeldOutScores(s *runner.Session, c *plan.Cell, point int, held *model.Held) bool {
	names := slices.Clone(s.File.Metrics)
	if held.Chosen != "" && !slices.Contains(names, held.Chosen) {
		names = append(names, held.Chosen)
	}
	held.Folds = len(c.Units)
	for _, name := range names {
		if stat := statOf(s.Values(c, name, scorePoint(point))); stat.N > 0 {
			held.Metrics = append(held.Metrics, model.Metric{Name: name, Mean: exact.Float(stat.Mean), SE: exact.Float(stat.SE), N: stat.N})
		}
	}
	return len(held.Metrics) > 0
}

func checkPoint(c *plan.Cell, point int) error {
	sizes := c.Units[0].At
	switch {
	case point == 0 || slices.Contains(sizes, point):
		return nil
	case len(sizes) == 0:
		return fmt.Errorf("--point %d: algorithm %s has no path.at", point, c.Algorithm.Name)
	}
	texts := make([]string, len(sizes))
	for k, n := range sizes {
		texts[k] = fmt.Sprint(n)
	}
	return fmt.Errorf("--point %d: path.at of %s has %s", point, c.Algorithm.Name, strings.Join(texts, ", "))
}
