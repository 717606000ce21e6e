package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/model"
	"tenfold/runner/apply"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/methods"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
	"tenfold/runner/progress"
)

// openModel restores the model of a file, and its methods, which cannot run yet.
func openModel(ctx context.Context, a *app.App, path string, f *model.File) (*apply.Model, *method.Restorer, error) {
	restorer := &method.Restorer{Context: ctx, Host: &method.Host{}}
	kinds := maps.Clone(a.Models)
	if kinds == nil {
		kinds = engines.Models{}
	}
	kinds[method.ModelKind] = restorer.Restore
	m, err := apply.Open(f, kinds)
	if err != nil {
		return nil, nil, app.Invalid(fmt.Errorf("%s: %w", path, err))
	}
	return m, restorer, nil
}

// startMethods lets the methods of a model from a file run, if the user allows them and their code is the one that made the model.
// folder replaces the folder of the declaration if it is not "".
func startMethods(ctx context.Context, a *app.App, flags *pflag.FlagSet, path, folder string, restorer *method.Restorer) (done func() error, err error) {
	if len(restorer.Restored) == 0 {
		if folder != "" {
			return nil, app.Invalid(fmt.Errorf("--%s: %s has no model of a method", methodsFlag, path))
		}
		return func() error { return nil }, nil
	}
	var programs []declaration.Program
	for _, r := range restorer.Restored {
		if folder != "" {
			if r.Folder, err = filepath.Abs(folder); err != nil {
				return nil, err
			}
		}
		if err := r.CheckCode(); err != nil {
			return nil, app.Invalid(fmt.Errorf("%s: %w", path, err))
		}
		programs = append(programs, r)
	}
	agreed, err := methods.AskConsent(ctx, a, flags, path, programs)
	if err != nil {
		return nil, err
	}
	for _, r := range restorer.Restored {
		if err := methods.Confine(a, flags, []*declaration.Declaration{r.Declaration}); err != nil {
			return nil, err
		}
		if err := r.CheckVersion(ctx); err != nil {
			return nil, app.Invalid(fmt.Errorf("%s: %w", path, err))
		}
		if r.Untracked() {
			a.Warn(fmt.Errorf("%s: method %s declares no code: whether its program is the one that made the model is not known", path, r.Name))
		}
	}
	return methods.Open(a, restorer.Host, algorithm.Methods{Agreed: agreed}, "")
}

// warnOtherFiles warns of files that were opened when a model was fitted, though the code of its methods does not name them, and that
// have changed.
func warnOtherFiles(a *app.App, path string, facts []model.Fact, restored []*method.Restored) {
	for _, f := range facts {
		name, file, ok := process.ReadOpened(data.Fact(f))
		for _, r := range restored {
			if ok && r.Name == name && process.UndeclaredDigest(r.Declaration, file) != f.Value {
				a.Warn(fmt.Errorf("%s: %s changed, which method %s opened for this model and its code does not name", path, file, name))
			}
		}
	}
}

// printModel prints what was fitted, and what is known about its quality.
func printModel(a *app.App, path string, m *model.File) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	for _, note := range m.Fit.Notes {
		a.Warn(errors.New(note))
	}
	features := map[string]bool{}
	for _, f := range m.Selected {
		features[f.Feature] = true
	}
	a.Printf("%s\n%s\n", modelHeading(m), heldOutText(m))
	_, err = a.Printf("model    %s, %s, %s\n", path, progress.Bytes(info.Size()), app.Pluralize(len(features), "feature"))
	return err
}

// modelHeading describes what the model was fitted to.
func modelHeading(m *model.File) string {
	set := m.Dataset
	if m.Task.Name != "" {
		set += "/" + m.Task.Name
	}
	algorithm := strings.TrimSpace(m.Algorithm + " " + m.Grid)
	text := fmt.Sprintf("fitted   %s × %s (cell %.10s) to all %s, %s after preparation", set, algorithm, m.Cell, app.Pluralize(int(m.Fit.Rows), "row"), app.Pluralize(int(m.Fit.Columns), "column"))
	if m.Point > 0 {
		text += fmt.Sprintf("; the model of %s on its path", app.Pluralize(m.Point, "feature"))
	}
	return text
}

// heldOutText describes the scores on held-out rows, and what they are scores of.
func heldOutText(m *model.File) string {
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
	fmt.Fprintf(&b, " over %s: of models fitted to their training rows, not of this one, which has seen all rows", app.Pluralize(cmp.Or(m.Held.Folds, 1), "fold"))
	if m.Held.Chosen != "" && m.Held.Of > 1 {
		fmt.Fprintf(&b, ". The best of %d by %s, which flatters that number", m.Held.Of, m.Held.Chosen)
	}
	return b.String()
}
