package table

import (
	"math"
	"slices"
	"strings"

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
