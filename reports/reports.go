package reports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/sourcegraph/conc/iter"

	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/cells"
	"tenfold/reports/comparison"
	"tenfold/reports/digits"
	"tenfold/reports/drawing"
	"tenfold/reports/figure"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// Input holds the material of a report; all of it comes from the run's folder.
type Input struct {
	Name, Title string
	Metrics     []string // of the experiment file, in its order
	Rows        []results.Row
	Source      cells.Source // paths, selections and predictions of the rows; nil: the rows hold them
	Published   []comparison.Published
	Clusterings []results.Clustering // of the tasks of families
	Data        []SetFacts           // facts about the data sets, besides their rows
	Methods     []MethodFacts        // programs that are engines
	Planned     int                  // number of cells of the plan, with those of single tasks; 0 if unknown
	Skipped     []Skipped            // cells of the experiment file that are not in the plan
	Budget      Budget               // of tuned points
	Known       results.Metrics      // properties of metrics, if the source does not provide them
	Digest      string               // logical digest of the results, "" if unknown
	Spec        string               // path of the experiment file, for the commands that run a cell again; "" if unknown
}

// Skipped is a cell of the experiment file that is not in the plan.
type Skipped struct {
	Cell  *cells.Cell
	Why   string
	Where []string // globs of the data sets on which the algorithm runs, if the data set matches none of them; else nil
}

// Cells returns the cells of the rows, for families those of single tasks. If the planned folds and tasks are known, those that
// never ran count as missing: otherwise an interrupted run would look complete.
func (in Input) Cells() []*cells.Cell {
	planned := map[string]int{}
	tasks := map[string][]string{}
	for _, d := range in.Data {
		planned[d.Name] = d.Folds
		if d.Task != "" {
			tasks[d.Family] = append(tasks[d.Family], d.Task)
		}
	}
	out := cells.Complete(cells.Group(in.Rows), tasks)
	for _, c := range out {
		c.Folds = max(c.Folds, planned[c.DatasetName()])
	}
	return out
}

// report is a report in the making. Problems lists the parts that could not be made; the others are made nevertheless.
type report struct {
	Config
	Input
	single   []*cells.Cell // for families those of single tasks: tables and figures can show them
	cells    []*cells.Cell // with averages for the tasks of families
	grids    []*table.Grid // of the tables of the configuration
	never    int           // cells of the plan that never ran
	warnings []string      // of no table by itself
	problems []error
}

func newReport(c Config, in Input) *report {
	r := prepare(c, in)
	r.build()
	return r
}

// prepare returns a report without tables yet.
func prepare(c Config, in Input) *report {
	if in.Source == nil {
		in.Source = cells.InRows{Metrics: in.Known}
	} else {
		in.Source = cells.Cache(in.Source)
	}
	r := &report{Config: c, Input: in, single: in.Cells()}
	for _, one := range r.single {
		one.Words, one.Kind = c.Labels, c.kindOf(one.Dataset)
	}
	for _, s := range r.Skipped {
		s.Cell.Words, s.Cell.Kind = c.Labels, c.kindOf(s.Cell.Dataset)
	}
	r.cells = cells.AcrossTasks(r.single)
	r.never = in.Planned - len(r.single)
	return r
}

// Problems lists the parts of a report that could not be made; the rest was.
type Problems []error

func (p Problems) Error() string   { return errors.Join(p...).Error() }
func (p Problems) Unwrap() []error { return p }

// Files of a report in the folder of a run, beside figures.
const (
	MarkdownFile = "report.md"
	// FiguresFolder has the figures, beside the report.
	FiguresFolder = "figures"
	HTMLFile      = "report.html"
)

// notShown is the heading of the parts that could not be made.
const notShown = "Not shown"

// PrintText writes the main tables for a terminal.
func PrintText(w io.Writer, c Config, in Input) error {
	r := newReport(c, in)
	return errors.Join(r.printMain(w, (*table.Grid).Text), r.problem())
}

