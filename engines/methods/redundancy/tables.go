package redundancy

import (
	"context"
	"slices"

	"tenfold/engines/core/elementary"
	"tenfold/engines/core/parallel"
)

// tables counts rows by the level of a column, the level of another one, and class. Only what is not level 0 is stored and counted:
// counts of level 0 are differences. A slot is a level above 0 of a column, in a class that has rows of it.
type tables struct {
	f       []float64 // t·log t of whole numbers up to the rows
	columns []leveled
	y       []int32 // class of each row
	size    []int32 // rows of each class
	total   among   // all rows
	first   []int   // slots of column j are those from first[j] up to first[j+1], by class and level
	class   []int32 // of a slot
	level   []int32
	count   []int32 // rows
	row     []int   // entries of row i are those from row[i] up to row[i+1]
	slot    []int32 // of an entry
	workers int
}

// among is some of the rows.
type among struct {
	size []int32 // of each class
	rows int32
	f    float64 // Σ f(size)
}

func newTables(ctx context.Context, columns []leveled, y []int32, classes, workers int) (*tables, error) {
	t := &tables{columns: columns, y: y, f: make([]float64, len(y)+1), size: make([]int32, classes), workers: workers}
	for n := 2; n <= len(y); n++ {
		t.f[n] = float64(n) * elementary.Log(float64(n))
	}
	for _, c := range y {
		t.size[c]++
	}
	t.total = t.among(t.size)
	t.row = make([]int, len(y)+2) // one further on, until the entries are there
	for _, col := range columns {
		for _, i := range col.rows {
			t.row[i+2]++
		}
	}
	for i := range len(y) {
		t.row[i+2] += t.row[i+1]
	}
	t.slot = make([]int32, t.row[len(y)+1])
	t.first = make([]int, 1, len(columns)+1)
	for j := range columns {
		if j%often == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		t.add(j, y)
	}
	return t, nil
}

// among rows of which so many are in each class.
func (t *tables) among(size []int32) (a among) {
	a.size = size
	for _, n := range size {
		a.rows += n
		a.f += t.f[n]
	}
	return a
}

// add the slots of the next column.
func (t *tables) add(j int, y []int32) {
	col, found := t.columns[j], []int32(nil)
	levels := col.most + 1
	at := make([]int32, int(levels)*len(t.size)) // rows, then the number of the slot
	for k, i := range col.rows {
		key := y[i]*levels + col.at(k)
		if at[key] == 0 {
			found = append(found, key)
		}
		at[key]++
	}
	slices.Sort(found)
	for _, key := range found {
		t.class, t.level, t.count = append(t.class, key/levels), append(t.level, key%levels), append(t.count, at[key])
		at[key] = int32(len(t.count) - 1)
	}
	for k, i := range col.rows {
		t.slot[t.row[i+1]] = at[y[i]*levels+col.at(k)]
		t.row[i+1]++
	}
	t.first = append(t.first, len(t.count))
}

// sums of f over the counts of a column's levels, by class and altogether, among some rows of which count has those of the slots.
// work is zeros, as many as there are levels, and stays so.
func (t *tables) sums(j int, count []int32, of among, work []int32) (byClass, altogether float64) {
	f, k, last := t.f, t.first[j], t.first[j+1]
	byClass = of.f
	for k < last {
		c := t.class[k]
		rest := of.size[c]
		byClass -= f[rest]
		for ; k < last && t.class[k] == c; k++ {
			n := count[k]
			work[t.level[k]] += n
			rest -= n
			byClass += f[n]
		}
		byClass += f[rest]
	}
	rest := of.rows
	for level, n := range work[:t.columns[j].most+1] {
		altogether += f[n]
		rest -= n
		work[level] = 0
	}
	return byClass, altogether + f[rest]
}

// entropy, in nats, of what divides the rows into parts of which sum is Σ f.
func (t *tables) entropy(sum float64) float64 {
	n := len(t.f) - 1
	return (t.f[n] - sum) / float64(n)
}

// information is mutual information, with what two columns and the class say together by a criterion.
type information struct {
	tables
	pair        func(t together) float64
	tells       []float64 // I(X;Y)
	entropies   []float64 // H(X)
	count, rest []int32   // of the slots, among rows of one level of a column, and among those of its level 0
	byClass     []float64 // Σ f over levels of two columns and classes
	altogether  []float64 // over levels of two columns
	pairs       []float64
}

// newInformation reads what columns tell of the class. O(nnz + columns).
func newInformation(t *tables, pair func(t together) float64) *information {
	columns := len(t.columns)
	m := &information{tables: *t, pair: pair, tells: make([]float64, columns), entropies: make([]float64, columns)}
	y := t.entropy(t.total.f)
	m.each(func(j int, work []int32) {
		byClass, altogether := t.sums(j, t.count, t.total, work)
		m.entropies[j] = t.entropy(altogether)
		m.tells[j] = max(0, m.entropies[j]+y-t.entropy(byClass))
	})
	return m
}

// each column, stretches of them at the same time.
func (t *tables) each(do func(j int, work []int32)) {
	parallel.Stretches(t.workers, 4*often, len(t.columns), func(first, last int) {
		most := int32(0)
		for _, c := range t.columns[first:last] {
			most = max(most, c.most)
		}
		work := make([]int32, most+1)
		for j := first; j < last; j++ {
			do(j, work)
		}
	})
}

func (m *information) relevance() []float64 { return m.tells }

// with column s: its rows are gone through by level, and what the others have in these is counted. O(entries of the rows of s +
// levels of s · slots).
func (m *information) with(ctx context.Context, s int, open []bool) ([]float64, error) {
	if m.count == nil {
		m.count, m.rest = make([]int32, len(m.tables.count)), make([]int32, len(m.tables.count))
		m.byClass, m.altogether, m.pairs = make([]float64, len(open)), make([]float64, len(open)), make([]float64, len(open))
	}
	copy(m.rest, m.tables.count)
	clear(m.byClass)
	clear(m.altogether)
	left, ofS := slices.Clone(m.size), 0.0 // Σ f over levels of s and classes
	level := func(count []int32, of among) {
		ofS += of.f
		m.each(func(j int, work []int32) {
			if !open[j] {
				return
			}
			byClass, altogether := m.sums(j, count, of, work)
			m.byClass[j] += byClass
			m.altogether[j] += altogether
		})
	}
	for v := int32(1); v <= m.columns[s].most; v++ {
		size, err := m.rowsOf(ctx, s, v)
		if err != nil {
			return nil, err
		}
		level(m.count, m.among(size))
		for k, n := range m.count {
			m.rest[k] -= n
			m.count[k] = 0
		}
		for c, n := range size {
			left[c] -= n
		}
	}
	level(m.rest, m.among(left))
	t := together{s: m.entropies[s], y: m.entropy(m.total.f), sy: m.entropy(ofS)}
	for j := range m.pairs {
		if open[j] {
			t.x, t.xs, t.xsy = m.entropies[j], m.entropy(m.altogether[j]), m.entropy(m.byClass[j])
			m.pairs[j] = m.pair(t)
		}
	}
	return m.pairs, nil
}

// rowsOf counts, in m.count, the slots of the rows that have a level of a column, and these rows by class.
func (m *information) rowsOf(ctx context.Context, s int, level int32) (size []int32, err error) {
	size = make([]int32, len(m.size))
	col := m.columns[s]
	for k, i := range col.rows {
		if k%often == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if col.at(k) != level {
			continue
		}
		size[m.y[i]]++
		for _, slot := range m.slot[m.row[i]:m.row[i+1]] {
			m.count[slot]++
		}
	}
	return size, nil
}
