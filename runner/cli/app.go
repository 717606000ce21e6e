package cli

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

	data    io.Writer // results for programs
	live    io.Writer // standard error for the console, which escapes names itself
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

// withExit gives err the exit code that the process ends with.
func withExit(code int, err error) error { return failure{code, err} }

// invalidInput gives err the exit code of invalid files, arguments or data; nil stays nil.
func invalidInput(err error) error {
	if err == nil {
		return nil
	}
	return failure{ExitInvalid, err}
}

// errorKeepingWriter keeps the first error of writing results, such as a full disk.
type errorKeepingWriter struct {
	io.Writer
	err error
}

func (o *errorKeepingWriter) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil && err != nil {
		o.err = fmt.Errorf("writing the output: %w", err)
	}
	return n, err
}

// exitCode returns the exit code of err. Of joined errors the lowest code wins: that the tool failed matters more
// than what the gate found.
func exitCode(err error) int {
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
			code = min(code, exitCode(one))
		}
		return code
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return exitCode(inner)
		}
	}
	return ExitTool
}
