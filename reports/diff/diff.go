// Package diff compares two runs cell by cell: what got better or worse, where no difference is detectable, and which cells only
// one of them has.
package diff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/searches"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/paired"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// Run is one side of a comparison.
type Run struct {
	Name   string // heads its column
	Cells  []*cells.Cell
	Source cells.Source // nil: the rows hold their parts
}

// Input holds the two runs to compare: differences are B minus A.
type Input struct {
	A, B    Run
	Metrics []string
	Alpha   float64 // level of the tests; 0 for 0.05
	All     bool    // also show what is equal to the last bit
}

// Result holds the outcome of a comparison.
type Result struct {
	Grids        []*table.Grid // one for each metric with differences, and one of the selected features
	OnlyA, OnlyB []string      // cells that the other run does not have: "data set, algorithm"
	Identical    int           // cells with equal folds, values of all metrics and selections, to the last bit
	Compared     int           // metrics of cells that were compared on the same folds: if 0, there is no conclusion
	Notes        []string
}

// Compare matches the cells of two runs by their exact labels.
func Compare(in Input) Result {
	in.Alpha = cmp.Or(in.Alpha, paired.Level)
	for _, r := range []*Run{&in.A, &in.B} {
		if r.Source == nil {
			r.Source = cells.InRows{}
		}
	}
	var out Result
	pairs := out.matchCells(in)
	for _, p := range pairs {
		if p.isIdentical(in.Metrics) {
			out.Identical++
		}
	}
	switch {
	case out.Identical == 1:
		out.addNote("1 cell is identical.")
	case out.Identical > 1:
		out.addNote("%d cells are identical.", out.Identical)
	}
	for _, m := range in.Metrics {
		out.addMetric(in, m, pairs)
	}
	out.addSelections(in, pairs)
	if out.Compared == 0 {
		out.addNote("Nothing could be compared.")
	}
	return out
}

func (o *Result) addNote(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}

// pair is a cell that both runs have.
type pair struct {
	label string
	a, b  *cells.Cell
}

// matchCells pairs the cells of both runs by their labels, in the order of A, and records those without a partner.
func (o *Result) matchCells(in Input) []pair {
	others := map[string]*cells.Cell{}
	for _, c := range in.B.Cells {
		others[cellLabel(c)] = c
	}
	var out []pair
	seen := map[string]bool{}
	for _, a := range in.A.Cells {
		l := cellLabel(a)
		seen[l] = true
		if b := others[l]; b != nil {
			out = append(out, pair{l, a, b})
		} else {
			o.OnlyA = append(o.OnlyA, l)
		}
	}
	for _, b := range in.B.Cells {
		if l := cellLabel(b); !seen[l] {
			o.OnlyB = append(o.OnlyB, l)
		}
	}
	return out
}

func cellLabel(c *cells.Cell) string {
	dataset, algorithm := c.ExactLabels()
	return dataset + ", " + algorithm
}

// isIdentical reports whether both cells ended well on the same folds with the same numbers and selections.
func (p pair) isIdentical(metrics []string) bool {
	if p.trouble() != nil || p.notPairable() != nil {
		return false
	}
	return !slices.ContainsFunc(p.pairFolds(), func(f [2]*results.Row) bool {
		return f[0].SelectedSum != f[1].SelectedSum ||
			slices.ContainsFunc(metrics, func(m string) bool { return !cells.OfCell(m) && !equalIn(m, f) })
	})
}

// pairFolds pairs the rows of two cells that are comparable.
func (p pair) pairFolds() [][2]*results.Row {
	out, _ := cells.Pairs(p.a, p.b) // apart told the error
	return out
}

func equalIn(metric string, f [2]*results.Row) bool {
	x, hasX := f[0].Metric(metric)
	y, hasY := f[1].Metric(metric)
	return hasX == hasY && (!hasX || x == y)
}

// trouble returns an error for cells that did not end well.
func (p pair) trouble() error {
	for _, side := range []struct {
		name string
		cell *cells.Cell
	}{{"A", p.a}, {"B", p.b}} {
		if t := side.cell.Trouble(); t != "" {
			return fmt.Errorf("%s: %s", side.name, t)
		}
	}
	return nil
}

// notPairable returns why cells that ended well must not be paired, nil if they may be.
func (p pair) notPairable() error {
	_, err := cells.Pairs(p.a, p.b)
	switch {
	case p.a.Rows[0].DatasetDigest != p.b.Rows[0].DatasetDigest:
		return errors.New("not the same data")
	case err != nil:
		return errors.New("not the same " + cells.Over([]*cells.Cell{p.a}))
	case p.a.Optimistic() != p.b.Optimistic():
		return errors.New("optimistic against honest")
	}
	return nil
}

// comparison compares a pair in one metric. If err is nil, on the same folds.
type comparison struct {
	pair
	a, b   results.Stat
	result *paired.Result // nil without a test
	err    error          // why it could not be compared
	why    string         // why there is no test
	p      float64        // adjusted
}

