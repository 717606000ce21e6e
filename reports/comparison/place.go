package comparison

import (
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/judge"
	"tenfold/reports/slots"
)

// place is the intersection of a row and a column: normally one cell.
type place struct {
	row, column int
	cells       []*cells.Cell
	metric      string // if metrics are on an axis
	primary     string // the metric by which it is compared
	shown       []string
	stats       []slots.Measure // of the metrics shown
	trouble     string          // shown instead of numbers
	caveats     cells.Caveats

	against       *judge.Verdict // of the comparison with the baseline; nil without one
	competes      bool           // may be compared with the other places of its data sets
	best, similar bool           // among the places comparable with it
}

// metricName returns a metric of the cell text, where {value} stands for the one of the row or column.
func (p *place) metricName(metric string) string {
	if metric == "value" {
		return p.metric
	}
	return metric
}

// complete computes what follows from the cells, after the last is added.
func (p *place) complete(t slots.Template) {
	p.primary = p.metricName(t.PrimaryMetric())
	for _, part := range t.Parts {
		if name := p.metricName(part.Metric); part.Metric != "" && !slices.Contains(p.shown, name) {
			p.shown = append(p.shown, name)
		}
	}
	for _, c := range p.cells {
		if p.trouble = c.Trouble(); p.trouble != "" {
			break
		}
	}
	for _, c := range p.cells {
		p.caveats = p.caveats.Or(c.Caveats())
	}
}

// isPooled reports whether the cell text shows the micro average of a metric.
func (p *place) isPooled(t slots.Template, metric string) bool {
	return slices.ContainsFunc(t.Parts, func(part slots.Part) bool { return part.Micro && p.metricName(part.Metric) == metric })
}

// measureOf returns the measure of a metric; NaN for one that is not shown.
func (p *place) measureOf(metric string) slots.Measure {
	if i := slices.Index(p.shown, metric); i >= 0 && i < len(p.stats) {
		return p.stats[i]
	}
	return slots.Measure{Stat: results.Summarise(nil), Median: math.NaN(), Micro: results.Summarise(nil)}
}

// comparedValue returns the mean of the metric by which the place is compared; NaN if it may not be.
func (p *place) comparedValue() float64 {
	if !p.competes {
		return math.NaN()
	}
	return p.measureOf(p.primary).Mean
}

// onlyCell returns the cell of a place that has exactly one, else nil.
func (p *place) onlyCell() *cells.Cell {
	if len(p.cells) != 1 {
		return nil
	}
	return p.cells[0]
}

// datasetNames returns the names of the place's data sets, with their points in a grid, as one text.
func (p *place) datasetNames() string {
	var names []string
	for _, c := range p.cells {
		if name, _ := c.ExactLabels(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, "\x00")
}

func (p *place) cellKeys() []string {
	var keys []string
	for _, c := range p.cells {
		if !c.OverGrid {
			keys = append(keys, c.Key)
			continue
		}
		for _, t := range c.Tasks { // the average is this table's alone
			keys = append(keys, t.Key)
		}
	}
	return keys
}