// Render writes report.md, report.html and figures/*.svg, *.png, *.pdf and *.csv into a folder, and writes to tables the main tables, for
// a terminal. If parts cannot be made, the error is Problems and everything else is written.
func Render(tables io.Writer, dir string, c Config, in Input) error {
	r, run := newReport(c, in), files.Root(dir)
	charts := r.charts()
	var work []func() error // images take as long as all the rest, and are drawn meanwhile
	for _, chart := range charts {
		base := FiguresFolder + "/" + chart.Name
		for _, f := range []struct {
			format string
			write  func(io.Writer) error
		}{{drawing.SVG, chart.SVG}, {drawing.PNG, chart.PNG}, {drawing.PDF, chart.PDF}, {drawing.CSV, chart.CSV}} {
			if chart.Has(f.format) {
				work = append(work, func() error { return run.Replace(base+"."+f.format, f.write) })
			}
		}
	}
	doc, err := r.document(charts)
	if err != nil {
		return err
	}
	work = append(work, func() error {
		return errors.Join(
			run.Replace(MarkdownFile, func(w io.Writer) error { return page.Markdown(sanitize.Writer(w), doc) }),
			r.printMain(tables, (*table.Grid).Text))
	})
	if err := run.Sweep(FiguresFolder); err != nil {
		return err
	}
	slices.Reverse(work) // the longest first
	errs := make([]error, len(work))
	iter.ForEachIdx(errs, func(i int, err *error) { *err = work[i]() })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := run.Replace(HTMLFile, func(w io.Writer) error { return page.HTML(sanitize.Writer(w), doc) }); err != nil {
		return err
	}
	return r.problem()
}

// figureLink is a picture in the report.
var figureLink = regexp.MustCompile(`\]\((figures/[^)\s]+)\)`)

// Current reports whether the folder of a run has a report of all of its results, as Render left it: the page, which is written last,
// is no older than they are, and no part is missing from it.
func Current(dir string) bool {
	run := files.Root(dir)
	text, err := run.ReadFile(MarkdownFile, 1<<26)
	if err != nil || bytes.Contains(text, []byte("\n## "+notShown+"\n")) {
		return false
	}
	for _, figure := range figureLink.FindAllSubmatch(text, -1) {
		if _, err := run.Stat(string(figure[1])); err != nil {
			return false
		}
	}
	shown, err := run.Stat(HTMLFile)
	if err != nil {
		return false
	}
	computed, err := run.Stat(results.ResultsFile)
	return err == nil && !shown.ModTime().Before(computed.ModTime())
}

// Write renders to one stream: the whole report as markdown or html, the tables as latex or csv.
func Write(w io.Writer, format string, c Config, in Input) error {
	r := newReport(c, in)
	switch format {
	case "markdown", "html":
		doc, err := r.document(r.charts())
		if err != nil {
			return err
		}
		render := page.Markdown
		if format == "html" {
			render = page.HTML
		}
		return errors.Join(render(sanitize.Writer(w), doc), r.problem())
	case "latex", "csv", "tsv", RawCSV:
		return errors.Join(writeTables(w, format, r.grids), r.problem())
	}
	return fmt.Errorf("unknown format %q (have markdown, html, latex, csv, tsv)", format)
}

// Print writes the comparison tables alone as Markdown, without the tests behind their marks.
func Print(w io.Writer, c Config, in Input) error {
	r := newReport(c, in)
	return errors.Join(r.printMain(w, (*table.Grid).Markdown), r.problem())
}

// Compared returns how the tables of a configuration compare their numbers, each sentence once.
func Compared(c Config, in Input) ([]string, error) {
	r := newReport(c, in)
	var out []string
	for _, g := range r.grids {
		for _, sentence := range g.Compared {
			if !slices.Contains(out, sentence) {
				out = append(out, sentence)
			}
		}
	}
	return out, r.problem()
}

// main returns the tables for a first look.
func (r *report) main() []*table.Grid {
	return slices.DeleteFunc(slices.Clone(r.grids), func(g *table.Grid) bool { return g.Detail })
}

// printMain writes the tables for a first look, by one of their methods, and the warnings of no table by itself.
func (r *report) printMain(w io.Writer, write func(*table.Grid, io.Writer) error) error {
	if err := printGrids(w, r.main(), write); err != nil {
		return err
	}
	for _, text := range r.warnings {
		sanitize.Fprintf(w, "\n> **Warning:** %s\n", text)
	}
	return nil
}

// warningList lists the warnings of no table by itself.
func (r *report) warningList() []page.Block {
	var lines page.List
	for _, text := range r.warnings {
		lines = append(lines, page.Point{Text: "Warning: " + text})
	}
	return limitedList(lines)
}

// addProblems adds the errors of a section, each text once.
func (r *report) addProblems(errs ...error) {
	for _, err := range errs {
		if err != nil && !slices.ContainsFunc(r.problems, func(p error) bool { return p.Error() == err.Error() }) {
			r.problems = append(r.problems, err)
		}
	}
}

// problem returns the parts that could not be made as an error, nil if there are none.
func (r *report) problem() error {
	if len(r.problems) == 0 {
		return nil
	}
	return Problems(r.problems)
}

