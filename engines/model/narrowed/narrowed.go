// Package narrowed fits one engine to the columns that another one selects.
package narrowed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/constant"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// Engine selects by one engine and fits by another, both on the same training rows: the features are those with a coefficient in
// the first one's model, for any output. A first engine that chooses without a model (engines.Chooser) fits none.
type Engine struct {
	Select engines.Engine `yaml:"select"`
	Refit  engines.Engine `yaml:"refit"`
}

// Validate checks both engines, and that they go together.
func (e Engine) Validate() error {
	_, compatible := e.Select.Needs().Both(e.Refit.Needs())
	return errors.Join(
		e.Select.Validate(), e.Refit.Validate(), unstaged("select.engine", e.Select), unstaged("refit.engine", e.Refit),
		param.Require("refit.engine", compatible, "it takes a %s target only, and select one that is %s", e.Refit.Needs().Target, e.Select.Needs().Target),
	)
}

func unstaged(field string, e engines.Engine) error {
	_, staged := e.(engines.Across)
	return param.Require(field, !staged, "as set here, it learns from other tasks, in stages of its own, and cannot be a part of an algorithm")
}

// Needs merges the requirements of both. Sizes are those of the selector.
func (e Engine) Needs() engines.Needs {
	both, _ := e.Select.Needs().Both(e.Refit.Needs())
	if limit := e.Select.Needs().Sizes.Limit; limit != "" {
		both.Sizes.Limit = "select." + limit
	}
	return both
}

// Footprint returns that of the larger part, which may be the second, since a selector can take all columns; the second gets a copy
// of them.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	second := engines.FootprintOf(e.Refit, s)
	second.Bytes += s.EntryBytes() * s.Entries
	return engines.FootprintOf(e.Select, s).Or(second)
}

// InnerFits counts those of both parts.
func (e Engine) InnerFits(s engines.Shape) int {
	return engines.InnerFits(e.Select, s) + engines.InnerFits(e.Refit, s)
}

// Fit selects and fits. If the selector selects nothing, the model is the best one without features. Models of several sizes are on
// the columns of one selection: the first by rank, or those that the selector has in its own models of these sizes.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	seeds := [2]uint64{run.Rand.Uint64(), run.Rand.Uint64()}
	first := run
	first.Rand, first.Trace = rand.New(rand.NewPCG(seeds[0], 1)), nil
	first.At, first.Keep = nil, nil
	first.Tell = func(f data.Fact) { run.Say(engines.OfSelection+f.Name, f.Value) }
	first.Warn = func(note string) { run.Note(engines.OfSelection + note) }
	first.Searched = run.SearchesOf("selection")
	if run.Watch != nil && !e.Select.Needs().Watch {
		first.Watch = nil
	}
	last, sized, err := choose(ctx, e.Select, first, run.At)
	if err != nil {
		return nil, fmt.Errorf("select: %w", err)
	}
	if slices.ContainsFunc(last.coefs, func(c engines.Coef) bool { return c.Feature >= run.Train.Columns() }) {
		run.Note("features that the selector made of columns are left out: the second model has columns alone")
	}
	if len(run.At) > 0 { // work shared by all sizes
		run.Trace.At(engines.Step{Changed: engines.Coef{Feature: -1}})
	}
	second := run
	second.At, second.Keep = nil, nil
	for k, c := range sized[:min(len(sized), max(0, len(run.At)-1))] {
		second.Rand, second.Trace = rand.New(rand.NewPCG(seeds[1], 2)), nil
		m, err := e.fitOn(ctx, second, c)
		if err != nil {
			return nil, fmt.Errorf("at %d columns: %w", run.At[k], err)
		}
		run.Keep(run.At[k], m)
	}
	second.Rand, second.Trace = rand.New(rand.NewPCG(seeds[1], 2)), run.Trace
	m, err := e.fitOn(ctx, second, last)
	if err == nil && len(run.At) > 0 && len(sized) == len(run.At) {
		run.Keep(run.At[len(run.At)-1], m)
	}
	return m, err
}