func (in Input) compareMetric(p pair, metric string) comparison {
	c := comparison{pair: p, p: math.NaN(),
		a: cells.Measure(in.A.Source, []*cells.Cell{p.a}, metric), b: cells.Measure(in.B.Source, []*cells.Cell{p.b}, metric)}
	if c.err = p.trouble(); c.err == nil {
		c.err = p.notPairable()
	}
	if c.err != nil {
		return c
	}
	if cells.OfCell(metric) {
		c.why = "no test: of all folds together"
		if !results.Finite(c.a.Mean) || !results.Finite(c.b.Mean) {
			c.err = fmt.Errorf("has no value")
		}
		return c
	}
	a, err := paired.FoldsOf(p.a.Rows, metric)
	if err == nil {
		var b []paired.Fold
		if b, err = paired.FoldsOf(p.b.Rows, metric); err == nil {
			c.testDifference(in, metric, a, b)
			return c
		}
	}
	c.err = err
	return c
}

// testDifference tests by the corrected t-test over several folds, the bootstrap over the rows of one, and Wilcoxon's test
// over tasks.
func (c *comparison) testDifference(in Input, metric string, a, b []paired.Fold) {
	var r paired.Result
	var err error
	switch {
	case c.pair.a.Averaged:
		r, err = paired.Wilcoxon(b, a)
	case len(a) > 1:
		r, err = paired.Corrected(b, a)
	default:
		var x, y *paired.Losses
		if x, err = paired.ReadLosses(in.A.Source).Of(c.pair.a.Rows[0], metric); err == nil {
			if y, err = paired.ReadLosses(in.B.Source).Of(c.pair.b.Rows[0], metric); err == nil {
				r, err = paired.Bootstrap(y, x)
			}
		}
	}
	switch {
	case err != nil:
		c.why = "no test: " + err.Error()
	case !results.Finite(r.Mean) || !results.Finite(r.P):
		c.why = "no test: the numbers are too large"
	default:
		c.result, c.p = &r, r.P
	}
}

// addSelections adds the table of the selections that differ between the runs.
func (o *Result) addSelections(in Input, pairs []pair) {
	g := &table.Grid{Title: "selected features", Corner: "dataset, algorithm",
		Columns: []string{in.A.Name, in.B.Name, "shared", "Jaccard", "same sign"}}
	src := sources{in.A.Source, in.B.Source, map[*results.Row]bool{}}
	for _, p := range pairs {
		for _, r := range p.a.Fits() {
			src.ofA[r] = true
		}
	}
	var compared []*cells.Cell
	comparer := selection.NewComparer(src)
	for _, p := range pairs {
		if p.trouble() != nil || p.notPairable() != nil || !in.All && p.selectsTheSame() {
			continue
		}
		overlap, err := comparer.Compare(p.a, p.b)
		if err != nil {
			o.addNote("Selections of %s: %s.", p.label, err)
			continue
		}
		compared = append(compared, p.a)
		row := table.Row{Label: p.label}
		for _, x := range []float64{overlap.SizeA, overlap.SizeB, overlap.Shared} {
			row.Slots = append(row.Slots, table.Slot{Text: digits.Format("%.1f", x)})
		}
		for _, x := range []float64{overlap.Jaccard, overlap.SameSign} {
			row.Slots = append(row.Slots, table.Slot{Text: digits.Format("%.3f", x)})
		}
		g.Rows = append(g.Rows, row)
	}
	if len(g.Rows) > 0 {
		g.Notes = []string{"Means over " + cells.Over(compared) + ". Jaccard: share of the features of either run that both selected. Same sign: share of the shared coefficients."}
		o.Grids = append(o.Grids, g)
	}
}

// selectsTheSame reports whether the sets of features are the same, fold by fold.
func (p pair) selectsTheSame() bool {
	return !slices.ContainsFunc(p.pairFolds(), func(f [2]*results.Row) bool { return f[0].SelectedSum != f[1].SelectedSum })
}

// sources provides the parts of the rows of both runs.
type sources struct {
	a, b cells.Source
	ofA  map[*results.Row]bool
}

func (s sources) sourceOf(r *results.Row) cells.Source {
	if s.ofA[r] {
		return s.a
	}
	return s.b
}

// Metric returns the properties of a metric in the first run.
func (s sources) Metric(name string) results.Properties { return s.a.Metric(name) }

// Facts returns the facts of the row.
func (s sources) Facts(r *results.Row) ([]data.Fact, error) { return s.sourceOf(r).Facts(r) }

// Scores returns the scores of the row.
func (s sources) Scores(r *results.Row) ([]results.Score, error) { return s.sourceOf(r).Scores(r) }

// Path returns the path of the row.
func (s sources) Path(r *results.Row) ([]results.Point, error) { return s.sourceOf(r).Path(r) }

// Searches returns what the fit of the row measured inside.
func (s sources) Searches(r *results.Row) ([]searches.Record, error) {
	return s.sourceOf(r).Searches(r)
}

// Selected returns the selected features of the row.
func (s sources) Selected(r *results.Row) ([]results.Selected, error) {
	return s.sourceOf(r).Selected(r)
}

// Alike returns the similar columns of the row's data set.
func (s sources) Alike(r *results.Row) *results.Similar { return s.sourceOf(r).Alike(r) }

// Predictions returns the predictions of the row.
func (s sources) Predictions(r *results.Row) (results.Predictions, error) {
	return s.sourceOf(r).Predictions(r)
}
