package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/io/status"
	"tenfold/io/strictyaml"
	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/reports/gate"
	"tenfold/reports/gate/render"
	"tenfold/runner/execute"
	"tenfold/runner/metric"
	"tenfold/runner/plan"
)

// baselineSuffix replaces the extension of an experiment file in the name of its baseline.
const baselineSuffix = ".baseline.yaml"

// isExperiment reports whether path is an experiment file and not a baseline, which may be beside it.
func isExperiment(path string) bool { return !strings.HasSuffix(path, baselineSuffix) }

// Formats of verdicts, besides text, markdown (one comment on a pull request) and json.
const (
	asDetails = "details" // text with all that passed, too
	asJUnit   = "junit"
	asGitHub  = "github" // commands that annotate a workflow's files
)

type checkFlags struct {
	runFlags
	baseline, junit, format string
	github, strict          bool
}

func (a *App) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use: "check FILE...", Short: "Run what is missing and compare with the recorded baseline; fails on a regression", Args: checkArguments(cobra.MinimumNArgs(1)),
		Long: "The conditions are those of the file's gate: section; without one, no metric of the file may be worse than recorded.\n" +
			"The baseline of x.yaml is x.baseline.yaml beside it, written by tenfold accept.\n" +
			"It warns where the rules let more pass than when the baseline was accepted; with --strict that does not pass.\n" +
			"Exit code 0: passed; 3: a regression, or inconclusive; 4: something is missing, failed, or was measured on other folds, or nothing was measured.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(f.format, asText, asMarkdown, asJSON); err != nil {
				return err
			}
			if f.baseline != "" && len(args) > 1 {
				return invalidInput(errors.New("--baseline is for one experiment file"))
			}
			if f.github && f.format != asText {
				return invalidInput(fmt.Errorf("--github prints commands among the text; --format %s would be mixed with them", f.format))
			}
			return a.checkExperiments(cmd, args, f)
		},
	}
	f.registerRun(cmd)
	f.addFreshFlag(cmd)
	f.addOnlyFlag(cmd, "run and judge")
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "recorded baseline (default x.baseline.yaml beside x.yaml)")
	cmd.Flags().StringVar(&f.junit, "junit", "", "write the verdicts to this file as JUnit XML")
	cmd.Flags().BoolVar(&f.github, "github", false, "print annotations for GitHub Actions, and add to the step's summary")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "let nothing pass where the rules let more pass than when the baseline was accepted")
	cmd.Flags().StringVar(&f.format, "format", asText, "of what is printed: text, markdown (for a comment on a pull request), json")
	cmd.Flags().Lookup("verbose").Usage = "list what passed, too, and every fit on standard error, as it begins and ends"
	return cmd
}

// addFreshFlag adds --fresh.
func (f *runFlags) addFreshFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "read the data and run all fits again, and remove what is stored of them first: nothing that is stored is believed")
}

// registerRun adds the flags of commands that run missing fits on this machine.
func (f *runFlags) registerRun(cmd *cobra.Command) {
	f.register(cmd)
	addJobsFlag(cmd)
	addProgressFlags(cmd, &f.Mode)
}

func (a *App) checkExperiments(cmd *cobra.Command, paths []string, f checkFlags) error {
	var found []judged
	worst := ExitOK
	err := a.forEachExperiment(cmd, paths, f.runFlags, func(ctx context.Context, j job) error {
		if err := a.readBaseline(j, j.baselinePath(f.baseline)); err != nil {
			return err
		}
		frozen, err := a.runAndRefresh(ctx, j)
		if err != nil {
			return err
		}
		return j.withGate(frozen, j.baselinePath(f.baseline), func(in gate.Input) error {
			in.Strict = f.strict
			o := gate.Check(in)
			found = append(found, judged{o, j.File})
			switch finding := o.Worst(); {
			case finding == gate.Regression:
				worst = ExitRegression
			case (finding != gate.Pass || j.unavailable() != "") && worst == ExitOK:
				worst = ExitIncomplete
			}
			return nil
		})
	})
	var wrong strictyaml.Mistakes
	if err != nil && cmd.Context().Err() == nil {
		wrong = splitMistakes(err)
	}
	if f.github && len(wrong) > 0 {
		err = errors.Join(err, annotate(a.Out, wrong))
	}
	if f.junit != "" && len(found)+len(wrong) > 0 {
		err = errors.Join(err, files.Replace(f.junit, func(w io.Writer) error { return writeVerdicts(w, asJUnit, found, wrong) }))
	}
	if len(found) > 0 {
		err = errors.Join(err, a.printVerdicts(found, f))
	}
	switch {
	case err != nil:
		return err
	case worst == ExitRegression:
		return failure{worst, errors.New("the gate found a regression, or what is not shown to be none")}
	case worst != ExitOK:
		return failure{worst, errors.New("the gate cannot pass: something is missing or cannot be compared")}
	}
	return nil
}

