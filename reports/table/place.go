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
	optimistic  bool
	unconverged bool // some fits did not converge

	against       *verdict // on the comparison with the baseline; nil without one
	best, similar bool     // among those it can be compared with
}

// measure is a metric in a place.
type measure struct {
	results.Stat
	Median float64      // NaN where no cell text asks for it
	Micro  results.Stat // over all test rows; without values where no cell text asks for it
}

// name is a metric of the cell text, where {value} is the one of the row or column.
func (p *place) name(metric string) string {
	if metric == "value" {
		return p.metric
	}
	return metric
}

// settle fills what follows from the cells, once they are complete.
func (p *place) settle(t template) {
	p.primary = p.name(t.primary())
	for _, part := range t.parts {
		if name := p.name(part.metric); part.metric != "" && !slices.Contains(p.shown, name) {
			p.shown = append(p.shown, name)
		}
	}
	for _, c := range p.cells {
		if p.trouble = c.Trouble(); p.trouble != "" {
			break
		}
	}
	p.optimistic = slices.ContainsFunc(p.cells, (*cells.Cell).Optimistic)
	p.unconverged = slices.ContainsFunc(p.cells, func(c *cells.Cell) bool { n, _ := c.Unconverged(); return n > 0 })
}

// pooled tells whether the cell text shows the micro average of a metric.
func (p *place) pooled(t template, metric string) bool {
	return slices.ContainsFunc(t.parts, func(part part) bool { return part.micro && p.name(part.metric) == metric })
}

// stat is what is shown of a metric; NaN for one that is not.
func (p *place) stat(metric string) measure {
	if i := slices.Index(p.shown, metric); i >= 0 && i < len(p.stats) {
		return p.stats[i]
	}
	return measure{Stat: results.Summarise(nil), Median: math.NaN(), Micro: results.Summarise(nil)}
}

// value is the mean of the metric that the place is compared by; NaN where it has none.
func (p *place) value() float64 {
	if p.trouble != "" {
		return math.NaN()
	}
	return p.stat(p.primary).Mean
}

// only is the cell of a place that has one, else nil.
func (p *place) only() *cells.Cell {
	if len(p.cells) != 1 {
		return nil
	}
	return p.cells[0]
}

// datasets are the names of the data sets that the place is about, as one text.
func (p *place) datasets() string {
	if c := p.only(); c != nil {
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

// folds is the number of fits of all cells.
func (p *place) folds() int {
	n := 0
	for _, c := range p.cells {
		n += len(c.Rows)
	}
	return n
}

func (p *place) keys() []string {
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
