package forest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/parallel"
)

// atLeastShadows is how many there are: of fewer columns each has several.
const atLeastShadows = 5

// besideShadows returns the columns and shadows of them: each has the values of a column, permuted among the rows. They stand in random
// order, since of equal splits that of the first column is taken, which has to be a shadow's as often. places has that of each of the
// columns, all other places are those of shadows. O(entries · log rows).
func (c *columns) besideShadows(ctx context.Context, kept []int32, rng *rand.Rand, workers int) (both *columns, places []int32, err error) {
	shadows := len(kept)
	for shadows < atLeastShadows {
		shadows *= 2
	}
	order, seed := rng.Perm(len(kept)+shadows), rng.Uint64()
	both, places = &columns{rows: c.rows, col: make([]column, len(order)), start: make([]int, c.rows+1)}, make([]int32, len(kept))
	for k, j := range kept {
		places[k] = int32(order[k])
		if both.col[order[k]] = c.col[j]; c.isAlways(j) {
			both.always = append(both.always, places[k])
		}
	}
	rows := make([]*drawn, max(1, workers))
	w := parallel.NewWatch(ctx)
	parallel.Numbered(workers, shadows, func(worker, k int) {
		if w.Ended() {
			return
		}
		if rows[worker] == nil {
			rows[worker] = newDrawn(data.Numbers(c.rows))
		}
		both.col[order[len(kept)+k]] = c.col[kept[k%len(kept)]].permuted(rows[worker], below(seed, uint64(k)))
	})
	if w.Ended() {
		return nil, nil, context.Cause(ctx)
	}
	both.layOutRows()
	return both, places, nil
}

// Comparison is what a forest on columns and their shadows says of these.
type Comparison struct {
	Importance []float64 // by column
	Shadow     float64   // the largest importance of a shadow
	Evaluated  int64     // columns looked at in nodes
}

// CompareShadows grows a forest on some columns, by their places in t.Columns, and on shadows of them: each has the values of a column,
// permuted among the rows. Of fewer columns than mtry a node looks at all.
func (e Forest) CompareShadows(ctx context.Context, t *Training, columns []int32, rng *rand.Rand, workers int) (Comparison, error) {
	both, places, err := t.x.besideShadows(ctx, columns, rng, workers)
	if err != nil {
		return Comparison{}, err
	}
	e.MTry = min(e.MTry, len(both.col))
	r, err := e.rule(len(both.col), t.y)
	if err != nil {
		return Comparison{}, err
	}
	f, err := e.growOn(ctx, both, t.y, r, rng.Uint64(), workers, false)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Importance: make([]float64, len(columns)), Evaluated: f.looked}
	for k, place := range places {
		c.Importance[k], f.importance[place] = f.importance[place], math.Inf(-1)
	}
	c.Shadow = slices.Max(f.importance)
	return c, nil
}

// permuted returns the column with its entries in rows that are drawn with a seed. O(entries · log entries).
func (c column) permuted(rows *drawn, seed uint64) column {
	out := column{value: c.value, zero: c.zero, gaps: c.gaps, byKey: make([]uint64, len(c.byKey))}
	if c.code != nil {
		out.code = make([]uint32, len(c.code))
	}
	rows.begin(seed)
	defer rows.end()
	for k, key := range c.byKey {
		row := uint32(rows.next())
		if out.byKey[k] = key>>32<<32 | uint64(row); c.code != nil {
			out.code[row] = uint32(key >> 32)
		}
	}
	slices.Sort(out.byKey)
	return out
}
