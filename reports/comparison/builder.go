package comparison

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/judge"
	"tenfold/reports/paired"
	"tenfold/reports/slots"
	"tenfold/reports/table"
)

// builder arranges the cells of one table.
type builder struct {
	layout
	in            Input
	group         string // value of the by dimensions
	title         string
	rows, columns []string // labels
	places        [][]*place
	decimals      map[decimalsGroup]digits.Decimals
	bases         *baselines
	judge         *judge.Judge
	baseline      string          // displayed name of the baseline
	verdicts      []judge.Verdict // of the comparisons with the baseline, down the columns
	compared      []*place        // of each of these
	rivals        []judge.Verdict // of the comparisons with the best of a contest
	contenders    []*place        // of each of these
	undefined     remarks         // why some metrics could not be measured
	partial       []string        // places whose means lack data sets that were skipped
	unranked      string          // why there are no ranks, though the file asks for them
}

func newBuilder(l layout, in Input, g cellGroup) *builder {
	b := &builder{layout: l, in: in, group: g.value, title: g.title}
	var rows, columns axisLabels
	for _, c := range g.cells {
		for _, m := range l.metricsOnAxes() {
			i, j := rows.indexOf(l.labelOf(l.rowDims, c, m)), columns.indexOf(l.labelOf(l.columnDims, c, m))
			p := b.placeAt(i, j)
			p.metric = m
			p.cells = append(p.cells, c)
		}
	}
	b.rows, b.columns = rows.list, columns.list
	for i := range b.places {
		b.places[i] = append(b.places[i], make([]*place, len(b.columns)-len(b.places[i]))...)
	}
	for p := range b.byRow {
		p.complete(l.text)
	}
	b.bases = newBaselines(l, g.cells)
	name := func(c *cells.Cell) string { return c.AlgorithmLabel(l.shown...) }
	b.judge = judge.New(judge.Rules{Test: l.Test, Alpha: l.Alpha, Corrected: l.Correction != None, Name: name}, in.Source)
	b.baseline = l.Baseline
	for _, c := range g.cells {
		if l.isBaseline(c) {
			b.baseline = cells.Called(c.Words, c.Algorithm, l.Baseline)
			break
		}
	}
	return b
}

// axisLabels holds the labels of an axis, in order of appearance.
type axisLabels struct {
	list []string
	seen map[string]int
}

// indexOf returns the position of a label, which it adds if it is new.
func (l *axisLabels) indexOf(s string) int {
	if l.seen == nil {
		l.seen = map[string]int{}
	}
	i, ok := l.seen[s]
	if !ok {
		i = len(l.list)
		l.seen[s] = i
		l.list = append(l.list, s)
	}
	return i
}

// placeAt returns the place, and creates it on first use.
func (b *builder) placeAt(i, j int) *place {
	if i == len(b.places) {
		b.places = append(b.places, nil)
	}
	if short := j + 1 - len(b.places[i]); short > 0 {
		b.places[i] = append(b.places[i], make([]*place, short)...)
	}
	if b.places[i][j] == nil {
		b.places[i][j] = &place{row: i, column: j}
	}
	return b.places[i][j]
}

// byRow yields the places that have cells, row by row.
func (b *builder) byRow(yield func(*place) bool) {
	for _, row := range b.places {
		for _, p := range row {
			if p != nil && !yield(p) {
				return
			}
		}
	}
}

// byColumn yields the places that have cells, column by column.
func (b *builder) byColumn(yield func(*place) bool) {
	for j := range b.columns {
		for _, row := range b.places {
			if p := row[j]; p != nil && !yield(p) {
				return
			}
		}
	}
}

// isContested reports whether values of a place can be better or worse.
func (b *builder) isContested(p *place) bool { return b.in.Source.Metric(p.primary).Contested() }

// describePlace names a place in notes.
func (b *builder) describePlace(p *place) string { return b.rows[p.row] + " / " + b.columns[p.column] }

