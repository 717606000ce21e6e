package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"tenfold/io/results"
	"tenfold/runner/plan"
	"tenfold/runner/progress"
	"tenfold/runner/session"
	"tenfold/runner/settings"
	"tenfold/runner/spec"
)

// agree is how far numbers of the same fit may be apart, relatively: another processor rounds differently.
const agree = 1e-9

// recorded is results that are to be computed once more.
type recorded struct {
	where string // a file or folder, for messages
	spec  string // the experiment file, its text
	path  string // where that was
	data  []results.Set
	rows  map[string]*results.Row // by unit
}

func (r *recorded) add(rows []results.Row) {
	r.rows = map[string]*results.Row{}
	for i := range rows {
		r.rows[rows[i].Unit] = &rows[i]
	}
}

// some tells whether any unit of a cell is recorded, however it ended.
func (r *recorded) some(c *plan.Cell) bool {
	return slices.ContainsFunc(c.Units, func(u *plan.Unit) bool { return r.rows[u.Label.Unit] != nil })
}

// open plans the experiment as it was, with nothing stored.
func (a *App) open(ctx context.Context, flags *pflag.FlagSet, r *recorded, dir string, cells func(*plan.Cell) bool) (job, error) {
	tool, err := settings.Load(flags, ".")
	if err != nil {
		return job{}, invalid(err)
	}
	o := a.options(nil)
	file, err := spec.Parse(r.path, []byte(r.spec), o)
	if err != nil {
		return job{}, invalid(fmt.Errorf("%s: the experiment file in it is not good for this tenfold: %w", r.where, err))
	}
	s, err := session.Open(ctx, file, session.Places{Run: dir, Cache: tool.Cache, Data: tool.Data, Memory: reading(tool)}, session.Choice{Cells: cells}, a.warn)
	if err != nil {
		return job{}, invalid(fmt.Errorf("%s: %w", r.where, err))
	}
	return job{Session: s, sections: o.Sections, jobs: tool.Jobs, tool: tool}, r.sameData(s)
}

// sameData is an error where the data are not those that the results were made from.
func (r *recorded) sameData(s *session.Session) error {
	frozen, err := s.Freeze(nil)
	if err != nil {
		return err
	}
	var errs []error
	present := frozen.Provenance().Data
	for _, d := range r.data {
		i := slices.IndexFunc(present, func(p results.Set) bool { return p.Name == d.Name })
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("data set %s is not in the plan", d.Name))
		case !slices.Contains(present, d):
			errs = append(errs, fmt.Errorf("data set %s is not what it was: its files, or their reader, changed (digest %s, was %s)",
				d.Name, short(present[i].Digest), short(d.Digest)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return failure{ExitIncomplete, fmt.Errorf("%s: %w", r.where, err)}
	}
	return nil
}

// compared is the outcome of computing results once more.
type compared struct {
	fits, equal, close, different, gone int
	apart                               float64 // largest relative difference between numbers that are close
	lines                               []string
	rows                                []*results.Row // as they came out this time
}

const mostLines = 10

// repeat runs the chosen cells of a plan and compares what comes out with what was recorded.
func (a *App) repeat(ctx context.Context, s job, r *recorded) (compared, error) {
	meter := progress.New(a.Voice(), nil, s.units())
	opt := within(s.tool)
	opt.Jobs, opt.Retries, opt.Observer = s.jobs, s.File.Failures.Retries, meter
	err := s.Run(ctx, opt)
	meter.Close()
	var c compared
	if err != nil {
		return c, err
	}
	for row, err := range s.Rows {
		if err != nil {
			return c, err
		}
		c.add(r.rows[row.Unit], row)
		c.rows = append(c.rows, row)
	}
	for _, u := range s.Todo {
		if was := r.rows[u.Label.Unit]; was == nil {
			c.gone++
			c.say(&u.Label, "its key is not among the results: the engine was revised, perhaps")
		}
	}
	return c, nil
}

func (c *compared) add(was, is *results.Row) {
	if was == nil {
		return
	}
	c.fits++
	switch words, apart := results.Difference(was, is); {
	case words == "":
		c.equal++
	case apart <= agree:
		c.close++
		c.apart = math.Max(c.apart, apart)
	default:
		c.different++
		c.say(&is.Label, words)
	}
}

func (c *compared) say(l *results.Label, words string) {
	dataset, algorithm := results.Labels(l.Dataset, l.Algorithm, l.Grid, results.Exact)
	c.lines = append(c.lines, fmt.Sprintf("%s, %s, repeat %d fold %d: %s", dataset, algorithm, l.Repeat, l.Fold, words))
}

func (c *compared) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{c.equal, "equal"}, {c.close, fmt.Sprintf("equal to %.1g", c.apart)}, {c.different, "different"}, {c.gone, "not comparable"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}

// verdict prints the lines of a comparison and is its exit code as an error.
func (a *App) verdict(where string, c compared) error {
	for i, line := range c.lines {
		if i == mostLines {
			fmt.Fprintf(a.Out, "… and %d more\n", len(c.lines)-i)
			break
		}
		fmt.Fprintln(a.Out, line)
	}
	switch {
	case c.different > 0:
		return failure{ExitRegression, fmt.Errorf("%s: %d of %d fits come out differently", where, c.different, c.fits)}
	case c.gone > 0 || c.fits == 0:
		return failure{ExitIncomplete, fmt.Errorf("%s: %d fits cannot be compared", where, c.gone)}
	}
	return nil
}
