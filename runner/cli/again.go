package cli

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"tenfold/io/results"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/recheck"
	"tenfold/runner/session"
)

// recorded is results that are to be computed once more.
type recorded struct {
	where string // a file or folder, for messages
	spec  string // the experiment file, its text
	path  string // where that was
	data  []results.Set
	rows  recheck.Record
}

// open plans the experiment as it was, with nothing stored.
func (a *App) open(ctx context.Context, flags *pflag.FlagSet, r *recorded, dir string, cells func(*plan.Cell) bool) (job, error) {
	tool, err := toolSettings(flags)
	if err != nil {
		return job{}, err
	}
	file, sections, err := a.parse(r.where, r.path, r.spec)
	if err != nil {
		return job{}, err
	}
	s, err := session.Open(ctx, file, session.Places{Run: dir, Cache: tool.Cache, Data: tool.Data, Memory: reading(tool), Most: within(tool).Memory}, session.Choice{Cells: cells}, a.warn)
	if err != nil {
		return job{}, invalid(fmt.Errorf("%s: %w", r.where, err))
	}
	return job{Session: s, sections: sections, jobs: tool.Jobs, tool: tool}, r.sameData(s)
}

// sameData is an error where the data are not those that the results were made from.
func (r *recorded) sameData(s *session.Session) error {
	frozen, err := s.Freeze(nil)
	if err != nil {
		return err
	}
	if err := recheck.SameData(r.data, frozen.Provenance().Data); err != nil {
		return failure{ExitIncomplete, fmt.Errorf("%s: %w", r.where, err)}
	}
	return nil
}

const mostLines = 10

// repeat runs the chosen cells of a plan, and compares what comes out, rows, with what was recorded.
func (a *App) repeat(ctx context.Context, s job, r *recorded) (c recheck.Comparison, rows []*results.Row, err error) {
	meter := progress.New(a.Voice(), nil, s.units())
	opt := within(s.tool)
	opt.Jobs, opt.Retries, opt.Observer = s.jobs, s.File.Failures.Retries, meter
	err = s.Run(ctx, opt)
	meter.Close()
	if err != nil {
		return c, nil, err
	}
	for row, err := range s.Rows {
		if err != nil {
			return c, nil, err
		}
		c.Add(r.rows[row.Unit], row)
		rows = append(rows, row)
	}
	for _, u := range s.Todo {
		if r.rows[u.Label.Unit] == nil {
			c.Lacks(&u.Label)
		}
	}
	return c, rows, nil
}

// verdict prints the lines of a comparison and is its exit code as an error.
func (a *App) verdict(where string, c recheck.Comparison) error {
	for i, line := range c.Lines {
		if i == mostLines {
			fmt.Fprintf(a.Out, "… and %d more\n", len(c.Lines)-i)
			break
		}
		fmt.Fprintln(a.Out, line)
	}
	switch {
	case c.Different > 0:
		return failure{ExitRegression, fmt.Errorf("%s: %d of %d fits come out differently", where, c.Different, c.Fits)}
	case c.Gone > 0 || c.Fits == 0:
		return failure{ExitIncomplete, fmt.Errorf("%s: %d fits cannot be compared", where, c.Gone)}
	}
	return nil
}
