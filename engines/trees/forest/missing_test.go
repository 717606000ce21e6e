package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/trees"
)

// gappy returns a view of rows with missing values, columns without any value included.
func gappy(x [][]float64, y data.Target) *data.View {
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(make([][]float64, len(x))...), y), nil)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}[:len(x[0])]
	return v.Replaced(enginetest.Matrix(x...), data.NewFeatures(names))
}

// impurity returns the number of some rows, each as often as it counts, times the Gini impurity or the variance of their responses.
func impurity(y *response, count, rows []int32) float64 {
	n, sum, squares, levels := 0.0, 0.0, 0.0, make([]float64, y.levels)
	for _, i := range rows {
		c := float64(count[i])
		if n += c; y.levels > 0 {
			levels[y.level[i]] += c
		} else {
			sum += c * y.number[i]
			squares += c * y.number[i] * y.number[i]
		}
	}
	if n == 0 {
		return 0
	}
	if y.levels == 0 {
		return squares - sum*sum/n
	}
	out := n
	for _, c := range levels {
		out -= c * c / n
	}
	return out
}

// Every node of a tree has the split that the definition gives: by the rows that have a value, with the others where the whole node gains
// most. Rows of the sample and out of it are in the leaf that the tree has for them.
func TestMissingByDefinition(t *testing.T) {
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 7))
		x, values := table(seed, 60, 6, seed%2 == 0, func(row []float64, rng *rand.Rand) float64 { return row[0] + row[1] + 5*rng.NormFloat64() })
		for _, row := range x {
			for j := range row {
				if rng.IntN(2+j) == 0 && j != 4 {
					row[j] = math.NaN()
				}
			}
		}
		target := enginetest.Real("y", values...)
		if levels := int(seed % 4); levels > 1 {
			for i, v := range values {
				values[i] = float64(min(levels-1, max(0, int(v/10+1))))
			}
			target = enginetest.Class("y", levels, values...)
		}
		train := gappy(x, target)
		_, y, err := readResponse(train, false)
		if err != nil {
			t.Fatal(err)
		}
		c, err := newColumns(t.Context(), train, 1)
		if err != nil {
			t.Fatal(err)
		}
		count := make([]int32, len(x))
		for range x {
			count[rng.IntN(len(x))]++
		}
		r := rule{mtry: 6, minLeaf: 1 + int64(seed%3), minSplit: 2, maxDepth: 4}
		g := newGrower(c, y, r, newListed(6, nil))
		tree, err := g.grow(t.Context(), count, 0)
		if err != nil {
			t.Fatal(err)
		}
		for k, n := range tree.Nodes {
			rows := slices.Sorted(slices.Values(g.rows[g.work[k].from:g.work[k].to]))
			if n.Column == leaf {
				continue
			}
			column, threshold, decrease := bestByDefinition(x, y, count, rows, r)
			if n.Column != column || n.Threshold != threshold {
				t.Fatalf("seed %d, node %d: %+v, want column %d at %v, which gains %v", seed, k, n, column, threshold, decrease)
			}
			side, gain := sideByDefinition(x, y, count, rows, n)
			if n.Missing != side || !(math.Abs(g.work[k].gain-gain) <= 1e-9*max(1, gain)) {
				t.Fatalf("seed %d, node %d: %+v gains %v, want %+v and %v", seed, k, n, g.work[k].gain, side, gain)
			}
		}
		var out outOfBag
		g.sendOutOfBag(&out, tree, y)
		for i, row := range x {
			want := tree.LeafOf(row).Next
			if count[i] > 0 && tree.Nodes[g.row[i].node].Next != want || count[i] == 0 && out.leaf[out.nth[i]] != want {
				t.Errorf("seed %d: row %d is not in leaf %d", seed, i, want)
			}
		}
	}
}

// bestByDefinition returns the split that decreases the impurity of the rows with a value most, and by how much.
func bestByDefinition(x [][]float64, y *response, count, rows []int32, r rule) (column int32, threshold, best float64) {
	best = -1
	for j := range x[0] {
		var known []int32
		var values []float64
		for _, i := range rows {
			if v := x[i][j]; v == v {
				known, values = append(known, i), append(values, v)
			}
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for k := 1; k < len(values); k++ {
			cut := (values[k-1] + values[k]) / 2
			left, right, n, m := []int32{}, []int32{}, int64(0), int64(0)
			for _, i := range known {
				if x[i][j] <= cut {
					left, n = append(left, i), n+int64(count[i])
				} else {
					right, m = append(right, i), m+int64(count[i])
				}
			}
			decrease := impurity(y, count, known) - impurity(y, count, left) - impurity(y, count, right)
			if min(n, m) >= r.minLeaf && decrease > best+1e-9*max(1, best) {
				column, threshold, best = int32(j), cut, decrease
			}
		}
	}
	return column, threshold, best
}

// sideByDefinition returns where rows without a value go, and by how much the split then decreases the impurity of all.
func sideByDefinition(x [][]float64, y *response, count, rows []int32, n node) (trees.Side, float64) {
	var part [3][]int32 // left, right, missing
	weight := [3]float64{}
	for _, i := range rows {
		side := 0
		if v := x[i][n.Column]; v != v {
			side = 2
		} else if v > n.Threshold {
			side = 1
		}
		part[side] = append(part[side], i)
		weight[side] += float64(count[i])
	}
	decrease := func(left, right []int32) float64 {
		return impurity(y, count, rows) - impurity(y, count, left) - impurity(y, count, right)
	}
	onLeft, onRight := decrease(slices.Concat(part[0], part[2]), part[1]), decrease(part[0], slices.Concat(part[1], part[2]))
	switch {
	case weight[2] == 0:
		return trees.Larger(weight[0], weight[1]), onLeft
	case onRight > onLeft+1e-9*max(1, onLeft):
		return trees.Side{Right: true, Learned: true}, onRight
	}
	return trees.Side{Learned: true}, onLeft
}
