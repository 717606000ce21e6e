// Package commands implements what the command line needs of reports: tables, pages, verdicts of the gate, comparisons of runs.
package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tenfold/io/files"
	"tenfold/io/reporting"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/io/strictyaml"
	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/reports/diff"
	"tenfold/reports/gate"
	"tenfold/reports/serve"
)

// Reporter renders and judges runs.
type Reporter struct {
	// Metrics returns the properties of these metrics and of all usual ones, for runs that have no results yet, and for baselines.
	Metrics func(names []string) results.Metrics
}

var _ reporting.Reporter = Reporter{}

func (r Reporter) Sections() any {
	s := reports.DefaultSections()
	return &s
}

// Render writes the report of a run and returns its tables.
func (r Reporter) Render(dir string, a reporting.About) (string, error) {
	var text strings.Builder
	err := r.withRun(dir, a, func(s reports.Sections, in reports.Input) error { return reports.Render(&text, dir, s.Report, in) })
	if partly := (reports.Problems)(nil); errors.As(err, &partly) {
		err = reporting.Partly{Err: partly}
	}
	return text.String(), err
}

// Tables renders the tables that the command line asked for.
func (r Reporter) Tables(w io.Writer, dir string, a reporting.About, o reporting.Override) error {
	return r.withRun(dir, a, func(s reports.Sections, in reports.Input) error {
		c := s.Report.With(reports.Override{Rows: o.Rows, Columns: o.Columns, Metric: o.Metric, Filter: o.Filter})
		if o.Format == "markdown" && o.Narrows() {
			return reports.Print(w, c, in)
		}
		return reports.Write(w, o.Format, c, in)
	})
}

// verdict is the gate's outcome for one experiment.
type verdict struct {
	gate.Outcome
	g reporting.Gated
}

// Finding returns the worst of the outcome: a regression is worse than missing results.
func (v verdict) Finding() reporting.Finding {
	switch v.Worst() {
	case gate.Pass:
		return reporting.Pass
	case gate.Regression:
		return reporting.Regression
	}
	return reporting.Unfinished
}

// Baseline returns why results of planned fits cannot be compared with the baseline; nil if there is no file. The error is that the
// file is no baseline.
func (r Reporter) Baseline(path string, planned []results.Label) (outdated []string, err error) {
	b, err := gate.Read(path, r.Metrics(nil))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return b.Outdated(planned), nil
}

// Check compares a run with its baseline.
func (r Reporter) Check(g reporting.Gated) (v reporting.Verdict, err error) {
	err = r.withGate(g, func(in gate.Input) error {
		v = verdict{gate.Check(in), g}
		return nil
	})
	return v, err
}

// Accept records a run as its baseline. The summary begins with the table of a check against
// the baseline before, if there was one.
func (r Reporter) Accept(g reporting.Gated) (summary string, err error) {
	err = r.withGate(g, func(in gate.Input) error {
		b, changes, err := gate.Accept(in)
		if err != nil {
			return reporting.Incomplete{Err: err}
		}
		var table strings.Builder
		if in.Baseline != nil {
			o := gate.Check(in)
			if err := o.Changes(&table); err != nil {
				return err
			}
		}
		summary = table.String() + fmt.Sprintf("%s: accepted: %s\n%s", g.Name, changes, changes.Fits)
		for _, n := range changes.Notes {
			summary += "\nnote: " + sanitize.Line(n)
		}
		for _, n := range changes.Lost {
			summary += "\nwarning: no longer in the file: " + sanitize.Line(n)
		}
		return files.Replace(g.Baseline, b.Write)
	})
	return summary, err
}

// withGate reads a run and its baseline, which may be missing.
func (r Reporter) withGate(g reporting.Gated, do func(gate.Input) error) error {
	base, err := gate.Read(g.Baseline, r.Metrics(nil))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reporting.Invalid{Err: err}
	}
	ranNow := func(unit string) bool { return g.RanNow[unit] }
	return r.withRun(g.Dir, g.About, func(s reports.Sections, in reports.Input) error {
		if g.Fresh {
			in.Rows = slices.DeleteFunc(slices.Clone(in.Rows), func(row results.Row) bool { return !ranNow(row.Unit) })
		}
		return do(gate.Input{
			Experiment: g.Name, Rules: s.Gate, Metrics: g.Metrics, Cells: cells.AcrossTasks(cells.Planned(in.Rows, g.Planned)), Source: in.Source,
			Baseline: base, File: g.Baseline, Expected: g.Expected, Strict: g.Strict, Judged: inQuestion(g.Judged), Stages: g.Stages, RanNow: ranNow,
		})
	})
}

// inQuestion returns a function that reports whether a cell is one of the given ones; nil, for all cells, if there are none. A
// family's cell is if one of its tasks is.
func inQuestion(labels []results.Label) func(*cells.Cell) bool {
	if labels == nil {
		return nil
	}
	type id struct{ dataset, algorithm, cell string }
	asked := map[id]bool{}
	for _, l := range labels {
		asked[id{l.Dataset, l.Algorithm, l.Cell}] = true
	}
	var is func(*cells.Cell) bool
	is = func(c *cells.Cell) bool {
		return asked[id{c.DatasetName(), c.Algorithm, c.Key}] || slices.ContainsFunc(c.Tasks, is)
	}
	return is
}

// Annotate writes annotations for mistakes in files.
func (r Reporter) Annotate(w io.Writer, wrong strictyaml.Mistakes) error {
	wrong = slices.Clone(wrong)
	for i := range wrong {
		if wrong[i].Line > 0 {
			wrong[i].File = inRepository(wrong[i].File)
		}
	}
	return gate.GitHubMistakes(w, wrong)
}

