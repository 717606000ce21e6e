package main

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
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/io/yamlerr"
	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/reports/diff"
	"tenfold/reports/gate"
	"tenfold/reports/serve"
	"tenfold/runner/cli"
	"tenfold/runner/metric"
)

// reporter lets the command line render and judge without knowing how.
type reporter struct{}

func (reporter) Sections() any {
	s := reports.DefaultSections()
	return &s
}

// Render writes the report of a run and returns its tables.
func (reporter) Render(dir string, a cli.About) (string, error) {
	var text strings.Builder
	err := withRun(dir, a, func(s reports.Sections, in reports.Input) error { return reports.Render(&text, dir, s.Report, in) })
	if partly := (reports.Problems)(nil); errors.As(err, &partly) {
		err = cli.Partly{Err: partly}
	}
	return text.String(), err
}

// Tables renders what the command line asked for.
func (reporter) Tables(w io.Writer, dir string, a cli.About, o cli.Override) error {
	return withRun(dir, a, func(s reports.Sections, in reports.Input) error {
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
	g cli.Gated
}

// Exit code: a regression goes before what is missing.
func (v verdict) Exit() int {
	switch v.Worst() {
	case gate.Pass:
		return cli.ExitOK
	case gate.Regression:
		return cli.ExitRegression
	}
	return cli.ExitIncomplete
}

// Baseline is an error where there is such a file and it is no baseline.
func (reporter) Baseline(path string) error {
	if _, err := gate.Read(path, metric.Described(nil)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Check compares a run with its baseline.
func (reporter) Check(g cli.Gated) (v cli.Verdict, err error) {
	err = withGate(g, func(in gate.Input) error {
		v = verdict{gate.Check(in), g}
		return nil
	})
	return v, err
}

// Accept records a run as its baseline.
func (reporter) Accept(g cli.Gated) (summary string, err error) {
	err = withGate(g, func(in gate.Input) error {
		b, changes, err := gate.Accept(in)
		if err != nil {
			return cli.Incomplete(err)
		}
		summary = fmt.Sprintf("%s: accepted: %s", g.Name, changes)
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

// withGate reads a run and its baseline, which need not exist.
func withGate(g cli.Gated, do func(gate.Input) error) error {
	base, err := gate.Read(g.Baseline, metric.Described(nil))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.Invalid(err)
	}
	return withRun(g.Dir, g.About, func(s reports.Sections, in reports.Input) error {
		return do(gate.Input{
			Experiment: g.Name, Rules: s.Gate, Metrics: g.Metrics, Cells: cells.AcrossTasks(cells.Planned(in.Rows, g.Planned)), Source: in.Source,
			Baseline: base, File: g.Baseline, Expected: g.Expected, Strict: g.Strict, Judged: inQuestion(g.Judged),
		})
	})
}

// inQuestion tells of a cell whether it is one of these; nil, for all cells, where there are none. That of a family is where one of
// its tasks is.
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

// Annotate points at what is wrong in files.
func (reporter) Annotate(w io.Writer, wrong yamlerr.Mistakes) error {
	wrong = slices.Clone(wrong)
	for i := range wrong {
		if wrong[i].Line > 0 {
			wrong[i].File = inRepository(wrong[i].File)
		}
	}
	return gate.GitHubMistakes(w, wrong)
}

// Verdicts writes what Check found.
func (reporter) Verdicts(w io.Writer, format string, found []cli.Verdict, wrong yamlerr.Mistakes) error {
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

// inRepository is a path as annotations of GitHub have it: from the root of the repository, wherever the step runs.
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
func (reporter) Diff(w io.Writer, c cli.Compared) (some bool, err error) {
	if len(c.Metrics) == 0 {
		c.Metrics = c.A.Metrics
	}
	err = withRun(c.DirA, c.A, func(_ reports.Sections, a reports.Input) error {
		return withRun(c.DirB, c.B, func(_ reports.Sections, b reports.Input) error {
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

// maxListed is how many cells that one run alone has are listed.
const maxListed = 10

// told is what a comparison says besides its tables.
func told(r diff.Result, c cli.Compared) []string {
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

// withRun reads a run's results and the sections of its file that reports are made by.
func withRun(dir string, a cli.About, do func(reports.Sections, reports.Input) error) error {
	if len(a.Sections) == 0 {
		return cli.Invalid(fmt.Errorf("%s: its plan has no sections on reports", dir))
	}
	s, in, err := withoutResults(dir, a)
	if err != nil {
		return err
	}
	tables, err := results.Read(dir)
	if err != nil {
		return cli.Invalid(fmt.Errorf("%w; tenfold run writes the result files anew, and fits nothing again", err))
	}
	tables.Metrics = tables.Metrics.Or(in.Known)
	in.Rows, in.Source, in.Digest, in.Clusterings = tables.Rows, tables, tables.Digest, tables.Clusterings
	return errors.Join(do(s, in), tables.Close())
}

// withoutResults is what a plan says for a report.
func withoutResults(dir string, a cli.About) (reports.Sections, reports.Input, error) {
	s := reports.DefaultSections()
	if len(a.Sections) > 0 {
		if err := json.Unmarshal(a.Sections, &s); err != nil {
			return s, reports.Input{}, cli.Invalid(fmt.Errorf("%s: the plan's sections on reports: %w", dir, err))
		}
	}
	in := reports.Input{Name: a.Name, Title: a.Title, Spec: a.Spec, Metrics: a.Metrics, Published: s.Published, Planned: a.Cells, Known: metric.Described(a.Metrics)}
	for _, d := range a.Data {
		set := reports.SetFacts{Name: d.Name, Family: d.Family, Task: d.Task, Folds: d.Folds}
		for _, f := range d.Facts {
			set.Facts = append(set.Facts, results.Fact(f))
		}
		in.Data = append(in.Data, set)
	}
	return s, in, nil
}

// Serve pages on runs.
func (reporter) Serve(s cli.Served) http.Handler {
	return serve.New(serve.Options{Host: s.Host, Public: s.Public, Runs: func() []serve.Run {
		var out []serve.Run
		for _, r := range s.Runs() {
			out = append(out, serve.Run{Dir: r.Dir, Planned: r.Planned, Brief: func() (serve.Brief, error) {
				b, err := r.Brief()
				if err != nil {
					return serve.Brief{}, err
				}
				sections, in, err := withoutResults(r.Dir, b.About)
				return serve.Brief{Config: sections.Report, Input: in, Units: b.Units, Text: b.Text}, err
			}})
		}
		return out
	}})
}
