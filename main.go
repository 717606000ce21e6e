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
	"tenfold/runner/cli/app"
	"tenfold/runner/describe"
	"tenfold/runner/method/process"
)

func main() {
	if process.Supervise(os.Args) {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	code := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	os.Exit(code)
}

// run runs the program: results go to out, everything else to errs. It returns the exit code.
func run(ctx context.Context, out, errs io.Writer, args []string) int {
	parts, err := parts()
	if err != nil {
		fmt.Fprintln(errs, "tenfold:", err)
		return app.ExitTool
	}
	program := app.App{Parts: parts, Models: all.Models(), Out: out, Errs: errs}
	return cli.Run(ctx, &program, args)
}

// parts returns what experiment files can name. The error is a mistake in their lists.
func parts() (describe.Parts, error) {
	engines, err := all.Engines()
	if err != nil {
		return describe.Parts{}, err
	}
	sources, err := formats.Formats()
	return describe.Parts{Engines: engines, Wrappers: all.Wrappers(), Formats: sources, Gives: all.Gives()}, err
}
