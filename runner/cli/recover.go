package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/sourcegraph/conc/panics"

	"tenfold/io/sanitize"
	"tenfold/runner/execute"
)

// recoverPanics turns panics into errors: Go would end the process with exit code 2, which stands for an invalid experiment.
func recoverPanics(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	p := panics.Try(func() { err = do() })
	if p == nil {
		return err
	}
	if execute.IsMemoryFault(p.Value) {
		return execute.ErrMemoryFault
	}
	return append(sanitize.NewLines(fmt.Sprintf("a mistake in tenfold, please report it: panic: %v", p.Value)), sanitize.NewLines(strings.Split(string(p.Stack), "\n")...)...)
}
