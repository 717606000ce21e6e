package cli

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

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/io/source"
	"tenfold/io/status"
	"tenfold/runner"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/settings"
)

// runFlags holds the flags shared by commands that plan or run experiments; each command registers those it supports.
type runFlags struct {
	sets  []string
	out   string
	only  []string
	retry bool
	fresh bool // run everything again

	detach    bool
	announces bool // others may watch this run
	progress.Mode
}

func (f *runFlags) register(cmd *cobra.Command) {
	addSetFlag(cmd, &f.sets)
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the run (default runs/NAME; with several files, the folder that holds theirs)")
	cmd.Flags().BoolVar(&f.retry, "retry-failed", false, "run failed fits again")
}

// addOnlyFlag adds --only; verb says what the command does to the chosen cells.
func (f *runFlags) addOnlyFlag(cmd *cobra.Command, verb string) {
	cmd.Flags().StringArrayVar(&f.only, "only", nil, "cells to "+verb+": a glob on algorithm, data set, dataset/algorithm/parameter=value, or a key; of several, those that any matches")
}

// runFolderOf returns the --out folder of one experiment: of several, each has a folder of its own below it.
func (f runFlags) runFolderOf(name string, files int) string {
	if f.out != "" && files > 1 {
		return filepath.Join(f.out, name)
	}
	return f.out
}

// pluralize formats n with its noun: "1 fit", "2 fits".
func pluralize(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (a *App) runCommand() *cobra.Command {
	var f runFlags
	var format string
	cmd := &cobra.Command{
		Use: "run FILE...", Short: "Fit what is missing; write results, tables and figures", Args: checkArguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			say, err := a.summaryPrinter(format)
			if err != nil {
				return err
			}
			f.announces = true
			return a.forEachExperiment(cmd, args, f, func(ctx context.Context, j job) error {
				return a.withStatus(ctx, j, func(file *status.Writer) error { return a.runExperiment(ctx, j, file, say) })
			})
		},
	}
	f.register(cmd)
	f.addOnlyFlag(cmd, "run")
	addProgressFlags(cmd, &f.Mode)
	addJobsFlag(cmd)
	addMemoryFlag(cmd)
	cmd.Flags().String("executor", settings.Local, "where fits run: local, or slurm, a cluster by its sbatch (TENFOLD_EXECUTOR)")
	cmd.Flags().String("profile", "", "of the cluster: a name among profiles: of your settings.yaml, or of tenfold.yaml in a folder that you allowed (TENFOLD_PROFILE)")
	cmd.Flags().BoolVar(&f.detach, "detach", false, "with --executor slurm: submit, and return; the same command without it attaches")
	cmd.Flags().StringVar(&format, "format", asText, "of what is printed: text, or json (one object an experiment)")
	return cmd
}

func (a *App) planCommand() *cobra.Command {
	var f runFlags
	var d shardFlags
	cmd := &cobra.Command{
		Use: "plan FILE...", Short: "Say what run would do and why; run nothing", Args: checkArguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			do := a.printPlan
			if cmd.Flags().Changed("shards") {
				do = func(_ context.Context, j job) error { return a.writeShards(j, d) }
			}
			return a.forEachExperiment(cmd, args, f, do)
		},
	}
	f.register(cmd)
	f.addOnlyFlag(cmd, "run")
	d.register(cmd)
	cmd.Flags().Int("jobs", 0, "fits at a time, for the predicted time (TENFOLD_JOBS)")
	addMemoryFlag(cmd)
	return cmd
}

// job is one experiment of a command line, planned.
type job struct {
	*runner.Session
	sections     any // of the file; decoded by the Reporter
	jobs         int
	announcement *announcement // nil if the run was not announced

	settings settings.Settings
	only     []string // cells that --only asked for; none for all
	retry    bool     // units that failed run again
	fresh    bool     // all units run again
	detach   bool     // return when its jobs are submitted
}

