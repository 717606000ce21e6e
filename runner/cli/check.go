package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/reporting"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/io/status"
	"tenfold/io/strictyaml"
	"tenfold/runner/execute"
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
	var found []reporting.Verdict
	worst := ExitOK
	err := a.forEachExperiment(cmd, paths, f.runFlags, func(ctx context.Context, j job) error {
		if err := a.readBaseline(j, j.baselinePath(f.baseline)); err != nil {
			return err
		}
		frozen, err := a.runAndRefresh(ctx, j)
		if err != nil {
			return err
		}
		g := j.gateInput(frozen, f.baseline)
		g.Strict = f.strict
		v, err := a.Reporter.Check(g)
		if err != nil {
			return err
		}
		found = append(found, v)
		switch finding := v.Finding(); {
		case finding == reporting.Regression:
			worst = ExitRegression
		case (finding == reporting.Unfinished || j.unavailable() != "") && worst == ExitOK:
			worst = ExitIncomplete
		}
		return nil
	})
	var wrong strictyaml.Mistakes
	if err != nil && cmd.Context().Err() == nil {
		wrong = splitMistakes(err)
	}
	if f.github && len(wrong) > 0 {
		err = errors.Join(err, a.Reporter.Annotate(a.Out, wrong))
	}
	if f.junit != "" && len(found)+len(wrong) > 0 {
		err = errors.Join(err, files.Replace(f.junit, func(w io.Writer) error { return a.Reporter.Verdicts(w, asJUnit, found, wrong) }))
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
func (a *App) printVerdicts(found []reporting.Verdict, f checkFlags) error {
	format := f.format
	if f.Verbose && format == asText {
		format = asDetails
	}
	in := func(format string) func(io.Writer) error {
		return func(w io.Writer) error { return a.Reporter.Verdicts(w, format, found, nil) }
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
	outdated, err := a.Reporter.Baseline(path, j.planned())
	if err != nil {
		return invalidInput(err)
	}
	if len(j.Stages)+len(j.Todo) > 0 { // else the verdicts say so at once
		for _, why := range outdated {
			a.warn(fmt.Errorf("%s: data set %s; its results cannot be compared, whatever they come to: tenfold accept records them anew", path, why))
		}
	}
	return nil
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

func (j job) gateInput(frozen *plan.Frozen, baseline string) reporting.Gated {
	g := reporting.Gated{About: aboutPlan(frozen), Dir: j.Dir, Planned: j.planned(), Stages: j.StageRows(), RanNow: map[string]bool{}, Fresh: j.fresh,
		Baseline: j.baselinePath(baseline), Line: j.File.Line}
	for _, u := range slices.Concat(j.Session.Stages, j.Todo) {
		g.RanNow[u.Label.Unit] = true
	}
	if len(j.only) > 0 {
		for _, c := range j.Cells {
			if j.Chosen(c) {
				g.Judged = append(g.Judged, c.Units[0].Label)
			}
		}
	}
	return g
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
				if _, err := a.Reporter.Baseline(j.baselinePath(baseline), nil); err != nil {
					return invalidInput(err)
				}
				frozen, err := a.runAndRefresh(ctx, j)
				if err != nil {
					return err
				}
				g := j.gateInput(frozen, baseline)
				g.Expected = strings.TrimSpace(expected)
				summary, err := a.Reporter.Accept(g)
				if err != nil {
					return err
				}
				return a.printText(summary + sanitize.Sprintf("\nbaseline %s\n", g.Baseline))
			})
		},
	}
	f.registerRun(cmd)
	f.addFreshFlag(cmd)
	cmd.Flags().StringVar(&expected, "expected-failure", "", "record cells that failed as expected to fail, for this reason")
	cmd.Flags().StringVar(&baseline, "baseline", "", "file to write (default x.baseline.yaml beside x.yaml)")
	return cmd
}

func (a *App) diffCommand() *cobra.Command {
	var c reporting.Compared
	var metrics string
	raw := false
	cmd := &cobra.Command{
		Use: "diff RUN_A RUN_B", Short: "Compare two runs cell by cell, on the folds they share", Args: checkArguments(cobra.ExactArgs(2)),
		Long: "Cells are matched by data set, algorithm and point of the grid, and paired by the digests of their folds.\n" +
			"Exit code 4: nothing could be compared.",
		RunE: func(cmd *cobra.Command, args []string) error {
			err := checkFormat(c.Format, tableFormats...)
			if err == nil {
				c.Format, err = rawFormat(c.Format, raw)
			}
			if err != nil {
				return err
			}
			for i, side := range []struct {
				dir   *string
				about *reporting.About
			}{{&c.DirA, &c.A}, {&c.DirB, &c.B}} {
				frozen, err := a.readPlan(args[i])
				if err != nil {
					return err
				}
				*side.dir, *side.about = args[i], aboutPlan(frozen)
			}
			if c.Metrics, err = parseMetrics(metrics); err != nil {
				return invalidInput(err)
			}
			some, err := a.Reporter.Diff(a.output(c.Format), c)
			if err != nil {
				return invalidInput(err)
			}
			if !some {
				return failure{ExitIncomplete, fmt.Errorf("%s and %s: nothing can be compared", args[0], args[1])}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&metrics, "metric", "", "metrics to compare, by commas (default: those of RUN_A's experiment)")
	cmd.Flags().StringVar(&c.Format, "format", asMarkdown, "of the tables: "+strings.Join(tableFormats, ", "))
	addRawFlag(cmd, &raw)
	cmd.Flags().BoolVar(&c.All, "all", false, "show cells that are equal, too, and list all that one run alone has")
	return cmd
}