// newGrid makes the table.
func (b *builder) newGrid() *table.Grid {
	b.computeNumbers()
	b.decideRivals()
	b.compareWithBaseline()
	b.markBest()
	g := &table.Grid{Title: b.title, Corner: strings.Join(b.rowDims, ", "), Columns: slices.Clone(b.columns)}
	templates := make([]slots.Template, len(b.columns))
	for j := range templates {
		if templates[j] = b.text; !b.worded && !b.hasErrors(j) {
			templates[j] = b.text.WithoutErrors()
		}
	}
	for i, label := range b.rows {
		row := table.Row{Label: label, Slots: make([]table.Slot, len(b.columns))}
		for j, p := range b.places[i] {
			if p != nil {
				row.Slots[j] = b.fillSlot(templates[j], p)
				g.Numbers = b.appendNumbers(g.Numbers, p, row.Slots[j])
			}
		}
		g.Rows = append(g.Rows, row)
	}
	shown := b.addSkipped(g)
	g.Footer = b.footerRows()
	b.addLegend(g)
	b.addPublished(g)
	more, absent := b.addSkippedColumns(g)
	g.Legend = append(g.Legend, skippedTexts("skipped", append(shown, more...))...)
	g.Notes = append(g.Notes, skippedTexts("Skipped, and without a place in this table", absent)...)
	return g
}

// metricsOnAxes returns the metrics that have rows or columns, or else one without a name.
func (l *layout) metricsOnAxes() []string {
	if l.onAxis("metric") {
		return l.metrics
	}
	return []string{""}
}

// decimalsGroup identifies numbers that are written with the same decimals.
type decimalsGroup struct {
	column int // 0 for all
	metric string
}

// scaleOf returns the group of a metric in a column. Columns of algorithms are compared with each other, so they share it; data
// sets can have units of their own.
func (b *builder) scaleOf(column int, metric string) decimalsGroup {
	if !slices.Contains(b.columnDims, "dataset") && !slices.Contains(b.columnDims, "metric") {
		column = 0
	}
	return decimalsGroup{column, metric}
}

// computeNumbers computes all numbers of the table, and the number of decimals for each.
func (b *builder) computeNumbers() {
	together := map[decimalsGroup][]results.Stat{}
	add := func(p *place, metric string, s results.Stat) {
		k := b.scaleOf(p.column, metric)
		together[k] = append(together[k], s)
	}
	for p := range b.byRow {
		for _, name := range p.shown {
			m := b.measureOverFolds(p, name)
			p.stats = append(p.stats, m)
			add(p, name, m.Stat)
		}
		for _, v := range b.publishedFor(p) {
			add(p, v.Metric, results.Summarise([]float64{v.Value}))
		}
	}
	b.decimals = make(map[decimalsGroup]digits.Decimals, len(together))
	for k, all := range together {
		b.decimals[k] = digits.For(all)
	}
}

// decimalsOf returns the decimals of a metric in a place.
func (b *builder) decimalsOf(p *place, metric string) digits.Decimals {
	return b.decimals[b.scaleOf(p.column, metric)]
}

// measureOverFolds measures a metric of a place over folds; for a single fold that is resampled, its errors are the bootstrap's.
func (b *builder) measureOverFolds(p *place, metric string) slots.Measure {
	m := slots.Measure{Stat: cells.Measure(b.in.Source, p.cells, metric), Median: math.NaN(), Micro: results.Summarise(nil)}
	if b.text.ShowsStatistic("median") {
		m.Median = cells.Median(p.cells, metric)
	}
	if p.isPooled(b.text, metric) {
		m.Micro = cells.Micro(p.cells, metric)
	}
	if b.Interval == Spread && !cells.OfCell(metric) {
		m.Stat, m.Micro = m.Stat.Spread(), m.Micro.Spread()
	}
	c := p.onlyCell()
	switch {
	case cells.OfCell(metric) && m.N == 0 && p.trouble == "" && c != nil:
		if _, err := cells.StabilityOf(b.in.Source, c, metric); err != nil {
			b.undefined.addRemark(err.Error(), b.describePlace(p))
		}
	case m.N == 1 && c != nil && c.Folds == 1 && !c.Averaged && p.trouble == "" && b.usesBootstrap() && paired.RowWise(b.in.Source.Metric(metric)):
		if l, err := b.judge.Losses(c, metric); err == nil {
			m.SE = l.SE()
			m.Low, m.High = l.Interval(0.95)
			m.Resampled = true
		}
	}
	return m
}