// loadFiles reads experiment files, each with its sections for reports. It reports all mistakes of all files at once.
func (a *App) loadFiles(paths, sets []string) (files []*experiment.File, sections []any, err error) {
	if !slices.ContainsFunc(paths, isExperiment) {
		return nil, nil, invalidInput(fmt.Errorf("%s: the baseline of an experiment; name the experiment file", paths[0]))
	}
	var errs []error
	for _, path := range paths {
		if !isExperiment(path) {
			continue // a shell's *.yaml finds baselines beside their experiments
		}
		file, own, err := a.loadFile(path, sets)
		errs = append(errs, err)
		files, sections = append(files, file), append(sections, own)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, invalidInput(err)
	}
	return files, sections, nil
}

// forEachExperiment loads and plans every file before it runs do on any, so that a mistake in the last one surfaces first.
func (a *App) forEachExperiment(cmd *cobra.Command, paths []string, f runFlags, do func(ctx context.Context, j job) error) (failed error) {
	if err := a.setProgressMode(f.Mode); err != nil {
		return err
	}
	loaded, sections, err := a.loadFiles(paths, f.sets)
	if err != nil {
		return err
	}
	var todo []job
	f.only = slices.DeleteFunc(f.only, func(glob string) bool { return glob == "" }) // as a script may write it
	owner := map[string]string{}                                                     // of each run's folder
	for i, file := range loaded {
		at, s, err := a.sessionPlaces(cmd, file.Name, f.runFolderOf(file.Name, len(loaded)))
		if err != nil {
			return err
		}
		if other, taken := owner[at.Run]; taken {
			return invalidInput(fmt.Errorf("%s and %s have the same name, %s, and would share a folder of results", other, file.Path, file.Name))
		}
		owner[at.Run] = file.Path
		var h *announcement
		if f.announces {
			h = a.announce(at.Run)
			defer func() { h.withdraw(cmd.Context(), failed) }()
		}
		if file, err = a.bindMethods(cmd.Context(), cmd.Flags(), file, at.Run, func(m algorithm.Methods) (*experiment.File, error) {
			bound, own, err := a.loadAgain(file, f.sets, m)
			sections[i] = own
			return bound, err
		}); err != nil {
			return err
		}
		a.warnDividedGroups(file)
		choice := runner.Choice{Only: f.only, Retry: f.retry, Fresh: f.fresh}
		if s.Executor != settings.Slurm && !cmd.Flags().Changed("shards") { // which run elsewhere
			choice.CannotRun = memoryOptions(s).CannotRun
		}
		one, err := runner.Open(cmd.Context(), file, at, choice, a.warn)
		if err != nil {
			return invalidInput(err)
		}
		a.warnOfReading(one)
		todo = append(todo, job{Session: one, announcement: h, sections: sections[i], jobs: s.Jobs, settings: s, only: f.only, retry: f.retry, fresh: f.fresh, detach: f.detach})
	}
	var errs []error
	for _, j := range todo {
		if err := errors.Join(do(cmd.Context(), j), j.Fault()); err != nil {
			errs = append(errs, err)
			if cmd.Context().Err() != nil {
				break
			}
		}
	}
	return errors.Join(errs...)
}

// warnDividedGroups warns where rows of one group may be on both sides of a split: models that know the group then
// look better than they are on new groups.
func (a *App) warnDividedGroups(file *experiment.File) {
	for _, s := range file.Datasets {
		if words := s.Divided(); words != "" {
			a.warn(fmt.Errorf("%s: data set %s: %s", file.Path, s.Name, words))
		}
	}
}

// warnOfReading says what readers warn of, once for each data set, and which of its folds teach nothing.
func (a *App) warnOfReading(s *runner.Session) {
	said := map[string]bool{}
	for _, set := range s.Sets {
		if words := set.OneSided(); words != "" {
			a.warn(fmt.Errorf("%s: data set %s: %s", s.File.Path, set.Name, words))
		}
		for _, fact := range set.Data.Facts {
			if words := fmt.Sprintf("%s: data set %s: %s", s.File.Path, set.Name, fact.Value); fact.Name == "warning" && !said[words] {
				said[words] = true
				a.warn(errors.New(words))
			}
		}
	}
}

// skippedText counts the cells of the file that are not fitted; "" if there are none.
func skippedText(skipped []plan.Skipped) string {
	if len(skipped) == 0 {
		return ""
	}
	others := 0
	for _, s := range skipped {
		if s.Where != nil {
			others++
		}
	}
	text := ""
	if n := len(skipped) - others; n > 0 {
		text = fmt.Sprintf("; %s skipped, as the engine cannot use the data set, or one of them is not there", pluralize(n, "cell"))
	}
	if others > 0 {
		text += fmt.Sprintf("; %s left out by datasets of algorithms", pluralize(others, "cell"))
	}
	return text
}