// printVerdicts prints the verdicts, and appends them to the files that GitHub collects.
func (a *App) printVerdicts(found []judged, f checkFlags) error {
	format := f.format
	if f.Verbose && format == asText {
		format = asDetails
	}
	in := func(format string) func(io.Writer) error {
		return func(w io.Writer) error { return writeVerdicts(w, format, found, nil) }
	}
	errs := []error{in(format)(a.output(format))}
	if f.github {
		errs = append(errs, in(asGitHub)(a.Out), appendTo(os.Getenv("GITHUB_STEP_SUMMARY"), in(asMarkdown)))
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

// runAndRefresh runs the missing fits and rewrites the result files if anything changed. Failed fits are no error
// here: the gate judges them.
func (a *App) runAndRefresh(ctx context.Context, j job) (*plan.Frozen, error) {
	frozen, err := j.Freeze(j.sections)
	if err != nil {
		return nil, err
	}
	planned, err := json.Marshal(frozen)
	if err != nil {
		return nil, err
	}
	if len(j.Stages)+len(j.Todo) == 0 && j.Current(string(planned)) {
		a.warnUndeclared(j)
		return frozen, nil
	}
	origin := execute.FindOrigin(ctx, filepath.Dir(j.File.Path))
	return frozen, a.withStatus(ctx, j, func(file *status.Writer) error {
		if err := a.runMissing(ctx, j, frozen, file, origin); err != nil {
			return err
		}
		_, err := a.writeResults(j, frozen, origin)
		return err
	})
}

// readBaseline returns an error if the file is not a baseline, and warns of data sets with which its results cannot be compared,
// before hours are spent.
func (a *App) readBaseline(j job, path string) error {
	b, err := readBaseline(path)
	if b == nil || err != nil {
		return err
	}
	if len(j.Stages)+len(j.Todo) > 0 { // else the verdicts say so at once
		for _, why := range b.Outdated(j.planned()) {
			a.warn(fmt.Errorf("%s: data set %s; its results cannot be compared, whatever they come to: tenfold accept records them anew", path, why))
		}
	}
	return nil
}

// readBaseline returns the baseline in a file; nil if there is no such file. The error is that it is no baseline.
func readBaseline(path string) (*gate.Baseline, error) {
	b, err := gate.Read(path, metric.Described(nil))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, invalidInput(err)
}

// baselinePath returns the path of the baseline: the one that was asked for, or the one beside the experiment file.
func (j job) baselinePath(asked string) string {
	if asked != "" {
		return asked
	}
	return strings.TrimSuffix(j.File.Path, filepath.Ext(j.File.Path)) + baselineSuffix
}

// planned returns the labels of all fits, in the plan's order.
func (j job) planned() (labels []results.Label) {
	for u := range j.Units {
		labels = append(labels, u.Label)
	}
	return labels
}

// withGate reads the run of a job and its baseline, which may be missing, for do.
func (j job) withGate(frozen *plan.Frozen, baseline string, do func(gate.Input) error) error {
	base, err := readBaseline(baseline)
	if err != nil {
		return err
	}
	ran := map[string]bool{}
	for _, u := range slices.Concat(j.Session.Stages, j.Todo) {
		ran[u.Label.Unit] = true
	}
	ranNow := func(unit string) bool { return ran[unit] }
	return withResults(j.Dir, frozen, func(s reports.Sections, in reports.Input) error {
		if j.fresh {
			in.Rows = slices.DeleteFunc(slices.Clone(in.Rows), func(row results.Row) bool { return !ranNow(row.Unit) })
		}
		return do(gate.Input{
			Experiment: in.Name, Rules: s.Gate, Metrics: in.Metrics, Cells: cells.AcrossTasks(cells.Planned(in.Rows, j.planned())), Source: in.Source,
			Baseline: base, File: baseline, Judged: j.judgedCells(), Stages: j.StageRows(), RanNow: ranNow,
		})
	})
}

// judgedCells returns a function that reports whether --only chooses a cell; nil, for all cells, without --only. A family's cell is
// chosen if one of its tasks is.
func (j job) judgedCells() func(*cells.Cell) bool {
	if len(j.only) == 0 {
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

func (a *App) acceptCommand() *cobra.Command {
	var f runFlags
	var baseline, expected string
	cmd := &cobra.Command{
		Use: "accept FILE...", Short: "Record the present results as the baseline that check compares with", Args: checkArguments(cobra.MinimumNArgs(1)),
		Long: "Runs what is missing, and writes x.baseline.yaml beside the experiment file x.yaml, for git. What was written into it by hand\n" +
			"(tolerance, expected_failure) is kept.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if baseline != "" && len(args) > 1 {
				return invalidInput(errors.New("--baseline is for one experiment file"))
			}
			return a.forEachExperiment(cmd, args, f, func(ctx context.Context, j job) error {
				path := j.baselinePath(baseline)
				if _, err := readBaseline(path); err != nil {
					return err
				}
				frozen, err := a.runAndRefresh(ctx, j)
				if err != nil {
					return err
				}
				return j.withGate(frozen, path, func(in gate.Input) error {
					in.Expected = strings.TrimSpace(expected)
					summary, err := record(in)
					if err != nil {
						return err
					}
					return a.printText(summary + sanitize.Sprintf("\nbaseline %s\n", path))
				})
			})
		},
	}
	f.registerRun(cmd)
	f.addFreshFlag(cmd)
	cmd.Flags().StringVar(&expected, "expected-failure", "", "record cells that failed as expected to fail, for this reason")
	cmd.Flags().StringVar(&baseline, "baseline", "", "file to write (default x.baseline.yaml beside x.yaml)")
	return cmd
}

// record writes the results as the baseline, and sums up what changed. The summary begins with the table of a check against the
// baseline before, if there was one.
func record(in gate.Input) (summary string, err error) {
	b, changes, err := gate.Accept(in)
	if err != nil {
		return "", failure{ExitIncomplete, err}
	}
	var text strings.Builder
	if in.Baseline != nil {
		o := gate.Check(in)
		if err := render.Changes(&text, &o); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(&text, "%s: accepted: %s\n%s", in.Experiment, changes, changes.Fits)
	for _, n := range changes.Notes {
		text.WriteString("\nnote: " + sanitize.Line(n))
	}
	for _, n := range changes.Lost {
		text.WriteString("\nwarning: no longer in the file: " + sanitize.Line(n))
	}
	return text.String(), files.Replace(in.File, b.Write)
}
