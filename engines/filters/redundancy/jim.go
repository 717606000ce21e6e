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
	for k, n := range classes.size {
		w := float64(n)
		if classes.weight != nil {
			w = classes.weight[k]
		}
		share := w / t.n
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
		gain := m.counted(levels * len(parts.size))
		for j := first; j < last; j++ {
			if open == nil || open[j] {
				dst[j] = gain(m.columns[j], parts)
			}
		}
	})
	return context.Cause(ctx)
}

// counted returns a function that counts the rows of tables of at most so many cells, or their weight.
func (m *impurity) counted(cells int) func(x leveled, parts *division) float64 {
	if m.weight != nil {
		weights := make([]float64, cells)
		return func(x leveled, parts *division) float64 { return m.weighedGain(x, parts, weights) }
	}
	rows := make([]int32, cells)
	return func(x leveled, parts *division) float64 { return m.gain(x, parts, rows) }
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
	return squaresWithin(cells, m.classes)/m.n - m.classShares
}

// squaresWithin returns Σ n_xy²/n_x over a table of rows of so many classes each.
func squaresWithin[N int32 | float64](cells []N, classes int) (sum float64) {
	for ; len(cells) > 0; cells = cells[classes:] {
		rows, squares := 0.0, 0.0
		for _, n := range cells[:classes] {
			rows += float64(n)
			squares += float64(float64(n) * float64(n))
		}
		if rows > 0 {
			sum += squares / rows
		}
	}
	return sum
}
