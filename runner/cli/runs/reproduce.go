package runs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/cli/methods"
	"tenfold/runner/cli/show"
	"tenfold/runner/execute"
	"tenfold/runner/method/process"
	"tenfold/runner/recheck"
)

// ReproduceCommand returns the command reproduce.
func ReproduceCommand(a *app.App) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "reproduce RESULTS.parquet", Short: "Run again from a result file's own footer and compare", Args: app.CheckArguments(cobra.ExactArgs(1)),
		Long: "The footer of results.parquet has the experiment file and the digests of its data. They are run again, nothing stored\n" +
			"being used, and every fit is compared with its row. Files named relatively are looked up in the data folders and\n" +
			"beside where the experiment file was.\n" +
			"Exit code 0: all is reproduced, but for fits of methods that are declared as not deterministic, and of searches that ended at their time, whose differences are listed; 3: some fit comes out differently; 4: the data or an engine changed since.",
		RunE: func(cmd *cobra.Command, args []string) error { return reproduceResults(a, cmd, args[0], out) },
	}
	cmd.Flags().StringVar(&out, "out", "", "keep the new run in this folder, which must be empty or not be there")
	methods.AddJobsFlag(cmd)
	return cmd
}

func reproduceResults(a *app.App, cmd *cobra.Command, path, out string) (err error) {
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
		path = filepath.Join(path, results.ResultsFile)
	} else if to, linkErr := filepath.EvalSymlinks(path); statErr == nil && linkErr == nil {
		path = to // a link named by the user may be followed
	}
	was, err := results.ReadRows(path)
	if err != nil {
		return app.Invalid(err)
	}
	p := was.Provenance
	if was.Plan == "" {
		return app.Invalid(fmt.Errorf("%s: its footer has no plan: it is not the results.parquet of a run", path))
	}
	if p.Spec == "" {
		return app.Invalid(fmt.Errorf("%s: its footer has no experiment file", path))
	}
	r := &recorded{where: path, spec: p.Spec, path: p.SpecPath, data: p.Data, rows: recheck.Of(was.Rows)}
	dir := out
	if dir == "" {
		if dir, err = process.Temporary("reproduce"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	} else if err := app.CheckEmpty("--out", dir); err != nil {
		return err
	}
	j, err := planAgain(cmd.Context(), a, cmd.Flags(), r, dir, r.rows.Has)
	if err != nil {
		return err
	}
	a.Notef("%s: %d fits of %s, made by tenfold %s%s; this is %s\n", path, len(was.Rows), was.Experiment, p.Version, commitText(p), execute.Version())
	if len(j.Todo) == 0 {
		return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: no fit of this tenfold's plan has a row in it: engines were revised since", path))
	}
	c, _, err := fitAgain(cmd.Context(), j, r)
	if err != nil {
		return err
	}
	c.Gone = max(c.Gone, len(was.Rows)-c.Fits)
	a.Printf("%d fits: %s\n", c.Fits, c)
	if out != "" {
		if err := keepResults(cmd.Context(), j); err != nil {
			return err
		}
	}
	return printComparison(a, path, c)
}

func commitText(p results.Provenance) string {
	if p.Commit == "" {
		return ""
	}
	return ", commit " + results.CommitText(p.Commit, p.Dirty)
}

// keepResults writes the result files of a reproduced run.
func keepResults(ctx context.Context, j experiments.Job) error {
	frozen, err := j.Freeze(j.Sections)
	if err != nil {
		return err
	}
	if err := j.Begin(frozen); err != nil {
		return err
	}
	end, err := j.WriteReport(frozen, execute.FindOrigin(ctx, filepath.Dir(j.File.Path)))
	if err == nil {
		err = j.PrintText(show.ResultLines(end.Results, end.Digest))
	}
	return err
}
