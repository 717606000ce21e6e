package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/exact"
	"tenfold/io/files"
	"tenfold/io/model"
	"tenfold/io/source"
	"tenfold/runner"
	"tenfold/runner/plan"
	"tenfold/runner/spec"
)

// modelOf a fit to all rows.
func (a *App) modelOf(file *spec.File, c *plan.Cell, u *plan.Unit, w *runner.Whole) (*model.File, error) {
	saved, err := engines.Save(w.Model)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name(c.Set.Name, c), err)
	}
	format := a.Formats[c.Set.Format]
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
		Version: model.Version, Experiment: file.Name, Dataset: c.Set.Dataset.Name, Algorithm: c.Algorithm.Name,
		Engine: c.Algorithm.Kind, Revision: c.Algorithm.Rev, Params: json.RawMessage(u.Ingredients.Params), Cell: c.Key,
		Grid: strings.TrimSpace(coordinates(u.Label.Grid)),
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

// sayModel tells what was fitted, and what is known of how good it is.
func (a *App) sayModel(path string, m *model.File) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	for _, note := range m.Fit.Notes {
		a.warn(errors.New(note))
	}
	features := map[string]bool{}
	for _, f := range m.Selected {
		features[f.Feature] = true
	}
	fmt.Fprintf(a.Out, "%s\n%s\n", heading(m), heldOut(m))
	_, err = fmt.Fprintf(a.Out, "model    %s, %s, %s\n", path, size(info.Size()), count(len(features), "feature"))
	return err
}

// size of a file for people.
func size(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// heading says what a model is.
func heading(m *model.File) string {
	set := m.Dataset
	if m.Task.Name != "" {
		set += "/" + m.Task.Name
	}
	algorithm := strings.TrimSpace(m.Algorithm + " " + m.Grid)
	text := fmt.Sprintf("fitted   %s × %s (cell %.10s) to all %s, %s after preparation", set, algorithm, m.Cell, count(int(m.Fit.Rows), "row"), count(int(m.Fit.Columns), "column"))
	if m.Point > 0 {
		text += fmt.Sprintf("; the model of %s on its path", count(m.Point, "feature"))
	}
	return text
}

// heldOut says what is known of rows that were held out, and of whom.
func heldOut(m *model.File) string {
	if m.Held == nil {
		return "held out none: the model has seen all rows, and the run has no results of its cell (tenfold run makes them)"
	}
	var b strings.Builder
	b.WriteString("held out ")
	for k, one := range m.Held.Metrics {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %.4g", one.Name, float64(one.Mean))
		if se := float64(one.SE); se == se {
			fmt.Fprintf(&b, " ± %.2g", se)
		}
	}
	fmt.Fprintf(&b, " over %s: of models fitted to their training rows, not of this one, which has seen all rows", count(cmp.Or(m.Held.Folds, 1), "fold"))
	if m.Held.Chosen != "" && m.Held.Of > 1 {
		fmt.Fprintf(&b, ". The best of %d by %s, which flatters that number", m.Held.Of, m.Held.Chosen)
	}
	return b.String()
}
