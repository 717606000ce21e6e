package trees

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// A row with the threshold goes left, and each leaf has its numbers.
func TestLeafOf(t *testing.T) {
	tree := Tree{Nodes: []Node{{Threshold: 1, Next: 1}, {Column: Leaf}, {Column: Leaf, Next: 1}}, Value: []float64{10, 11, 20, 21}}
	for value, want := range map[float64][]float64{0: {10, 11}, 1: {10, 11}, 1.5: {20, 21}} {
		if got := tree.ValueOf(tree.LeafOf([]float64{value}), 2); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", value, got, want)
		}
	}
	for _, side := range []Side{{}, {Right: true}, {Right: true, Learned: true}} {
		tree.Nodes[0].Missing = side
		if leaf := tree.LeafOf([]float64{math.NaN()}); (leaf.Next == 1) != side.Right {
			t.Errorf("a row without the value is in leaf %d, and the side is %+v", leaf.Next, side)
		}
	}
}

// A threshold is at or above the lower value, and below the upper one, of numbers of any size.
func TestBetween(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat64
	for _, c := range [][3]float64{
		{1, 2, 1.5}, {-3, 1, -1}, {-math.MaxFloat64, math.MaxFloat64, 0}, {math.MaxFloat64 / 2, math.MaxFloat64, math.MaxFloat64 * 0.75},
		{1, math.Nextafter(1, 2), 1}, {0, tiny, 0}, {tiny, 2 * tiny, tiny}, {-tiny, 0, -tiny}, {-2 * tiny, -tiny, -2 * tiny}, {3 * tiny, 4 * tiny, 3 * tiny},
	} {
		got := Between(c[0], c[1])
		if got != c[2] || got < c[0] || got >= c[1] {
			t.Errorf("between %v and %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// A response is that of the rows that have one, as numbers or levels; one that does not vary is refused.
func TestResponse(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{2}, []float64{3}, []float64{4})
	some := func(target data.Target) data.Target {
		target.Rows, target.Values = []int32{0, 2, 3}, target.Values[:3]
		return target
	}
	for _, c := range []struct {
		y      data.Target
		values []float64
		level  []int32
		ids    []int32
		want   string
	}{
		{enginetest.Real("y", 5, 5, 6, 7), []float64{5, 5, 6, 7}, nil, []int32{0, 1, 2, 3}, ""},
		{some(enginetest.Real("y", 5, 6, 6, 0)), []float64{5, 6, 6}, nil, []int32{0, 2, 3}, ""},
		{some(enginetest.Class("y", 3, 2, 0, 2, 0)), nil, []int32{2, 0, 2}, []int32{0, 2, 3}, ""},
		{enginetest.Real("y", 5, 5, 5, 5), nil, nil, nil, "target y is constant (5 in all 4 training rows)"},
		{data.Target{Name: "y", Rows: []int32{}, Values: []float64{}}, nil, nil, nil, "target y has no training row"},
	} {
		rows, values, level, _, err := Response(enginetest.View(enginetest.Dataset(x, c.y), nil))
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			continue
		}
		if err != nil || !slices.Equal(values, c.values) || !slices.Equal(level, c.level) || rows.Len() != len(c.ids) {
			t.Fatalf("%v, %v, %v", values, level, err)
		}
		for i, id := range c.ids {
			if rows.Origin(i) != id {
				t.Errorf("row %d is %d, want %d", i, rows.Origin(i), id)
			}
		}
	}
}

// A tree comes back as it was kept; nodes, thresholds and values that make none are refused.
func TestRestore(t *testing.T) {
	kept := Tree{Nodes: []Node{
		{Threshold: 1.5, Column: 2, Next: 1, Missing: Side{Right: true, Learned: true}}, {Column: Leaf}, {Threshold: math.Inf(1), Next: 3, Missing: Side{Right: true}}, {Column: Leaf, Next: 1}, {Column: Leaf, Next: 2},
	}, Value: []float64{1, 2, 3}}
	if back, err := kept.Save().Restore(3, 1); err != nil || !slices.Equal(back.Nodes, kept.Nodes) || !slices.Equal(back.Value, kept.Value) {
		t.Errorf("%+v, %v", back, err)
	}
	for _, s := range []State{
		{Column: []int32{0, Leaf, Leaf}, Value: []float64{1, 2}},
		{Column: []int32{0, Leaf, Leaf}, Threshold: []float64{1, 2}, Missing: "ll", Value: []float64{1, 2}},
		{Column: []int32{0, Leaf, Leaf}, Threshold: []float64{math.NaN()}, Missing: "l", Value: []float64{1, 2}},
		{Column: []int32{0, Leaf, Leaf}, Threshold: []float64{1}, Missing: "l", Value: []float64{1, math.Inf(1)}},
		{Column: []int32{0, Leaf, Leaf}, Threshold: []float64{1}, Missing: "l", Value: []float64{1, 2, 3}},
		{Column: []int32{0, Leaf}, Threshold: []float64{1}, Missing: "l", Value: []float64{1, 2}},
		{Column: []int32{0, Leaf, Leaf, 0, Leaf}, Threshold: []float64{1, 2}, Missing: "ll", Value: []float64{1, 2, 3}},
		{Column: []int32{3, Leaf, Leaf}, Threshold: []float64{1}, Missing: "l", Value: []float64{1, 2}},
		{Column: []int32{-2, Leaf, Leaf}, Threshold: []float64{1}, Missing: "l", Value: []float64{1, 2}},
		{Column: []int32{Leaf, 0, Leaf}, Threshold: []float64{1}, Missing: "l", Value: []float64{1, 2}},
		{Column: []int32{0, Leaf, Leaf}, Threshold: []float64{1}, Missing: "x", Value: []float64{1, 2}},
		{},
	} {
		if tree, err := s.Restore(3, 1); err == nil {
			t.Errorf("%+v is taken for %+v", s, tree)
		}
	}
}

// Rows come with their own values, however many blocks there are.
func TestVisit(t *testing.T) {
	const columns, rows = 1 << 17, 7 // blocks of two rows
	ptr, idx, y := []int{0}, []int32{}, make([]float64, rows)
	for i := range int32(rows) {
		idx = append(idx, i, columns-1-i)
		ptr = append(ptr, len(idx))
	}
	in := enginetest.View(enginetest.Dataset(sparse.New(columns, ptr, idx, nil), data.Target{Name: "y", Type: data.Real, Values: y}), nil).Inputs()
	seen := 0
	Visit(in, columns, func(first, last int, value []float64) {
		for i := first; i < last; i++ {
			seen++
			if !slices.Equal(value[(i-first)*columns:(i-first+1)*columns], Row(in.Row(i), columns)) {
				t.Errorf("row %d has values of another", i)
			}
		}
	})
	if seen != rows {
		t.Errorf("%d rows of %d", seen, rows)
	}
}
