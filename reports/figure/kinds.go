package figure

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/drawing"
)

// figureKind describes a kind of figure: its documentation, its keys, and how it is built. Each is in the file that builds it.
type figureKind struct {
	name, doc string
	fields    []string             // of Config that apply to it, besides those that choose cells and the title
	across    bool                 // it shows all data sets together, rather than each in a figure of its own
	check     func(c Config) error // checks its fields; nil for nothing
	build     func(c Config, in Input, cs []*cells.Cell) (drawing.Chart, error)
}

// allKinds lists the kinds of figures, in the order in which they are documented.
func allKinds() []figureKind {
	return []figureKind{metricKind(), pathKind(), sweepKind(), frontierKind(), criticalKind(), stabilityKind(), overlapKind(), heatMapKind(), importanceKind(), stabilityPathKind(), validationKind(), kaplanMeierKind(), calibrationKind(), rocKind(), precisionRecallKind(), confusionKind()}
}

func findKind(name string) (figureKind, error) {
	var names []string
	for _, k := range allKinds() {
		if k.name == name {
			return k, nil
		}
		names = append(names, k.name)
	}
	return figureKind{}, param.OneOf("kind", name, names...)
}

// kindsWithField names the kinds to which a key of the file applies.
func kindsWithField(field string) string {
	var names []string
	for _, k := range allKinds() {
		if slices.Contains(k.fields, field) {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, " or ")
}

// KeyDoc documents the key kind, with all kinds.
func (Config) KeyDoc(key string) string {
	if key != "kind" {
		return ""
	}
	var docs []string
	for _, k := range allKinds() {
		docs = append(docs, k.name+": "+k.doc)
	}
	return strings.Join(docs, "; ")
}

// Input holds the material of figures.
type Input struct {
	Cells   []*cells.Cell // those of single tasks, where there are families
	Source  cells.Source
	Metrics []string          // of the experiment file
	Labels  map[string]string // displayed names of metrics and parameters, from the file

	groups map[*cells.Cell][]*cells.Cell // if data sets are averaged, the cells behind each average
}

// metricOf summarises a metric of a cell over its folds.
func (in Input) metricOf(c *cells.Cell, metric string) results.Stat {
	if group := in.groups[c]; group != nil {
		sum := 0.0
		for _, one := range group {
			sum += cells.Measure(in.Source, []*cells.Cell{one}, metric).Mean
		}
		return results.Summarise([]float64{sum / float64(len(group))})
	}
	return cells.Measure(in.Source, []*cells.Cell{c}, metric)
}

// Build makes the charts of a configuration: one for each data set, or one across them.
func Build(c Config, in Input) ([]drawing.Chart, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	k, err := findKind(c.Kind)
	if err != nil {
		return nil, err
	}
	if in.Source == nil {
		in.Source = cells.InRows{}
	}
	all, err := cells.Arrange(in.Source, in.Cells, []string{c.X, c.Lines}, c.conditions())
	if err != nil {
		return nil, err
	}
	kept, err := cells.Select(all, c.conditions())
	if err != nil {
		return nil, err
	}
	if k.across {
		chart, err := k.build(c, in, kept)
		if err != nil {
			return nil, err
		}
		chart.Name = fileName(chart.Name)
		if err := c.applyTo(&chart); err != nil {
			return nil, err
		}
		return []drawing.Chart{chart}, nil
	}
	if c.Over != "" {
		chart, err := c.overDatasets(k, in, kept)
		return []drawing.Chart{chart}, err
	}
	var charts []drawing.Chart
	var names []string
	sets := cells.ByDataset(kept, c.X, c.Lines)
	for _, set := range sets {
		chart, err := k.build(c, in, set.Cells)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.Label, err)
		}
		if c.Panels != "" {
			charts, names = append(charts, chart), append(names, set.Label)
			continue
		}
		chart.Name = fileName(chart.Name + " " + set.Cells[0].NamedDataset(c.X, c.Lines))
		if len(sets) > 1 {
			chart.Title += ", " + set.Label
		}
		if err := c.applyTo(&chart); err != nil {
			return nil, err
		}
		charts = append(charts, chart)
	}
	if c.Panels != "" && len(charts) > 0 {
		all := drawing.JoinPanels(charts, names)
		all.Name = fileName(all.Name + " panels")
		return []drawing.Chart{all}, c.applyTo(&all)
	}
	return charts, nil
}

// overDatasets returns the chart of means over data sets.
func (c Config) overDatasets(k figureKind, in Input, cs []*cells.Cell) (drawing.Chart, error) {
	y, err := c.mainMetric(in)
	if err != nil {
		return drawing.Chart{}, err
	}
	metrics := []string{y}
	if k.name == Frontier && c.sizeMetric() != results.PointDim {
		metrics = append(metrics, c.sizeMetric())
	}
	in, kept, caption := averaged(in, cs, metrics...)
	if len(kept) == 0 {
		return drawing.Chart{}, fmt.Errorf("no data set has results of two algorithms: there is nothing to average")
	}
	chart, err := k.build(c, in, kept)
	if err != nil {
		return drawing.Chart{}, err
	}
	chart.Caption = strings.TrimSpace(caption + " " + chart.Caption)
	chart.Name = fileName(chart.Name + " over datasets")
	return chart, c.applyTo(&chart)
}

// applyTo gives a chart the title, size and formats that the file sets for figures of any kind.
func (c Config) applyTo(chart *drawing.Chart) error {
	if c.Title != "" {
		chart.Heading = chart.Title
	}
	chart.Formats = c.Format
	return chart.Resize(c.Width, c.Height)
}

// arrangement holds cells by algorithm and data set, each with its grid point: cells[algorithm][data set], nil for none.
type arrangement struct {
	algorithms, datasets []string
	cells                [][]*cells.Cell
}

func arrangementOf(cs []*cells.Cell) arrangement {
	var g arrangement
	sets := cells.ByDataset(cs)
	index := map[string]int{}
	for j, set := range sets {
		g.datasets = append(g.datasets, set.Label)
		for _, c := range set.Cells {
			label := c.AlgorithmLabel()
			i, ok := index[label]
			if !ok {
				i = len(g.algorithms)
				index[label] = i
				g.algorithms, g.cells = append(g.algorithms, label), append(g.cells, make([]*cells.Cell, len(sets)))
			}
			g.cells[i][j] = c
		}
	}
	return g
}
