package cli

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tenfold/io/files"
	"tenfold/io/status"
	"tenfold/io/yamlerr"
	"tenfold/runner"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
)

// What is said besides results, on standard error and in the run's folder.

// manners are the flags of commands that run for long.
func manners(cmd *cobra.Command, m *progress.Manner) {
	quieter(cmd, m)
	cmd.Flags().BoolVarP(&m.Verbose, "verbose", "v", false, "every fit on standard error, as it begins and ends")
}

// quieter is those of commands that have no more to say than they say.
func quieter(cmd *cobra.Command, m *progress.Manner) {
	cmd.Flags().BoolVarP(&m.Quiet, "quiet", "q", false, "no progress: only warnings, failed fits and errors on standard error")
	cmd.Flags().BoolVar(&m.JSON, "log-json", false, "a JSON object a line on standard error, for programs")
}

// speak in the manner that was asked for.
func (a *App) speak(m progress.Manner) error {
	if m.Quiet && m.Verbose {
		return invalid(errors.New("--quiet and --verbose: choose one"))
	}
	a.voice = progress.NewVoice(a.Errs, m)
	return nil
}

// Voice is how the present command speaks on standard error.
func (a *App) Voice() *progress.Voice {
	if a.voice == nil {
		a.voice = progress.NewVoice(a.Errs, progress.Manner{})
	}
	return a.voice
}

// warn tells what is wrong and does no harm, once.
func (a *App) warn(err error) {
	if text := said(err); !a.warned[text] {
		if a.warned == nil {
			a.warned = map[string]bool{}
		}
		a.warned[text] = true
		a.Voice().Warn(errors.New(text))
	}
}

// fail says why a command ends with that exit code: to people at once, and to programs one thing a line.
func (a *App) fail(err error, code int) {
	exit := slog.Int("exit", code)
	switch {
	case a.Voice().JSON():
		for _, one := range apart(err) {
			a.Voice().Say(slog.LevelError, "error", said(one), exit)
		}
	case errors.As(err, new(yamlerr.Mistakes)): // these name their places themselves
		a.Voice().Say(slog.LevelError, "error", said(err), exit)
	default:
		a.Voice().Say(slog.LevelError, "error", "tenfold: "+said(err), exit)
	}
}

// apart are the mistakes in files, and other errors that were joined, one by one.
func apart(err error) (errs []error) {
	switch e := err.(type) {
	case yamlerr.Mistakes:
		for _, one := range e {
			errs = append(errs, one)
		}
		return errs
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			errs = append(errs, apart(one)...)
		}
		return errs
	case failure:
		return apart(e.err)
	}
	return []error{err}
}

// mistakes are the same, with the places of those in files.
func mistakes(err error) (all yamlerr.Mistakes) {
	for _, one := range apart(err) {
		m, ok := one.(yamlerr.Mistake)
		if !ok {
			m.Msg = said(one)
		}
		all = append(all, m)
	}
	return all
}

// planning is what a process is at before it knows what there is to run.
const planning = "planning"

// herald tells who looks into a run's folder that a run is about to begin: while it is planned, or waits for those before it.
type herald struct {
	file *status.Writer
	stop func()
}

// announce a run in a folder that has one already, which is over: who watches it would see how that one ended. nil where there is
// none, and where another process or its jobs are at work.
func (a *App) announce(dir string) *herald {
	if _, err := files.Root(dir).Stat(plan.FileName); err != nil {
		return nil
	}
	now := time.Now()
	busy := func(s status.Status) bool { return s.Alive(now) || s.State == status.StateDetached }
	if all, err := status.Read(dir); err != nil || slices.ContainsFunc(all, busy) {
		return nil
	}
	file := a.statusIn(dir)
	if file == nil {
		return nil
	}
	stop, err := file.Keep(status.Status{Elsewhere: planning})
	if err != nil {
		a.warn(err)
	}
	return &herald{file, stop}
}

// end of a run that did not begin; of others it was said.
func (h *herald) end(ctx context.Context, err error) {
	if h == nil {
		return
	}
	h.stop()
	if ctx.Err() != nil {
		_ = h.file.End(status.StateInterrupted, ExitInterrupted, "") // there is nobody to tell that it cannot be told
	} else if err != nil {
		_ = h.file.End(status.StateEnded, exitCode(err), said(err))
	}
	_ = h.file.Close()
}

// statusIn a run's folder, without what processes of the past left there; nil where there can be none.
func (a *App) statusIn(dir string) *status.Writer {
	file, err := status.Open(dir)
	if err == nil {
		err = status.Clear(dir)
	}
	if err != nil {
		a.warn(err)
	}
	return file
}

// follow does what a run consists of, and tells other processes how it goes: those that look into the run's folder.
func (a *App) follow(ctx context.Context, j job, do func(file *status.Writer) error) error {
	var file *status.Writer
	if j.herald != nil {
		j.herald.stop()
		file = j.herald.file
	} else {
		file = a.statusIn(j.Dir)
	}
	err := do(file)
	state, code, why := status.StateEnded, ExitOK, ""
	ended := err
	if ended == nil {
		ended = j.complete()
	}
	switch {
	case errors.Is(err, errDetached):
		state, err = status.StateDetached, nil
	case ctx.Err() != nil && j.queued():
		state = status.StateDetached
	case ctx.Err() != nil:
		state, code = status.StateInterrupted, ExitInterrupted
	case ended != nil:
		code, why = exitCode(ended), said(ended)
	}
	if file != nil {
		if err := file.End(state, code, why); err != nil {
			a.warn(err)
		}
	}
	return err
}

// units that are to run, those first that others build on.
func (j job) units() []*runner.Unit {
	var out []*runner.Unit
	for _, u := range j.Stages {
		out = append(out, &u.Unit)
	}
	for _, u := range j.Todo {
		out = append(out, &u.Unit)
	}
	return out
}
