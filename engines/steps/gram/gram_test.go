package gram

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/numeric/sparse"
)

// made is a random matrix, of ones or of reals, and row weights or nil.
func made(seed uint64, rows, cols int, ones, weighted bool) (*sparse.Matrix, []float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	var b sparse.Builder
	var weight []float64
	for range rows {
		var idx []int32
		var val []float64
		for j := range cols {
			if rng.IntN(2+j/4) == 0 {
				idx, val = append(idx, int32(j)), append(val, 1)
				if !ones {
					val[len(val)-1] = rng.NormFloat64()
				}
			}
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
		if weighted {
			weight = append(weight, float64(1+rng.IntN(3)))
		}
	}
	return b.Matrix(cols), weight
}

func TestGramColumns(t *testing.T) {
	for _, c := range []struct {
		name           string
		ones, weighted bool
		rows           int
		group          uint
		limit          int64
	}{
		{"ones", true, false, 90, 3, 1 << 20},
		{"ones, large counts", true, false, 1500, 8, 1 << 20},
		{"ones, evicted", true, false, 90, 3, 600},
		{"ones, nothing kept", true, false, 90, 0, 0},
		{"weighted", true, true, 90, 3, 1 << 20},
		{"reals", false, false, 90, 6, 1 << 20},
		{"weighted reals, evicted", false, true, 90, 3, 1500},
	} {
		const cols = 40
		x, weight := made(1, c.rows, cols, c.ones, c.weighted)
		number := make([]int32, cols) // every seventh column is left out, the others are named backwards
		size := 0
		for j := cols - 1; j >= 0; j-- {
			number[j] = -1
			if j%7 != 3 {
				number[j] = int32(size)
				size++
			}
		}
		g := New(columnsOf(t, x), weight, number, size, c.group, c.limit)
		rng := rand.New(rand.NewPCG(2, 0))
		for range 200 {
			j := rng.IntN(cols)
			got := make([]float64, size)
			n := 0
			column := g.Column(j)
			column.Each(func(k int, v float64) { got[k] += v; n++ })
			if n != column.Len() {
				t.Fatalf("%s: column %d has %d entries and says %d", c.name, j, n, column.Len())
			}
			for k, want := range gramColumn(x, weight, j) {
				if to := number[k]; to >= 0 && !(math.Abs(got[to]-want) <= 1e-12*max(1, math.Abs(want))) {
					t.Fatalf("%s: entry %d, %d is %v, want %v", c.name, j, k, got[to], want)
				}
			}
			if g.bytes > c.limit {
				t.Fatalf("%s: %d bytes kept, the limit is %d", c.name, g.bytes, c.limit)
			}
		}
		built, _ := g.Built()
		if evicts := c.limit < 1<<20; evicts != (built > cols) {
			t.Errorf("%s: %d columns were computed", c.name, built)
		}
	}
}

// A column of more rows than a small counter holds.
func TestGramLongColumn(t *testing.T) {
	const rows = 70_000
	ptr, idx := make([]int, rows+1), make([]int32, 0, 2*rows)
	for i := range rows {
		ptr[i+1], idx = 2*i+2, append(idx, 0, int32(1+i%2))
	}
	g := New(columnsOf(t, sparse.New(3, ptr, idx, nil)), nil, []int32{0, 1, 2}, 3, 8, 0)
	for j, want := range [][3]float64{{rows, rows / 2, rows / 2}, {rows / 2, rows / 2, 0}} {
		var got [3]float64
		g.Column(j).Each(func(k int, v float64) { got[k] = v })
		if got != want {
			t.Errorf("column %d is %v, want %v", j, got, want)
		}
	}
}

// gramColumn is column j of XᵀMX, by definition.
func gramColumn(x *sparse.Matrix, weight []float64, j int) []float64 {
	rows, cols := x.Dims()
	dense := make([]float64, cols)
	out := make([]float64, cols)
	for i := range rows {
		clear(dense)
		m := 1.0
		if weight != nil {
			m = weight[i]
		}
		x.Row(i).AddTo(dense, 1)
		for k, v := range dense {
			out[k] += m * dense[j] * v
		}
	}
	return out
}

func TestColumnsAreTheMatrixs(t *testing.T) {
	for _, ones := range []bool{true, false} {
		x, _ := made(4, 400, 60, ones, false)
		far := sparse.New(2, []int{0, 1, 1, 2, 3, 5}, []int32{0, 0, 1, 0, 1}, nil).Range(1, 5)
		for _, m := range []*sparse.Matrix{x, x.Range(20, 301), far} {
			c := columnsOf(t, m)
			_, cols := m.Dims()
			for j := range cols {
				got, want := c.Col(j), m.Col(j)
				if !slices.Equal(got.Idx, want.Idx) || !slices.Equal(got.Val, want.Val) || c.Len(j) != want.Len() {
					t.Fatalf("column %d: rows %v, want %v", j, got.Idx, want.Idx)
				}
				if !c.Equal(j, j) || j > 0 && c.Equal(j, 0) {
					t.Errorf("column %d is not equal to itself alone", j)
				}
			}
		}
	}
}

// Columns whose rows lie far apart take several bytes a difference.
func TestColumnsLongDifferences(t *testing.T) {
	rows := []int32{0, 126, 254, 255, 16_700, 60_000, 2_500_000}
	ptr, idx := []int{0}, []int32{}
	for i := range 2_500_001 {
		if slices.Contains(rows, int32(i)) {
			idx = append(idx, 0)
		}
		ptr = append(ptr, len(idx))
	}
	if got := columnsOf(t, sparse.New(1, ptr, idx, nil)).Col(0); !slices.Equal(got.Idx, rows) {
		t.Errorf("rows %v, want %v", got.Idx, rows)
	}
}

func columnsOf(t *testing.T, x *sparse.Matrix) *Columns {
	t.Helper()
	c, err := NewColumns(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestColumnsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	if _, err := NewColumns(ctx, sparse.New(2, []int{0, 1, 2}, []int32{0, 1}, nil)); err == nil || err.Error() != "enough" {
		t.Errorf("got %v", err)
	}
}
