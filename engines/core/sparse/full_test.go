package sparse_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/core/sparse"
)

// Columns with all their entries are those of the rows, also where rows are shared with a larger matrix, and their kernels give the
// bits that kernels by index give.
func TestFullColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const rows, cols = 71, 45
	ptr, idx, val := []int{0}, []int32{}, []float64{}
	for range rows {
		for j := range int32(cols) {
			idx, val = append(idx, j), append(val, r.NormFloat64())
		}
		ptr = append(ptr, len(idx))
	}
	all := sparse.New(cols, ptr, idx, val)
	for name, m := range map[string]*sparse.Matrix{"whole": all, "range": all.Range(3, 68), "picked": all.Pick([]int32{0, 5, 6, 40, 70}), "subsample": all.Subsample([]int32{0, 5, 6, 40, 70})} {
		if got, want := byColumn(m), dense(m); !slices.EqualFunc(got, want, slices.Equal[[]float64]) {
			t.Fatalf("%s: columns are not the rows turned", name)
		}
		n, _ := m.Dims()
		w := make([]float64, n+1) // one more, so that kernels go by index
		for i := range w {
			w[i] = r.NormFloat64()
		}
		for j := range cols {
			col := m.Col(j)
			if got, want := col.Dot4(w[:n]), col.Dot4(w); got != want {
				t.Fatalf("%s: column %d: Dot4 %v, by index %v", name, j, got, want)
			}
			got, want := slices.Clone(w), slices.Clone(w)
			col.AddTo(got[:n], 0.3)
			col.AddTo(want, 0.3)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: column %d: AddTo differs", name, j)
			}
		}
	}
}

// A subsample is the rows that are picked, and sums over its columns have the bits of sums by row.
func TestSubsample(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const rows, cols = 30, 23
	ptr, idx, val := []int{0}, []int32{}, []float64{}
	for range rows {
		for j := range int32(cols) {
			idx, val = append(idx, j), append(val, 100+r.NormFloat64())
		}
		ptr = append(ptr, len(idx))
	}
	all := sparse.New(cols, ptr, idx, val)
	at := []int32{1, 2, 5, 9, 10, 11, 20, 21, 28}
	weight := make([]float64, len(at))
	for i := range weight {
		weight[i] = 0.5 + r.Float64()
	}
	for _, m := range []*sparse.Matrix{all, all.Range(0, 29)} {
		picked, sub := m.Pick(at), m.Subsample(at)
		if !slices.EqualFunc(dense(sub), dense(picked), slices.Equal[[]float64]) {
			t.Fatal("rows differ")
		}
		for _, w := range [][]float64{nil, weight} {
			want, err := sparse.Standardize(picked, w, "sd")
			if err != nil {
				t.Fatal(err)
			}
			got, err := sparse.Standardize(sub, w, "sd")
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Mean, want.Mean) || !slices.Equal(got.Scale, want.Scale) || !slices.Equal(got.Norm2, want.Norm2) {
				t.Fatalf("weights %v: moments differ", w != nil)
			}
		}
		for n := range 3 { // strips
			got, want := make([]float64, cols), make([]float64, cols)
			sparse.Together(sub.Strips(n+1), func(s *sparse.Strip) { s.MulTVec(got, weight) })
			sparse.Together(picked.Strips(n+1), func(s *sparse.Strip) { s.MulTVec(want, weight) })
			if !slices.Equal(got, want) {
				t.Fatalf("%d strips: products differ", n+1)
			}
		}
	}
	binary := sparse.New(2, []int{0, 1, 1, 2}, []int32{0, 1}, nil)
	if got := binary.Subsample([]int32{0, 2}); got.NNZ() != 2 || !got.Binary() {
		t.Fatal("a subsample of ones is not what is picked")
	}
}

// drawFull is a matrix of so many columns with all their entries and, where beside is set, one more that has few.
func drawFull(r *rand.Rand, rows, cols int, beside bool) *sparse.Matrix {
	ptr, idx, val := []int{0}, []int32{}, []float64{}
	for i := range rows {
		for j := range int32(cols) {
			idx, val = append(idx, j), append(val, float64(50*j)+r.NormFloat64())
		}
		if beside && i%5 == 0 {
			idx, val = append(idx, int32(cols)), append(val, 1)
		}
		ptr = append(ptr, len(idx))
	}
	if beside {
		cols++
	}
	return sparse.New(cols, ptr, idx, val)
}

// TestFullCenter: columns of a matrix with all its entries are centred, scaled and selected as those of any other, bit for bit.
func TestFullCenter(t *testing.T) {
	const rows, cols = 37, 19
	full, other := drawFull(rand.New(rand.NewPCG(7, 8)), rows, cols, false), drawFull(rand.New(rand.NewPCG(7, 8)), rows, cols, true)
	weight := make([]float64, rows)
	for i := range weight {
		weight[i] = 0.5 + float64(i%3)
	}
	ctx := t.Context()
	for _, w := range [][]float64{nil, weight} {
		for _, how := range [][2]bool{{true, false}, {false, true}, {true, true}} {
			got, err := sparse.Center(ctx, full, w, how[0], how[1])
			if err != nil {
				t.Fatal(err)
			}
			want, err := sparse.Center(ctx, other, w, how[0], how[1])
			if err != nil {
				t.Fatal(err)
			}
			chosen := []int32{0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 13, 18}
			selected, err := sparse.Select(ctx, got.X.Strips(2), chosen)
			if err != nil || selected.Len() != len(chosen) {
				t.Fatalf("%d columns selected of %d, %v", selected.Len(), len(chosen), err)
			}
			for k, j := range chosen {
				a, b, c := got.X.Col(int(j)), want.X.Col(int(j)), selected.Col(k)
				if !slices.Equal(a.Idx, b.Idx) || !slices.Equal(a.Val, b.Val) || !slices.Equal(c.Idx, b.Idx) || !slices.Equal(c.Val, b.Val) {
					t.Fatalf("weights %v, centred and scaled %v: column %d differs", w != nil, how, j)
				}
			}
			if how[0] && !slices.Equal(got.Center, want.Center[:cols]) || how[1] && !slices.Equal(got.Scale, want.Scale[:cols]) {
				t.Fatalf("weights %v: centres or scales differ", w != nil)
			}
		}
	}
}

// TestValueOf: values are found by index, also where entries before them are missing.
func TestValueOf(t *testing.T) {
	v := sparse.Vec{Idx: []int32{0, 1, 3, 7}, Val: []float64{5, 6, 8, 9}}
	for j, want := range []float64{5, 6, 0, 8, 0, 0, 0, 9, 0} {
		if got := v.ValueOf(int32(j)); got != want {
			t.Errorf("at %d %v, expected %v", j, got, want)
		}
	}
}
