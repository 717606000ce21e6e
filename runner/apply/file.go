package apply

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/exact"
	"tenfold/io/files"
	"tenfold/io/model"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner"
	"tenfold/runner/plan"
	"tenfold/runner/spec"
)

// FileOf a fit to all rows of a cell's data set, which format reads, as unit u of the cell has it.
func FileOf(experiment string, format source.Kind, c *plan.Cell, u *plan.Unit, w *runner.Whole) (*model.File, error) {
	saved, err := engines.Save(w.Model)
	if err != nil {
		return nil, err
	}
	options, err := spec.SourceOptions(format, c.Set.Source)
	if err != nil {
		return nil, err
	}
	if c.Set.Dataset.Family.Kind == spec.OneVsRest { // of a family; all other labels of new rows are the rest
		t := &w.Learned.Targets[0]
		t.Rest = t.Levels[1-t.Positive]
	}
	need, o := c.Algorithm.Engine.Needs(), &w.Outcome
	m := &model.File{
		Version: model.Version, Experiment: experiment, Dataset: c.Set.Dataset.Name, Algorithm: c.Algorithm.Name,
		Engine: c.Algorithm.Kind, Revision: c.Algorithm.Rev, Params: json.RawMessage(u.Ingredients.Params), Cell: c.Key,
		Grid: pointOf(u.Label.Grid),
		Data: model.Data{Format: c.Set.Format, Rev: c.Set.Rev, Options: options, Files: besides(c.Set.Source, c.Set.Files), Binary: need.Binary, Counts: need.Counts},
		Fit: model.Fit{
			Rows: o.RowsTrain, Columns: o.Columns, Seed: u.Label.Seed, Seconds: o.SecondsFit, Stop: o.Stop, Notes: o.Notes, Data: c.Set.Digest,
		},
		Preparation: w.Learned, Model: saved, Selected: selectedBy(w),
	}
	if c.Set.Task != "" {
		m.Task = model.Task{Family: c.Set.Dataset.Family.Kind, Name: c.Set.Task}
	}
	for _, f := range slices.Concat(o.Prepared, o.Facts) {
		m.Fit.Facts = append(m.Fit.Facts, model.Fact{Name: f.Name, Value: f.Value})
	}
	return m, nil
}

// besides are the files that new rows need, too: those that say how rows are read, not those that have rows, responses or classes.
func besides(src source.Source, given map[string]files.Ref) map[string]files.Ref {
	own := append(slices.Concat(src.Declares().Roles...), "features", "responses", "labels", "groups", "gmt", "classes")
	out := maps.Clone(given)
	maps.DeleteFunc(out, func(role string, _ files.Ref) bool { return slices.Contains(own, role) })
	return out
}

// selectedBy a model: its coefficients, and columns that it uses without any.
func selectedBy(w *runner.Whole) model.Selected {
	out := model.Selected{}
	has := map[string]bool{}
	for _, s := range w.Outcome.Selected {
		f := model.Feature{
			Rank: int(s.Rank), Feature: s.Feature, Class: s.Class, Output: s.Output,
			Coefficient: exact.Float(s.Coefficient), Score: exact.Float(s.Score),
		}
		if b := s.Bits; b != nil {
			f.Bits = &model.Bits{
				Saved: exact.Float(b.Saved), Refined: exact.Float(b.Refined), Class: exact.Float(b.Class),
				Index: exact.Float(b.Index), Subset: exact.Float(b.Subset), Coefficient: exact.Float(b.Coefficient),
			}
		}
		out, has[s.Feature] = append(out, f), true
	}
	if m, ok := w.Model.(engines.Selective); ok {
		features := w.Learned.Features()
		for _, j := range m.Selected() {
			if name := features.Name(int(j)); !has[name] {
				out = append(out, model.Feature{Rank: -1, Feature: name, Coefficient: exact.Float(math.NaN()), Score: exact.Float(math.NaN())})
			}
		}
	}
	return out
}

// pointOf a grid, in words: epsilon=0.1 patience=3.
func pointOf(grid []results.Param) string {
	parts := make([]string, len(grid))
	for i, p := range grid {
		parts[i] = fmt.Sprintf("%s=%v", p.Name, p.Value)
	}
	return strings.Join(parts, " ")
}
