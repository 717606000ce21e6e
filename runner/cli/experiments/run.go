package experiments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/io/status"
	"tenfold/reports"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/methods"
	"tenfold/runner/cli/show"
	"tenfold/runner/execute"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/settings"
)

// RunCommand returns the command run.
func RunCommand(a *app.App) *cobra.Command {
	var f Flags
	var format string
	cmd := &cobra.Command{
		Use: "run FILE...", Short: "Fit what is missing; write results, tables and figures", Args: app.CheckArguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			say, err := SummaryPrinter(a, format)
			if err != nil {
				return err
			}
			f.announces = true
			return runFiles(a, cmd, args, f, say)
		},
	}
	f.register(cmd)
	f.AddOnlyFlag(cmd, "run")
	app.AddProgressFlags(cmd, &f.Mode)
	methods.AddJobsFlag(cmd)
	app.AddMemoryFlag(cmd)
	cmd.Flags().String("executor", settings.Local, "where fits run: local, or slurm, a cluster by its sbatch (TENFOLD_EXECUTOR)")
	cmd.Flags().String("profile", "", "of the cluster: a name among profiles: of your settings.yaml, or of tenfold.yaml in a folder that you allowed (TENFOLD_PROFILE)")
	cmd.Flags().BoolVar(&f.detach, "detach", false, "with --executor slurm: submit, and return; the same command without it attaches")
	cmd.Flags().StringVar(&format, "format", app.AsText, "of what is printed: text, or json (one object an experiment)")
	return cmd
}

// runFiles runs experiments, and says how each ended.
func runFiles(a *app.App, cmd *cobra.Command, paths []string, f Flags, say func(Summary) error) error {
	return ForEach(a, cmd, paths, f, func(ctx context.Context, j Job) error {
		return j.withStatus(ctx, func(file *status.Writer) error { return j.runExperiment(ctx, file, say) })
	})
}

// Summary holds what run prints when an experiment has ended.
type Summary struct {
	Experiment string `json:"experiment"`
	Digest     string `json:"digest"`
	Cells      int    `json:"cells"`
	Fits       int    `json:"fits"`
	OK         int    `json:"ok"`
	Failed     int    `json:"failed"`
	Missing    int    `json:"missing"`
	Report     string `json:"report"`
	Results    string `json:"results"`
	Tables     string
}

// SummaryPrinter returns the function that prints a Summary in format.
func SummaryPrinter(a *app.App, format string) (func(Summary) error, error) {
	if format == app.AsJSON {
		return func(e Summary) error { return json.NewEncoder(a.Raw).Encode(e) }, nil
	}
	return func(e Summary) error { return printSummaryText(a, e) }, app.CheckFormat(format, app.AsText, app.AsJSON)
}

// printSummaryText prints the comparison, the paths of the files, and the digest on the last line.
func printSummaryText(a *app.App, e Summary) error {
	return a.PrintText(strings.TrimRight(e.Tables, "\n") + "\n\n" + show.ReportLines(filepath.Dir(e.Report)) + show.ResultLines(e.Results, e.Digest))
}

// runExperiment fits what is missing, writes results and report, and prints the summary.
func (j Job) runExperiment(ctx context.Context, file *status.Writer, say func(Summary) error) error {
	if j.Settings.Executor != settings.Slurm {
		if err := j.checkMemory(); err != nil {
			return err
		}
	}
	frozen, err := j.Freeze(j.Sections)
	if err != nil {
		return err
	}
	planned, err := json.Marshal(frozen)
	if err != nil {
		return err
	}
	write := j.WriteReport
	if digest, current := j.Current(string(planned)); current && len(j.Stages)+len(j.Todo) == 0 && reports.Current(j.Dir) {
		write = func(frozen *plan.Frozen, _ execute.Origin) (e Summary, err error) {
			e = j.summary(digest)
			if err = files.Root(j.Dir).Sweep(reports.FiguresFolder); err != nil {
				return e, err
			}
			e.Tables, err = show.PrintedTables(j.App, j.Dir, frozen)
			j.warnUndeclared()
			return e, err
		}
	}
	origin := execute.FindOrigin(ctx, filepath.Dir(j.File.Path))
	fitting := j.runMissing(ctx, frozen, file, origin)
	if errors.Is(fitting, errDetached) {
		return fitting
	}
	end, err := write(frozen, origin) // also after a failure or a signal: write what is stored
	if err == nil {
		err = say(end)
	}
	if err := errors.Join(fitting, err); err != nil {
		return err
	}
	return j.checkComplete()
}

// checkComplete returns an error if more fits failed or are missing than the experiment tolerates.
func (j Job) checkComplete() error {
	t := j.Tally()
	if bad := t.Failed + t.Missing; bad > j.File.Failures.Tolerate.Of(t.Units) {
		return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: %d of %d fits failed, %d are missing", j.File.Name, t.Failed, t.Units, t.Missing))
	}
	if gone := j.MissingParts(); gone != "" {
		return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: %s", j.File.Name, gone))
	}
	return nil
}

