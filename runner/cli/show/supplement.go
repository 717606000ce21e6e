package show

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports"
	"tenfold/reports/supplement"
	"tenfold/runner/cli/app"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/plan"
)

// SupplementCommand returns the command supplement.
func SupplementCommand(a *app.App) *cobra.Command {
	var out, format string
	cmd := &cobra.Command{
		Use: "supplement RUN", Short: "Write what a publication puts beside its text: features, folds, parameters, methods, citations", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "Writes, from the folder of a run, tables of results, selected features, folds, parameters, what tuning chose, and versions; supplement.md,\n" +
			"which describes the methods in words; and references.bib, the publications that these go back to. No data are needed.",
		Example: "  tenfold supplement runs/churn --out supplement",
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return app.Invalid(errors.New("--out is missing: the folder of the supplement"))
			}
			if err := param.OneOf("--format", format, supplement.CSV, supplement.TSV); err != nil {
				return app.Invalid(err)
			}
			return writeSupplement(a, args[0], out, format)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder of the supplement; files of these names in it are replaced")
	cmd.Flags().StringVar(&format, "format", supplement.CSV, "of the tables: csv, or tsv")
	return cmd
}

func writeSupplement(a *app.App, dir, out, format string) error {
	frozen, err := a.ReadPlan(dir)
	if err != nil {
		return err
	}
	in, err := describeSupplement(a, dir, frozen)
	if err != nil {
		return err
	}
	var names []string
	err = WithResults(dir, frozen, func(s reports.Sections, input reports.Input) error {
		in.Input, in.Report = input, s.Report
		names, err = supplement.Write(out, format, in)
		return err
	})
	if err != nil {
		return app.Invalid(err)
	}
	for _, name := range names {
		a.Printf("%s\n", filepath.Join(out, name))
	}
	return nil
}

// describeSupplement returns what the plan, its experiment file and this program know of data sets and engines.
func describeSupplement(a *app.App, dir string, frozen *plan.Frozen) (supplement.Input, error) {
	in := supplement.Input{Seed: frozen.Seed, Parts: map[string]supplement.Part{}, Sections: map[string]supplement.Part{}}
	file, _, err := a.ParseStored(dir, frozen.Path, frozen.Experiment, algorithm.Methods{Kind: method.Describe})
	if err != nil {
		return in, err
	}
	for name, kind := range a.Engines {
		in.Parts[name] = supplement.Part{Doc: kind.Doc, Cite: kind.Cite}
	}
	for _, w := range a.Wrappers.Around {
		in.Sections[w.Key()] = supplement.Part{Doc: w.Kind.Doc, Cite: w.Kind.Cite}
	}
	in.Changed = map[string]string{}
	seen := map[string]bool{}
	for i := range frozen.Cells {
		c := &frozen.Cells[i]
		in.Changed[c.Key] = c.Params
		var grid []results.Param
		for _, g := range c.Grid {
			if results.OfData(g.Name) {
				grid = append(grid, results.Param(g))
			}
		}
		label, _ := results.Labels(c.Dataset, "", grid, results.Brief)
		if seen[label] {
			continue
		}
		seen[label] = true
		set, err := describeSet(frozen, file, c, label)
		if err != nil {
			return in, app.Invalid(fmt.Errorf("%s: %w", dir, err))
		}
		in.Sets = append(in.Sets, set)
	}
	return in, nil
}

// describeSet returns what the plan has of the data set of a cell.
func describeSet(frozen *plan.Frozen, file *experiment.File, c *plan.FrozenCell, label string) (supplement.Set, error) {
	i := slices.IndexFunc(frozen.Datasets, func(s plan.FrozenSet) bool {
		return s.Name == c.Dataset && s.Digest == c.DatasetDigest && len(s.Folds) > 0 && s.Folds[0].Digest == c.Units[0].FoldDigest
	})
	if i < 0 {
		return supplement.Set{}, fmt.Errorf("its plan lacks the data set %s of cell %s", c.Dataset, c.Key)
	}
	set := frozen.Datasets[i]
	entry := slices.IndexFunc(file.Datasets, func(d experiment.Dataset) bool {
		return d.Name == cmp.Or(set.Family, set.Name) && slices.EqualFunc(d.Grid, c.Grid[:min(len(d.Grid), len(c.Grid))], func(p results.Param, g plan.GridValue) bool {
			return p.Name == g.Name && results.Exact(p.Value) == results.Exact(g.Value)
		})
	})
	if entry < 0 {
		return supplement.Set{}, fmt.Errorf("its experiment file lacks the data set %s of its plan", label)
	}
	declared := &file.Datasets[entry]
	out := supplement.Set{Name: label, Point: strings.TrimPrefix(strings.TrimPrefix(label, set.Name), " "), Family: set.Family, Format: set.Format, Digest: set.Digest,
		Rows: set.Rows, Columns: set.Columns, Targets: set.Targets, Divided: declared.Folds.Words(), Share: declared.TrainFraction, Recipe: c.Recipe}
	for _, f := range set.Folds {
		out.Folds = append(out.Folds, supplement.Fold(f))
	}
	return out, nil
}