// hasErrors reports whether some number of a column has a standard error.
func (b *builder) hasErrors(column int) bool {
	for p := range b.byRow {
		if p.column == column && slices.ContainsFunc(p.stats, func(m slots.Measure) bool { return !math.IsNaN(m.SE) }) {
			return true
		}
	}
	return false
}

// compareWithBaseline tests every place against the baseline; the p-values of a metric on a data set are corrected together, if rows
// are tasks those of each column.
func (b *builder) compareWithBaseline() {
	var all []*judge.Comparison
	for p := range b.byColumn {
		if p.onlyCell() == nil || !b.isContested(p) {
			continue
		}
		c := b.compareCell(p.cells[0], p.primary)
		if c == nil {
			continue
		}
		b.compared, all = append(b.compared, p), append(all, c)
	}
	b.verdicts = b.judge.DecideFamilies(all, func(i int) judge.Family {
		f := judge.Family{Metric: b.compared[i].primary, Datasets: b.compared[i].datasetNames()}
		if b.eachColumn() {
			f.Datasets, f.Column = "", b.compared[i].column
		}
		return f
	})
	for i, p := range b.compared {
		p.against = &b.verdicts[i]
		if p.against.Cell.Averaged {
			r := b.judge.Record(p.against.Comparison)
			p.against.Tasks = &r
		}
	}
}

// compareCell compares a cell with the baseline; nil for the baseline itself and if there is none.
func (b *builder) compareCell(c *cells.Cell, metric string) *judge.Comparison {
	if b.Baseline == "" || b.Test == None || cells.OfCell(metric) {
		return nil
	}
	base := b.bases.baselineOf(c)
	if base == nil || base == c {
		return nil
	}
	return b.judge.Compare(c, base, metric)
}

// fillSlot writes one place.
func (b *builder) fillSlot(t slots.Template, p *place) table.Slot {
	out := table.Slot{Text: p.trouble, Keys: p.cellKeys()}
	switch {
	case out.Text != "":
	case p.measureOf(p.primary).N == 0:
		out.Text = digits.Missing
	default:
		out.Text = t.Write(func(metric string) (slots.Measure, digits.Decimals) {
			name := p.metricName(metric)
			return p.measureOf(name), b.decimalsOf(p, name)
		})
		out.Caveats, out.Best, out.Similar = p.caveats, p.best, p.similar
		if p.against != nil {
			out.Mark = markText(p.against.Better, p.against.Worse)
		}
	}
	return out
}

// appendNumbers appends the numbers behind a slot.
func (b *builder) appendNumbers(all []table.Number, p *place, s table.Slot) []table.Number {
	for i, name := range p.shown {
		n := table.Number{Row: b.rows[p.row], Column: b.columns[p.column], Metric: name, Stat: p.stats[i].Stat,
			Status: cmp.Or(p.trouble, "ok"), P: math.NaN(), Adjusted: math.NaN()}
		if p.trouble != "" {
			n.Stat = results.Summarise(nil)
		}
		n.Optimistic = n.Stat.N > 0 && p.caveats.Optimistic
		pooled := n
		if name == p.primary && p.against != nil && p.against.Err == nil {
			n.Mark, n.P, n.Adjusted = s.Mark, p.against.Result.P, p.against.P
		}
		all = append(all, n)
		if p.isPooled(b.text, name) && p.trouble == "" {
			pooled.Metric, pooled.Stat = name+"."+slots.Micro, p.stats[i].Micro
			all = append(all, pooled)
		}
	}
	return all
}

// markText returns the mark of a comparison: v if it is significantly better, * if it is worse.
func markText(better, worse bool) string {
	switch {
	case better:
		return "v"
	case worse:
		return "*"
	}
	return ""
}
