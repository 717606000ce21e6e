package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/kind"
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
	Stat                cells.Stat
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

// label is the place of a cell (with one of its metrics) on an axis.
func (l *layout) label(dims []string, c *cells.Cell, metric string) string {
	elsewhere := slices.Concat(l.rowDims, l.columnDims, l.byDims)
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

// builder arranges the cells of one table.
type builder struct {
	layout
	in            Input
	title         string
	rows, columns []string // labels
	slots         map[[2]string]*slot
	judge         *judge
	stats         statistics
}

// slot is what a row and a column have in common: normally one cell.
type slot struct {
	cells  []*cells.Cell
	metric string // where metrics are on an axis
}

func newBuilder(l layout, in Input, g group) *builder {
	b := &builder{layout: l, in: in, title: g.title, slots: map[[2]string]*slot{}}
	metrics := []string{""}
	if l.onAxis("metric") {
		metrics = l.metrics
	}
	for _, c := range g.cells {
		for _, m := range metrics {
			row, column := l.label(l.rowDims, c, m), l.label(l.columnDims, c, m)
			if !slices.Contains(b.rows, row) {
				b.rows = append(b.rows, row)
			}
			if !slices.Contains(b.columns, column) {
				b.columns = append(b.columns, column)
			}
			s := b.slots[[2]string{row, column}]
			if s == nil {
				s = &slot{metric: m}
				b.slots[[2]string{row, column}] = s
			}
			s.cells = append(s.cells, c)
		}
	}
	b.judge = newJudge(l, in, g.cells)
	return b
}

// primary is the metric that a slot is compared by.
func (b *builder) primary(s *slot) string { return s.name(b.text.primary()) }

func (s *slot) name(metric string) string {
	if metric == "value" {
		return s.metric
	}
	return metric
}

// stat is a metric of a slot over folds; on a single fold that is resampled, its standard error is the bootstrap's.
func (b *builder) stat(s *slot, metric string) cells.Stat {
	st := cells.Pooled(s.cells, metric)
	if st.N == 1 && len(s.cells) == 1 {
		st.SE = b.judge.resampledSE(s.cells[0], metric)
	}
	return st
}

func (s *slot) trouble() string {
	for _, c := range s.cells {
		if t := c.Trouble(); t != "" {
			return t
		}
	}
	return ""
}

func (s *slot) optimistic() bool {
	return slices.ContainsFunc(s.cells, (*cells.Cell).Optimistic)
}

func (s *slot) keys() []string {
	keys := make([]string, len(s.cells))
	for i, c := range s.cells {
		keys[i] = c.Key
	}
	return keys
}

func (b *builder) grid() *Grid {
	g := &Grid{Title: b.title, Corner: strings.Join(b.rowDims, ", "), Columns: slices.Clone(b.columns)}
	template := b.measure()
	for _, row := range b.rows {
		line := Row{Label: row, Slots: make([]Slot, len(b.columns))}
		for j, column := range b.columns {
			s := b.slots[[2]string{row, column}]
			if s == nil {
				continue
			}
			line.Slots[j] = b.fill(g, template, row, column, s)
		}
		g.Rows = append(g.Rows, line)
	}
	b.markBest(g)
	b.explain(g)
	b.publish(g)
	return g
}

// measure computes all numbers of the table, and returns the template: without standard errors where the table has none
// and the file does not ask for them.
func (b *builder) measure() template {
	st := statistics{by: map[[3]string]cells.Stat{}, decimals: map[[2]string]digits{}}
	errors := false
	inColumn := map[[2]string][]cells.Stat{}
	for _, column := range b.columns {
		for _, row := range b.rows {
			s := b.slots[[2]string{row, column}]
			if s == nil {
				continue
			}
			for _, p := range b.text.parts {
				if p.metric == "" {
					continue
				}
				name := s.name(p.metric)
				key := [3]string{row, column, name}
				if _, ok := st.by[key]; ok {
					continue
				}
				v := b.stat(s, name)
				st.by[key] = v
				inColumn[[2]string{column, name}] = append(inColumn[[2]string{column, name}], v)
				errors = errors || !math.IsNaN(v.SE)
			}
		}
	}
	for key, all := range inColumn {
		st.decimals[key] = digitsFor(all)
	}
	b.stats = st
	if !errors && !b.named {
		return b.text.withoutErrors()
	}
	return b.text
}

type statistics struct {
	by       map[[3]string]cells.Stat // row, column, metric
	decimals map[[2]string]digits     // column, metric
}

func (b *builder) fill(g *Grid, t template, row, column string, s *slot) Slot {
	st := b.stats
	out := Slot{Text: s.trouble(), Keys: s.keys(), Optimistic: s.optimistic()}
	p := math.NaN()
	if out.Text == "" {
		out.Mark, p = b.judge.verdict(s, b.primary(s))
		out.Text = t.fill(
			func(m string) cells.Stat { return st.by[[3]string{row, column, s.name(m)}] },
			func(m string) digits { return st.decimals[[2]string{column, s.name(m)}] })
		if st.by[[3]string{row, column, b.primary(s)}].N == 0 {
			out.Text, out.Optimistic = missing, false
		}
	} else {
		out.Optimistic = false
	}
	seen := map[string]bool{}
	for _, part := range t.parts {
		name := s.name(part.metric)
		if part.metric == "" || seen[name] {
			continue
		}
		seen[name] = true
		n := Number{Row: row, Column: column, Metric: name, Stat: st.by[[3]string{row, column, name}], Status: "ok",
			Optimistic: out.Optimistic, P: math.NaN()}
		if trouble := s.trouble(); trouble != "" {
			n.Status, n.Stat = trouble, cells.Summarise(nil)
		}
		if name == b.primary(s) {
			n.Mark, n.P = out.Mark, p
		}
		g.Numbers = append(g.Numbers, n)
	}
	return out
}

// markBest marks the best of each set of slots that can be compared: those of a column, or those of a row where the
// algorithms are the columns. Work has no best: fewest features win nothing by themselves.
func (b *builder) markBest(g *Grid) {
	across := slices.Contains(b.columnDims, "algorithm")
	lines, along := b.columns, b.rows
	if across {
		lines, along = b.rows, b.columns
	}
	for i, line := range lines {
		best, bestValue, candidates := []int(nil), math.NaN(), 0
		for j, other := range along {
			row, column := other, line
			if across {
				row, column = line, other
			}
			s := b.slots[[2]string{row, column}]
			if s == nil || s.trouble() != "" || isWork(b.primary(s)) {
				continue
			}
			v := cells.Pooled(s.cells, b.primary(s)).Mean
			if math.IsNaN(v) {
				continue
			}
			candidates++
			if !s.cells[0].Higher(b.primary(s)) {
				v = -v
			}
			switch {
			case len(best) > 0 && v == bestValue:
				best = append(best, j)
			case len(best) == 0 || v > bestValue:
				best, bestValue = []int{j}, v
			}
		}
		if candidates < 2 || len(best) == candidates {
			continue
		}
		for _, j := range best {
			if across {
				g.Rows[i].Slots[j].Best = true
			} else {
				g.Rows[j].Slots[i].Best = true
			}
		}
	}
}

// isWork tells metrics of size and effort, of which no value is best.
func isWork(metric string) bool {
	return slices.Contains([]string{"nonzero", "selected", "seconds_fit", "seconds_predict", "iterations", "evaluations"}, metric)
}

func (b *builder) explain(g *Grid) {
	var best, optimistic, marked bool
	for _, r := range g.Rows {
		for _, s := range r.Slots {
			best, optimistic, marked = best || s.Best, optimistic || s.Optimistic, marked || s.Mark != ""
		}
	}
	if best {
		g.Legend = append(g.Legend, "bold: the best.")
	}
	if legend := b.judge.legend(marked); legend != "" {
		g.Legend = append(g.Legend, legend)
	}
	if optimistic {
		g.Legend = append(g.Legend, "†: chosen on the test rows: optimistic.")
	}
	if b.judge.resampled {
		g.Legend = append(g.Legend, "±: bootstrap standard error over the test rows of one fold (by group where rows have groups).")
	} else if strings.Contains(b.Config.Cells+" ± ", "±") && g.hasErrors() {
		g.Legend = append(g.Legend, "±: standard error over folds.")
	}
	g.Warnings = append(b.mixed(), b.judge.warnings...)
}

// mixed warns of slots that hold several cells, which differ in a dimension that the table hides.
func (b *builder) mixed() []string {
	var order []string
	places := map[string][]string{}
	for _, row := range b.rows {
		for _, column := range b.columns {
			s := b.slots[[2]string{row, column}]
			if s == nil || len(s.cells) < 2 {
				continue
			}
			differ := strings.Join(cells.Differing(s.cells), ", ")
			if places[differ] == nil {
				order = append(order, differ)
			}
			places[differ] = append(places[differ], row+" / "+column)
		}
	}
	var out []string
	for _, differ := range order {
		where := places[differ][0]
		if more := len(places[differ]) - 1; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, fmt.Sprintf("several cells in one place (%s), which differ in %s", where, differ))
	}
	return out
}

func (g *Grid) hasErrors() bool {
	return slices.ContainsFunc(g.Numbers, func(n Number) bool { return !math.IsNaN(n.Stat.SE) })
}
