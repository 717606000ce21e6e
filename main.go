// Command tenfold runs declarative experiments in feature selection: see README.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"tenfold/engines/all"
	"tenfold/io/formats"
	"tenfold/io/results"
	"tenfold/reports"
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
		app := cli.App{Parts: describe.Parts{Engines: engines, Formats: sources}, Reporter: reporter{}, Out: out, Errs: errs}
		if err = ferr; err == nil {
			return app.Run(ctx, args)
		}
	}
	fmt.Fprintln(errs, "tenfold:", err)
	return cli.ExitTool
}

// reporter lets the command line render without knowing how.
type reporter struct{}

func (reporter) Section() any {
	c := reports.Default()
	return &c
}

// Render writes the report of a run and returns its tables.
func (reporter) Render(dir string, a cli.About) (string, error) {
	var text strings.Builder
	err := withRun(dir, a, func(c reports.Config, in reports.Input) error { return reports.Render(&text, dir, c, in) })
	if partly := (reports.Problems)(nil); errors.As(err, &partly) {
		err = cli.Partly{Err: partly}
	}
	return text.String(), err
}

// Tables renders what the command line asked for.
func (reporter) Tables(w io.Writer, dir string, a cli.About, o cli.Override) error {
	return withRun(dir, a, func(c reports.Config, in reports.Input) error {
		c = c.With(reports.Override{Rows: o.Rows, Columns: o.Columns, Metric: o.Metric, Filter: o.Filter})
		if o.Format == "markdown" && o.Narrows() {
			return reports.Print(w, c, in)
		}
		return reports.Write(w, o.Format, c, in)
	})
}

// withRun reads a run's results and the sections of its file that reports are made by.
func withRun(dir string, a cli.About, do func(reports.Config, reports.Input) error) error {
	c := reports.Default()
	in := reports.Input{Name: a.Name, Title: a.Title, Metrics: a.Metrics}
	if err := errors.Join(json.Unmarshal(a.Section, &c), json.Unmarshal(a.Published, &in.Published)); err != nil {
		return fmt.Errorf("%s: the plan's sections on reports: %w", dir, err)
	}
	for _, d := range a.Data {
		set := reports.SetFacts{Name: d.Name}
		for _, f := range d.Facts {
			set.Facts = append(set.Facts, results.Fact(f))
		}
		in.Data = append(in.Data, set)
	}
	tables, err := results.Read(dir)
	if err != nil {
		return err
	}
	in.Rows, in.Source, in.Digest = tables.Rows, tables, tables.Digest
	return errors.Join(do(c, in), tables.Close())
}
