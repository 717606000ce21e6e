package table

import (
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// place is what a row and a column have in common: normally one cell.
type place struct {
	row, column int
	cells       []*cells.Cell
	metric      string // where metrics are on an axis
	primary     string // the metric that it is compared by
	shown       []string
	stats       []measure // of the metrics shown
	trouble     string    // what stands there instead of numbers
	caveats     cells.Caveats

	against       *verdict // on the comparison with the baseline; nil without one
	best, similar bool     // among those it can be compared with
}

// measure is a metric in a place.
type measure struct {
	results.Stat
	Median float64      // NaN where no cell text asks for it
	Micro  results.Stat // over all test rows; without values where no cell text asks for it

	resampled bool // standard error and interval are the bootstrap's
}

// metricName is a metric of the cell text, where {value} is the one of the row or column.
func (p *place) metricName(metric string) string {
	if metric == "value" {
		return p.metric
	}
	return metric
}

// complete fills what follows from the cells, once they are complete.
func (p *place) complete(t cellTemplate) {
	p.primary = p.metricName(t.primaryMetric())
	for _, part := range t.parts {
		if name := p.metricName(part.metric); part.metric != "" && !slices.Contains(p.shown, name) {
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
func (p *place) isPooled(t cellTemplate, metric string) bool {
	return slices.ContainsFunc(t.parts, func(part templatePart) bool { return part.micro && p.metricName(part.metric) == metric })
}

// measureOf is what is shown of a metric; NaN for one that is not.
func (p *place) measureOf(metric string) measure {
	if i := slices.Index(p.shown, metric); i >= 0 && i < len(p.stats) {
		return p.stats[i]
	}
	return measure{Stat: results.Summarise(nil), Median: math.NaN(), Micro: results.Summarise(nil)}
}

// comparedValue is the mean of the metric that the place is compared by; NaN where it has none.
func (p *place) comparedValue() float64 {
	if p.trouble != "" {
		return math.NaN()
	}
	return p.measureOf(p.primary).Mean
}

// onlyCell is the cell of a place that has one, else nil.
func (p *place) onlyCell() *cells.Cell {
	if len(p.cells) != 1 {
		return nil
	}
	return p.cells[0]
}

// datasetNames are the names of the data sets that the place is about, as one text.
func (p *place) datasetNames() string {
	if c := p.onlyCell(); c != nil {
		return c.DatasetName()
	}
	var names []string
	for _, c := range p.cells {
		if name := c.DatasetName(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, "\x00")
}

// countFits is the number of fits of all cells.
func (p *place) countFits() int {
	n := 0
	for _, c := range p.cells {
		n += len(c.Rows)
	}
	return n
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
