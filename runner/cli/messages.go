package cli

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"tenfold/io/sanitize"
	"tenfold/io/strictyaml"
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