// fitOn fits the second engine to the chosen columns.
func (e Engine) fitOn(ctx context.Context, run engines.Run, c choice) (engines.Model, error) {
	m := &model{features: run.Train.Features(), columns: c.columns, selection: c.fitted}
	if run.Watch != nil && e.Refit.Needs().Watch {
		run.Watch = run.Watch.Narrow(m.columns)
	} else {
		run.Watch = nil
	}
	if run.Trace != nil {
		run.Trace = m.trace(run.Trace)
	}
	engine := e.Refit
	if len(m.columns) == 0 {
		run.Note("nothing was selected: the model has no features")
		engine = constant.For(run.Train)
	}
	run.Train = run.Train.Narrow(m.columns)
	var err error
	if m.Model, err = engine.Fit(ctx, run); err != nil {
		return nil, fmt.Errorf("refit: %w", err)
	}
	m.entry = m.entries(c.coefs)
	return m.described(), nil
}

// Selected fits the second engine to the columns that the first one chooses, for engines whose Fit is Choose followed by another's
// Fit.
func Selected(ctx context.Context, first engines.Chooser, second engines.Engine, run engines.Run) (engines.Model, error) {
	chosen, fitted, err := first.Choose(ctx, run)
	if err != nil {
		return nil, err
	}
	return On(ctx, first, chosen, fitted, second, run)
}

// On fits the second engine to the columns that the first one has chosen.
func On(ctx context.Context, first engines.Engine, chosen []engines.Coef, fitted engines.Fitted, second engines.Engine, run engines.Run) (engines.Model, error) {
	return Engine{Select: preselected{first, chosen, fitted}, Refit: second}.Fit(ctx, run)
}

// preselected is an engine that has already chosen.
type preselected struct {
	engines.Engine
	chosen []engines.Coef
	fitted engines.Fitted
}

func (e preselected) Choose(context.Context, engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.chosen, e.fitted, nil
}

// choice holds the columns that an engine selects, rising, and how each came to be selected, if the engine reports that.
type choice struct {
	columns []int32
	coefs   []engines.Coef
	fitted  engines.Fitted
}

// choiceOf returns the columns of a model.
func choiceOf(m engines.Model, columns int) choice {
	c := choice{columns: engines.ColumnsOf(m, columns), coefs: engines.Entries(m)}
	if r, ok := m.(engines.Reporter); ok {
		c.fitted = r.Fitted()
	}
	return c
}

// choose selects columns by an engine: the largest choice, and one for each of the sizes that it reaches.
func choose(ctx context.Context, by engines.Engine, run engines.Run, sizes []int) (last choice, sized []choice, err error) {
	c, chooses := by.(engines.Chooser)
	if kept, units := run.Train.Kept(), run.Train.Together(); chooses && (len(sizes) < 2 || by.Needs().Sizes.Ranked && !units) {
		last.coefs, last.fitted, err = c.Choose(ctx, run)
		for _, size := range sizes {
			if units || size <= len(last.coefs)-len(kept) { // whole units may be fewer columns
				sized = append(sized, last.first(size, kept))
			}
		}
		return last.whole(), sized, err
	}
	run.At = sizes
	run.Keep = func(_ int, m engines.Model) {
		sized = append(sized, choiceOf(m, run.Train.Columns()))
		engines.Close(m)
	}
	fit, err := by.Fit(ctx, run)
	if err != nil {
		return last, nil, err
	}
	defer engines.Close(fit)
	return choiceOf(fit, run.Train.Columns()), sized, nil
}

// whole returns the choice of all columns with coefficients.
func (c choice) whole() choice {
	c.columns = []int32{}
	for _, chosen := range c.coefs {
		c.columns = append(c.columns, int32(chosen.Feature))
	}
	return c
}

// first returns the choice of the first n columns by rank, plus those that are always kept. Its report is that of the whole choice.
func (c choice) first(n int, kept []int32) choice {
	c.fitted.Facts, c.fitted.Notes = nil, nil
	c.coefs = slices.DeleteFunc(slices.Clone(c.coefs), func(chosen engines.Coef) bool { return chosen.Rank >= n+len(kept) })
	return c.whole()
}

// model wraps the second engine's model, for rows with all columns.
type model struct {
	engines.Model
	features  *data.Features
	columns   []int32
	entry     []engines.Coef // how each column was selected, rising
	entered   []engines.Coef // the second model's entries
	selection engines.Fitted
}

// Close closes the second model.
func (m *model) Close() { engines.Close(m.Model) }

