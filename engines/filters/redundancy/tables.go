package redundancy

import (
	"context"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
)

// tables counts rows by the level of a column, the level of another one, and class. Only entries that are not of level 0 are gone through:
// counts of level 0 are differences.
type tables struct {
	f       []float64 // t·log t of whole numbers up to the rows
	columns []leveled
	y       []int32 // class of each row
	classes int
	workers int
}

func newTables(columns []leveled, y []int32, classes, workers int) *tables {
	t := &tables{columns: columns, f: make([]float64, len(y)+1), y: y, classes: classes, workers: workers}
	for n := 2; n <= len(y); n++ {
		t.f[n] = float64(n) * elementary.Log(float64(n))
	}
	return t
}

// division of the rows into parts.
type division struct {
	of   []int32 // part of each row
	size []int32 // rows of each part
	f    float64 // Σ f(size)
}

func (t *tables) divide(of []int32, parts int) *division {
	d := &division{of: of, size: make([]int32, parts)}
	for _, part := range of {
		d.size[part]++
	}
	for _, n := range d.size {
		d.f += t.f[n]
	}
	return d
}

// by the levels of a column S, and by these and the class.
func (t *tables) by(s leveled) (levels, parts *division) {
	of, further := make([]int32, len(t.y)), make([]int32, len(t.y))
	for k, i := range s.rows {
		of[i] = s.at(k)
	}
	for i, u := range of {
		further[i] = u*int32(t.classes) + t.y[i]
	}
	levels = t.divide(of, int(s.most)+1)
	if t.classes == 1 {
		return levels, levels
	}
	return levels, t.divide(further, len(levels.size)*t.classes)
}

// work is counts of rows, zeros between the uses.
type work struct {
	parts []int32 // those of a level above 0, by part
	cells []int32 // by level above 0, and part
}

// sum of f over the cells that the levels of a column, 0 included, make of parts. O(entries of the column).
func (t *tables) sum(x leveled, d *division, w *work) float64 {
	f, sum := t.f, d.f
	if x.level != nil {
		sum = t.above(x, d, w)
	}
	for _, i := range x.rows {
		w.parts[d.of[i]]++
	}
	for _, i := range x.rows {
		part := d.of[i]
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

// above is Σ f of the parts, and of the cells of all levels above 0.
func (t *tables) above(x leveled, d *division, w *work) float64 {
	sum, parts := d.f, int32(len(d.size))
	for k, i := range x.rows {
		w.cells[(x.level[k]-1)*parts+d.of[i]]++
	}
	for k, i := range x.rows {
		cell := &w.cells[(x.level[k]-1)*parts+d.of[i]]
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
		most := 0
		for _, c := range t.columns[first:last] {
			most = max(most, int(c.most))
		}
		w := &work{parts: make([]int32, len(parts.size)), cells: make([]int32, most*len(parts.size))}
		for j := first; j < last; j++ {
			if open != nil && !open[j] {
				continue
			}
			byLevel := t.sum(t.columns[j], levels, w)
			byPart := byLevel
			if parts != levels {
				byPart = t.sum(t.columns[j], parts, w)
			}
			do(j, byLevel, byPart)
		}
	})
	return context.Cause(ctx)
}

// entropy, in nats, of what divides the rows into cells of which sum is Σ f.
func (t *tables) entropy(sum float64) float64 {
	n := len(t.f) - 1
	return (t.f[n] - sum) / float64(n)
}

// information is mutual information: of columns with the class, and what a criterion makes of two columns and the class.
type information struct {
	*tables
	pair      func(t together) float64
	tells     []float64 // I(X;Y)
	entropies []float64 // H(X)
	y         float64   // H(Y)
	pairs     []float64
}

// newInformation reads what columns tell of the class. O(entries).
func newInformation(ctx context.Context, t *tables, pair func(t together) float64) (*information, error) {
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
	levels, parts := m.by(m.columns[s])
	selected := together{s: m.entropies[s], y: m.y, sy: m.entropy(parts.f)}
	return m.pairs, m.each(ctx, levels, parts, open, func(j int, byLevel, byPart float64) {
		t := selected
		t.x, t.xs, t.xsy = m.entropies[j], m.entropy(byLevel), m.entropy(byPart)
		m.pairs[j] = m.pair(t)
	})
}
