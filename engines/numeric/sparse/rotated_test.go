package sparse

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/numeric/dense"
)

// Rows keep their inner products, on as many axes as they span, and weights that are turned back have the length and the scores that they had.
func TestRotate(t *testing.T) {
	for _, missing := range []int{0, 2} { // of three entries
		const rows, columns = 20, 70
		rng := rand.New(rand.NewPCG(5, uint64(missing)))
		var b Builder
		for i := range rows {
			var idx []int32
			var val []float64
			for j := range columns {
				if v := rng.NormFloat64(); rng.IntN(3) >= missing {
					idx, val = append(idx, int32(j)), append(val, 30+v) // far from zero
				}
			}
			for range 1 + i/(rows-1) { // the last row twice
				if err := b.Add(idx, val); err != nil {
					t.Fatal(err)
				}
			}
		}
		x := b.Matrix(columns)
		turned, err := x.Rotate(context.Background(), 2)
		if err != nil {
			t.Fatal(err)
		}
		if n, axes := turned.X.Dims(); n != rows+1 || axes != rows {
			t.Fatalf("%d rows on %d axes, want %d on %d", n, axes, rows+1, rows)
		}
		of := func(m *Matrix, i int) []float64 {
			_, columns := m.Dims()
			return m.Row(i).Spread(make([]float64, columns))
		}
		for i := range rows + 1 {
			for k := range rows + 1 {
				want, got := dense.Dot(of(x, i), of(x, k)), dense.Dot(of(turned.X, i), of(turned.X, k))
				if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
					t.Errorf("rows %d and %d: inner product %v, want %v", i, k, got, want)
				}
			}
		}
		const blocks = 2
		there, shares, back := make([]float64, rows*blocks), []float64(nil), make([]float64, columns)
		for k := range there {
			there[k] = rng.NormFloat64()
		}
		shares = turned.Shares(there, blocks)
		for block := range blocks {
			w, a := make([]float64, rows), make([]float64, rows+1)
			for k := range w {
				w[k] = there[k*blocks+block]
			}
			for i := range a {
				a[i] = shares[i*blocks+block]
			}
			x.MulTVec(back, a)
			if got, want := dense.Dot(back, back), dense.Dot(w, w); !(math.Abs(got-want) <= 1e-9*want) {
				t.Errorf("squared length %v, want %v", got, want)
			}
			for i := range rows + 1 {
				if got, want := dense.Dot(of(x, i), back), dense.Dot(of(turned.X, i), w); !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Errorf("score of row %d: %v, want %v", i, got, want)
				}
			}
		}
	}
}

// What has few columns, few entries or only ones stays as it is; of nothing but zeros there are no axes.
func TestRotateNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	few, ones := draw(rng, 20, 200, 20, false), draw(rng, 20, 60, 30, true)
	var narrow, zeros Builder
	for range 4 {
		if err := narrow.Add([]int32{0, 1, 2}, []float64{1, 2, 3}); err != nil {
			t.Fatal(err)
		}
		if err := zeros.Add([]int32{0, 1}, []float64{0, 0}); err != nil {
			t.Fatal(err)
		}
	}
	for name, x := range map[string]*Matrix{"few entries": few, "ones": ones, "few columns": narrow.Matrix(3), "zeros": zeros.Matrix(8)} {
		if turned, err := x.Rotate(context.Background(), 1); err != nil || turned != nil {
			t.Errorf("%s: %v, %v, want nothing", name, turned, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	full := New(40, []int{0, 40}, make([]int32, 40), make([]float64, 40))
	if _, err := full.Rotate(ctx, 1); err == nil {
		t.Error("no error where the context has ended")
	}
}
