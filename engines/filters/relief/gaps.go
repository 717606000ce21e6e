package relief

import (
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// gap is an item of which some rows have no value. A missing value differs from another one as much as is to be expected under the law
// of the item's known values among the rows of its class, or among all rows, if the target is a number or the class has no known value
// (Kononenko 1994, ReliefF, there for levels alone and with Laplace's correction).
type gap struct {
	item  int32
	value []float64 // of each row: a scaled number, or a level; NaN: missing
	level bool      // values are levels, which differ by 1
	law   []int32   // of each row: its class
	// expected[c][r] is the expected difference of a value by the law of class c from the value of row r.
	expected [][]float64
	both     [][]float64 // the expected difference of two missing values, by their classes
}

// missingRows returns the rows without a value in some columns, rising; nil if there are none.
func missingRows(x *sparse.Matrix, columns []int32) (missing []int32) {
	for _, j := range columns {
		col := x.Col(int(j))
		for k, v := range col.Val {
			if v != v {
				missing = append(missing, col.Idx[k])
			}
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// newGap returns the gap of scaled numbers, NaN where missing. O(classes · rows · log rows).
func newGap(value []float64, y *response) *gap {
	g := &gap{value: value, law: y.class}
	g.expect(y, func(known []float64) func(v float64) float64 {
		slices.Sort(known)
		below := make([]float64, len(known)+1) // Σ of the first
		for k, v := range known {
			below[k+1] = below[k] + v
		}
		n := float64(len(known))
		return func(v float64) float64 {
			k, _ := slices.BinarySearch(known, v)
			return (float64(v*float64(2*k-len(known))) + (below[len(known)] - float64(2*below[k]))) / n
		}
	})
	return g
}

// newLevelGap returns the gap of a variable: the levels of the rows that are known.
func newLevelGap(rows int, known, level []int32, levels int, y *response) *gap {
	g := &gap{value: slices.Repeat([]float64{math.NaN()}, rows), level: true, law: y.class}
	for k, i := range known {
		g.value[i] = float64(level[k])
	}
	g.expect(y, func(known []float64) func(v float64) float64 {
		share := make([]float64, levels)
		for _, v := range known {
			share[int(v)] += 1 / float64(len(known))
		}
		return func(v float64) float64 { return 1 - share[int(v)] }
	})
	return g
}

// expect fills the tables of expected differences; law makes one of the known values of a class.
func (g *gap) expect(y *response, law func(known []float64) func(v float64) float64) {
	all := data.Numbers(len(g.value))
	values := make([][]float64, len(y.byClass))
	for c, rows := range y.byClass {
		if values[c] = g.knownOf(rows); len(values[c]) == 0 {
			values[c] = g.knownOf(all)
		}
	}
	for _, known := range values {
		difference, expected := law(slices.Clone(known)), make([]float64, len(g.value))
		for r, v := range g.value {
			if v == v {
				expected[r] = difference(v)
			}
		}
		both := make([]float64, len(values))
		for c, others := range values {
			for _, v := range others {
				both[c] += difference(v)
			}
			both[c] /= float64(len(others))
		}
		g.expected, g.both = append(g.expected, expected), append(g.both, both)
	}
}

// knownOf returns the known values of some rows.
func (g *gap) knownOf(rows []int32) (known []float64) {
	for _, i := range rows {
		if v := g.value[i]; v == v {
			known = append(known, v)
		}
	}
	return known
}

// difference returns how much rows i and r differ, from 0 to 1, or are expected to.
func (g *gap) difference(i, r int32) float64 {
	a, b := g.value[i], g.value[r]
	switch {
	case a == a && b == b && g.level:
		if a != b {
			return 1
		}
		return 0
	case a == a && b == b:
		return math.Abs(a - b)
	case a == a:
		return g.expected[g.law[r]][i]
	case b == b:
		return g.expected[g.law[i]][r]
	}
	return g.both[g.law[i]][g.law[r]]
}
