// Package apply writes the models of fits to files and predicts new rows with them.
package apply

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/decision"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/files"
	"tenfold/io/model"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/execute"
)

// Model is a model file with its model restored.
type Model struct {
	*model.File
	fitted engines.Model
}

// Open restores the model of a file.
func Open(f *model.File, kinds engines.Models) (*Model, error) {
	m, err := kinds.Restore(f.Model, f.Preparation.Features())
	if err != nil {
		return nil, err
	}
	want := 0
	for _, t := range f.Preparation.Targets {
		want += max(1, len(t.Levels))
	}
	if m.Outputs() != want {
		return nil, fmt.Errorf("the model is damaged: %d outputs for %d numbers and levels of its targets", m.Outputs(), want)
	}
	copied := *f
	copied.Preparation = f.Preparation.For(engines.Uses(m, f.Preparation.Features().Len()))
	return &Model{&copied, m}, nil
}

// Close ends what the model holds besides memory; it predicts no more.
func (m *Model) Close() { engines.Close(m.fitted) }

// Intercept is the intercept of an output, which has no name if it is the only one.
type Intercept struct {
	Output string  `json:"output,omitempty"`
	Value  float64 `json:"value"`
}

// Intercepts returns the intercepts on the scale of the coefficients; none if the model has none to tell. Outputs with
// neither an intercept nor a coefficient, such as the first of two levels, are left out.
func (m *Model) Intercepts() (all []Intercept) {
	bias, has := engines.Biases(m.fitted), map[int]bool{}
	for _, c := range m.fitted.Coefs() {
		has[c.Output] = true
	}
	several, k := len(m.Preparation.Targets) > 1, 0
	for _, t := range m.Preparation.Targets {
		names := t.Levels
		switch {
		case !t.Class && several:
			names = []string{t.Name}
		case !t.Class:
			names = []string{""}
		}
		for _, name := range names {
			if t.Class && several {
				name = t.Name + "=" + name
			}
			if k < len(bias) && (bias[k] != 0 || has[k]) && !math.IsInf(bias[k], 0) { // an impossible level has none
				all = append(all, Intercept{name, bias[k]})
			}
			k++
		}
	}
	return all
}

// Cut says which level a model predicts, if not that of the largest output; "" otherwise.
func (m *Model) Cut() string {
	r, ok := m.fitted.(engines.Reporter)
	if !ok || r.Fitted().Decision == nil {
		return ""
	}
	d := r.Fitted().Decision
	levels := m.Preparation.Targets[0].Levels
	switch {
	case d.Costs != nil && len(levels) == 2:
		return fmt.Sprintf("%s where its margin is above %.6g, the level of the least expected cost", levels[d.Positive], decision.CostCut(d.Costs, d.Positive))
	case d.Costs != nil:
		return "the level of the least expected cost"
	case len(levels) != 2:
		return ""
	}
	return fmt.Sprintf("%s where its margin is at least %.6g", levels[d.Positive], float64(d.Cut))
}

// Rows holds new rows, prepared as the model needs them.
type Rows struct {
	*data.View
	prepare.Met
	Account account.Account
	model   *Model
}

// Read reads new rows, with their responses only if asked.
func (m *Model) Read(ctx context.Context, src source.Source, in source.Input, responses bool) (*Rows, error) {
	d, err := source.LoadNew(ctx, src, in, source.Application{Learned: m.Preparation, Responses: responses})
	if err != nil {
		return nil, err
	}
	account := d.Accounts() // of all tasks
	if d, err = m.selectTask(d); err != nil {
		return nil, err
	}
	p, met, err := m.Preparation.Apply(d)
	if err != nil {
		return nil, err
	}
	r := &Rows{View: p.View(nil), Met: met, Account: account, model: m}
	return r, r.checkValues()
}

// selectTask returns the rows of the model's task, if rows come in tasks.
func (m *Model) selectTask(d *data.Dataset) (*data.Dataset, error) {
	if m.Task.Family != "folder" || d.Tasks == nil {
		return d, nil
	}
	number := slices.Index(d.Tasks.Names, m.Task.Name)
	if number < 0 && slices.Equal(d.Tasks.Names, []string{""}) {
		return d, nil
	}
	var rows []int32
	for i, k := range d.Tasks.Of {
		if int(k) == number {
			rows = append(rows, int32(i))
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the model is for %s, and no row is of it (the rows are of %s)", m.Task.Name, source.Abridge(d.Tasks.Names))
	}
	return data.Subset{Rows: rows}.Of(d), nil
}

// checkValues refuses values of a kind that the engine cannot use.
func (r *Rows) checkValues() error {
	_, _, values := r.Matrix().Rows()
	switch need := r.model.Data; {
	case need.Binary && slices.ContainsFunc(values, func(v float64) bool { return v != 1 }):
		return fmt.Errorf("engine %s needs 0/1 values, and there are others", r.model.Engine)
	case need.Counts && slices.ContainsFunc(values, func(v float64) bool { return v < 0 }):
		return fmt.Errorf("engine %s needs counts, and some value is below 0", r.model.Engine)
	}
	return nil
}

// Predict returns the model's predictions of each target. They do not depend on the number of workers.
func (r *Rows) Predict(workers int) ([]execute.Predicted, error) {
	return execute.Apply(r.model.fitted, r.View, workers)
}

// Scores returns the metrics of the predictions for rows that have responses.
func (r *Rows) Scores(workers int) (scores []results.Score, responses int, err error) {
	if len(r.Labels) > 0 && r.model.Task.Family != "one-vs-one" {
		return nil, 0, fmt.Errorf("no level of the model is %q, which rows have for a label (levels: %s)", r.Labels[0], source.Abridge(r.model.Preparation.Targets[0].Levels))
	}
	if slices.ContainsFunc(r.model.Preparation.Targets, func(t labels.Target) bool { return t.Counted }) {
		return nil, 0, errors.New("the responses are counted from the rows themselves, in each fold anew, so new rows have none to compare with")
	}
	scores, responses, err = execute.Score(r.model.fitted, r.View, workers)
	if err == nil && responses == 0 {
		err = errors.New("no row has a response to compare its prediction with")
	}
	return scores, responses, err
}

// Files returns the files that new rows need besides their own: those of the model, replaced by those given as ROLE=PATH.
func (m *Model) Files(given []string) (map[string]files.Ref, error) {
	out := map[string]files.Ref{}
	maps.Copy(out, m.Data.Files)
	for _, text := range given {
		role, path, ok := strings.Cut(text, "=")
		if !ok || role == "" || path == "" || role == "all" {
			return nil, fmt.Errorf("--file %s: expected ROLE=PATH with another role than all, such as names=columns.txt", text)
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		out[role] = files.Ref{Path: absolute}
	}
	return out, nil
}
