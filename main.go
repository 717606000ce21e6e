// Command tenfold runs declarative experiments in feature selection: see README.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"tenfold/engines/all"
	"tenfold/io/formats"
	"tenfold/runner/cli"
	"tenfold/runner/describe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

// run is the whole program: results go to out, everything else to errs; it returns the exit code.
func run(ctx context.Context, out, errs io.Writer, args []string) int {
	engines, err := all.Engines()
	if err == nil {
		sources, ferr := formats.Formats()
		app := cli.App{Parts: describe.Parts{Engines: engines, Formats: sources}, Models: all.Models(), Reporter: reporter{}, Out: out, Errs: errs}
		if err = ferr; err == nil {
			return app.Run(ctx, args)
		}
	}
	fmt.Fprintln(errs, "tenfold:", err)
	return cli.ExitTool
}
