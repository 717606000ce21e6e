// Package runs has the commands that go back to what was planned or recorded: shard runs a part of a divided plan, verify
// and reproduce compute recorded results once more and compare (rerun.go), merge unites runs of one plan, gc removes
// what nothing reaches any more. The experiment file is the one stored with the run. Begin with planAgain and fitAgain.
package runs

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"tenfold/io/results"
	"tenfold/runner"
	"tenfold/runner/cli/app"
	"tenfold/runner/cli/experiments"
	"tenfold/runner/cli/methods"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/plan"
	"tenfold/runner/recheck"
)

// recorded is a set of results that is to be computed again.
type recorded struct {
	where string // a file or folder, for messages
	spec  string // the experiment file, its text
	path  string // where that was
	data  []results.Set
	rows  recheck.Record
}

// planAgain plans the recorded experiment with nothing stored.
func planAgain(ctx context.Context, a *app.App, flags *pflag.FlagSet, r *recorded, dir string, cells func(*plan.Cell) bool) (experiments.Job, error) {
	tool, err := a.ToolSettings(flags)
	if err != nil {
		return experiments.Job{}, err
	}
	file, sections, err := a.ParseStored(r.where, r.path, r.spec, algorithm.Methods{Kind: method.Describe})
	if err != nil {
		return experiments.Job{}, err
	}
	var host *method.Host
	if file, host, err = methods.Bind(ctx, a, flags, file, dir, func(m algorithm.Methods) (bound *experiment.File, err error) {
		bound, sections, err = a.ParseStored(r.where, r.path, r.spec, m)
		return bound, err
	}); err != nil {
		return experiments.Job{}, err
	}
	s, err := runner.Open(ctx, file, runner.Places{Run: dir, Cache: tool.Cache, Data: tool.Data, Memory: app.ReadingMemory(tool), MemoryLimit: app.MemoryOptions(tool).Memory}, runner.Choice{Cells: cells}, a.Warn)
	if err != nil {
		return experiments.Job{}, app.Invalid(fmt.Errorf("%s: %w", r.where, err))
	}
	return experiments.Job{App: a, Session: s, Host: host, Sections: sections, Jobs: tool.Jobs, Settings: tool}, r.checkSameData(s)
}

// checkSameData returns an error if the data differ from those that the results were made from.
func (r *recorded) checkSameData(s *runner.Session) error {
	frozen, err := s.Freeze(nil)
	if err != nil {
		return err
	}
	if err := recheck.SameData(r.data, frozen.Provenance().Data); err != nil {
		return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: %w", r.where, err))
	}
	return nil
}

// maxDiffLines limits the differing fits that a message lists.
const maxDiffLines = 10

// fitAgain runs the chosen cells of a plan and compares the new rows with the recorded ones.
func fitAgain(ctx context.Context, j experiments.Job, r *recorded) (c recheck.Comparison, rows []*results.Row, err error) {
	if err := j.FitPending(ctx, nil, execute.Origin{}); err != nil {
		return c, nil, err
	}
	for row, err := range j.Rows {
		if err != nil {
			return c, nil, err
		}
		c.Add(r.rows[row.Unit], row)
		rows = append(rows, row)
	}
	for _, u := range j.Todo {
		if r.rows[u.Label.Unit] == nil {
			c.Lacks(&u.Label)
		}
	}
	return c, rows, nil
}

// printComparison prints the differences and returns the exit code as an error.
func printComparison(a *app.App, where string, c recheck.Comparison) error {
	for i, line := range c.Lines {
		if i == maxDiffLines {
			a.Printf("… and %d more\n", len(c.Lines)-i)
			break
		}
		a.Printf("%s\n", line)
	}
	switch {
	case c.Different > 0:
		return app.WithExit(app.ExitRegression, fmt.Errorf("%s: %d of %d fits come out differently", where, c.Different, c.Fits))
	case c.Gone > 0 || c.Fits == 0:
		return app.WithExit(app.ExitIncomplete, fmt.Errorf("%s: %d fits cannot be compared", where, c.Gone))
	}
	return nil
}
