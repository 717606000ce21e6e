package cli

import (
	"context"
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"tenfold/io/status"
	"tenfold/runner"
	"tenfold/runner/progress"
	"tenfold/runner/spec"
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
		for _, text := range apart(err) {
			a.Voice().Say(slog.LevelError, "error", text, exit)
		}
	case errors.As(err, new(spec.Errors)): // these name their places themselves
		a.Voice().Say(slog.LevelError, "error", said(err), exit)
	default:
		a.Voice().Say(slog.LevelError, "error", "tenfold: "+said(err), exit)
	}
}

// apart are the mistakes in experiment files, and other errors that were joined, one by one.
func apart(err error) (texts []string) {
	switch e := err.(type) {
	case spec.Errors:
		for _, one := range e {
			texts = append(texts, one.Error())
		}
		return texts
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			texts = append(texts, apart(one)...)
		}
		return texts
	case failure:
		return apart(e.err)
	}
	return []string{said(err)}
}

// follow does what a run consists of, and tells other processes how it goes: those that look into the run's folder.
func (a *App) follow(ctx context.Context, j job, do func(file *status.Writer) error) error {
	file, err := status.Open(j.Dir)
	if err == nil {
		err = status.Clear(j.Dir)
	}
	if err != nil {
		a.warn(err)
	}
	err = do(file)
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
