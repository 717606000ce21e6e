package redundancy

import (
	"context"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/ties"
)

// tables counts rows by the level of a column, the level of another one, and class. Only entries that are not of level 0 are gone through:
// counts of level 0 are differences.
type tables struct {
	f        []float64    // t·log t of whole numbers up to the rows; nil of weights
	weight   data.Weights // nil: each row counts once
	n, whole float64      // Σ weight = n, n·log n
	columns  []leveled
	y        []int32 // class of each row
	classes  int
	planes   []uint64 // of the classes; nil where all columns are lists, or there are too many
	workers  int

	listLevels, planeLevels int // the most levels above 0 of a column in lists, and levels of one in planes
}

func newTables(columns []leveled, y []int32, classes int, weight data.Weights, workers int) *tables {
	t := &tables{columns: columns, weight: weight, n: weight.Sum(len(y)), y: y, classes: classes, workers: workers}
	t.whole = entropyTerm(t.n)
	if weight == nil {
		t.f = make([]float64, len(y)+1)
		for n := 2; n <= len(y); n++ {
			t.f[n] = entropyTerm(float64(n))
		}
	}
	for _, c := range columns {
		if c.planes == nil {
			t.listLevels = max(t.listLevels, int(c.most))
		} else {
			t.planeLevels = max(t.planeLevels, int(c.most)+1)
		}
	}
	if classes <= mostPairs && t.planeLevels > 0 {
		words := wordsOf(len(y))
		t.planes = make([]uint64, classes*words)
		for i, class := range y {
			t.planes[int(class)*words+i>>6] |= 1 << (i & 63)
		}
	}
	return t
}

// division of the rows into parts.
type division struct {
	part   []int32   // part of each row
	size   []int32   // rows of each part
	weight []float64 // their weight; nil where each row counts once
	f      float64   // Σ f(size), or of weights
	planes []uint64  // of the parts above 0; nil where they are not to be counted by
}

func (t *tables) divide(labels []int32, parts int) *division {
	d := &division{part: labels, size: make([]int32, parts)}
	for _, part := range labels {
		d.size[part]++
	}
	if t.weight != nil {
		d.weight = t.partWeights(labels, parts)
		for _, w := range d.weight {
			d.f += entropyTerm(w)
		}
		return d
	}
	for _, n := range d.size {
		d.f += t.f[n]
	}
	return d
}

// by divides by the levels of a column S, and by these and the class.
func (t *tables) by(s leveled) (levels, parts *division) {
	level, further := make([]int32, len(t.y)), make([]int32, len(t.y))
	for k, i := range s.rows {
		level[i] = s.levelOf(k)
	}
	planes := s.planes
	for l := range len(planes) / max(1, wordsOf(len(level))) {
		eachBit(plane(planes, l, wordsOf(len(level))), func(i int) { level[i] = int32(l) + 1 })
	}
	for i, u := range level {
		further[i] = u*int32(t.classes) + t.y[i]
	}
	levels = t.divide(level, int(s.most)+1)
	parts = levels
	if t.classes > 1 {
		parts = t.divide(further, len(levels.size)*t.classes)
	}
	if t.planes != nil && len(parts.size) <= mostPairs {
		if planes == nil {
			planes = planesOf(s, len(level))
		}
		parts.planes = joinPlanes(planes, t.planes, len(level))
	}
	return levels, parts
}

// work is counts of rows, zeros between the uses but for table.
type work struct {
	parts []int32 // those of a level above 0, by part
	cells []int32 // by level above 0, and part
	table []int32 // by level and part, of planes
	weighing
}

// sums returns sum of the levels of a column that is selected, and of its parts. O(entries of the column).
func (t *tables) sums(x leveled, levels, parts *division, w *work) (byLevel, byPart float64) {
	if x.planes == nil {
		sum := t.sum
		if t.weight != nil {
			sum = t.weighedSum
		}
		byLevel = sum(x, levels, w)
		if byPart = byLevel; parts != levels {
			byPart = sum(x, parts, w)
		}
		return byLevel, byPart
	}
	cells := w.table[:(int(x.most)+1)*len(parts.size)]
	countCells(cells, x, parts)
	if t.classes == 1 {
		for _, n := range cells {
			byPart += t.f[n]
		}
		return byPart, byPart
	}
	for ; len(cells) > 0; cells = cells[t.classes:] {
		n := int32(0)
		for _, c := range cells[:t.classes] {
			byPart += t.f[c]
			n += c
		}
		byLevel += t.f[n]
	}
	return byLevel, byPart
}

// sum returns the sum of f over the cells that the levels of a column, 0 included, make of parts. O(entries of the column).
func (t *tables) sum(x leveled, d *division, w *work) float64 {
	f, sum := t.f, d.f
	if x.level != nil {
		sum = t.above(x, d, w)
	}
	for _, i := range x.rows {
		w.parts[d.part[i]]++
	}
	for _, i := range x.rows {
		part := d.part[i]
		n := w.parts[part]
		if n == 0 {
			continue
		}
		w.parts[part] = 0
		size := d.size[part]
		sum += f[size-n] - f[size]
		if x.level == nil {
			sum += f[n]
		}
	}
	return sum
}

// above returns Σ f of the parts, and of the cells of all levels above 0.
func (t *tables) above(x leveled, d *division, w *work) float64 {
	sum, parts := d.f, int32(len(d.size))
	for k, i := range x.rows {
		w.cells[(x.level[k]-1)*parts+d.part[i]]++
	}
	for k, i := range x.rows {
		cell := &w.cells[(x.level[k]-1)*parts+d.part[i]]
		sum += t.f[*cell]
		*cell = 0
	}
	return sum
}