// entries returns the coefficients of the selection through which columns entered first.
func (m *model) entries(selected []engines.Coef) []engines.Coef {
	entry := map[int]engines.Coef{}
	for _, c := range selected {
		if was, ok := entry[c.Feature]; !ok || c.Rank >= 0 && c.Rank < was.Rank {
			entry[c.Feature] = c
		}
	}
	var out []engines.Coef
	for _, j := range m.columns {
		if c, ok := entry[int(j)]; ok {
			out = append(out, c)
		}
	}
	return out
}

// described returns the model with its coefficients numbered by the columns of the data. Rank, score and ledger are those of the
// selection.
func (m *model) described() engines.Model {
	entry := make(map[int]engines.Coef, len(m.entry))
	for _, c := range m.entry {
		entry[c.Feature] = c
	}
	m.entered = slices.Clone(engines.Entries(m.Model))
	for k := range m.entered {
		c := &m.entered[k]
		c.Feature = m.number(c.Feature)
		if from, ok := entry[c.Feature]; ok {
			c.Rank, c.Score, c.Bits = from.Rank, from.Score, from.Bits
		}
	}
	if scorer, ok := m.Model.(engines.Scorer); ok {
		return &scoring{m, scorer}
	}
	return m
}

// number maps a feature of the narrow data to the whole: features of the model's own come after the columns.
func (m *model) number(j int) int {
	if j < len(m.columns) {
		return int(m.columns[j])
	}
	return m.features.Len() + j - len(m.columns)
}

func (m *model) trace(to engines.Trace) engines.Trace {
	return func(s engines.Step) {
		if s.Changed.Feature >= 0 {
			s.Changed.Feature = m.number(s.Changed.Feature)
		}
		s.Also = slices.Clone(s.Also)
		for k := range s.Also {
			s.Also[k].Feature = m.number(s.Also[k].Feature)
		}
		to(s)
	}
}

// Coefs returns the coefficients of the second model.
func (m *model) Coefs() []engines.Coef {
	if len(m.Model.Coefs()) == 0 {
		return nil
	}
	return m.entered
}

// Importances returns the columns that matter to a second model without coefficients, with the rank and score of the selection.
func (m *model) Importances() []engines.Coef { return m.entered }

// Biases returns the biases of the second model.
func (m *model) Biases() []float64 { return engines.Biases(m.Model) }

// Selected returns the columns that the second model uses without a coefficient for each.
func (m *model) Selected() (columns []int32) {
	if s, ok := m.Model.(engines.Selective); ok {
		for _, j := range s.Selected() {
			columns = append(columns, int32(m.number(int(j))))
		}
	}
	return columns
}

// Uses returns the columns that the second model depends on.
func (m *model) Uses() (columns []int32) {
	for _, j := range engines.Uses(m.Model, len(m.columns)) {
		columns = append(columns, m.columns[j])
	}
	return columns
}

// FeatureName returns the name of a column, or of a feature of the second model's own.
func (m *model) FeatureName(j int) string {
	if namer, ok := m.Model.(engines.Namer); ok && j >= m.features.Len() {
		return namer.FeatureName(j - m.features.Len() + len(m.columns))
	}
	return m.features.Name(j)
}

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *model) Predict(dst []float64, in data.Inputs) { m.Model.Predict(dst, in.Narrow(m.columns)) }

// Fitted reports how the second fit ended, with the notes and facts of the first, and the work of both.
func (m *model) Fitted() engines.Fitted {
	var f engines.Fitted
	if r, ok := m.Model.(engines.Reporter); ok {
		f = r.Fitted()
	} else {
		f.Best = -1
	}
	f.Evaluated += m.selection.Evaluated
	f.Optimistic = f.Optimistic || m.selection.Optimistic
	facts := []data.Fact{}
	if m.selection.Stop != "" {
		facts = append(facts, data.Fact{Name: "selection: ended by", Value: m.selection.Stop})
	}
	for _, fact := range m.selection.Facts {
		facts = append(facts, data.Fact{Name: engines.OfSelection + fact.Name, Value: fact.Value})
	}
	f.Facts = append(facts, f.Facts...)
	notes := []string{}
	for _, n := range m.selection.Notes {
		notes = append(notes, engines.OfSelection+n)
	}
	f.Notes = append(notes, f.Notes...)
	return f
}

// scoring is a model that can score single rows.
type scoring struct {
	*model
	scorer engines.Scorer
}

// Score fills dst with the outputs for one row.
func (m *scoring) Score(dst []float64, row sparse.Vec) {
	m.scorer.Score(dst, row.Keep(m.columns))
}
