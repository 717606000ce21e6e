package sparse

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// counting is a scratch of plain memory that counts what it lent.
type counting struct{ arrays int }

func (c *counting) Bytes(n int) []byte       { c.arrays++; return make([]byte, n) }
func (c *counting) Int32s(n int) []int32     { c.arrays++; return make([]int32, n) }
func (c *counting) Uint64s(n int) []uint64   { c.arrays++; return make([]uint64, n) }
func (c *counting) Float64s(n int) []float64 { c.arrays++; return make([]float64, n) }

func draw(rng *rand.Rand, rows, cols, ones int, binary bool) *Matrix {
	var b Builder
	for range rows {
		var idx []int32
		var val []float64
		for j := range cols {
			if rng.IntN(cols) < ones {
				idx, val = append(idx, int32(j)), append(val, rng.NormFloat64())
			}
		}
		if binary {
			val = nil
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
	}
	return b.Matrix(cols)
}

// show is everything that a matrix tells, to compare two of them bit for bit.
func show(t *testing.T, m *Matrix) string {
	t.Helper()
	ctx := context.Background()
	rows, cols := m.Dims()
	out := fmt.Sprintln(rows, cols, m.NNZ(), m.Binary(), m.Check())
	for i := range rows {
		out += fmt.Sprintln(m.Row(i))
	}
	var some []int32
	for j := range cols {
		out += fmt.Sprintln(m.Col(j))
		if j%3 != 1 {
			some = append(some, int32(j))
		}
	}
	for _, n := range []int{1, 3} {
		s, err := Select(ctx, m.Strips(n), some)
		if err != nil {
			t.Fatal(err)
		}
		for k := range some {
			out += fmt.Sprintln(s.Col(k))
		}
	}
	w, r := make([]float64, cols), make([]float64, rows)
	for j := range w {
		w[j] = 1 / float64(j+3)
	}
	m.MulVec(r, w)
	m.MulTVec(w, r)
	e := make([]float64, rows-3)
	m.DotRows(e, 3, w)
	m.AddRows(w, 3, e)
	ptr, idx, val := m.Keep(some).Rows()
	return out + fmt.Sprintln(r, w, e, ptr, idx, val, show2(m.Range(rows/3, rows)))
}

func show2(m *Matrix) string {
	ptr, idx, val := m.Rows()
	out := ""
	for i := range len(ptr) - 1 {
		out += fmt.Sprint(vecOf(idx, val, ptr[i], ptr[i+1]), m.Row(i))
	}
	return out
}

// Rows that are shared give what copies of them give, bit for bit.
func TestShared(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, binary := range []bool{true, false} {
		m := draw(rng, 300, 30, 6, binary)
		var rows []int32
		for i := range 300 {
			if rng.IntN(10) > 0 {
				rows = append(rows, int32(i))
			}
		}
		copied, shared := m.pickRows(rows, math.MaxInt), m.pickRows(rows, 0)
		if &shared.idx[0] != &m.idx[0] || &copied.idx[0] == &m.idx[0] {
			t.Fatal("expected one to share the entries, and the other to copy them")
		}
		if a, b := show(t, copied), show(t, shared); a != b {
			t.Errorf("binary %v:\ncopied %s\nshared %s", binary, a, b)
		}
		if a, b := show(t, copied.pickRows(rows[:100], math.MaxInt)), show(t, shared.pickRows(rows[:100], 0)); a != b {
			t.Errorf("binary %v, picked twice:\ncopied %s\nshared %s", binary, a, b)
		}
		if p := m.pickRows([]int32{1, 40, 41, 200, 299}, 0); &p.idx[0] == &m.idx[0] {
			t.Error("few rows are shared: most of what is read from memory would be others")
		}
		back := slices.Clone(rows)
		slices.Reverse(back)
		if p := m.pickRows(back, 0); &p.idx[0] == &m.idx[0] {
			t.Error("rows that do not rise are shared: they would be read from all over the place")
		}
	}
}

// What is laid out in a scratch, band by band, is what is laid out in memory at once.
func TestOnScratch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, binary := range []bool{true, false} {
		m := draw(rng, 30_000, 40, 30, binary)
		lent := &counting{}
		on := m.On(lent)
		on.layOut(1 << 18)
		for j := range 40 {
			a, b := m.Col(j), vecOf(on.cidx, on.cval, on.cptr[j], on.cptr[j+1])
			if !slices.Equal(a.Idx, b.Idx) || !slices.Equal(a.Val, b.Val) {
				t.Fatalf("binary %v: column %d differs", binary, j)
			}
		}
		if lent.arrays == 0 {
			t.Error("nothing was lent")
		}
		if p := on.Keep([]int32{1, 2, 5}); p.scratch != lent {
			t.Error("columns kept are not on the scratch")
		}
	}
}

func TestColumnsAreRowsTurned(t *testing.T) {
	for _, ones := range []bool{true, false} {
		x := draw(rand.New(rand.NewPCG(3, 0)), 50, 20, 8, ones)
		part := x.Range(7, 41)
		for j := range 20 {
			col := part.Col(j)
			for q, i := range col.Idx {
				row := part.Row(int(i))
				at := -1
				for k, c := range row.Idx {
					if int(c) == j {
						at = k
					}
				}
				if at < 0 || row.At(at) != col.At(q) || q > 0 && col.Idx[q-1] >= i {
					t.Fatalf("column %d, entry %d: row %d does not have it", j, q, i)
				}
			}
		}
		dst, r := make([]float64, 20), make([]float64, 34)
		for i := range r {
			r[i] = float64(i*i%11) - 4
		}
		part.MulTVec(dst, r)
		for j := range dst {
			if want := part.Col(j).Dot(r); !(math.Abs(dst[j]-want) <= 1e-12) {
				t.Errorf("Xᵀr of column %d is %v, want %v", j, dst[j], want)
			}
		}
	}
}

func TestBands(t *testing.T) {
	ptr := []int{0, 3, 3, 10, 11, 12, 40}
	for _, c := range []struct {
		window int
		want   string
	}{{1000, "[[0 6]]"}, {48, "[[0 5] [5 6]]"}, {12, "[[0 2] [2 3] [3 5] [5 6]]"}, {1, "[[0 1] [1 2] [2 3] [3 4] [4 5] [5 6]]"}} {
		if got := fmt.Sprint(columnBands(&counting{}, ptr, 4, c.window)); got != c.want {
			t.Errorf("window %d: %s, expected %s", c.window, got, c.want)
		}
	}
	if got := fmt.Sprint(columnBands[int](nil, ptr, 4, 1)); got != "[[0 6]]" {
		t.Errorf("in memory: %s, expected one", got)
	}
}
