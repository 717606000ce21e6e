package sparse

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// random rows with frequent columns first, some rows and columns empty; a range of a larger matrix, so that pointers do not
// begin at 0.
func uneven(t *testing.T, binary bool) *Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 4))
	var b Builder
	for i := range 3000 {
		var idx []int32
		var val []float64
		for j := range 60 {
			if i%7 > 0 && j%9 < 8 && rng.Float64() < 1/float64(j+2) {
				idx, val = append(idx, int32(j)), append(val, rng.NormFloat64())
			}
		}
		if binary {
			val = nil
		}
		if err := b.Add(idx, val); err != nil {
			t.Fatal(err)
		}
	}
	return b.Matrix(70).Range(100, 2900)
}

// Strips divide every row, and what is computed from them does not depend on how many there are.
func TestStrips(t *testing.T) {
	for _, binary := range []bool{true, false} {
		m := uneven(t, binary)
		rows, cols := m.Dims()
		r, want := make([]float64, rows), make([]float64, cols)
		for i := range r {
			r[i] = float64(i%13) - 5.3
		}
		m.MulTVec(want, r)
		columns := []int32{0, 1, 8, 9, 30, 31, 59, 69}
		for _, n := range []int{1, 2, 3, 8, 1000} {
			strips := m.Strips(n)
			if n < 4 && len(strips) != n || len(strips) > n {
				t.Errorf("%d strips, expected %d", len(strips), n)
			}
			for i := range rows {
				var idx []int32
				for k := range strips {
					row := strips[k].Row(i)
					for _, j := range row.Idx {
						if int(j) < strips[k].First || int(j) >= strips[k].Last {
							t.Fatalf("column %d in strip %d from %d up to %d", j, k, strips[k].First, strips[k].Last)
						}
					}
					idx = append(idx, row.Idx...)
				}
				if !slices.Equal(idx, m.Row(i).Idx) {
					t.Fatalf("%d strips: row %d is %v, expected %v", n, i, idx, m.Row(i).Idx)
				}
			}
			got := slices.Repeat([]float64{7}, cols)
			Together(strips, func(s *Strip) { s.MulTVec(got, r) })
			if !slices.Equal(got, want) {
				t.Errorf("%d strips: product %v, expected %v", n, got, want)
			}
			s, err := Select(context.Background(), strips, columns)
			if err != nil || s.Len() != len(columns) {
				t.Fatal(s.Len(), err)
			}
			for k, j := range columns {
				a, b := s.Col(k), m.Col(int(j))
				if !slices.Equal(a.Idx, b.Idx) || !slices.Equal(a.Val, b.Val) {
					t.Errorf("%d strips: column %d is %v, expected %v", n, j, a, b)
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Select(ctx, uneven(t, true).Strips(2), nil); err == nil {
		t.Error("cancelled: no error")
	}
	for _, m := range []*Matrix{New(0, []int{0, 0}, nil, nil), New(3, []int{0}, nil, nil)} {
		if s := m.Strips(4); len(s) != 1 || s[0].Last != m.cols {
			t.Errorf("an empty matrix has strips %+v", s)
		}
	}
}

func TestDot4(t *testing.T) {
	w := make([]float64, 100)
	for j := range w {
		w[j] = float64(j*j%31) - 11.25
	}
	for n := range 12 {
		var v Vec
		for k := range n {
			v.Idx, v.Val = append(v.Idx, int32(8*k)), append(v.Val, float64(k)-2.5)
		}
		for _, v := range []Vec{v, {Idx: v.Idx}} {
			if got, want := v.Dot4(w), v.Dot(w); got != want { // exact: all terms are multiples of 1/8
				t.Errorf("%d entries: %v, expected %v", n, got, want)
			}
		}
	}
}
