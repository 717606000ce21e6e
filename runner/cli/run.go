package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/results"
	"tenfold/io/status"
	"tenfold/runner"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/session"
	"tenfold/runner/settings"
	"tenfold/runner/spec"
)

// runFlags are the flags of commands that plan or run experiments; each has those that it registers.
type runFlags struct {
	sets  []string
	out   string
	only  string
	retry bool

	detach bool
	begins bool // a run that others may watch
	progress.Manner
}

func (f *runFlags) register(cmd *cobra.Command) {
	setFlag(cmd, &f.sets)
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the run (default runs/NAME; with several files, the folder that holds theirs)")
	cmd.Flags().BoolVar(&f.retry, "retry-failed", false, "run failed fits again")
}

// onlyFlag narrows a command to some cells, to which it does something.
func (f *runFlags) onlyFlag(cmd *cobra.Command, something string) {
	cmd.Flags().StringVar(&f.only, "only", "", "cells to "+something+": a glob on algorithm, data set, dataset/algorithm/parameter=value, or a key")
}

// folder of one of several files.
func (f runFlags) folder(name string, files int) string {
	if f.out != "" && files > 1 {
		return filepath.Join(f.out, name)
	}
	return f.out
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (a *App) runCommand() *cobra.Command {
	var f runFlags
	var format string
	cmd := &cobra.Command{
		Use: "run FILE...", Short: "Fit what is missing; write results, tables and figures", Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			say, err := a.sayEnd(format)
			if err != nil {
				return err
			}
			f.begins = true
			return a.each(cmd, args, f, func(ctx context.Context, j job) error {
				return a.follow(ctx, j, func(file *status.Writer) error { return a.run(ctx, j, file, say) })
			})
		},
	}
	f.register(cmd)
	f.onlyFlag(cmd, "run")
	manners(cmd, &f.Manner)
	jobsFlag(cmd)
	memoryFlag(cmd)
	cmd.Flags().String("executor", settings.Local, "where fits run: local, or slurm, a cluster by its sbatch (TENFOLD_EXECUTOR)")
	cmd.Flags().String("profile", "", "of the cluster: a name among profiles: of tenfold.yaml (TENFOLD_PROFILE)")
	cmd.Flags().BoolVar(&f.detach, "detach", false, "with --executor slurm: submit, and return; the same command without it attaches")
	cmd.Flags().StringVar(&format, "format", asText, "of what is printed: text, or json (one object an experiment)")
	return cmd
}

func (a *App) planCommand() *cobra.Command {
	var f runFlags
	var d division
	cmd := &cobra.Command{
		Use: "plan FILE...", Short: "Say what run would do and why; run nothing", Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			do := a.showPlan
			if cmd.Flags().Changed("shards") {
				do = func(_ context.Context, j job) error { return a.divide(j, d) }
			}
			return a.each(cmd, args, f, do)
		},
	}
	f.register(cmd)
	f.onlyFlag(cmd, "run")
	d.register(cmd)
	cmd.Flags().Int("jobs", 0, "fits at a time, for the predicted time (TENFOLD_JOBS)")
	memoryFlag(cmd)
	return cmd
}

func (a *App) validateCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: "validate FILE...", Short: "Check the file and the data it names; fit nothing", Args: arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.each(cmd, args, f, a.sayGood)
		},
	}
	setFlag(cmd, &f.sets)
	return cmd
}

// sayGood sums up a file that passed all checks.
func (a *App) sayGood(_ context.Context, j job) error {
	fmt.Fprintf(a.Out, "%s: good: %s, %s, %s\n", j.File.Path, datasets(j.Sets), count(len(j.Cells), "cell"), count(j.Tally().Units, "fit"))
	return nil
}

// job is one experiment on the command line.
type job struct {
	*session.Session
	sections any // of the file, that others own
	jobs     int
	herald   *herald // nil where nobody was told of the run yet

	tool   settings.Settings
	only   string // the cells that were asked for; "" for all
	retry  bool   // units that failed run again
	detach bool   // return when its jobs are submitted
}