// Verdicts writes the results of Check.
func (r Reporter) Verdicts(w io.Writer, format string, found []reporting.Verdict, wrong strictyaml.Mistakes) error {
	outcomes := make([]gate.Outcome, len(found))
	for i, v := range found {
		outcomes[i] = v.(verdict).Outcome
	}
	switch format {
	case "markdown":
		return gate.Markdown(w, outcomes)
	case "junit":
		return gate.JUnit(w, outcomes, wrong, time.Now())
	case "github":
		return gate.GitHub(w, outcomes, func(outcome, rule int) (string, int) {
			g := found[outcome].(verdict).g
			return inRepository(g.Spec), g.Line(fmt.Sprintf("gate.%d", rule))
		})
	case "json":
		e := json.NewEncoder(w)
		for _, o := range outcomes {
			if err := e.Encode(o); err != nil {
				return err
			}
		}
		return nil
	}
	return gate.Text(w, outcomes, format == "details")
}

// inRepository returns a path for annotations of GitHub: relative to the root of the repository, wherever the step runs.
func inRepository(path string) string {
	root := os.Getenv("GITHUB_WORKSPACE")
	abs, err := filepath.Abs(path)
	if root == "" || err != nil {
		return path
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return filepath.ToSlash(rel)
}

// Diff compares two runs.
func (r Reporter) Diff(w io.Writer, c reporting.Compared) (some bool, err error) {
	if len(c.Metrics) == 0 {
		c.Metrics = c.A.Metrics
	}
	err = r.withRun(c.DirA, c.A, func(_ reports.Sections, a reports.Input) error {
		return r.withRun(c.DirB, c.B, func(_ reports.Sections, b reports.Input) error {
			result := diff.Compare(diff.Input{
				A:       diff.Run{Name: c.DirA, Cells: cells.AcrossTasks(a.Cells()), Source: a.Source},
				B:       diff.Run{Name: c.DirB, Cells: cells.AcrossTasks(b.Cells()), Source: b.Source},
				Metrics: c.Metrics, All: c.All,
			})
			some = result.Compared > 0
			return reports.WriteGrids(w, c.Format, c.DirA+" against "+c.DirB, result.Grids, told(result, c))
		})
	})
	return some, err
}

// maxListed is the maximum number of listed cells that only one run has.
const maxListed = 10

// told returns what a comparison reports besides its tables.
func told(r diff.Result, c reporting.Compared) []string {
	notes := r.Notes
	for _, side := range []struct {
		dir   string
		cells []string
	}{{c.DirA, r.OnlyA}, {c.DirB, r.OnlyB}} {
		if len(side.cells) > 0 {
			listed, more := side.cells, ""
			if n := len(listed); n > maxListed && !c.All {
				listed, more = listed[:maxListed], fmt.Sprintf("; and %d more (--all lists them)", n-maxListed)
			}
			notes = append(notes, fmt.Sprintf("only in %s: %s%s", side.dir, strings.Join(listed, "; "), more))
		}
	}
	return notes
}

// withRun reads a run's results and the sections of its file that configure reports.
func (r Reporter) withRun(dir string, a reporting.About, do func(reports.Sections, reports.Input) error) error {
	if len(a.Sections) == 0 {
		return reporting.Invalid{Err: fmt.Errorf("%s: its plan has no sections on reports", dir)}
	}
	s, in, err := r.withoutResults(dir, a)
	if err != nil {
		return err
	}
	tables, err := results.Read(dir)
	if err != nil && !files.Fault(err) {
		err = fmt.Errorf("%w; tenfold run writes the result files anew, and fits nothing again", err)
	}
	if err != nil {
		return reporting.Invalid{Err: err}
	}
	tables.Metrics = tables.Metrics.Or(in.Known)
	in.Rows, in.Source, in.Digest, in.Clusterings = tables.Rows, tables, tables.Digest, tables.Clusterings
	return errors.Join(do(s, in), tables.Close())
}

// withoutResults returns the input of a report from the plan alone.
func (r Reporter) withoutResults(dir string, a reporting.About) (reports.Sections, reports.Input, error) {
	s := reports.DefaultSections()
	if len(a.Sections) > 0 {
		if err := json.Unmarshal(a.Sections, &s); err != nil {
			return s, reports.Input{}, reporting.Invalid{Err: fmt.Errorf("%s: the plan's sections on reports: %w", dir, err)}
		}
	}
	in := reports.Input{Name: a.Name, Title: a.Title, Spec: a.Spec, Metrics: a.Metrics, Published: s.Published, Data: a.Data, Methods: a.Methods, Planned: a.Cells, Known: r.Metrics(a.Metrics), Budget: a.Budget}
	for _, skip := range a.Skipped {
		l := results.Label{Dataset: skip.Dataset, Algorithm: skip.Algorithm, Grid: skip.Grid}
		in.Skipped = append(in.Skipped, reports.Skipped{Cell: cells.Unfitted(l), Why: skip.Why, Where: skip.Where})
	}
	return s, in, nil
}

// Serve returns a handler of pages on runs.
func (r Reporter) Serve(s reporting.Served) http.Handler {
	return serve.New(serve.Options{Host: s.Host, Public: s.Public, Runs: func() []serve.Run {
		var out []serve.Run
		for _, run := range s.Runs() {
			out = append(out, serve.Run{Dir: run.Dir, Planned: run.Planned, Brief: func() (serve.Brief, error) {
				b, err := run.Brief()
				if err != nil {
					return serve.Brief{}, err
				}
				sections, in, err := r.withoutResults(run.Dir, b.About)
				return serve.Brief{Config: sections.Report, Input: in, Units: b.Units, Text: b.Text}, err
			}})
		}
		return out
	}})
}
