package sparse_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
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
			want, err := scaled.Standardize(picked, w, "sd")
			if err != nil {
				t.Fatal(err)
			}
			got, err := scaled.Standardize(sub, w, "sd")
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

// drawFull returns a matrix of so many columns with all their entries and, where beside is set, one more that has few.
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

// TestValueOf: values are found by index in every set of entries.
func TestValueOf(t *testing.T) {
	for set := range 1 << 9 {
		var v sparse.Vec
		for j := range int32(9) {
			if set>>j&1 == 1 {
				v.Idx, v.Val = append(v.Idx, j), append(v.Val, float64(j+1))
			}
		}
		for j := range int32(11) {
			if got, want := v.ValueOf(j), float64(j+1)*float64(set>>j&1); got != want {
				t.Fatalf("entries at %v: at %d %v, expected %v", v.Idx, j, got, want)
			}
		}
	}
}

// drawWithZeros is a matrix of which a share of the cells is zero.
func drawWithZeros(r *rand.Rand, rows, cols int, zeros float64) *sparse.Matrix {
	ptr, idx, val := []int{0}, []int32{}, []float64{}
	for range rows {
		for j := range int32(cols) {
			if r.Float64() >= zeros {
				idx, val = append(idx, j), append(val, r.NormFloat64())
			}
		}
		ptr = append(ptr, len(idx))
	}
	return sparse.New(cols, ptr, idx, val)
}

// A filled matrix has the same cells, all of them stored; one with too few entries, or of ones, stays as it is. Rows of a filled matrix
// and rows that are filled are the same bits.
func TestFilled(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, zeros := range []float64{0, 0.001, 0.5, 0.7} {
		x := drawWithZeros(r, 31, 17, zeros)
		filled := x.Filled()
		if !filled.IsFull() || !slices.EqualFunc(dense(filled), dense(x), slices.Equal[[]float64]) {
			t.Fatalf("%v of zeros: full is %v, or cells differ", zeros, filled.IsFull())
		}
		if err := filled.Check(); err != nil {
			t.Fatal(err)
		}
		at := []int32{1, 2, 7, 8, 9, 20, 30}
		of, alone := x.Pick(at).FilledOf(filled, at), x.Pick(at).Filled()
		a, err := scaled.Standardize(of, nil, "sd")
		if err != nil {
			t.Fatal(err)
		}
		b, err := scaled.Standardize(alone, nil, "sd")
		if err != nil {
			t.Fatal(err)
		}
		if !of.IsFull() || !slices.EqualFunc(byColumn(of), byColumn(alone), slices.Equal[[]float64]) || !slices.Equal(a.Mean, b.Mean) || !slices.Equal(a.Norm2, b.Norm2) {
			t.Fatalf("%v of zeros: rows of a filled matrix are not rows that are filled", zeros)
		}
	}
	for _, x := range []*sparse.Matrix{drawWithZeros(r, 31, 17, 0.8), sparse.New(2, []int{0, 1, 3}, []int32{0, 0, 1}, nil), sparse.New(3, []int{0}, nil, nil)} {
		if x.Filled() != x {
			t.Error("a matrix that is to stay as it is was filled")
		}
	}
	if sparse.Fills(1<<20, 1<<10, 1<<29, false) || !sparse.Fills(1<<20, 1<<10, 1<<30-1<<20, false) {
		t.Error("a large matrix is filled where half of it is zeros, or is not where few are")
	}
}

// Products of some columns are those of each, bit for bit, in matrices with all their entries and in others, of any number of columns.
func TestDotColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, m := range map[string]*sparse.Matrix{
		"full": drawFull(r, 71, 45, false), "rows of a full one": drawFull(r, 90, 45, false).Range(3, 74),
		"one column beside": drawFull(r, 71, 45, true), "zeros": drawWithZeros(r, 71, 45, 0.5), "few rows": drawFull(r, 3, 45, false),
	} {
		rows, _ := m.Dims()
		w := make([]float64, rows)
		for i := range w {
			w[i] = r.NormFloat64()
		}
		for n := range 10 {
			columns, dots := make([]int32, n), make([]float64, n)
			for k := range columns {
				columns[k] = r.Int32N(45)
			}
			m.DotColumns(dots, columns, w)
			for k, j := range columns {
				if want := m.Col(int(j)).Dot4(w); dots[k] != want {
					t.Fatalf("%s: column %d, %d of %d: %v, want %v", name, j, k, n, dots[k], want)
				}
			}
		}
	}
}
