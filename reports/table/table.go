package table

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/kind"
	"tenfold/io/results"
	"tenfold/reports/cells"
)

// Grid is a finished table.
type Grid struct {
	Title    string
	Corner   string // what the rows are
	Columns  []string
	Rows     []Row
	Legend   []string // what marks mean
	Notes    []string
	Warnings []string // what a reader would misread
	Numbers  []Number
}

// Row is a line of a table.
type Row struct {
	Label string
	Slots []Slot
}

// Slot is what stands in one row and column.
type Slot struct {
	Text       string
	Best       bool
	Mark       string // v better than the baseline, * worse, "" neither
	Optimistic bool   // test rows took part in choosing the model
	Keys       []string
}

// Number is a statistic behind a slot, for programs.
type Number struct {
	Row, Column, Metric string
	Stat                results.Stat
	Status, Mark        string
	Optimistic          bool
	P                   float64 // against the baseline; NaN without a test
}

// Input is what tables are made from.
type Input struct {
	Cells     []*cells.Cell
	Source    cells.Source
	Metrics   []string // of the experiment file
	Published []Published
}

// Published is a value from elsewhere, shown beside ours with the difference.
type Published struct {
	Source    string   `yaml:"source,required"`
	Dataset   string   `yaml:"dataset,required" ref:"dataset"`
	Algorithm string   `yaml:"algorithm,required" ref:"algorithm"`
	Metric    string   `yaml:"metric,required" ref:"metric"`
	Value     float64  `yaml:"value,required"`
	SE        *float64 `yaml:"se" json:",omitempty" doc:"standard error of the value"`
	Selected  *float64 `yaml:"selected" json:",omitempty" doc:"number of selected features"`
	Note      string   `yaml:"note" json:",omitempty" doc:"how it differs from ours"`
}

// Build makes the tables of a configuration: one for each value of its by dimensions, in order of appearance, each
// followed by the tests against its baseline where it has one.
func Build(c Config, in Input) ([]*Grid, error) {
	if len(in.Metrics) == 0 && c.Metric == "" {
		in.Metrics = []string{"selected"}
	}
	l, err := c.layout(in.Metrics)
	if err != nil {
		return nil, err
	}
	if in.Source == nil {
		in.Source = cells.InRows{}
	}
	have := append(cells.Dims(in.Cells), "metric")
	for _, axis := range []struct {
		name string
		dims []string
	}{{"rows", l.rowDims}, {"columns", l.columnDims}, {"by", l.byDims}} {
		for _, d := range axis.dims {
			if !slices.Contains(have, d) {
				return nil, kind.Errorf(axis.name, "no result has %q%s (have %s)", d, kind.DidYouMean(d, have), strings.Join(have, ", "))
			}
		}
	}
	kept, err := cells.Select(in.Cells, l.Filter)
	if err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	var grids []*Grid
	for _, group := range groupBy(kept, l) {
		b := newBuilder(l, in, group)
		g := b.grid()
		grids = append(grids, g)
		if tests := b.judge.tests(b); tests != nil {
			grids = append(grids, tests)
		}
	}
	return grids, nil
}

// group is the cells of one table.
type group struct {
	title string
	cells []*cells.Cell
}

func groupBy(cs []*cells.Cell, l layout) []group {
	var out []group
	at := map[string]int{}
	for _, c := range cs {
		title := l.label(l.byDims, c, "")
		i, ok := at[title]
		if !ok {
			i = len(out)
			at[title] = i
			out = append(out, group{title: title})
		}
		out[i].cells = append(out[i].cells, c)
	}
	for i := range out {
		out[i].title = strings.Join(slices.DeleteFunc([]string{l.Title, out[i].title}, func(s string) bool { return s == "" }), ": ")
	}
	return out
}

// shown are the dimensions that have a place of their own.
func (l *layout) shown() []string { return slices.Concat(l.rowDims, l.columnDims, l.byDims) }

// label is the place of a cell (with one of its metrics) on an axis.
func (l *layout) label(dims []string, c *cells.Cell, metric string) string {
	elsewhere := l.shown()
	var parts []string
	for _, d := range dims {
		switch d {
		case "algorithm":
			parts = append(parts, c.AlgorithmLabel(elsewhere...))
		case "dataset":
			parts = append(parts, c.DatasetLabel(elsewhere...))
		case "metric":
			parts = append(parts, metric)
		case "engine":
			parts = append(parts, c.Engine)
		default:
			if v, ok := c.Dim(d); ok {
				parts = append(parts, d+"="+v)
			} else {
				parts = append(parts, "no "+d)
			}
		}
	}
	return strings.Join(parts, " ")
}