// each loads and plans every file before anything runs, so that a mistake in the last one surfaces first.
func (a *App) each(cmd *cobra.Command, paths []string, f runFlags, do func(ctx context.Context, j job) error) (failed error) {
	if err := a.speak(f.Manner); err != nil {
		return err
	}
	var errs []error
	var loaded []*spec.File
	var sections []any
	if !slices.ContainsFunc(paths, isExperiment) {
		return invalid(fmt.Errorf("%s: the baseline of an experiment; name the experiment file", paths[0]))
	}
	for _, path := range paths {
		if !isExperiment(path) {
			continue // a shell's *.yaml finds baselines beside their experiments
		}
		file, own, err := a.load(path, f.sets)
		errs = append(errs, err)
		loaded, sections = append(loaded, file), append(sections, own)
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
		var h *herald
		if f.begins {
			h = a.announce(at.Run)
			defer func() { h.end(cmd.Context(), failed) }()
		}
		a.warnDivided(file)
		one, err := session.Open(cmd.Context(), file, at, session.Choice{Only: f.only, Retry: f.retry}, a.warn)
		if err != nil {
			return invalid(err)
		}
		todo = append(todo, job{Session: one, herald: h, sections: sections[i], jobs: s.Jobs, tool: s, only: f.only, retry: f.retry, detach: f.detach})
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

// warnDivided says where rows of one group may be on both sides of a split: models that know the group look better then than
// they are on new ones.
func (a *App) warnDivided(file *spec.File) {
	for _, s := range file.Datasets {
		if words := s.Divided(); words != "" {
			a.warn(fmt.Errorf("%s: data set %s: %s", file.Path, s.Name, words))
		}
	}
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

// sayEnd tells of the end of an experiment in a format.
func (a *App) sayEnd(format string) (func(ended) error, error) {
	if format == asJSON {
		return a.sayJSON, nil
	}
	return a.sayText, wellFormed(format, asText, asJSON)
}

// sayText prints the comparison, where the files are, and the digest as the last line.
func (a *App) sayText(e ended) error {
	_, err := fmt.Fprintf(a.Out, "%s\n\nreport  %s\nresults %s\ndigest %s\n", strings.TrimRight(e.tables, "\n"), e.Report, e.Results, e.Digest)
	return err
}

func (a *App) sayJSON(e ended) error { return json.NewEncoder(a.Out).Encode(e) }

// run fits what is missing, writes everything and says how it ended.
func (a *App) run(ctx context.Context, j job, file *status.Writer, say func(ended) error) error {
	if j.tool.Executor != settings.Slurm {
		if err := j.fits(); err != nil {
			return err
		}
	}
	frozen, err := j.Freeze(j.sections)
	if err != nil {
		return err
	}
	origin := runner.FindOrigin(ctx, filepath.Dir(j.File.Path))
	fitting := a.runMissing(ctx, j, frozen, file, origin)
	if errors.Is(fitting, errDetached) {
		return fitting
	}
	end, err := a.finish(j, frozen, origin) // where storing failed or a signal came, too: what is stored already is worth writing
	if err == nil {
		err = say(end)
	}
	if err := errors.Join(fitting, err); err != nil {
		return err
	}
	return j.complete()
}

// complete is an error where more fits failed or are missing than the experiment tolerates.
func (j job) complete() error {
	t := j.Tally()
	if bad := t.Failed + t.Missing; bad > j.File.Failures.Tolerate.Of(t.Units) {
		return failure{ExitIncomplete, fmt.Errorf("%s: %d of %d fits failed, %d are missing", j.File.Name, t.Failed, t.Units, t.Missing)}
	}
	return nil
}

// runMissing runs what is missing, with progress. Outcomes are stored as they come.
func (a *App) runMissing(ctx context.Context, j job, frozen *plan.Frozen, file *status.Writer, origin runner.Origin) error {
	if err := j.Begin(frozen); err != nil {
		return err
	}
	t := j.Tally()
	first := ""
	if len(j.Stages) > 0 {
		first = fmt.Sprintf(", after %s that they build on", count(len(j.Stages), "stage"))
	}
	a.Voice().Say(slog.LevelInfo, "plan",
		fmt.Sprintf("%s: %s, %s: %d to run%s, %d cached", j.File.Name, count(t.Cells, "cell"), count(t.Units, "fit"), len(j.Todo), first, t.Units-len(j.Todo)),
		slog.String("experiment", j.File.Name), slog.String("run", j.Dir), slog.Int("cells", t.Cells), slog.Int("fits", t.Units),
		slog.Int("to_run", len(j.Todo)), slog.Int("stages", len(j.Stages)), slog.Int("cached", t.Units-len(j.Todo)))
	if j.tool.Executor == settings.Slurm {
		return a.remote(ctx, j, frozen, file)
	}
	meter := progress.New(a.Voice(), file, j.units())
	defer meter.Close()
	opt := within(j.tool)
	opt.Jobs, opt.Retries, opt.Observer, opt.Origin = j.jobs, j.File.Failures.Retries, meter, origin
	return j.Run(ctx, opt)
}

// finish makes the result files and the report from what is stored.
func (a *App) finish(j job, frozen *plan.Frozen, origin runner.Origin) (e ended, err error) {
	t := j.Tally()
	e = ended{
		Experiment: j.File.Name, Report: filepath.Join(j.Dir, "report.md"), Results: filepath.Join(j.Dir, results.ResultsFile),
		Cells: t.Cells, Fits: t.Units, OK: t.OK, Failed: t.Failed, Missing: t.Missing,
	}
	if e.Digest, err = j.WriteResults(frozen, origin); err != nil {
		return e, err
	}
	if e.tables, err = a.render(j.Dir, about(frozen)); err != nil {
		return e, fmt.Errorf("report: %w", err)
	}
	return e, nil
}

// about is what a report says of a plan.
func about(f *plan.Frozen) About {
	out := About{Name: f.Name, Title: f.Title, Spec: f.Path, Metrics: f.Metrics, Sections: f.Sections, Cells: len(f.Cells)}
	for _, s := range f.Datasets {
		out.Data = append(out.Data, SetFacts{Name: s.Name, Family: s.Family, Task: s.Task, Folds: len(s.Folds), Facts: s.About()})
	}
	return out
}
