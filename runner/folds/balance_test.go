package folds

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// drawnClasses is a data set of a class target with so many rows of each level, in a drawn order, and of groups where each
// row has one.
func drawnClasses(rng *rand.Rand, counts []int, groups []int32) *data.Dataset {
	t := data.Target{Name: "y", Type: data.Class}
	for level, n := range counts {
		t.Levels = append(t.Levels, fmt.Sprint(level))
		for range n {
			t.Values = append(t.Values, float64(level))
		}
	}
	n := len(t.Values)
	rng.Shuffle(n, func(a, b int) { t.Values[a], t.Values[b] = t.Values[b], t.Values[a] })
	d := &data.Dataset{X: sparse.New(1, make([]int, n+1), nil, nil), Features: data.NewFeatures([]string{"x"}), Targets: []data.Target{t}}
	if groups != nil {
		d.Groups = &data.Groups{Name: "g", Of: groups}
		for _, g := range groups {
			for int(g) >= len(d.Groups.Key) {
				d.Groups.Key = append(d.Groups.Key, data.Key(fmt.Sprint(len(d.Groups.Key))))
			}
		}
	}
	return d
}

// spread of numbers: the largest less the smallest.
func spread(n []int) int {
	low, high := n[0], n[0]
	for _, v := range n {
		low, high = min(low, v), max(high, v)
	}
	return high - low
}

// checkBalance checks that each row is tested once a repeat, and how far the test parts of a repeat differ in rows, and in rows of each level.
func checkBalance(t *testing.T, s Spec, d *data.Dataset, rows, ofLevel int) {
	t.Helper()
	all := mustSplit(t, s, d)
	k := len(all) / s.Normalised().Repeats
	for r := range s.Normalised().Repeats {
		sizes, levels, tested := make([]int, k), make([][]int, len(d.Targets[0].Levels)), make([]int, d.Rows())
		for l := range levels {
			levels[l] = make([]int, k)
		}
		for f, fold := range all[r*k : (r+1)*k] {
			for _, i := range fold.Test {
				sizes[f]++
				tested[i]++
				levels[int(d.Targets[0].Values[i])][f]++
			}
		}
		if spread(append(tested, 1)) != 0 {
			t.Fatalf("%+v: rows are tested %v times in repeat %d", s, tested, r)
		}
		if spread(sizes) > rows {
			t.Fatalf("%+v: folds of repeat %d have %v rows, expected a difference of at most %d", s, r, sizes, rows)
		}
		for l := range levels {
			if spread(levels[l]) > ofLevel {
				t.Fatalf("%+v: folds of repeat %d have %v rows of level %d, expected a difference of at most %d", s, r, levels[l], l, ofLevel)
			}
		}
	}
}

// TestStratifiedFoldsAreEqual: whatever the classes, the sizes of stratified folds differ by one row at most, and so do their rows of each class;
// also where every row is a group of its own.
func TestStratifiedFoldsAreEqual(t *testing.T) {
	t.Parallel()
	trial := func(rng *rand.Rand, counts []int, k int) {
		d := drawnClasses(rng, counts, nil)
		if MostFrequent(d.Targets[0]) < k {
			return
		}
		checkBalance(t, Spec{Kind: "stratified", K: k, Repeats: 2}, d, 1, 1)
		own := make([]int32, d.Rows())
		for i, g := range rng.Perm(d.Rows()) {
			own[i] = int32(g)
		}
		d.Groups = drawnClasses(rng, counts, own).Groups
		checkBalance(t, Spec{Kind: "stratified", K: k, Repeats: 2, By: "g"}, d, 1, 1)
	}
	trial(rand.New(rand.NewPCG(1, 1)), []int{16, 14, 14, 12, 11, 9, 8, 7, 5}, 10) // 96 rows
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		counts := make([]int, 2+rng.IntN(12))
		for l := range counts {
			counts[l] = rng.IntN(1 + rng.IntN(60))
		}
		trial(rng, counts, 2+rng.IntN(12))
	}
}

// TestGroupedFoldsAreEqual: folds of whole groups differ by no more rows than the largest group has; of groups of one size, and stratified of one
// class each, by one group.
func TestGroupedFoldsAreEqual(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		k := 2 + rng.IntN(8)
		var groups []int32
		largest := 0
		for g := range k + rng.IntN(60) {
			n := 1 + rng.IntN(6)
			largest = max(largest, n)
			for range n {
				groups = append(groups, int32(g))
			}
		}
		checkBalance(t, Spec{Kind: "grouped", K: k, By: "g", Repeats: 2}, drawnClasses(rng, []int{len(groups)}, groups), largest, largest)

		size := 1 + rng.IntN(4)
		d := drawnClasses(rng, []int{1}, nil)
		d.Targets[0] = data.Target{Name: "y", Type: data.Class}
		groups = groups[:0]
		for l := range 2 + rng.IntN(8) {
			d.Targets[0].Levels = append(d.Targets[0].Levels, fmt.Sprint(l))
			for range rng.IntN(20) + k {
				g := int32(len(groups) / size)
				for range size {
					groups, d.Targets[0].Values = append(groups, g), append(d.Targets[0].Values, float64(l))
				}
			}
		}
		d.X = sparse.New(1, make([]int, len(groups)+1), nil, nil)
		d.Groups = drawnClasses(rng, []int{len(groups)}, groups).Groups
		checkBalance(t, Spec{Kind: "stratified", K: k, By: "g"}, d, size, size)
	}
}

// TestStratifiedHoldout: as many rows are tested as without strata, of each class its share rounded up or down; over many seeds every row is tested
// about equally often, those of classes with few rows as well.
func TestStratifiedHoldout(t *testing.T) {
	if f := mustSplit(t, Spec{Kind: "holdout", Test: 12, Stratify: true}, rows(60))[0]; len(f.Test) != 12 {
		t.Errorf("%d rows are tested, 12 were asked for", len(f.Test))
	}
	t.Parallel()
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		counts, total := make([]int, 1+rng.IntN(20)), 0
		for l := range counts {
			counts[l] = 1 + rng.IntN(1+rng.IntN(40))
			total += counts[l]
		}
		share := 0.05 + 0.9*rng.Float64()
		d := drawnClasses(rng, counts, nil)
		want := roundCount(share*float64(total), total)
		if want == 0 || want == total {
			continue
		}
		f := mustSplit(t, Spec{Kind: "holdout", Test: share, Stratify: true}, d)[0]
		if len(f.Test) != want {
			t.Fatalf("%v of %d rows in levels of %v: %d are tested, expected %d", share, total, counts, len(f.Test), want)
		}
		of := make([]int, len(counts))
		for _, i := range f.Test {
			of[int(d.Targets[0].Values[i])]++
		}
		for l, n := range of {
			if low := counts[l] * want / total; n < low || n*total > counts[l]*want+total-1 {
				t.Fatalf("%d of %d rows of level %d are tested, of all rows %d of %d", n, counts[l], l, want, total)
			}
		}
	}
	const repeats = 4000
	d := drawnClasses(rand.New(rand.NewPCG(5, 5)), []int{1, 2, 3, 4, 4, 4, 12}, nil)
	tested := make([]int, d.Rows())
	for _, f := range mustSplit(t, Spec{Kind: "holdout", Test: 0.2, Stratify: true, Repeats: repeats}, d) {
		for _, i := range f.Test {
			tested[i]++
		}
	}
	for i, n := range tested {
		if n < 700 || n > 900 { // 800 expected, with a standard deviation of 25
			t.Errorf("row %d of level %v is tested in %d of %d repeats, expected about 800", i, d.Targets[0].Values[i], n, repeats)
		}
	}
}