// skippedNotes says why cells of the file are not fitted: one line per cell, but a single one for all cells that datasets: of an
// algorithm leaves out.
func skippedNotes(skipped []plan.Skipped) (notes []string) {
	at := map[string]int{} // by algorithm
	var names [][]string   // of the data sets in each note
	for _, s := range skipped {
		dataset, algorithm := results.Labels(s.Dataset, s.Algorithm, s.Grid, results.Exact)
		i, known := at[s.Algorithm]
		if s.Where == nil || !known {
			i = len(notes)
			notes, names = append(notes, ""), append(names, nil)
		}
		if s.Where != nil {
			at[s.Algorithm], algorithm = i, s.Algorithm
		}
		if !slices.Contains(names[i], dataset) {
			names[i] = append(names[i], dataset)
		}
		notes[i] = fmt.Sprintf("%s, %s: %s", source.Abridge(names[i]), algorithm, s.Why)
	}
	return notes
}

// runSummary holds what run prints when an experiment has ended.
type runSummary struct {
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

// summaryPrinter returns the function that prints a runSummary in format.
func (a *App) summaryPrinter(format string) (func(runSummary) error, error) {
	if format == asJSON {
		return a.printSummaryJSON, nil
	}
	return a.printSummaryText, checkFormat(format, asText, asJSON)
}

// printSummaryText prints the comparison, the paths of the files, and the digest on the last line.
func (a *App) printSummaryText(e runSummary) error {
	return a.printText(strings.TrimRight(e.tables, "\n") + "\n\n" + reportLines(filepath.Dir(e.Report)) + resultLines(e.Results, e.Digest))
}

// reportLines returns the lines that name the two forms of the report in a run's folder.
func reportLines(dir string) string {
	return sanitize.Sprintf("report  %s\npage    %s\n", filepath.Join(dir, "report.md"), filepath.Join(dir, "report.html"))
}

// resultLines returns the lines that name the file of results and their digest.
func resultLines(path, digest string) string {
	return sanitize.Sprintf("results %s\ndigest %s\n", path, digest)
}

func (a *App) printSummaryJSON(e runSummary) error { return json.NewEncoder(a.data).Encode(e) }

// runExperiment fits what is missing, writes results and report, and prints the summary.
func (a *App) runExperiment(ctx context.Context, j job, file *status.Writer, say func(runSummary) error) error {
	if j.settings.Executor != settings.Slurm {
		if err := j.checkMemory(); err != nil {
			return err
		}
	}
	frozen, err := j.Freeze(j.sections)
	if err != nil {
		return err
	}
	origin := execute.FindOrigin(ctx, filepath.Dir(j.File.Path))
	fitting := a.runMissing(ctx, j, frozen, file, origin)
	if errors.Is(fitting, errDetached) {
		return fitting
	}
	end, err := a.writeResults(j, frozen, origin) // also after a failure or a signal: write what is stored
	if err == nil {
		err = say(end)
	}
	if err := errors.Join(fitting, err); err != nil {
		return err
	}
	return j.checkComplete()
}

// checkComplete returns an error if more fits failed or are missing than the experiment tolerates.
func (j job) checkComplete() error {
	t := j.Tally()
	if bad := t.Failed + t.Missing; bad > j.File.Failures.Tolerate.Of(t.Units) {
		return failure{ExitIncomplete, fmt.Errorf("%s: %d of %d fits failed, %d are missing", j.File.Name, t.Failed, t.Units, t.Missing)}
	}
	if gone := j.unavailable(); gone != "" {
		return failure{ExitIncomplete, fmt.Errorf("%s: %s", j.File.Name, gone)}
	}
	return nil
}

// unavailable names the data sets and methods that are missing from the experiment; "" if none is, or if --only asked for some
// cells.
func (j job) unavailable() string {
	if len(j.only) > 0 {
		return ""
	}
	var gone []string
	if n := len(j.Unavailable); n > 0 {
		gone = append(gone, fmt.Sprintf("the data of %s cannot be had: %s", pluralize(n, "data set"), source.Abridge(j.Unavailable)))
	}
	if n := len(j.Lacking); n > 0 {
		gone = append(gone, fmt.Sprintf("%s cannot run: %s", pluralize(n, "method"), source.Abridge(j.Lacking)))
	}
	return strings.Join(gone, "; ")
}

// runMissing runs the missing fits here and shows progress. Outcomes are stored as they come.
func (a *App) runMissing(ctx context.Context, j job, frozen *plan.Frozen, file *status.Writer, origin execute.Origin) error {
	for _, err := range j.Damaged() {
		a.warn(fmt.Errorf("%w; it is written anew from what is stored", err))
	}
	if err := j.Begin(frozen); err != nil {
		return err
	}
	a.sayUnused(j.Sets)
	t := j.Tally()
	first := ""
	if len(j.Stages) > 0 {
		first = fmt.Sprintf(", after %s that they build on", pluralize(len(j.Stages), "stage"))
	}
	a.Console().Say(slog.LevelInfo, "plan",
		fmt.Sprintf("%s: %s, %s: %d to run%s, %d cached", j.File.Name, pluralize(t.Cells, "cell"), pluralize(t.Units, "fit"), len(j.Todo), first, t.Units-len(j.Todo)),
		slog.String("experiment", j.File.Name), slog.String("run", j.Dir), slog.Int("cells", t.Cells), slog.Int("fits", t.Units),
		slog.Int("to_run", len(j.Todo)), slog.Int("stages", len(j.Stages)), slog.Int("cached", t.Units-len(j.Todo)))
	if j.settings.Executor == settings.Slurm {
		return a.runOnCluster(ctx, j, frozen, file)
	}
	return a.fitPending(ctx, j, file, origin)
}

// fitPending fits the units to run in this process and shows progress, in the status file, too, unless that is nil.
func (a *App) fitPending(ctx context.Context, j job, file *status.Writer, origin execute.Origin) error {
	meter := progress.New(a.Console(), file, j.pendingUnits())
	defer meter.Close()
	opt := memoryOptions(j.settings)
	opt.Jobs, opt.Retries, opt.Observer, opt.Origin = j.jobs, j.File.Failures.Retries, meter, origin
	done, err := a.openMethods(j.File.Bound, j.Dir, append(j.DataFiles(), j.Dir, j.settings.Cache)...)
	if err != nil {
		return err
	}
	return errors.Join(j.Run(ctx, opt), done())
}

// writeResults makes the result files and the report from the stored outcomes.
func (a *App) writeResults(j job, frozen *plan.Frozen, origin execute.Origin) (e runSummary, err error) {
	t := j.Tally()
	e = runSummary{
		Experiment: j.File.Name, Report: filepath.Join(j.Dir, "report.md"), Results: filepath.Join(j.Dir, results.ResultsFile),
		Cells: t.Cells, Fits: t.Units, OK: t.OK, Failed: t.Failed, Missing: t.Missing,
	}
	if e.Digest, err = j.WriteResults(frozen, origin); err != nil {
		return e, err
	}
	if e.tables, err = a.renderReport(j.Dir, frozen); err != nil {
		return e, fmt.Errorf("report: %w", err)
	}
	a.warnUndeclared(j)
	return e, nil
}

// warnUndeclared warns of files that methods opened though their code does not name them, and of data among them.
func (a *App) warnUndeclared(j job) {
	ofData := map[string]bool{} // names of files
	for _, s := range j.File.Datasets {
		for _, ref := range s.Files {
			ofData[filepath.Base(ref.Path)] = true
		}
	}
	files := map[string][]string{} // by method
	for _, u := range j.Undeclared() {
		if ofData[filepath.Base(u.File)] {
			a.warn(fmt.Errorf("%s: method %s opened %s, which has data of the experiment: its numbers may be of rows that it knew", j.File.Path, u.Method, u.File))
			continue
		}
		files[u.Method] = append(files[u.Method], u.File)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		a.warn(fmt.Errorf("%s: method %s opened %s, which its code does not name: fits run again when that changes; add to code what they depend on",
			j.File.Path, name, source.Abridge(files[name])))
	}
}
