package relief

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// table holds the rows on a scale on which the difference of two rows in a column is |a − b|, from 0 to 1. Items are what is scored:
// columns, or units that are selected together. An item is a part, a column of the table; or several, the levels of a variable with a
// ½ each, so that two rows of other levels differ by 1; or a gap, if values are missing.
type table struct {
	rows    int
	parts   int
	members [][]int32 // columns, by item; nil: each column
	item    []int32   // of each part
	items   int
	full    []float64      // rows × parts, where most values are stored
	x       *sparse.Matrix // where few are
	size    []float64      // of x: Σ of a row's magnitudes
	gaps    []*gap
}

// isDense reports whether so many of all cells are stored that rows are laid out in full.
func isDense(entries, cells int64) bool { return 4*entries >= cells }

// readTable scales the columns of a view. O(cells), or O(entries · log entries of a row) where few are stored.
func readTable(ctx context.Context, v *data.View, y *response) (*table, error) {
	x := v.Matrix()
	rows, columns := x.Dims()
	t := &table{rows: rows, items: columns}
	if v.Together() {
		var err error
		if t.members, err = v.WholeUnits(); err != nil {
			return nil, err
		}
		t.items = len(t.members)
	}
	var b builder
	for k := range t.items {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		members := []int32{int32(k)}
		if t.members != nil {
			members = t.members[k]
		}
		g, err := b.addItem(x, members, y)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", v.Features().Name(int(members[0])), err)
		}
		if g != nil {
			g.item = int32(k)
			t.gaps = append(t.gaps, g)
		}
		for len(t.item) < len(b.columns) {
			t.item = append(t.item, int32(k))
		}
	}
	t.parts = len(b.columns)
	t.layOut(b.columns)
	return t, nil
}

// layOut stores the scaled columns by row.
func (t *table) layOut(columns []sparse.Vec) {
	entries := 0
	for _, col := range columns {
		entries += col.Len()
	}
	if isDense(int64(entries), int64(t.rows)*int64(t.parts)) {
		t.full = make([]float64, t.rows*t.parts)
		for j, col := range columns {
			for k, i := range col.Idx {
				t.full[int(i)*t.parts+j] = col.Val[k]
			}
		}
		return
	}
	t.x = sparse.New(0, make([]int, t.rows+1), nil, nil).Beside(columns)
	t.size = make([]float64, t.rows)
	for i := range t.size {
		for _, v := range t.x.Row(i).Val {
			t.size[i] += math.Abs(v)
		}
	}
}

// builder collects scaled columns.
type builder struct{ columns []sparse.Vec }

// addItem adds the parts of a column, or of a variable whose levels are several columns; if values are missing, it returns their gap
// instead.
func (b *builder) addItem(x *sparse.Matrix, members []int32, y *response) (*gap, error) {
	missing := missingRows(x, members)
	if len(members) > 1 {
		return b.addLevels(x, members, missing, y)
	}
	rows, _ := x.Dims()
	col := x.Col(int(members[0]))
	least, most := 0.0, 0.0
	if col.Len() == rows {
		least, most = math.Inf(1), math.Inf(-1)
	}
	for k := range col.Len() {
		if v := col.At(k); v == v {
			least, most = min(least, v), max(most, v)
		}
	}
	width := most - least
	switch {
	case !(width > 0): // constant, or no value is known
		b.columns = append(b.columns, sparse.Vec{})
		return nil, nil
	case !elementary.IsFinite(width):
		return nil, fmt.Errorf("values from %v to %v, expected finite numbers whose difference is finite", least, most)
	}
	shift := 0.0
	if col.Len() == rows {
		shift = least // far from 0, digits are lost
	}
	scaled := sparse.Vec{Idx: col.Idx, Val: make([]float64, col.Len())}
	for k := range scaled.Val {
		scaled.Val[k] = (col.At(k) - shift) / width
	}
	if missing != nil {
		return newGap(scaled.Spread(make([]float64, rows)), y), nil
	}
	b.columns = append(b.columns, scaled)
	return nil, nil
}

// addLevels adds a variable whose levels are columns.
func (b *builder) addLevels(x *sparse.Matrix, members, missing []int32, y *response) (*gap, error) {
	rows, _ := x.Dims()
	known := data.Numbers(rows)
	if missing != nil {
		known = slices.DeleteFunc(known, func(i int32) bool { _, is := slices.BinarySearch(missing, i); return is })
		x = x.Pick(known)
	}
	level, levels, err := ranking.Levels(x, members)
	if err != nil {
		return nil, fmt.Errorf("features.unit: together: %w", err)
	}
	if missing != nil && levels > 1 {
		return newLevelGap(rows, known, level, levels, y), nil
	}
	first := len(b.columns)
	b.columns = append(b.columns, make([]sparse.Vec, levels)...)
	if levels == 1 {
		return nil, nil
	}
	for i, l := range level {
		part := &b.columns[first+int(l)]
		part.Idx, part.Val = append(part.Idx, int32(i)), append(part.Val, 0.5)
	}
	return nil, nil
}

