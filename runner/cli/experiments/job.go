// Package experiments has the commands that take experiment files: run, plan, validate, why, cancel. ForEach plans each
// file into a Job, and a command is what it does to a job.
//
// A job runs what is missing in this process (run.go), or divides it for a cluster and follows the queue (remote.go,
// shards.go). It tells watchers how it goes (status.go), and writes results and report. What is to run, and why, is
// decided in runner/plan; how, in runner/execute. Begin with job.go.
package experiments

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenfold/io/sanitize"
	"tenfold/runner"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/methods"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/progress"
	"tenfold/runner/settings"
)

// Flags holds the flags shared by commands that plan or run experiments; each command registers those it supports.
type Flags struct {
	sets  []string
	out   string
	only  []string
	retry bool
	fresh bool // run everything again

	detach    bool
	announces bool // others may watch this run
	progress.Mode
}

func (f *Flags) register(cmd *cobra.Command) {
	app.AddSetFlag(cmd, &f.sets)
	cmd.Flags().StringVar(&f.out, "out", "", "folder of the run (default runs/NAME; with several files, the folder that holds theirs)")
	cmd.Flags().BoolVar(&f.retry, "retry-failed", false, "run failed fits again")
}

// AddOnlyFlag adds --only; verb says what the command does to the chosen cells.
func (f *Flags) AddOnlyFlag(cmd *cobra.Command, verb string) {
	cmd.Flags().StringArrayVar(&f.only, "only", nil, "cells to "+verb+": a glob on algorithm, data set, dataset/algorithm/parameter=value, or a key; of several, those that any matches")
}

// AddFreshFlag adds --fresh.
func (f *Flags) AddFreshFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.fresh, "fresh", false, "read the data and run all fits again, and remove what is stored of them first: nothing that is stored is believed")
}

// RegisterRun adds the flags of commands that run missing fits on this machine.
func (f *Flags) RegisterRun(cmd *cobra.Command) {
	f.register(cmd)
	methods.AddJobsFlag(cmd)
	app.AddProgressFlags(cmd, &f.Mode)
}

// runFolderOf returns the --out folder of one experiment: of several, each has a folder of its own below it.
func (f Flags) runFolderOf(name string, files int) string {
	if f.out != "" && files > 1 {
		return filepath.Join(f.out, name)
	}
	return f.out
}

// Job is one experiment of a command line, planned.
type Job struct {
	*app.App
	*runner.Session
	Sections     any          // of the file; decoded by the Reporter
	Host         *method.Host // runs its methods; nil if it has none, or nothing is fitted
	Jobs         int
	announcement *announcement // nil if the run was not announced

	Settings settings.Settings
	Globs    []string // cells that --only asked for; none for all
	retry    bool     // units that failed run again
	Fresh    bool     // all units run again
	detach   bool     // return when its jobs are submitted
}

// ForEach loads and plans every file before it runs do on any, so that a mistake in the last one surfaces first.
func ForEach(a *app.App, cmd *cobra.Command, paths []string, f Flags, do func(ctx context.Context, j Job) error) (failed error) {
	if err := a.SetProgress(f.Mode); err != nil {
		return err
	}
	loaded, sections, err := a.LoadFiles(paths, f.sets)
	if err != nil {
		return err
	}
	var todo []Job
	f.only = slices.DeleteFunc(f.only, func(glob string) bool { return glob == "" }) // as a script may write it
	owner := map[string]string{}                                                     // of each run's folder
	for i, file := range loaded {
		places, s, err := a.Places(cmd, file.Name, f.runFolderOf(file.Name, len(loaded)))
		if err != nil {
			return err
		}
		if other, taken := owner[places.Run]; taken {
			return app.Invalid(fmt.Errorf("%s and %s have the same name, %s, and would share a folder of results", other, file.Path, file.Name))
		}
		owner[places.Run] = file.Path
		var h *announcement
		if f.announces {
			h = announce(a, places.Run)
			defer func() { h.withdraw(cmd.Context(), failed) }()
		}
		var host *method.Host
		if file, host, err = methods.Bind(cmd.Context(), a, cmd.Flags(), file, places.Run, func(m algorithm.Methods) (*experiment.File, error) {
			bound, decoded, err := a.LoadAgain(file, f.sets, m)
			sections[i] = decoded
			return bound, err
		}); err != nil {
			return err
		}
		warnDividedGroups(a, file)
		warnNeedlessModels(a, file)
		choice := runner.Choice{Only: f.only, Retry: f.retry, Fresh: f.fresh}
		if s.Executor != settings.Slurm && !cmd.Flags().Changed("shards") { // which run elsewhere
			choice.CannotRun = app.MemoryOptions(s).CannotRun
		}
		one, err := runner.Open(cmd.Context(), file, places, choice, a.Warn)
		if err != nil {
			return app.Invalid(err)
		}
		warnOfReading(a, one)
		todo = append(todo, Job{App: a, Session: one, Host: host, announcement: h, Sections: sections[i], Jobs: s.Jobs, Settings: s, Globs: f.only, retry: f.retry, Fresh: f.fresh, detach: f.detach})
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
func warnDividedGroups(a *app.App, file *experiment.File) {
	for _, s := range file.Datasets {
		if words := s.Divided(); words != "" {
			a.Warn(fmt.Errorf("%s: data set %s: %s", file.Path, s.Name, words))
		}
	}
}

// warnNeedlessModels warns of costs under which one prediction for all rows is the best.
func warnNeedlessModels(a *app.App, file *experiment.File) {
	for i, name := range file.Metrics {
		if words := file.Defined[name].Needless(); words != "" {
			a.Warn(fmt.Errorf("%s:%d: metric %s: %s", file.Path, file.Line(fmt.Sprintf("metrics.%d", i)), name, words))
		}
	}
}

// warnOfReading says what readers warn of, once for each data set, and which of its folds teach nothing.
func warnOfReading(a *app.App, s *runner.Session) {
	warned := map[string]bool{}
	for _, set := range s.Sets {
		if words := set.OneSided(); words != "" {
			a.Warn(fmt.Errorf("%s: data set %s: %s", s.File.Path, set.Name, words))
		}
		for _, fact := range set.Data.Facts {
			if words := fmt.Sprintf("%s: data set %s: %s", s.File.Path, set.Name, fact.Value); fact.Name == "warning" && !warned[words] {
				warned[words] = true
				a.Warn(errors.New(words))
			}
		}
	}
}

// PendingUnits lists the units to run, stages before the cells that build on them.
func (j Job) PendingUnits() []*execute.Unit {
	var out []*execute.Unit
	for _, u := range j.Stages {
		out = append(out, &u.Unit)
	}
	for _, u := range j.Todo {
		out = append(out, &u.Unit)
	}
	return out
}

// checkMemory returns an error if a fit needs more memory than there is.
func (j Job) checkMemory() error {
	err := app.MemoryOptions(j.Settings).CheckMemory(j.PendingUnits())
	if err == nil {
		return nil
	}
	lines := append(sanitize.NewLines(j.File.Name+" cannot run here:"), err)
	if hint := strings.TrimPrefix(j.File.SkipHint(), "; "); hint != "" {
		lines = append(lines, errors.New(hint))
	}
	return app.Invalid(lines)
}
