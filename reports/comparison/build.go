package comparison

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/reports/cells"
	"tenfold/reports/table"
)

// Input holds the material of tables.
type Input struct {
	Cells     []*cells.Cell // those of single tasks, where there are families
	Source    cells.Source
	Metrics   []string // of the experiment file
	Skipped   []Skipped
	Published []Published
	Labels    map[string]string // displayed names of metrics, from the file
}

// Build makes the tables of a configuration: one for each value of its by dimensions, in order of appearance, each followed by the
// tests against its baseline, if it has one, and the ranks across data sets, if there are enough.
func Build(c Config, in Input) ([]*table.Grid, error) {
	if len(in.Metrics) == 0 && c.Metric == "" {
		in.Metrics = []string{"selected"}
	}
	l, err := c.newLayout(in.Metrics)
	if err != nil {
		return nil, err
	}
	l.labels = in.Labels
	if in.Source == nil {
		in.Source = cells.InRows{}
	}
	if err := c.validatePools(in.Source.Metric, nil); err != nil {
		return nil, err
	}
	all, err := cells.Arrange(in.Source, in.Cells, l.shown, l.Filter)
	if err != nil {
		return nil, err
	}
	have := append(cells.Dims(all), "metric")
	for _, axis := range []struct {
		name string
		dims []string
	}{{"rows", l.rowDims}, {"columns", l.columnDims}, {"by", l.byDims}, {"over", l.overDims}} {
		for _, d := range axis.dims {
			if !slices.Contains(have, d) {
				return nil, param.Errorf(axis.name, "no result has %q%s", d, suggest.Choices(d, have))
			}
		}
	}
	kept, err := cells.Select(all, l.Filter)
	if err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	var grids []*table.Grid
	for _, group := range groupBy(cells.AcrossGrid(kept, l.overDims), l) {
		b := newBuilder(l, in, group)
		g := b.newGrid()
		name := func(part string) string {
			return strings.TrimSpace(cmp.Or(c.Name, c.Title) + " " + group.name + " " + part)
		}
		g.Name, g.About = name(""), l.describeContents(l.labels)
		if g.Name == "" {
			g.Name = l.describeContents(nil)
		}
		grids = append(grids, g)
		if tests := b.comparisonTable(); tests != nil {
			tests.Name = name("tests")
			grids = append(grids, tests)
		}
		across, err := b.acrossDatasets()
		if err != nil {
			return nil, err
		}
		if b.unranked != "" {
			g.Notes = append(g.Notes, b.unranked)
		}
		if across != nil {
			across.Name = name("ranks")
			grids = append(grids, across)
		}
	}
	return grids, nil
}

// cellGroup holds the cells of one table.
type cellGroup struct {
	value string // of the by dimensions
	name  string // the value, in names of the experiment file
	title string // including that of the configuration
	cells []*cells.Cell
}

func groupBy(cs []*cells.Cell, l layout) []cellGroup {
	var out []cellGroup
	index := map[string]int{}
	for _, c := range cs {
		value := l.labelOf(l.byDims, c, "")
		i, ok := index[value]
		if !ok {
			i = len(out)
			index[value] = i
			out = append(out, cellGroup{value: value, name: l.nameOf(l.byDims, c)})
		}
		out[i].cells = append(out[i].cells, c)
	}
	for i := range out {
		out[i].title = strings.Join(slices.DeleteFunc([]string{l.Title, out[i].value}, func(s string) bool { return s == "" }), ": ")
	}
	return out
}
