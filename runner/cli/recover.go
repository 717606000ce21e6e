package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/sourcegraph/conc/panics"

	"tenfold/io/sanitize"
)

// sanitizeTerminal keeps control sequences from a terminal. Files and pipes get the bytes as they are.
func sanitizeTerminal(out io.Writer) io.Writer {
	if isTerminal(out) {
		return sanitize.Writer(out)
	}
	return out
}

// recoverPanics turns panics into errors: Go would end the process with exit code 2, which stands for an invalid experiment.
func recoverPanics(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	p := panics.Try(func() { err = do() })
	if p == nil {
		return err
	}
	if isMemoryFault(p.Value) {
		return errors.New("a data file, or one of the cache, was cut short by another program while it was read; what is stored stays: run again")
	}
	return fmt.Errorf("a mistake in tenfold, please report it: panic: %v\n%s", p.Value, p.Stack)
}

// isMemoryFault reports whether a panic came from unreadable memory, such as a mapped file that another program shortened.
func isMemoryFault(value any) bool {
	err, ok := value.(error)
	var at interface{ Addr() uintptr }
	return ok && errors.As(err, &at)
}
