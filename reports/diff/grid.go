package diff

import (
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/paired"
	"tenfold/reports/table"
)

// addMetric adds the table of one metric: B against A in every cell that both have, unless it is equal to the last bit.
func (o *Result) addMetric(in Input, metric string, pairs []pair) {
	all := o.compareCells(in, metric, pairs)
	var stats []results.Stat
	for _, c := range all {
		stats = append(stats, c.a, c.b)
	}
	d := digits.For(stats)
	g := &table.Grid{Title: metric, Corner: "dataset, algorithm",
		Columns: []string{in.A.Name, in.B.Name, "difference", "95 % interval", "p", ""}}
	var shown []comparison
	for _, c := range all {
		if in.All || !c.isSame(metric) {
			shown = append(shown, c)
			g.Rows = append(g.Rows, c.tableRow(g, metric, in.A.Source.Metric(metric).Contested(), d, in.Alpha))
		}
	}
	if len(shown) == 0 {
		return
	}
	g.Legend = in.legendOf(shown)
	if note := geometricRatio(in.A.Name, in.B.Name, all); note != "" {
		g.Notes = append(g.Notes, note)
	}
	o.Grids = append(o.Grids, g)
}

// compareCells compares the pairs to which the metric applies; p-values are adjusted by Holm's method for all of them.
func (o *Result) compareCells(in Input, metric string, pairs []pair) []comparison {
	var all []comparison
	var p []float64
	for _, pr := range pairs {
		c := in.compareMetric(pr, metric)
		if c.a.N == 0 && c.b.N == 0 && pr.a.Trouble() == "" && pr.b.Trouble() == "" {
			continue
		}
		all, p = append(all, c), append(p, c.p)
		if c.err == nil {
			o.Compared++
		}
	}
	for i, adjusted := range paired.Holm(p) {
		all[i].p = adjusted
	}
	return all
}

// legendOf explains the tests and marks of the comparisons.
func (in Input) legendOf(shown []comparison) []string {
	var out []string
	for _, t := range []struct {
		name     string
		includes func(comparison) bool
	}{
		{"corrected t-test of Nadeau and Bengio over folds", func(c comparison) bool { return c.result != nil && c.pair.a.Folds > 1 && !c.pair.a.Averaged }},
		{"bootstrap of the test rows of one fold", func(c comparison) bool { return c.result != nil && c.pair.a.Folds <= 1 && !c.pair.a.Averaged }},
		{"Wilcoxon's signed-rank test over the tasks of a family", func(c comparison) bool { return c.result != nil && c.pair.a.Averaged }},
	} {
		if slices.ContainsFunc(shown, t.includes) {
			out = append(out, fmt.Sprintf("p: %s, two-sided, adjusted by Holm's method for all cells; ~ no difference is detectable at %g.", t.name, in.Alpha))
		}
	}
	var compared []*cells.Cell
	for _, c := range shown {
		for _, cell := range []*cells.Cell{c.pair.a, c.pair.b} {
			if cell.Trouble() == "" {
				compared = append(compared, cell)
			}
		}
	}
	return append(out, cells.Legend(compared)...)
}

// isSame reports whether both runs have the same value on every fold.
func (c comparison) isSame(metric string) bool {
	if c.err != nil {
		return false
	}
	if cells.OfCell(metric) {
		return c.a.Mean == c.b.Mean
	}
	return !slices.ContainsFunc(c.pairFolds(), func(f [2]*results.Row) bool { return !equalIn(metric, f) })
}

// tableRow returns the row of one comparison. It adds the numbers behind it to the table.
func (c comparison) tableRow(g *table.Grid, metric string, contested bool, d digits.Decimals, alpha float64) table.Row {
	slots := make([]table.Slot, 6)
	for i, side := range []struct {
		cell *cells.Cell
		stat results.Stat
	}{{c.pair.a, c.a}, {c.pair.b, c.b}} {
		status := side.cell.Trouble()
		slots[i] = table.Slot{Text: status, Keys: []string{side.cell.Key}}
		if status == "" {
			slots[i].Caveats = side.cell.Caveats()
		}
		n := table.Number{Row: c.label, Column: g.Columns[i], Metric: metric, Stat: side.stat, Status: status, Optimistic: slots[i].Optimistic, P: math.NaN(), Adjusted: math.NaN()}
		if status == "" {
			slots[i].Text, n.Status = d.WithError(side.stat.Mean, side.stat.SE), "ok"
		} else {
			n.Stat = results.Summarise(nil)
		}
		g.Numbers = append(g.Numbers, n)
	}
	for i := 2; i < 5; i++ {
		slots[i].Text = digits.Missing
	}
	if c.err != nil {
		slots[5].Text = c.err.Error()
		return table.Row{Label: c.label, Slots: slots}
	}
	difference, mark := c.meanDifference(), c.verdict(metric, contested, alpha)
	slots[2].Text, slots[5].Text = d.Signed(difference), mark
	if c.result != nil {
		slots[3].Text = d.Signed(c.result.Low) + " … " + d.Signed(c.result.High)
		slots[4].Text = digits.P(c.p)
	}
	n := table.Number{Row: c.label, Column: "difference", Metric: metric, Status: "ok", Mark: mark,
		Stat: results.Summarise([]float64{difference}), P: math.NaN(), Adjusted: c.p}
	if c.result != nil {
		n.P = c.result.P
	}
	g.Numbers = append(g.Numbers, n)
	return table.Row{Label: c.label, Slots: slots}
}

func (c comparison) meanDifference() float64 {
	if c.result != nil {
		return c.result.Mean
	}
	return c.b.Mean - c.a.Mean
}

// verdict returns "~" if no difference is detectable, else what changed from A to B.
func (c comparison) verdict(metric string, contested bool, alpha float64) string {
	difference := c.meanDifference()
	switch {
	case c.result == nil:
		return c.why
	case !(c.p < alpha) || difference == 0:
		return "~"
	case !contested && difference > 0:
		return "more"
	case !contested:
		return "less"
	case (difference > 0) == c.pair.a.Higher(metric):
		return "better"
	}
	return "worse"
}

// geometricRatio returns a text with the geometric mean of B's means over A's, over all cells, identical ones included, if all
// means are positive.
func geometricRatio(nameA, nameB string, all []comparison) string {
	sum, n := 0.0, 0
	for _, c := range all {
		if c.err != nil {
			continue
		}
		if !(c.a.Mean > 0 && c.b.Mean > 0) {
			return ""
		}
		sum += math.Log(c.b.Mean / c.a.Mean)
		n++
	}
	mean := math.Exp(sum / float64(n))
	if n < 2 || !results.Finite(mean) {
		return ""
	}
	return fmt.Sprintf("Geometric mean of %s over %s, %d cells: %.4f (%s %%).", nameB, nameA, n, mean, digits.Decimals(2).Signed(100*(mean-1)))
}
