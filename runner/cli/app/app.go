// Package app is what the commands of the tool share: the parts that experiment files may name, the streams and how
// what others named is escaped in them, flags and settings, experiment files, folders of runs, questions at the
// terminal, and errors with the exit codes and texts that users see. It has no command and runs nothing.
//
// Begin with App in app.go and Invalid; load.go reads experiment files, runs.go finds the folders of runs.
package app

import (
	"fmt"
	"io"

	"tenfold/engines"
	"tenfold/io/files"
	"tenfold/runner/describe"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/progress"
)

// Exit codes, as users script against them.
const (
	ExitOK          = 0
	ExitTool        = 1   // the tool failed
	ExitInvalid     = 2   // the experiment, the arguments or the data are invalid
	ExitRegression  = 3   // the gate found one
	ExitIncomplete  = 4   // some cells failed or never ran
	ExitInterrupted = 130 // by Ctrl-C or a termination signal
)

// App is the command line tool: the parts it is built from, and its output streams.
type App struct {
	describe.Parts
	Models    engines.Models // restore models from files
	Out, Errs io.Writer      // results, and everything else

	Raw     io.Writer // results for programs
	Live    io.Writer // standard error for the console, which escapes names itself
	warned  map[string]bool
	console *progress.Console // of the present command
}

// failure is an error with the exit code it ends the process with.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

// WithExit gives err the exit code that the process ends with.
func WithExit(code int, err error) error { return failure{code, err} }

// Invalid gives err the exit code of invalid files, arguments or data; nil stays nil.
func Invalid(err error) error {
	if err == nil {
		return nil
	}
	return failure{ExitInvalid, err}
}

// errorKeepingWriter keeps the first error of writing results, such as a full disk.
type errorKeepingWriter struct {
	io.Writer
	Err error
}

func (o *errorKeepingWriter) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.Err == nil && err != nil {
		o.Err = fmt.Errorf("writing the output: %w", err)
	}
	return n, err
}

// ExitCode returns the exit code of err. Of joined errors the lowest code wins: that the tool failed matters more
// than what the gate found.
func ExitCode(err error) int {
	switch e := err.(type) {
	case failure:
		if files.Fault(e.err) { // which does not make the experiment invalid
			return ExitTool
		}
		return e.code
	case reading.Errors:
		return ExitInvalid
	case interface{ Unwrap() []error }:
		code := ExitIncomplete
		for _, one := range e.Unwrap() {
			code = min(code, ExitCode(one))
		}
		return code
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return ExitCode(inner)
		}
	}
	return ExitTool
}
