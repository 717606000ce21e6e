// Package show has the commands that read the folder of a run, finished or not, and show it: report, diff, export,
// serve, watch. They fit nothing and read no data set; report writes nothing but the report. WithResults joins a
// plan with its results as the input of reports. Begin there.
package show

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/reports"
	"tenfold/reports/cells"
	"tenfold/runner/cli/app"
	"tenfold/runner/plan"
)

// describeRun returns the sections on reports of a run's file, and the input of a report without results, both from the plan alone.
func describeRun(dir string, f *plan.Frozen) (reports.Sections, reports.Input, error) {
	s := reports.DefaultSections()
	if len(f.Sections) > 0 {
		if err := json.Unmarshal(f.Sections, &s); err != nil {
			return s, reports.Input{}, app.Invalid(fmt.Errorf("%s: the plan's sections on reports: %w", dir, err))
		}
	}
	in := reports.Input{Name: f.Name, Title: f.Title, Spec: f.Path, Metrics: f.Metrics, Published: s.Published, Planned: f.CellCount, Known: f.Defined.Described(f.Metrics)}
	for _, skip := range f.Skipped {
		l := results.Label{Dataset: skip.Dataset, Algorithm: skip.Algorithm}
		for _, g := range skip.Grid {
			l.Grid = append(l.Grid, results.Param(g))
		}
		in.Skipped = append(in.Skipped, reports.Skipped{Cell: cells.Unfitted(l), Why: skip.Why, Where: skip.Where})
	}
	if b := f.Budget; b != nil {
		in.Budget.Tuned = b.Tuned
		for _, spent := range b.Spent {
			in.Budget.Spent = append(in.Budget.Spent, reports.Spent(spent))
		}
	}
	for _, m := range f.Methods {
		facts := m.Is.About()
		if m.Lacks != "" {
			facts = append(facts, data.Fact{Name: "could not run", Value: m.Lacks})
		}
		in.Methods = append(in.Methods, reports.MethodFacts{Name: m.Name, Facts: facts})
	}
	for _, set := range f.Datasets {
		in.Data = append(in.Data, reports.SetFacts{Name: set.Name, Family: set.Family, Task: set.Task, Folds: len(set.Folds), Facts: set.About()})
	}
	return s, in, nil
}

// WithResults reads a run's results and the sections on reports of its file for do.
func WithResults(dir string, f *plan.Frozen, do func(reports.Sections, reports.Input) error) error {
	if len(f.Sections) == 0 {
		return app.Invalid(fmt.Errorf("%s: its plan has no sections on reports", dir))
	}
	s, in, err := describeRun(dir, f)
	if err != nil {
		return err
	}
	tables, err := results.Read(dir)
	if err != nil && !files.Fault(err) {
		err = fmt.Errorf("%w; tenfold run writes the result files anew, and fits nothing again", err)
	}
	if err != nil {
		return app.Invalid(err)
	}
	tables.Metrics = tables.Metrics.Or(in.Known)
	in.Rows, in.Source, in.Digest, in.Clusterings = tables.Rows, tables, tables.Digest, tables.Clusterings
	return errors.Join(do(s, in), tables.Close())
}

// RenderReport writes report.md, report.html and the figures into a run's folder, and returns the tables as text. Parts that could
// not be made become a warning.
func RenderReport(a *app.App, dir string, f *plan.Frozen, formats ...string) (string, error) {
	return renderTables(a, dir, f, func(w io.Writer, s reports.Sections, in reports.Input) error {
		return reports.Render(w, dir, s.Report.WithFormats(formats), in)
	})
}

// PrintedTables returns the tables of a run as text, and writes nothing.
func PrintedTables(a *app.App, dir string, f *plan.Frozen) (string, error) {
	return renderTables(a, dir, f, func(w io.Writer, s reports.Sections, in reports.Input) error {
		return reports.PrintText(w, s.Report, in)
	})
}

func renderTables(a *app.App, dir string, f *plan.Frozen, render func(io.Writer, reports.Sections, reports.Input) error) (string, error) {
	var text strings.Builder
	err := WithResults(dir, f, func(s reports.Sections, in reports.Input) error { return render(&text, s, in) })
	if partly := (reports.Problems)(nil); errors.As(err, &partly) && !files.Fault(err) {
		a.Warn(fmt.Errorf("not everything could be shown: %w", partly))
		err = nil
	}
	return text.String(), err
}

// writeTables writes the tables that flags ask for.
func writeTables(w io.Writer, dir, format string, f *plan.Frozen, o reports.Override) error {
	return WithResults(dir, f, func(s reports.Sections, in reports.Input) error {
		c, err := s.Report.Pick(o.Table)
		if err != nil {
			return err
		}
		c = c.With(o)
		if format == app.AsMarkdown && o.Narrows() {
			return reports.Print(w, c, in)
		}
		return reports.Write(w, format, c, in)
	})
}
