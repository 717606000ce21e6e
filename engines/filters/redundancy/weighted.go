package redundancy

import (
	"cmp"
	"slices"
	"sort"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Rows with weights are counted by their weight: shares are those of sums of weights, so that whole weights are rows repeated. Columns are
// lists then, as planes count rows. Sums of weights of level 0 are differences, and exactly 0 where no row has the level.

// weighing is sums of weights, zeros between the uses.
type weighing struct {
	cells []float64 // by level above 0, and part
	above []float64 // Σ over the levels above 0, by part
}

// entropyTerm returns w·log w, 0 for 0.
func entropyTerm(w float64) float64 {
	if w <= 0 {
		return 0
	}
	return float64(w * elementary.Log(w))
}

// partWeights returns the weight of the rows of each part.
func (t *tables) partWeights(labels []int32, parts int) []float64 {
	sums := make([]float64, parts)
	for i, part := range labels {
		sums[part] += t.weight[i]
	}
	return sums
}

// weighedSum returns Σ w·log w over the cells that the levels of a column, 0 included, make of parts, w being their weights. O(entries of
// the column).
func (t *tables) weighedSum(x leveled, d *division, w *work) float64 {
	parts := int32(len(d.size))
	for k, i := range x.rows {
		part, m := d.part[i], t.weight[i]
		w.parts[part]++
		w.above[part] += m
		w.weighing.cells[(x.levelOf(k)-1)*parts+part] += m
	}
	sum := d.f
	for k, i := range x.rows {
		part := d.part[i]
		cell := &w.weighing.cells[(x.levelOf(k)-1)*parts+part]
		sum += entropyTerm(*cell)
		*cell = 0
		if w.parts[part] == 0 {
			continue
		}
		sum -= entropyTerm(d.weight[part])
		if w.parts[part] < d.size[part] {
			sum += entropyTerm(d.weight[part] - w.above[part])
		}
		w.parts[part], w.above[part] = 0, 0
	}
	return sum
}

// weighedGain returns what impurity.gain does, counting weights in place of rows. cells has room for a table of levels × parts.
func (m *impurity) weighedGain(x leveled, parts *division, cells []float64) float64 {
	cells = cells[:(int(x.most)+1)*len(parts.size)]
	clear(cells[copy(cells, parts.weight):])
	for k, i := range x.rows {
		part := parts.part[i]
		cells[int(x.levelOf(k))*len(parts.size)+int(part)] += m.weight[i]
		cells[part] -= m.weight[i]
	}
	return squaresWithin(cells, m.classes)/m.n - m.classShares
}

// distribution is the values of a column, rising, and how many rows have them.
type distribution struct {
	sparse.Ordered
	rows   float64   // Σ weight
	value  []float64 // distinct values, rising, and the weight of the rows up to each; nil where each row counts once
	weight []float64
}

// newDistribution orders a column. O(stored · log stored).
func newDistribution(col sparse.Vec, rows int, weight data.Weights, total float64) distribution {
	d := distribution{Ordered: col.Ordered(rows), rows: total}
	if weight == nil {
		return d
	}
	type heavy struct{ value, weight float64 }
	all, zeros := make([]heavy, 0, col.Len()+1), total
	for k, i := range col.Idx {
		all = append(all, heavy{col.At(k), weight[i]})
		zeros -= weight[i]
	}
	if col.Len() < rows {
		all = append(all, heavy{0, zeros})
	}
	slices.SortStableFunc(all, func(a, b heavy) int { return cmp.Compare(a.value, b.value) })
	sum := 0.0
	for _, h := range all {
		sum += h.weight
		if n := len(d.value); n > 0 && d.value[n-1] == h.value {
			d.weight[n-1] = sum
			continue
		}
		d.value, d.weight = append(d.value, h.value), append(d.weight, sum)
	}
	return d
}

// count returns the number of rows, rounded.
func (d distribution) count() int { return int(d.rows + 0.5) }

// quantile returns the smallest value up to which at least a share of i/k of the rows lies.
func (d distribution) quantile(i, k int) float64 {
	if d.value == nil {
		n := d.Len()
		return d.At((i*n+k-1)/k - 1)
	}
	const rounding = 1e-12
	least := float64(i) / float64(k) * d.weight[len(d.weight)-1] * (1 - rounding)
	return d.value[sort.SearchFloat64s(d.weight, least)]
}
