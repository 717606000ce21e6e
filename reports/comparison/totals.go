package comparison

import (
	"cmp"
	"fmt"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/table"
)

// footerRows returns the rows below a table: the results of a column's comparisons with the baseline, and means if the rows are
// data sets. A column of tasks or data sets has one algorithm, and its record; a column of algorithms has several, and counts how
// many are significantly better, the same and worse, as in Weka's Experimenter.
func (b *builder) footerRows() []table.Row {
	var out []table.Row
	if !b.ofRecords() {
		out = b.countRows()
	} else if row, ok := b.tallyRow(); ok {
		out = append(out, row)
	}
	if row, ok := b.meansRow(); ok {
		out = append(out, row)
	}
	return out
}

// countsLabel is the label of the rows that count significant differences.
const countsLabel = "better/same/worse"

// countRows returns the counts of better / same / worse in each column with tests: a row for each metric, if rows are of metrics.
func (b *builder) countRows() (out []table.Row) {
	metrics := []string{""}
	if slices.Contains(b.rowDims, "metric") {
		metrics = b.comparedMetrics()
	}
	for _, m := range metrics {
		row, ok := b.countsRow(m)
		if len(metrics) > 1 {
			row.Label += ", " + cmp.Or(b.labels[m], m)
		}
		if ok {
			out = append(out, row)
		}
	}
	return out
}

// countsRow returns the counts of better / same / worse in each column with tests; of all metrics, if metric is "".
func (b *builder) countsRow(metric string) (table.Row, bool) {
	n := make([][3]int, len(b.columns))
	for p := range b.byRow {
		switch v := p.against; {
		case v == nil || !v.IsInformative() || metric != "" && v.Metric != metric:
		case v.Better:
			n[p.column][0]++
		case v.Worse:
			n[p.column][2]++
		default:
			n[p.column][1]++
		}
	}
	row := table.Row{Label: countsLabel, Slots: make([]table.Slot, len(b.columns))}
	several := false
	for j, c := range n {
		if sum := c[0] + c[1] + c[2]; sum > 0 {
			several = several || sum > 1
			row.Slots[j].Text = fmt.Sprintf("%d/%d/%d", c[0], c[1], c[2])
		}
	}
	return row, several // the mark of a single comparison tells as much
}

// tallyRow returns the record of each column.
func (b *builder) tallyRow() (table.Row, bool) {
	row := table.Row{Label: "won/tied/lost", Slots: make([]table.Slot, len(b.columns))}
	several := false
	for j, r := range b.columnRecords() {
		if r.Total() > 0 {
			several = several || r.Total() > 1
			row.Slots[j].Text = r.String()
		}
	}
	return row, several
}

// meansRow returns means over data sets, for tables whose rows are data sets and whose places show one metric of one cell first, if
// such a mean is meaningful. A column that lacks a data set has none: it would not be comparable with its neighbours.
func (b *builder) meansRow() (table.Row, bool) {
	metric := b.text.PrimaryMetric()
	if !slices.Equal(b.rowDims, []string{"dataset"}) || b.onAxis("metric") || !slices.Contains(b.columnDims, "algorithm") ||
		len(b.rows) < 2 || len(b.rows) > b.countDatasets() || !b.in.Source.Metric(metric).Commensurable {
		return table.Row{}, false
	}
	row := table.Row{Label: fmt.Sprintf("mean over %d data sets", len(b.rows)), Slots: make([]table.Slot, len(b.columns))}
	some := false
	for j := range b.columns {
		var values []float64
		var caveats cells.Caveats
		for i := range b.rows {
			p := b.places[i][j]
			if p == nil || p.onlyCell() == nil || !p.competes {
				break
			}
			values = append(values, p.comparedValue())
			caveats = caveats.Or(p.caveats)
		}
		row.Slots[j].Text = digits.Missing
		if len(values) == len(b.rows) {
			some = true
			row.Slots[j].Text = b.decimals[b.scaleOf(j, metric)].Number(results.Summarise(values).Mean)
			row.Slots[j].Caveats = caveats
		}
	}
	return row, some
}

// countDatasets returns the number of the table's data sets; a data set with a grid is one, though it has several labels.
func (b *builder) countDatasets() int {
	seen := map[string]bool{}
	for p := range b.byRow {
		for _, c := range p.cells {
			seen[c.DatasetName()] = true
		}
	}
	return len(seen)
}