// build makes the tables.
func (r *report) build() {
	configs := r.Tables
	if len(configs) == 0 {
		configs = []comparison.Config{{}}
	}
	in := comparison.Input{Cells: r.single, Source: r.Source, Metrics: r.Metrics, Published: r.Published, Labels: r.Labels}
	for _, s := range r.Skipped {
		in.Skipped = append(in.Skipped, comparison.Skipped{Cell: s.Cell, Where: s.Where})
	}
	var averaged []string // of data sets
	for i, c := range configs {
		averaged = append(averaged, cells.Split(c.Over)...)
		grids, err := comparison.Build(c, in)
		if err != nil {
			r.problems = append(r.problems, fmt.Errorf("table %d: %w", i+1, err))
			continue
		}
		r.grids = append(r.grids, grids...)
	}
	if len(r.grids) > 0 {
		unmatched, err := comparison.Unmatched(r.Published, r.Source, r.single, averaged)
		if err != nil {
			r.problems = append(r.problems, err)
		}
		if r.never > 0 {
			unmatched = append(unmatched, fmt.Sprintf("%s of the plan never ran and cannot be shown", digits.Count(r.never, "cell")))
		}
		r.warnings = unmatched
	}
	if c, ok := r.Source.(*cells.Cached); ok && c.Err() != nil {
		r.problems = append(r.problems, fmt.Errorf("what tables say of selections: %w", c.Err()))
	}
}

// charts returns the figures of the configuration; repeated names get a number.
func (r *report) charts() []drawing.Chart {
	var out []drawing.Chart
	taken := map[string]bool{}
	for i, c := range r.Figures {
		charts, err := figure.Build(c, figure.Input{Cells: r.single, Source: r.Source, Metrics: r.Metrics, Labels: r.Labels})
		if err != nil {
			r.problems = append(r.problems, fmt.Errorf("figure %d (%s): %w", i+1, c.Kind, err))
			continue
		}
		for _, chart := range charts {
			base := chart.Name
			for n := 2; taken[chart.Name]; n++ {
				chart.Name = fmt.Sprintf("%s-%d", base, n)
			}
			taken[chart.Name] = true
			out = append(out, chart)
		}
	}
	return out
}

// document assembles the report. Everything except its last two sections depends on the results alone.
func (r *report) document(charts []drawing.Chart) (page.Document, error) {
	doc := page.Document{Title: r.Title, Lead: r.lead()}
	if doc.Title == "" {
		doc.Title = r.Name
	}
	var tables, figures []page.Block
	for _, g := range r.grids {
		tables = append(tables, page.Table{Grid: g})
	}
	explainMarksOnce(tables)
	tables = append(tables, r.warningList()...)
	tables = append(tables, budgetLine(r.Budget, r.Labels)...)
	for _, c := range charts {
		var svg bytes.Buffer
		if err := c.SVG(&svg); err != nil {
			return doc, err
		}
		figures = append(figures, page.Figure{File: FiguresFolder + "/" + c.Name, Alt: c.Alt(), Caption: c.FullCaption(), SVG: svg.Bytes()})
	}
	features, err := featureSection{r.best(), r.Features}.blocks(r.cells)
	r.addProblems(err)
	ledgers, err := ledgerSection{r.best(), r.Features}.blocks(r.cells)
	r.addProblems(err)
	fits, errs := r.fits().blocks(r.cells)
	r.addProblems(errs...)
	doc.Sections = []page.Section{
		{Title: "Results", Blocks: tables},
		{Title: "Figures", Blocks: figures},
		{Title: "Selected features", Blocks: features},
		{Title: "Why features were taken", Blocks: ledgers},
		{Title: "Clusters of tasks", Blocks: clusterBlocks(r.Clusterings)},
		{Title: "Data", Blocks: r.dataSets().section(r.cells)},
		{Title: "Methods", Blocks: methodList(r.Methods)},
		{Title: "Fits", Blocks: fits},
		{Title: "Failures", Blocks: failureList(r.single)},
		{Title: "Skipped", Blocks: skippedList(r.Skipped)},
		{Title: notShown, Blocks: problemList(r.problems)},
		{Title: "Provenance and time", Blocks: provenance(r.Digest, r.Rows, r.cells)},
	}
	details, links := r.details().section(r.cells, doc.Sections)
	doc.Sections, doc.Links = append(doc.Sections, details), links
	return doc, nil
}

// The sections of the report, also for pages that show one of them.

func (r *report) lead() string         { return leadLine(r.Name, r.Rows, r.cells) }
func (r *report) fits() fitSection     { return fitSection{r.Source, r.Metrics} }
func (r *report) details() cellDetails { return cellDetails{r.Metrics, r.Spec} }
func (r *report) dataSets() dataSets   { return r.Data }

// best chooses by the first metric of the file.
func (r *report) best() bestCells {
	b := bestCells{source: r.Source}
	if len(r.Metrics) > 0 {
		b.metric = r.Metrics[0]
	}
	return b
}
