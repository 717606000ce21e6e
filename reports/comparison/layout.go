package comparison

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
	"tenfold/reports/slots"
)

// layout is a Config with its defaults filled in.
type layout struct {
	Config
	rowDims, columnDims, byDims []string
	overDims                    []string
	shown                       []string // all dimensions that have a place of their own
	metrics                     []string
	text                        slots.Template
	worded                      bool              // the file gives the text of slots
	labels                      map[string]string // displayed names of metrics
}

func (c Config) newLayout(metrics []string) (layout, error) {
	l := layout{Config: c, rowDims: cells.Split(c.Rows), columnDims: cells.Split(c.Columns), byDims: cells.Split(c.By), overDims: cells.Split(c.Over), metrics: cells.Split(c.Metric)}
	if len(l.metrics) == 0 {
		l.metrics = slices.Clone(metrics)
		if !slices.Contains(l.metrics, "selected") {
			l.metrics = append(l.metrics, "selected")
		}
	}
	if len(l.rowDims) == 0 {
		l.rowDims = []string{"algorithm"}
		if slices.Contains(l.columnDims, "algorithm") {
			l.rowDims = []string{"dataset"}
		}
	}
	if len(l.columnDims) == 0 {
		l.columnDims = []string{"metric"}
		if slices.Contains(l.rowDims, "metric") {
			l.columnDims = []string{"algorithm"}
		}
	}
	if len(l.byDims) == 0 && !l.onAxis("dataset") {
		l.byDims = []string{"dataset"}
	}
	l.shown = slices.Concat(l.rowDims, l.columnDims, l.byDims)
	l.Alpha = c.significanceLevel()
	text := c.Cells
	l.worded = text != ""
	switch {
	case text != "":
	case l.onAxis("metric"):
		text = "{value} ± {value.se}"
	default:
		text = fmt.Sprintf("{%s} ± {%[1]s.se}", l.metrics[0])
		if l.metrics[0] != "selected" && slices.Contains(l.metrics, "selected") {
			text += " ({selected})"
		}
	}
	var err error
	if l.text, err = slots.Parse(text); err != nil {
		return l, err
	}
	for _, p := range l.text.Parts {
		if p.Metric == "value" && !l.onAxis("metric") {
			return l, param.Errorf("cells", "{value} needs metric among the rows or columns")
		}
	}
	if !l.text.HasValue() { // every metric would have the same text
		l.metrics = []string{l.text.PrimaryMetric()}
	}
	return l, l.Validate()
}

// describeContents describes what the table shows, "test_mse, selected by algorithm and dataset", with labels in place of metrics.
func (l *layout) describeContents(labels map[string]string) string {
	var shown []string
	for _, p := range l.text.Parts {
		if p.Metric != "" && p.Metric != "value" && !slices.Contains(shown, p.Metric) {
			shown = append(shown, p.Metric)
		}
	}
	dims := slices.DeleteFunc(slices.Concat(l.rowDims, l.columnDims), func(d string) bool { return d == "metric" })
	if l.text.HasValue() {
		shown = l.metrics
	}
	names := make([]string, len(shown))
	for i, m := range shown {
		names[i] = cmp.Or(labels[m], m)
	}
	return strings.Join(names, ", ") + ifAny(len(dims) > 0, " by "+strings.Join(dims, " and "))
}

func (l *layout) onAxis(dim string) bool {
	return slices.Contains(l.rowDims, dim) || slices.Contains(l.columnDims, dim)
}

// isFiltered reports whether the table is restricted to some values of a dimension.
func (l *layout) isFiltered(dim string) bool { return l.Filter[dim] != "" }

// usesBootstrap reports whether numbers of a single fold get their errors from a bootstrap, which reads its predictions.
func (l *layout) usesBootstrap() bool {
	return l.wantsTest() && (l.Test == "" || paired.TestNamed(l.Test).Rows != nil) || l.text.ShowsStatistic("low") || l.text.ShowsStatistic("high")
}

// wantsTest reports whether a single fold is tested: reading its predictions takes long, so only on request.
func (l *layout) wantsTest() bool { return l.Test != None && (l.Test != "" || l.Baseline != "") }

// labelOf returns the label of a cell (with one of its metrics) on an axis.
func (l *layout) labelOf(dims []string, c *cells.Cell, metric string) string {
	if len(dims) == 1 {
		return l.labelPart(dims[0], c, metric)
	}
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = l.labelPart(d, c, metric)
	}
	return strings.Join(parts, " ")
}

// nameOf returns the values of a cell in some dimensions, as the experiment file calls them.
func (l *layout) nameOf(dims []string, c *cells.Cell) string {
	plain := *c
	plain.Words = nil
	return l.labelOf(dims, &plain, "")
}

func (l *layout) labelPart(dim string, c *cells.Cell, metric string) string {
	switch dim {
	case "algorithm":
		return c.AlgorithmLabel(l.shown...)
	case "dataset":
		return c.DatasetLabel(l.shown...)
	case "metric":
		return cmp.Or(l.labels[metric], metric)
	case "engine":
		return c.Engine
	case results.TaskDim:
		return cmp.Or(c.Task, "no task")
	case cells.KindDim:
		return cmp.Or(c.Kind, "no kind")
	}
	if v, ok := c.Dim(dim); ok {
		return dim + "=" + v
	}
	return "no " + dim
}