// MissingParts names the data sets and methods that are missing from the experiment; "" if none is, or if --only asked for some
// cells.
func (j Job) MissingParts() string {
	if len(j.Globs) > 0 {
		return ""
	}
	var gone []string
	if n := len(j.Unavailable); n > 0 {
		gone = append(gone, fmt.Sprintf("the data of %s cannot be had: %s", app.Pluralize(n, "data set"), source.Abridge(j.Unavailable)))
	}
	if n := len(j.Lacking); n > 0 {
		gone = append(gone, fmt.Sprintf("%s cannot run: %s", app.Pluralize(n, "method"), source.Abridge(j.Lacking)))
	}
	return strings.Join(gone, "; ")
}

// runMissing runs the missing fits here and shows progress. Outcomes are stored as they come.
func (j Job) runMissing(ctx context.Context, frozen *plan.Frozen, file *status.Writer, origin execute.Origin) error {
	for _, err := range j.Damaged() {
		j.Warn(fmt.Errorf("%w; it is written anew from what is stored", err))
	}
	if err := j.Begin(frozen); err != nil {
		return err
	}
	sayUnused(j.App, j.Sets)
	t := j.Tally()
	first := ""
	if len(j.Stages) > 0 {
		first = fmt.Sprintf(", after %s that they build on", app.Pluralize(len(j.Stages), "stage"))
	}
	j.Console().Say(slog.LevelInfo, "plan",
		fmt.Sprintf("%s: %s, %s: %d to run%s, %d cached", j.File.Name, app.Pluralize(t.Cells, "cell"), app.Pluralize(t.Units, "fit"), len(j.Todo), first, t.Units-len(j.Todo)),
		slog.String("experiment", j.File.Name), slog.String("run", j.Dir), slog.Int("cells", t.Cells), slog.Int("fits", t.Units),
		slog.Int("to_run", len(j.Todo)), slog.Int("stages", len(j.Stages)), slog.Int("cached", t.Units-len(j.Todo)))
	if j.Settings.Executor == settings.Slurm {
		return j.runOnCluster(ctx, frozen, file)
	}
	return j.FitPending(ctx, file, origin)
}

// FitPending fits the units to run in this process and shows progress, in the status file, too, unless that is nil.
func (j Job) FitPending(ctx context.Context, file *status.Writer, origin execute.Origin) error {
	meter := progress.New(j.Console(), file, j.PendingUnits())
	defer meter.Close()
	opt := app.MemoryOptions(j.Settings)
	opt.Jobs, opt.Retries, opt.Observer, opt.Origin = j.Jobs, j.File.Failures.Retries, meter, origin
	done, err := methods.Open(j.App, j.Host, j.File.Bound, j.Dir, append(j.DataFiles(), j.Dir, j.Settings.Cache)...)
	if err != nil {
		return err
	}
	return errors.Join(j.Run(ctx, opt), done())
}

// WriteReport makes the result files and the report from the stored outcomes.
func (j Job) WriteReport(frozen *plan.Frozen, origin execute.Origin) (e Summary, err error) {
	digest, err := j.WriteResults(frozen, origin)
	if e = j.summary(digest); err != nil {
		return e, err
	}
	if e.Tables, err = show.RenderReport(j.App, j.Dir, frozen); err != nil {
		return e, fmt.Errorf("report: %w", err)
	}
	j.warnUndeclared()
	return e, nil
}

// summary returns what run prints, without the tables.
func (j Job) summary(digest string) Summary {
	t := j.Tally()
	return Summary{
		Experiment: j.File.Name, Digest: digest, Report: filepath.Join(j.Dir, reports.MarkdownFile), Results: filepath.Join(j.Dir, results.ResultsFile),
		Cells: t.Cells, Fits: t.Units, OK: t.OK, Failed: t.Failed, Missing: t.Missing,
	}
}

// warnUndeclared warns of files that methods opened though their code does not name them, and of data among them.
func (j Job) warnUndeclared() {
	ofData := map[string]bool{} // names of files
	for _, s := range j.File.Datasets {
		for _, ref := range s.Files {
			ofData[filepath.Base(ref.Path)] = true
		}
	}
	files := map[string][]string{} // by method
	for _, u := range j.Undeclared() {
		if ofData[filepath.Base(u.File)] {
			j.Warn(fmt.Errorf("%s: method %s opened %s, which has data of the experiment: its numbers may be of rows that it knew", j.File.Path, u.Method, u.File))
			continue
		}
		files[u.Method] = append(files[u.Method], u.File)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		j.Warn(fmt.Errorf("%s: method %s opened %s, which its code does not name: fits run again when that changes; add to code what they depend on",
			j.File.Path, name, source.Abridge(files[name])))
	}
}

// RunAndRefresh runs the missing fits and rewrites the result files if anything changed. Failed fits are no error
// here: the gate judges them.
func (j Job) RunAndRefresh(ctx context.Context) (*plan.Frozen, error) {
	frozen, err := j.Freeze(j.Sections)
	if err != nil {
		return nil, err
	}
	planned, err := json.Marshal(frozen)
	if err != nil {
		return nil, err
	}
	if _, current := j.Current(string(planned)); current && len(j.Stages)+len(j.Todo) == 0 {
		j.warnUndeclared()
		return frozen, nil
	}
	origin := execute.FindOrigin(ctx, filepath.Dir(j.File.Path))
	return frozen, j.withStatus(ctx, func(file *status.Writer) error {
		if err := j.runMissing(ctx, frozen, file, origin); err != nil {
			return err
		}
		_, err := j.WriteReport(frozen, origin)
		return err
	})
}
