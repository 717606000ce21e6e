package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

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
	var rows, columns labels
	for _, c := range g.cells {
		for _, m := range metrics {
			row, column := l.label(l.rowDims, c, m), l.label(l.columnDims, c, m)
			b.rows, b.columns = rows.add(row), columns.add(column)
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

// labels are those of an axis, in order of appearance.
type labels struct {
	list []string
	seen map[string]bool
}

func (l *labels) add(s string) []string {
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	if !l.seen[s] {
		l.seen[s] = true
		l.list = append(l.list, s)
	}
	return l.list
}

// primary is the metric that a slot is compared by.
func (b *builder) primary(s *slot) string { return s.name(b.text.primary()) }

func (s *slot) name(metric string) string {
	if metric == "value" {
		return s.metric
	}
	return metric
}

// shown are the metrics that a slot shows, each once, in order.
func (b *builder) shown(s *slot) []string {
	var names []string
	for _, p := range b.text.parts {
		if name := s.name(p.metric); p.metric != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// stat is a metric of a slot over folds; on a single fold that is resampled, its standard error is the bootstrap's.
func (b *builder) stat(s *slot, metric string) results.Stat {
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

// datasets are the names of the data sets that the slot is about, as one text.
func (s *slot) datasets() string {
	var names []string
	for _, c := range s.cells {
		if !slices.Contains(names, c.Dataset) {
			names = append(names, c.Dataset)
		}
	}
	return strings.Join(names, "\x00")
}

// folds is the number of fits of all cells.
func (s *slot) folds() int {
	n := 0
	for _, c := range s.cells {
		n += len(c.Rows)
	}
	return n
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
	b.stats = b.measure()
	template := b.text
	if !b.stats.errors && !b.named {
		template = template.withoutErrors()
	}
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

// measure computes all numbers of the table.
func (b *builder) measure() statistics {
	st := statistics{by: map[[3]string]results.Stat{}, decimals: map[[2]string]digits{}}
	inColumn := map[[2]string][]results.Stat{}
	for _, column := range b.columns {
		for _, row := range b.rows {
			s := b.slots[[2]string{row, column}]
			if s == nil {
				continue
			}
			published := b.published(s)
			for _, name := range b.shown(s) {
				v := b.stat(s, name)
				st.by[[3]string{row, column, name}] = v
				st.errors = st.errors || !math.IsNaN(v.SE)
				at := [2]string{column, name}
				inColumn[at] = append(inColumn[at], v)
				if published != nil && published.Metric == name { // it is written with the same decimals
					inColumn[at] = append(inColumn[at], results.Summarise([]float64{published.Value}))
				}
			}
		}
	}
	for key, all := range inColumn {
		st.decimals[key] = digitsFor(all)
	}
	return st
}

type statistics struct {
	by       map[[3]string]results.Stat // row, column, metric
	decimals map[[2]string]digits       // column, metric
	errors   bool                       // there is some standard error
}

// fill writes one slot, and adds the numbers behind it to the table.
func (b *builder) fill(g *Grid, t template, row, column string, s *slot) Slot {
	stat := func(metric string) results.Stat { return b.stats.by[[3]string{row, column, s.name(metric)}] }
	digit := func(metric string) digits { return b.stats.decimals[[2]string{column, s.name(metric)}] }
	out, p := Slot{Text: s.trouble(), Keys: s.keys()}, math.NaN()
	status := cmp.Or(out.Text, "ok")
	primary := b.primary(s)
	switch {
	case out.Text != "":
	case stat(primary).N == 0:
		out.Text = missing
	default:
		out.Optimistic = s.optimistic()
		out.Mark, p = b.judge.verdict(s, primary)
		out.Text = t.fill(stat, digit)
	}
	for _, name := range b.shown(s) {
		n := Number{Row: row, Column: column, Metric: name, Stat: stat(name), Status: status, P: math.NaN()}
		if status != "ok" {
			n.Stat = results.Summarise(nil)
		}
		n.Optimistic = n.Stat.N > 0 && s.optimistic()
		if name == primary {
			n.Mark, n.P = out.Mark, p
		}
		g.Numbers = append(g.Numbers, n)
	}
	return out
}