// each open column (nil: every one) with its sums over levels and parts; stretches of columns at the same time. O(entries).
func (t *tables) each(ctx context.Context, levels, parts *division, open []bool, do func(j int, byLevel, byPart float64)) error {
	parallel.Stretches(t.workers, 2*often, len(t.columns), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		w := t.room(len(parts.size))
		for j := first; j < last; j++ {
			if open != nil && !open[j] {
				continue
			}
			byLevel, byPart := t.sums(t.columns[j], levels, parts, w)
			do(j, byLevel, byPart)
		}
	})
	return context.Cause(ctx)
}

// entropy, in nats, of what divides the rows into cells of which sum is Σ f.
func (t *tables) entropy(sum float64) float64 {
	return (t.whole - sum) / t.n
}

// information is mutual information: of columns with the class, and what a criterion makes of two columns and the class.
type information struct {
	*tables
	pair      func(t entropies) float64
	tells     []float64 // I(X;Y)
	entropies []float64 // H(X)
	y         float64   // H(Y)
	pairs     []float64
}

// newInformation reads what columns tell of the class. O(entries).
func newInformation(ctx context.Context, t *tables, pair func(t entropies) float64) (*information, error) {
	m := &information{tables: t, pair: pair, tells: make([]float64, len(t.columns)), entropies: make([]float64, len(t.columns)), pairs: make([]float64, len(t.columns))}
	all, classes := t.by(leveled{})
	m.y = t.entropy(classes.f)
	return m, t.each(ctx, all, classes, nil, func(j int, byLevel, byPart float64) {
		m.entropies[j] = t.entropy(byLevel)
		m.tells[j] = max(0, m.entropies[j]+m.y-t.entropy(byPart))
	})
}

func (m *information) relevance() []float64 { return m.tells }

// with column s. O(entries).
func (m *information) with(ctx context.Context, s int, open []bool) ([]float64, error) {
	d := m.selected(s)
	return m.pairs, m.each(ctx, d.levels, d.parts, open, func(j int, byLevel, byPart float64) {
		m.pairs[j] = m.pairOf(d, j, byLevel, byPart)
	})
}

// selectedColumn is a column S that is selected: how its levels, and these and the class, divide the rows, and the entropies of S, of Y, and
// of both.
type selectedColumn struct {
	levels, parts *division
	entropies     entropies
}

func (m *information) selected(s int) selectedColumn {
	levels, parts := m.by(m.columns[s])
	return selectedColumn{levels, parts, entropies{s: m.entropies[s], y: m.y, sy: m.entropy(parts.f)}}
}

// pairOf returns what the criterion makes of column j and one that is selected, by the sums over the cells that both make.
func (m *information) pairOf(s selectedColumn, j int, byLevel, byPart float64) float64 {
	t := s.entropies
	t.x, t.xs, t.xsy = m.entropies[j], m.entropy(byLevel), m.entropy(byPart)
	return m.pair(t)
}

// lazyMinima holds, by column, the minimum of its pairs with the first columns that are selected, and with how many of them; those of the
// others are computed where the minimum may still be the largest (Fleuret 2004, section 3.3).
type lazyMinima struct {
	*information
	columns []selectedColumn
	minimum []float64
	done    []int
}

// newLazyMinima starts from upper bounds of the minima.
func newLazyMinima(m *information, bound []float64) *lazyMinima {
	return &lazyMinima{information: m, minimum: bound, done: make([]int, len(bound))}
}

// add selects column s, and then computes all minima that may be the largest of the open columns, or equal to it but for rounding: all
// others are upper bounds below these. O(entries · columns selected) at worst.
func (l *lazyMinima) add(ctx context.Context, s int, open []bool) error {
	l.columns = append(l.columns, l.selected(s))
	top := -1
	for j, v := range l.minimum {
		if open[j] && (top < 0 || v > l.minimum[top]) {
			top = j
		}
	}
	if top < 0 {
		return context.Cause(ctx)
	}
	l.update(top, math.Inf(-1), l.room())
	best := l.minimum[top]
	parallel.Stretches(l.workers, 2*often, len(l.minimum), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		w, best := l.room(), best
		enough := ties.Threshold(best)
		for j := first; j < last; j++ {
			if open[j] && l.minimum[j] >= enough && l.update(j, enough, w) && l.minimum[j] > best {
				best = l.minimum[j]
				enough = ties.Threshold(best)
			}
		}
	})
	return context.Cause(ctx)
}

// update goes on with the minimum of column j while it is at least enough, and reports whether it has seen all columns that are selected.
func (l *lazyMinima) update(j int, enough float64, w *work) bool {
	for ; l.done[j] < len(l.columns); l.done[j]++ {
		if l.minimum[j] < enough {
			return false
		}
		s := l.columns[l.done[j]]
		byLevel, byPart := l.sums(l.tables.columns[j], s.levels, s.parts, w)
		l.minimum[j] = min(l.minimum[j], l.pairOf(s, j, byLevel, byPart))
	}
	return true
}

// room returns what sums with any column that is selected need.
func (l *lazyMinima) room() *work {
	parts := 0
	for _, s := range l.columns {
		parts = max(parts, len(s.parts.size))
	}
	return l.tables.room(parts)
}

// room returns what sums over a column need, with at most so many parts.
func (t *tables) room(parts int) *work {
	w := &work{parts: make([]int32, parts)}
	if t.weight != nil {
		w.weighing = weighing{make([]float64, t.listLevels*parts), make([]float64, parts)}
		return w
	}
	w.cells, w.table = make([]int32, t.listLevels*parts), make([]int32, t.planeLevels*parts)
	return w
}
