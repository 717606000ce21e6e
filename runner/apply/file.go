package apply

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/numeric/exact"
	"tenfold/io/files"
	"tenfold/io/model"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/plan"
)

// FileOf returns the model file of a fit of cell c to all rows of its data set. u is the unit that was fitted; format is
// the reader that applies to new rows.
func FileOf(name string, format source.Kind, c *plan.Cell, u *plan.Unit, w *execute.FullFit) (*model.File, error) {
	saved, err := engines.Save(w.Model)
	if err != nil {
		return nil, err
	}
	options, err := experiment.SourceOptions(format, c.Set.Source)
	if err != nil {
		return nil, err
	}
	if c.Set.Dataset.Family.Kind == experiment.OneVsRest { // of a family; all other labels of new rows are the rest
		t := &w.Learned.Targets[0]
		t.Rest = t.Levels[1-t.Positive]
	}
	need, o := c.Algorithm.Engine.Needs(), &w.Outcome
	m := &model.File{
		Version: model.Version, Experiment: name, Dataset: c.Set.Dataset.Name, Algorithm: c.Algorithm.Name,
		Engine: c.Algorithm.Kind, Revision: c.Algorithm.Rev, Params: json.RawMessage(u.Ingredients.Params), Cell: c.Key,
		Grid: gridText(u.Label.Grid),
		Data: model.Data{Format: c.Set.Format, Rev: c.Set.Rev, Options: options, Files: sharedFiles(c.Set.Source, c.Set.Files), Binary: need.Binary, Counts: need.Counts},
		Fit: model.Fit{
			Rows: o.RowsTrain, Columns: o.Columns, Seed: u.Label.Seed, Seconds: o.SecondsFit, Stop: o.Stop, Notes: o.Notes, Data: c.Set.Digest,
		},
		Preparation: w.Learned, Model: saved, Selected: selectedFeatures(w),
	}
	if c.Set.Task != "" {
		m.Task = model.Task{Family: c.Set.Dataset.Family.Kind, Name: c.Set.Task}
	}
	for _, f := range slices.Concat(o.Prepared, o.Facts) {
		m.Fit.Facts = append(m.Fit.Facts, model.Fact{Name: f.Name, Value: f.Value})
	}
	return m, nil
}

// sharedFiles returns the files that new rows need, too: those that say how rows are read, not those with rows, labels,
// tables of samples or classes.
func sharedFiles(src source.Source, given map[string]files.Ref) map[string]files.Ref {
	roles := append(slices.Concat(src.Declares().Roles...), "labels", "ids", "groups", "gmt", "classes", "all_event", "train_event", "test_event")
	out := maps.Clone(given)
	maps.DeleteFunc(out, func(role string, _ files.Ref) bool {
		return slices.Contains(roles, role) || strings.HasPrefix(role, "join")
	})
	return out
}

// selectedFeatures lists a model's coefficients, and columns that it uses without coefficients.
func selectedFeatures(w *execute.FullFit) model.Selected {
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

// gridText formats a point of a grid: epsilon=0.1 patience=3.
func gridText(grid []results.Param) string {
	parts := make([]string, len(grid))
	for i, p := range grid {
		parts[i] = fmt.Sprintf("%s=%v", p.Name, p.Value)
	}
	return strings.Join(parts, " ")
}
