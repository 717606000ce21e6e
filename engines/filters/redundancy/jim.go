package redundancy

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/numeric/parallel"
)

// jim is jmi with the decrease of Gini's index in place of information: J = Σ G((X,S);Y), G(X;Y) = Σ p_xy²/p_x − Σ p_y² (praznik 13, Kursa
// 2021).
var jim = criterion{gini: true, score: ofPairs}

// JIMKind is the engine jim.
var JIMKind = engines.Define(engines.Kind{
	Name: "jim",
	Doc:  plainModel + " on the columns that lower Gini's index of the response most together with each of those selected before, on average",
	Cite: "Breiman et al. 1984; Kursa 2021",
	Rev:  1,
}, Informed{usual, cutWhereMany, plain, &jim})

// impurity is the measure of jim: by how much columns, alone and with one that is selected, lower Gini's index of the class.
type impurity struct {
	*tables
	classShares float64 // Σ p_y²
	gains       []float64
	pairs       []float64
}

// newImpurity reads what columns lower by themselves. O(entries).
func newImpurity(ctx context.Context, t *tables) (*impurity, error) {
	m := &impurity{tables: t, gains: make([]float64, len(t.columns)), pairs: make([]float64, len(t.columns))}
	_, classes := t.by(leveled{})
	for _, n := range classes.size {
		share := float64(n) / float64(len(t.y))
		m.classShares += float64(share * share)
	}
	return m, m.gainsOf(ctx, m.gains, classes, nil)
}

func (m *impurity) relevance() []float64 { return m.gains }

// with column s. O(entries + columns · levels · classes).
func (m *impurity) with(ctx context.Context, s int, open []bool) ([]float64, error) {
	_, parts := m.by(m.columns[s])
	return m.pairs, m.gainsOf(ctx, m.pairs, parts, open)
}

// gainsOf sets dst, for each open column (nil: every one), to the decrease by its levels and those of a column that is selected, of which
// the parts, with the class, are given.
func (m *impurity) gainsOf(ctx context.Context, dst []float64, parts *division, open []bool) error {
	parallel.Stretches(m.workers, 2*often, len(m.columns), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		levels := 0
		for _, c := range m.columns[first:last] {
			levels = max(levels, int(c.most)+1)
		}
		cells := make([]int32, levels*len(parts.size))
		for j := first; j < last; j++ {
			if open == nil || open[j] {
				dst[j] = m.gain(m.columns[j], parts, cells)
			}
		}
	})
	return context.Cause(ctx)
}

// gain counts the cells of a column, and returns Σ p_xy²/p_x − Σ p_y².
func (m *impurity) gain(x leveled, parts *division, cells []int32) float64 {
	cells = cells[:(int(x.most)+1)*len(parts.size)]
	if x.planes != nil {
		countCells(cells, x, parts)
	} else {
		clear(cells[copy(cells, parts.size):])
		for k, i := range x.rows {
			part := parts.part[i]
			cells[int(x.levelOf(k))*len(parts.size)+int(part)]++
			cells[part]--
		}
	}
	sum := 0.0
	for ; len(cells) > 0; cells = cells[m.classes:] {
		rows, squares := 0.0, 0.0
		for _, n := range cells[:m.classes] {
			rows += float64(n)
			squares += float64(float64(n) * float64(n))
		}
		if rows > 0 {
			sum += squares / rows
		}
	}
	return sum/float64(len(m.y)) - m.classShares
}
