package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/results"
	"tenfold/runner"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/session"
	"tenfold/runner/spec"
)

// runFlags are the flags of run and plan.
type runFlags struct {
	sets  []string
	out   string
	only  string
	retry bool
}

func (f *runFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "change the file before it is checked, such as algorithms.stagewise.params.epsilon=0.05")
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the run (default runs/NAME; with several files, the folder that holds theirs)")
	cmd.Flags().StringVar(&f.only, "only", "", "cells to run: a glob on algorithm, data set, dataset/algorithm/parameter=value, or a key")
	cmd.Flags().BoolVar(&f.retry, "retry-failed", false, "run failed fits again")
}

// folder of one of several files.
func (f runFlags) folder(name string, files int) string {
	if f.out != "" && files > 1 {
		return filepath.Join(f.out, name)
	}
	return f.out
}

func runFolder(name, out string) string {
	if out != "" {
		return out
	}
	return filepath.Join("runs", name)
}

func (a *App) runCommand() *cobra.Command {
	var f runFlags
	var executor, format string
	cmd := &cobra.Command{
		Use: "run FILE...", Short: "Fit what is missing; write results, tables and figures", Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if executor != "local" {
				return invalid(fmt.Errorf("--executor %s: only local is available in this version", executor))
			}
			say, ok := map[string]func(ended) error{"text": a.asText, "json": a.asJSON}[format]
			if !ok {
				return invalid(fmt.Errorf("--format %s: expected text or json", format))
			}
			return a.each(cmd, args, f, func(ctx context.Context, j job) error { return a.run(ctx, j, say) })
		},
	}
	f.register(cmd)
	cmd.Flags().Int("jobs", 0, "fits at a time; 0 for one a processor (TENFOLD_JOBS)")
	cmd.Flags().StringVar(&executor, "executor", "local", "where fits run: local")
	cmd.Flags().StringVar(&format, "format", "text", "of what is printed: text, or json (one object an experiment)")
	return cmd
}

func (a *App) planCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "plan FILE...", Short: "Say what run would do and why; run nothing", Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return a.each(cmd, args, f, a.showPlan) },
	}
	f.register(cmd)
	cmd.Flags().Int("jobs", 0, "fits at a time, for the predicted time (TENFOLD_JOBS)")
	return cmd
}

func (a *App) validateCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "validate FILE...", Short: "Check the file and the data it names; fit nothing", Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd, args, f, func(_ context.Context, j job) error {
				fmt.Fprintf(a.Out, "%s: good: %d data sets, %d cells, %d fits\n", j.File.Path, len(j.Sets), len(j.Cells), j.Tally().Units)
				return nil
			})
		},
	}
	cmd.Flags().StringArrayVar(&f.sets, "set", nil, "change the file before it is checked")
	return cmd
}

// job is one experiment on the command line.
type job struct {
	*session.Session
	report any
	jobs   int
}

// each loads and plans every file before anything runs, so that a mistake in the last one surfaces first.
func (a *App) each(cmd *cobra.Command, paths []string, f runFlags, do func(ctx context.Context, j job) error) error {
	var errs []error
	var loaded []*spec.File
	var reports []any
	for _, path := range paths {
		file, report, err := a.load(path, f.sets)
		errs = append(errs, err)
		loaded, reports = append(loaded, file), append(reports, report)
	}
	if err := errors.Join(errs...); err != nil {
		return invalid(err)
	}
	var todo []job
	owner := map[string]string{} // of each run's folder
	for i, file := range loaded {
		at, s, err := places(cmd, file.Name, f.folder(file.Name, len(loaded)))
		if err != nil {
			return err
		}
		if other, taken := owner[at.Run]; taken {
			return invalid(fmt.Errorf("%s and %s have the same name, %s, and would share a folder of results", other, file.Path, file.Name))
		}
		owner[at.Run] = file.Path
		one, err := session.Open(cmd.Context(), file, at, session.Choice{Only: f.only, Retry: f.retry}, a.warn)
		if err != nil {
			return invalid(err)
		}
		todo = append(todo, job{one, reports[i], s.Jobs})
	}
	errs = nil
	for _, j := range todo {
		if err := do(cmd.Context(), j); err != nil {
			errs = append(errs, err)
			if cmd.Context().Err() != nil {
				break
			}
		}
	}
	return errors.Join(errs...)
}

