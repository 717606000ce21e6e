package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/sourcegraph/conc/panics"

	"tenfold/io/sanitize"
)

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
	return append(sanitize.NewLines(fmt.Sprintf("a mistake in tenfold, please report it: panic: %v", p.Value)), sanitize.NewLines(strings.Split(string(p.Stack), "\n")...)...)
}

// isMemoryFault reports whether a panic came from unreadable memory, such as a mapped file that another program shortened.
func isMemoryFault(value any) bool {
	err, ok := value.(error)
	var at interface{ Addr() uintptr }
	return ok && errors.As(err, &at)
}
