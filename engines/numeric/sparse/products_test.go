package sparse_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// Products of many vectors with one are those of each, to the last bit.
func TestDotEach(t *testing.T) {
	t.Parallel()
	const rows = 21
	w := make([]float64, rows)
	for i := range w {
		w[i] = math.Sin(float64(i))
	}
	for _, density := range []float64{1, 0.7} {
		for _, binary := range []bool{false, true} {
			x := enginetest.Random(3, rows, 9, density, binary)
			for n := range 10 {
				got := make([]float64, n)
				sparse.DotEach(n, w, func(k int) sparse.Vec { return x.Col(k) }, func(k int, dot float64) { got[k] = dot })
				for k, dot := range got {
					if dot != x.Col(k).Dot4(w) {
						t.Errorf("%d vectors, density %v: product %d is %v, expected %v", n, density, k, dot, x.Col(k).Dot4(w))
					}
				}
			}
		}
	}
}

// Rows are picked in the order asked for, rising, falling or any.
func TestPickInAnyOrder(t *testing.T) {
	t.Parallel()
	x := enginetest.Random(2, 6, 4, 0.6, false)
	for _, rows := range [][]int32{{1, 2, 3}, {3, 2, 1}, {4}, {}, {5, 0, 2}, {2, 2}, {0, 1, 2, 3, 4, 5}} {
		got := x.Pick(rows)
		if n, _ := got.Dims(); n != len(rows) {
			t.Fatalf("%d rows of %v", n, rows)
		}
		for k, i := range rows {
			if a, b := got.Row(k), x.Row(int(i)); !slices.Equal(a.Idx, b.Idx) || !slices.Equal(a.Val, b.Val) {
				t.Errorf("rows %v: row %d is %v, expected %v", rows, k, a, b)
			}
		}
	}
}

// A column in order has its zeros among its values.
func TestOrdered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values   []float64
		zeros    int
		all      []float64
		median   float64
		distinct []float64
	}{
		{[]float64{3, -1, 2, -1}, 3, []float64{-1, -1, 0, 0, 0, 2, 3}, 0, []float64{-1, 0, 2, 3}},
		{[]float64{3, 1}, 0, []float64{1, 3}, 2, []float64{1, 3}},
		{[]float64{4, 2}, 1, []float64{0, 2, 4}, 2, []float64{0, 2, 4}},
		{[]float64{-4, -2}, 2, []float64{-4, -2, 0, 0}, -1, []float64{-4, -2, 0}},
		{nil, 2, []float64{0, 0}, 0, []float64{0}},
	} {
		o := sparse.NewOrdered(slices.Clone(c.values), c.zeros)
		var got []float64
		for k := range o.Len() {
			got = append(got, o.At(k))
		}
		if !slices.Equal(got, c.all) || o.Median() != c.median || !slices.Equal(o.Distinct(), c.distinct) {
			t.Errorf("%v and %d zeros: %v, median %v, distinct %v", c.values, c.zeros, got, o.Median(), o.Distinct())
		}
	}
}

// Rows that depend on others have no axis of their own, in any unit.
func TestRotateInAnyUnit(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, unit := range []float64{1e-6, 1, 1e6} {
		var x [][]float64
		for i := range 6 {
			row := make([]float64, 20)
			for j := range row {
				if row[j] = unit * rng.NormFloat64(); i >= 4 {
					row[j] = x[i-4][j] - 2*x[i-3][j]
				}
			}
			x = append(x, row)
		}
		r, err := enginetest.Matrix(x...).Rotate(t.Context(), 1)
		if err != nil || r == nil {
			t.Fatal(err)
		}
		if _, axes := r.X.Dims(); axes != 4 {
			t.Errorf("columns of size %v: %d axes, expected 4", unit, axes)
		}
	}
}