// ended is what run tells of an experiment.
type ended struct {
	Experiment string `json:"experiment"`
	Digest     string `json:"digest"`
	Cells      int    `json:"cells"`
	Fits       int    `json:"fits"`
	OK         int    `json:"ok"`
	Failed     int    `json:"failed"`
	Missing    int    `json:"missing"`
	Report     string `json:"report"`
	Results    string `json:"results"`
	tables     string
}

// asText prints the comparison, where the files are, and the digest as the last line.
func (a *App) asText(e ended) error {
	_, err := fmt.Fprintf(a.Out, "%s\n\nreport  %s\nresults %s\ndigest %s\n", strings.TrimRight(e.tables, "\n"), e.Report, e.Results, e.Digest)
	return err
}

func (a *App) asJSON(e ended) error { return json.NewEncoder(a.Out).Encode(e) }

// run fits what is missing, writes everything and says how it ended.
func (a *App) run(ctx context.Context, j job, say func(ended) error) error {
	frozen, err := j.Freeze(j.report, j.File.Published)
	if err != nil {
		return err
	}
	if err := j.Begin(frozen); err != nil {
		return err
	}
	t := j.Tally()
	fmt.Fprintf(a.Errs, "%s: %d cells, %d fits: %d to run, %d cached\n", j.File.Name, t.Cells, t.Units, len(j.Todo), t.Units-len(j.Todo))
	meter := progress.New(a.Errs, len(j.Todo))
	fitting := j.Run(ctx, runner.Options{
		Jobs: j.jobs, Memory: runner.MemoryBudget(), Retries: j.File.Failures.Retries, Observer: meter,
		Origin: runner.FindOrigin(ctx, filepath.Dir(j.File.Path)),
	})
	meter.Close()
	end, err := a.write(j, frozen) // where storing failed or a signal came, too: what is stored already is worth writing
	if err == nil {
		t = j.Tally()
		end.Cells, end.Fits, end.OK, end.Failed, end.Missing = t.Cells, t.Units, t.OK, t.Failed, t.Missing
		err = say(end)
	}
	if err := errors.Join(fitting, err); err != nil {
		return err
	}
	if bad := t.Failed + t.Missing; bad > j.File.Failures.Tolerate.Of(t.Units) {
		return failure{ExitIncomplete, fmt.Errorf("%s: %d of %d fits failed, %d are missing", j.File.Name, t.Failed, t.Units, t.Missing)}
	}
	return nil
}

// write makes the result files and the report from what is stored.
func (a *App) write(j job, frozen *plan.Frozen) (ended, error) {
	e := ended{Experiment: j.File.Name, Report: filepath.Join(j.Dir, "report.md"), Results: filepath.Join(j.Dir, results.ResultsFile)}
	planned, err := json.Marshal(frozen)
	if err != nil {
		return e, err
	}
	e.Digest, err = results.Write(j.Dir, results.Meta{Experiment: j.File.Name, Plan: string(planned), Predictions: j.Predictions}, j.Rows)
	if err != nil {
		return e, err
	}
	if e.tables, err = a.render(j.Dir, about(frozen)); err != nil {
		return e, fmt.Errorf("report: %w", err)
	}
	return e, nil
}

// about is what a report says of a plan.
func about(f *plan.Frozen) About {
	out := About{Name: f.Name, Title: f.Title, Metrics: f.Metrics, Section: f.Report, Published: f.Published}
	for _, s := range f.Datasets {
		out.Data = append(out.Data, SetFacts{Name: s.Name, Facts: s.About()})
	}
	return out
}