// blockParts is the number of parts of which distances are summed before the next rows: those of a block of centres stay in the cache.
const blockParts = 256

// measure sets the distances of all rows from some centres: dst has a vector a centre. O(centres · rows · parts); of sparse rows
// O(centres · entries of the columns that a centre has).
func (t *table) measure(dst [][]float64, centres []int32) {
	if t.x != nil {
		for c, i := range centres {
			t.measureSparse(dst[c], int(i))
		}
	} else {
		t.measureFull(dst, centres)
	}
	for _, g := range t.gaps {
		for c, i := range centres {
			for r := range dst[c] {
				dst[c][r] += g.difference(i, int32(r))
			}
		}
	}
}

func (t *table) measureFull(dst [][]float64, centres []int32) {
	for c := range centres {
		clear(dst[c])
	}
	for from := 0; from < t.parts; from += blockParts {
		part := func(i int) []float64 { return t.full[i*t.parts+from : i*t.parts+min(from+blockParts, t.parts)] }
		for r := range t.rows {
			row := part(r)
			for c := 0; c < len(centres); c += 4 {
				var four [4][]float64
				for k := range four {
					four[k] = part(int(centres[min(c+k, len(centres)-1)]))
				}
				var d [4]float64
				d[0], d[1], d[2], d[3] = dense.Distances(four[0], four[1], four[2], four[3], row)
				for k, v := range d[:min(4, len(centres)-c)] {
					dst[c+k][r] += v
				}
			}
		}
	}
}

// measureSparse sets the distances of all rows from row i: Σ|a| + Σ|b|, corrected where both are stored.
func (t *table) measureSparse(dst []float64, i int) {
	for r, size := range t.size {
		dst[r] = t.size[i] + size
	}
	row := t.x.Row(i)
	for k, j := range row.Idx {
		a, col := row.Val[k], t.x.Col(int(j))
		for l, r := range col.Idx {
			b := col.Val[l]
			dst[r] += math.Abs(a-b) - (math.Abs(a) + math.Abs(b))
		}
	}
	for r := range dst {
		dst[r] = max(0, dst[r]) // where rounding leaves less
	}
}

// addDifferences adds the weighted differences of row i and its neighbours to dst, by part and gap; room holds a zero for each part.
// O(neighbours · parts), or O(entries of all these rows).
func (t *table) addDifferences(dst []float64, i int32, neighbours []neighbour, room []float64) {
	if t.x == nil {
		a := t.full[int(i)*t.parts:][:t.parts]
		for _, n := range neighbours {
			dense.AddDistances(dst[:t.parts], a, t.full[int(n.row)*t.parts:][:t.parts], n.weight)
		}
	} else {
		t.addSparse(dst, t.x.Row(int(i)), neighbours, room)
	}
	for g, gap := range t.gaps {
		for _, n := range neighbours {
			dst[t.parts+g] += float64(n.weight * gap.difference(i, n.row))
		}
	}
}

// addSparse adds Σ w·|a_j − b_j| as |a_j|·Σ w, and w·(|a_j − b_j| − |a_j|) where the neighbour b is stored.
func (t *table) addSparse(dst []float64, centre sparse.Vec, neighbours []neighbour, room []float64) {
	for k, j := range centre.Idx {
		room[j] = centre.At(k)
	}
	weight := 0.0
	for _, n := range neighbours {
		weight += n.weight
		row := t.x.Row(int(n.row))
		for l, j := range row.Idx {
			a := room[j]
			dst[j] += float64(n.weight * (math.Abs(a-row.Val[l]) - math.Abs(a)))
		}
	}
	for _, j := range centre.Idx {
		dst[j] += float64(weight * math.Abs(room[j]))
		room[j] = 0
	}
}

// terms returns the length of sums by part and gap.
func (t *table) terms() int { return t.parts + len(t.gaps) }

// scoresOf returns sums by part and gap as sums by item.
func (t *table) scoresOf(terms []float64) []float64 {
	score := make([]float64, t.items)
	for j, v := range terms[:t.parts] {
		score[t.item[j]] += v
	}
	for g, v := range terms[t.parts:] {
		score[t.gaps[g].item] += v
	}
	return score
}
