package app

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"tenfold/io/sanitize"
	"tenfold/io/strictyaml"
	"tenfold/runner/progress"
)

// Messages besides results: on standard error, and in status files of the run's folder.

// AddProgressFlags adds the flags of commands that run for long.
func AddProgressFlags(cmd *cobra.Command, m *progress.Mode) {
	AddQuietFlags(cmd, m)
	cmd.Flags().BoolVarP(&m.Verbose, "verbose", "v", false, "every fit on standard error, as it begins and ends")
}

// AddQuietFlags adds --quiet and --log-json, for commands without per-fit output.
func AddQuietFlags(cmd *cobra.Command, m *progress.Mode) {
	cmd.Flags().BoolVarP(&m.Quiet, "quiet", "q", false, "no progress: only warnings, failed fits and errors on standard error")
	cmd.Flags().BoolVar(&m.JSON, "log-json", false, "a JSON object a line on standard error, for programs")
}

// SetProgress sets how the command reports progress.
func (a *App) SetProgress(m progress.Mode) error {
	if m.Quiet && m.Verbose {
		return Invalid(errors.New("--quiet and --verbose: choose one"))
	}
	a.console = progress.NewConsole(a.Live, m)
	return nil
}

// Console returns the command's writer of progress and messages.
func (a *App) Console() *progress.Console {
	if a.console == nil {
		a.console = progress.NewConsole(a.Live, progress.Mode{})
	}
	return a.console
}

// Warn prints a warning, each text once.
func (a *App) Warn(err error) {
	if text := UserMessage(err); !a.warned[text] {
		if a.warned == nil {
			a.warned = map[string]bool{}
		}
		a.warned[text] = true
		a.Console().Warn(errors.New(text))
	}
}

// PrintError says why a command ends: as one text for people, as an object for each error for programs.
func (a *App) PrintError(err error, code int) {
	exit := slog.Int("exit", code)
	switch {
	case a.Console().JSON():
		for _, one := range splitErrors(err) {
			a.Console().SayLines(slog.LevelError, "error", UserMessage(one), exit)
		}
	case errors.As(err, new(strictyaml.Mistakes)): // their texts begin with their places
		a.Console().SayLines(slog.LevelError, "error", UserMessage(err), exit)
	default:
		a.Console().SayLines(slog.LevelError, "error", "tenfold: "+UserMessage(err), exit)
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

// SplitMistakes returns the joined errors as mistakes, with places for those in files.
func SplitMistakes(err error) (all strictyaml.Mistakes) {
	for _, one := range splitErrors(err) {
		m, ok := one.(strictyaml.Mistake)
		if !ok {
			m.Msg = UserMessage(one)
		}
		all = append(all, m)
	}
	return all
}
