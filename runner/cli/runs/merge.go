package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/cli/show"
	"tenfold/runner/execute"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/merge"
	"tenfold/runner/method"
)

// MergeCommand returns the command merge.
func MergeCommand(a *app.App) *cobra.Command {
	var out, format string
	cmd := &cobra.Command{
		Use: "merge RUN...", Short: "Unite runs of one plan that were made on several machines", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		Long: "The folders must have the same plan; each may have some of its fits, as with --only. The union is written to the folder\n" +
			"of --out, with results and report, as one run would have left it; no data are needed. Fits that several runs have must\n" +
			"agree within 1e-9, or nothing is written. The order of the folders does not matter but where fits differ by less.\n" +
			"Exit code 3: fits differ; 4: more failed or are missing than the experiment tolerates.",
		RunE: func(cmd *cobra.Command, args []string) error {
			say, err := experiments.SummaryPrinter(a, format)
			switch {
			case err != nil:
				return err
			case out == "":
				return app.Invalid(errors.New("--out is missing: the folder of the united run"))
			case slices.ContainsFunc(args, func(dir string) bool { return merge.Same(dir, out) }):
				return app.Invalid(fmt.Errorf("--out %s is one of the runs: name a new folder", out))
			}
			if err := app.CheckEmpty("--out", out); err != nil {
				return err
			}
			return mergeRuns(a, cmd, args, out, say)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder of the united run, which must be empty or not be there")
	cmd.Flags().StringVar(&format, "format", app.AsText, "of what is printed: text, or json")
	return cmd
}

func mergeRuns(a *app.App, cmd *cobra.Command, dirs []string, out string, say func(experiments.Summary) error) (err error) {
	if err := app.CheckFolders(dirs); err != nil {
		return err
	}
	m, err := merge.Open(dirs, a.Warn)
	if err != nil {
		return app.Invalid(err)
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	file, _, err := a.ParseStored(dirs[0], m.Path, m.Experiment, algorithm.Methods{Kind: method.Describe})
	if err != nil {
		return err
	}
	_, stat := os.Stat(out)
	if err := m.Into(out, file); err != nil {
		return err
	}
	if len(m.Conflicts) > 0 {
		return errors.Join(conflictError(m.Conflicts), removePartial(out, stat != nil))
	}
	a.Console().SayLines(slog.LevelInfo, "merged", m.Where())
	planned, err := json.Marshal(m.Frozen)
	if err != nil {
		return err
	}
	meta := results.Meta{Experiment: m.Name, Plan: string(planned), Predictions: m.Predictions, Provenance: m.Provenance(), Metrics: m.Frozen.Defined.Described(m.Frozen.Metrics)}
	if meta.Clusterings, err = m.Clusterings(); err != nil {
		return err
	}
	meta.Similar = m.Similar()
	origin := execute.FindOrigin(cmd.Context(), filepath.Dir(m.Path))
	origin.Sign(&meta.Provenance)
	e := experiments.Summary{Experiment: m.Name, Cells: len(m.Cells), Report: filepath.Join(out, "report.md"), Results: filepath.Join(out, results.ResultsFile)}
	if e.Digest, err = results.Write(out, meta, m.Rows()); err != nil {
		return err
	}
	if e.Tables, err = show.RenderReport(a, out, m.Frozen); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	e.Fits, e.OK, e.Failed, e.Missing = m.Tally()
	if err := say(e); err != nil {
		return err
	}
	if bad := e.Failed + e.Missing; bad > file.Failures.Tolerate.Of(e.Fits) {
		return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: %d of %d fits failed, %d are missing", m.Name, e.Failed, e.Fits, e.Missing))
	}
	return nil
}

// conflictError lists fits that came out differently in several runs.
func conflictError(words []string) error {
	n := len(words)
	if n > maxDiffLines {
		words = append(words[:maxDiffLines:maxDiffLines], fmt.Sprintf("… and %d more", n-maxDiffLines))
	}
	return app.WithExit(app.ExitRegression, sanitize.NewLines(append([]string{"nothing was merged: " + app.Pluralize(n, "fit") + " came out differently"}, words...)...))
}

// removePartial removes an unfinished output: the folder if it was made, else everything in it.
func removePartial(dir string, made bool) error {
	if made {
		return os.RemoveAll(dir)
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}
