// Package checks has the commands of the gate: check runs what is missing and compares it with the recorded baseline,
// accept records it as the baseline. The rules and verdicts are those of reports/gate; here are flags, exit codes, and
// where verdicts go. Begin with checkExperiments in check.go.
package checks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/reports/gate"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/cli/show"
	"tenfold/runner/plan"
)

// Formats of verdicts, besides text, markdown (one comment on a pull request) and json.
const (
	asDetails = "details" // text with all that passed, too
	asJUnit   = "junit"
	asGitHub  = "github" // commands that annotate a workflow's files
)

type checkFlags struct {
	experiments.Flags
	baseline, junit, format string
	github, strict          bool
}

// CheckCommand returns the command check.
func CheckCommand(a *app.App) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use: "check FILE...", Short: "Run what is missing and compare with the recorded baseline; fails on a regression", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		Long: "The conditions are those of the file's gate: section; without one, no metric of the file may be worse than recorded.\n" +
			"The baseline of x.yaml is x.baseline.yaml beside it, written by tenfold accept.\n" +
			"It warns where the rules let more pass than when the baseline was accepted; with --strict that does not pass.\n" +
			"Exit code 0: passed; 3: a regression, or inconclusive; 4: something is missing, failed, or was measured on other folds, or nothing was measured.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.CheckFormat(f.format, app.AsText, app.AsMarkdown, app.AsJSON); err != nil {
				return err
			}
			if f.baseline != "" && len(args) > 1 {
				return app.Invalid(errors.New("--baseline is for one experiment file"))
			}
			if f.github && f.format != app.AsText {
				return app.Invalid(fmt.Errorf("--github prints commands among the text; --format %s would be mixed with them", f.format))
			}
			return checkExperiments(a, cmd, args, f)
		},
	}
	f.RegisterRun(cmd)
	f.AddFreshFlag(cmd)
	f.AddOnlyFlag(cmd, "run and judge")
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "recorded baseline (default x.baseline.yaml beside x.yaml)")
	cmd.Flags().StringVar(&f.junit, "junit", "", "write the verdicts to this file as JUnit XML")
	cmd.Flags().BoolVar(&f.github, "github", false, "print annotations for GitHub Actions, and add to the step's summary")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "let nothing pass where the rules let more pass than when the baseline was accepted")
	cmd.Flags().StringVar(&f.format, "format", app.AsText, "of what is printed: text, markdown (for a comment on a pull request), json")
	cmd.Flags().Lookup("verbose").Usage = "list what passed, too, and every fit on standard error, as it begins and ends"
	return cmd
}

func checkExperiments(a *app.App, cmd *cobra.Command, paths []string, f checkFlags) error {
	var found []judged
	worst := app.ExitOK
	err := experiments.ForEach(a, cmd, paths, f.Flags, func(ctx context.Context, j experiments.Job) error {
		if err := j.ReadBaseline(j.BaselinePath(f.baseline)); err != nil {
			return err
		}
		frozen, err := j.RunAndRefresh(ctx)
		if err != nil {
			return err
		}
		return withGate(j, frozen, j.BaselinePath(f.baseline), func(in gate.Input) error {
			in.Strict = f.strict
			o := gate.Check(in)
			found = append(found, judged{o, j.File})
			switch finding := o.Worst(); {
			case finding == gate.Regression:
				worst = app.ExitRegression
			case (finding != gate.Pass || j.MissingParts() != "") && worst == app.ExitOK:
				worst = app.ExitIncomplete
			}
			return nil
		})
	})
	var wrong strictyaml.Mistakes
	if err != nil && cmd.Context().Err() == nil {
		wrong = app.SplitMistakes(err)
	}
	if f.github && len(wrong) > 0 {
		err = errors.Join(err, annotate(a.Out, wrong))
	}
	if f.junit != "" && len(found)+len(wrong) > 0 {
		err = errors.Join(err, files.Replace(f.junit, func(w io.Writer) error { return writeVerdicts(w, asJUnit, found, wrong) }))
	}
	if len(found) > 0 {
		err = errors.Join(err, printVerdicts(a, found, f))
	}
	switch {
	case err != nil:
		return err
	case worst == app.ExitRegression:
		return app.WithExit(worst, errors.New("the gate found a regression, or what is not shown to be none"))
	case worst != app.ExitOK:
		return app.WithExit(worst, errors.New("the gate cannot pass: something is missing or cannot be compared"))
	}
	return nil
}

// printVerdicts prints the verdicts, and appends them to the files that GitHub collects.
func printVerdicts(a *app.App, found []judged, f checkFlags) error {
	format := f.format
	if f.Verbose && format == app.AsText {
		format = asDetails
	}
	in := func(format string) func(io.Writer) error {
		return func(w io.Writer) error { return writeVerdicts(w, format, found, nil) }
	}
	errs := []error{in(format)(a.Output(format))}
	if f.github {
		errs = append(errs, in(asGitHub)(a.Out), appendTo(os.Getenv("GITHUB_STEP_SUMMARY"), in(app.AsMarkdown)))
	}
	return errors.Join(errs...)
}

// appendTo appends to the file at path; with path "" it does nothing.
func appendTo(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	out, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(write(out), out.Close())
}

// withGate reads the run of a job and its baseline, which may be missing, for do.
func withGate(j experiments.Job, frozen *plan.Frozen, baseline string, do func(gate.Input) error) error {
	base, err := experiments.ReadBaseline(baseline, j.File.Defined)
	if err != nil {
		return err
	}
	ran := map[string]bool{}
	for _, u := range slices.Concat(j.Session.Stages, j.Todo) {
		ran[u.Label.Unit] = true
	}
	ranNow := func(unit string) bool { return ran[unit] }
	return show.WithResults(j.Dir, frozen, func(s reports.Sections, in reports.Input) error {
		if j.Fresh {
			in.Rows = slices.DeleteFunc(slices.Clone(in.Rows), func(row results.Row) bool { return !ranNow(row.Unit) })
		}
		return do(gate.Input{
			Experiment: in.Name, Rules: s.Gate, Metrics: in.Metrics, Cells: cells.AcrossTasks(cells.Planned(in.Rows, j.PlannedLabels())), Source: in.Source,
			Baseline: base, File: baseline, Judged: judgedCells(j), Stages: j.StageRows(), RanNow: ranNow,
		})
	})
}

// judgedCells returns a function that reports whether --only chooses a cell; nil, for all cells, without --only. A family's cell is
// chosen if one of its tasks is.
func judgedCells(j experiments.Job) func(*cells.Cell) bool {
	if len(j.Globs) == 0 {
		return nil
	}
	type id struct{ dataset, algorithm, cell string }
	chosen := map[id]bool{}
	for _, c := range j.Cells {
		if l := c.Units[0].Label; j.Chosen(c) {
			chosen[id{l.Dataset, l.Algorithm, l.Cell}] = true
		}
	}
	var judges func(*cells.Cell) bool
	judges = func(c *cells.Cell) bool {
		return chosen[id{c.DatasetName(), c.Algorithm, c.Key}] || slices.ContainsFunc(c.Tasks, judges)
	}
	return judges
}
