package cli

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/sanitize"
	"tenfold/io/status"
	"tenfold/io/strictyaml"
	"tenfold/runner/execute"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
)

// Messages besides results: on standard error, and in status files of the run's folder.

// addProgressFlags adds the flags of commands that run for long.
func addProgressFlags(cmd *cobra.Command, m *progress.Mode) {
	addQuietFlags(cmd, m)
	cmd.Flags().BoolVarP(&m.Verbose, "verbose", "v", false, "every fit on standard error, as it begins and ends")
}

// addQuietFlags adds --quiet and --log-json, for commands without per-fit output.
func addQuietFlags(cmd *cobra.Command, m *progress.Mode) {
	cmd.Flags().BoolVarP(&m.Quiet, "quiet", "q", false, "no progress: only warnings, failed fits and errors on standard error")
	cmd.Flags().BoolVar(&m.JSON, "log-json", false, "a JSON object a line on standard error, for programs")
}

// setProgressMode sets how the command reports progress.
func (a *App) setProgressMode(m progress.Mode) error {
	if m.Quiet && m.Verbose {
		return invalidInput(errors.New("--quiet and --verbose: choose one"))
	}
	a.console = progress.NewConsole(a.live, m)
	return nil
}

// Console returns the command's writer of progress and messages.
func (a *App) Console() *progress.Console {
	if a.console == nil {
		a.console = progress.NewConsole(a.live, progress.Mode{})
	}
	return a.console
}

// warn prints a warning, each text once.
func (a *App) warn(err error) {
	if text := userMessage(err); !a.warned[text] {
		if a.warned == nil {
			a.warned = map[string]bool{}
		}
		a.warned[text] = true
		a.Console().Warn(errors.New(text))
	}
}

// printError says why a command ends: as one text for people, as an object for each error for programs.
func (a *App) printError(err error, code int) {
	exit := slog.Int("exit", code)
	switch {
	case a.Console().JSON():
		for _, one := range splitErrors(err) {
			a.Console().SayLines(slog.LevelError, "error", userMessage(one), exit)
		}
	case errors.As(err, new(strictyaml.Mistakes)): // their texts begin with their places
		a.Console().SayLines(slog.LevelError, "error", userMessage(err), exit)
	default:
		a.Console().SayLines(slog.LevelError, "error", "tenfold: "+userMessage(err), exit)
	}
}

// splitErrors returns joined errors and mistakes in files one by one.
func splitErrors(err error) (errs []error) {
	switch e := err.(type) {
	case sanitize.Lines:
		return []error{e}
	case strictyaml.Mistakes:
		for _, one := range e {
			errs = append(errs, one)
		}
		return errs
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			errs = append(errs, splitErrors(one)...)
		}
		return errs
	case failure:
		return splitErrors(e.err)
	}
	return []error{err}
}

// splitMistakes returns the joined errors as mistakes, with places for those in files.
func splitMistakes(err error) (all strictyaml.Mistakes) {
	for _, one := range splitErrors(err) {
		m, ok := one.(strictyaml.Mistake)
		if !ok {
			m.Msg = userMessage(one)
		}
		all = append(all, m)
	}
	return all
}

// planning is the state of a process that does not know yet what there is to run.
const planning = "planning"

// announcement tells watchers of a run's folder that a run is about to begin, while it is planned or waits for others.
type announcement struct {
	file *status.Writer
	stop func()
}

// announce writes an announcement to a folder that has a finished run: watchers would otherwise see how that one
// ended. It returns nil if there is none, or if another process or its jobs are at work.
func (a *App) announce(dir string) *announcement {
	if _, err := files.Root(dir).Stat(plan.FileName); err != nil {
		return nil
	}
	now := time.Now()
	busy := func(s status.Status) bool { return s.Alive(now) || s.State == status.StateDetached }
	if all, err := status.Read(dir); err != nil || slices.ContainsFunc(all, busy) {
		return nil
	}
	file := a.openStatus(dir)
	if file == nil {
		return nil
	}
	stop, err := file.Keep(status.Status{Elsewhere: planning})
	if err != nil {
		a.warn(err)
	}
	return &announcement{file, stop}
}

// withdraw ends the announcement of a run that did not begin.
func (n *announcement) withdraw(ctx context.Context, err error) {
	if n == nil {
		return
	}
	n.stop()
	if ctx.Err() != nil {
		_ = n.file.End(status.StateInterrupted, ExitInterrupted, "") // an error here could not be shown to anybody
	} else if err != nil {
		_ = n.file.End(status.StateEnded, exitCode(err), userMessage(err))
	}
	_ = n.file.Close()
}

// openStatus opens the status file in a run's folder and removes those of dead processes. It returns nil, after a
// warning, if that fails.
func (a *App) openStatus(dir string) *status.Writer {
	file, err := status.Open(dir)
	if err == nil {
		err = status.Clear(dir)
	}
	if err != nil {
		a.warn(err)
	}
	return file
}

// withStatus calls do and writes how it goes and ends to the status file of the run's folder.
func (a *App) withStatus(ctx context.Context, j job, do func(file *status.Writer) error) error {
	var file *status.Writer
	if j.announcement != nil {
		j.announcement.stop()
		file = j.announcement.file
	} else {
		file = a.openStatus(j.Dir)
	}
	if !j.hasQueuedJobs() {
		console := a.Console()
		defer context.AfterFunc(ctx, func() { console.Say(slog.LevelWarn, "interrupted", "writing what there is; again to end now") })()
	}
	err := do(file)
	state, code, why := status.StateEnded, ExitOK, ""
	ended := err
	if ended == nil {
		ended = j.checkComplete()
	}
	switch {
	case errors.Is(err, errDetached):
		state, err = status.StateDetached, nil
	case ctx.Err() != nil && j.hasQueuedJobs():
		state = status.StateDetached
	case ctx.Err() != nil:
		state, code = status.StateInterrupted, ExitInterrupted
	case ended != nil:
		code, why = exitCode(ended), userMessage(ended)
	}
	if file != nil {
		if err := file.End(state, code, why); err != nil {
			a.warn(err)
		}
	}
	return err
}

// pendingUnits lists the units to run, stages before the cells that build on them.
func (j job) pendingUnits() []*execute.Unit {
	var out []*execute.Unit
	for _, u := range j.Stages {
		out = append(out, &u.Unit)
	}
	for _, u := range j.Todo {
		out = append(out, &u.Unit)
	}
	return out
}
