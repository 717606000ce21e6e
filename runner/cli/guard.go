package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/sourcegraph/conc/panics"
	"golang.org/x/term"

	"tenfold/io/plain"
)

// shown is out, where nothing but text reaches a terminal; files and pipes get the bytes as they are.
func shown(out io.Writer) io.Writer {
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return plain.Writer(out)
	}
	return out
}

// guarded makes errors of panics: else the process would end with the exit code of an invalid experiment.
func guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	p := panics.Try(func() { err = do() })
	if p == nil {
		return err
	}
	if fault(p.Value) {
		return errors.New("a data file, or one of the cache, was cut short by another program while it was read; what is stored stays: run again")
	}
	return fmt.Errorf("a mistake in tenfold, please report it: panic: %v\n%s", p.Value, p.Stack)
}

// fault tells whether a panic is one of memory that cannot be read, as that of a mapped file which became shorter.
func fault(value any) bool {
	err, ok := value.(error)
	var at interface{ Addr() uintptr }
	return ok && errors.As(err, &at)
}
