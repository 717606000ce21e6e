package sparse_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// dense returns the matrix as its rows show it.
func dense(m *sparse.Matrix) [][]float64 {
	rows, cols := m.Dims()
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, cols)
		m.Row(i).AddTo(out[i], 1)
	}
	return out
}

// byColumn is the matrix as its columns show it.
func byColumn(m *sparse.Matrix) [][]float64 {
	rows, cols := m.Dims()
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, cols)
	}
	for j := range cols {
		col := m.Col(j)
		if !slices.IsSorted(col.Idx) {
			panic("column out of order")
		}
		for k, i := range col.Idx {
			out[i][j] = col.At(k)
		}
	}
	return out
}

func TestBuilder(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		idx    [][]int32
		val    [][]float64
		cols   int
		want   string
		binary bool
	}{
		{"nothing", nil, nil, 3, "[]", true},
		{"ones", [][]int32{{0, 2}, {}, {1}}, [][]float64{nil, nil, nil}, 0, "[[1 0 1] [0 0 0] [0 1 0]]", true},
		{"ones written out", [][]int32{{0, 2}, {1}}, [][]float64{{1, 1}, {1}}, 4, "[[1 0 1 0] [0 1 0 0]]", true},
		{"values after ones", [][]int32{{0, 1}, {1}, {0}}, [][]float64{nil, {2.5}, nil}, 0, "[[1 1] [0 2.5] [1 0]]", false},
		{"any order", [][]int32{{2, 0, 1}}, [][]float64{{7, 8, 9}}, 0, "[[8 9 7]]", false},
		{"any order of ones", [][]int32{{2, 0}}, [][]float64{nil}, 0, "[[1 0 1]]", true},
		{"zeros widen but are not stored", [][]int32{{0, 3}}, [][]float64{{1, 0}}, 0, "[[1 0 0 0]]", true},
		{"missing values stay", [][]int32{{1}}, [][]float64{{nan}}, 0, "[[0 NaN]]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b sparse.Builder
			for i := range c.idx {
				if err := b.Add(c.idx[i], c.val[i]); err != nil {
					t.Fatal(err)
				}
			}
			m := b.Matrix(c.cols)
			if got := fmt.Sprint(dense(m)); got != c.want || m.Binary() != c.binary {
				t.Errorf("got %s, binary %v; want %s, %v", got, m.Binary(), c.want, c.binary)
			}
			if got := fmt.Sprint(byColumn(m)); got != c.want {
				t.Errorf("by column: got %s, want %s", got, c.want)
			}
		})
	}
}

func TestBuilderRefuses(t *testing.T) {
	var b sparse.Builder
	for _, c := range []struct {
		idx  []int32
		val  []float64
		want string
	}{
		{[]int32{0, -1}, nil, "negative column index -1"},
		{[]int32{3, 1, 3}, nil, "column index 3 is repeated"},
		{[]int32{3, 1, 3}, []float64{5, 6, 7}, "column index 3 is repeated"},
		{[]int32{0, 4}, []float64{2, math.Inf(1)}, "column 4: value +Inf"},
	} {
		if err := b.Add(c.idx, c.val); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.idx, err, c.want)
		}
		if err := b.Add([]int32{0}, []float64{3}); err != nil { // what was refused must leave no trace
			t.Fatal(err)
		}
	}
	m := b.Matrix(1)
	for _, row := range dense(m) {
		if row[0] != 3 {
			t.Errorf("a refused row left something behind: %v", dense(m))
		}
	}
	if rows, _ := m.Dims(); rows != 4 || m.NNZ() != 4 || m.Check() != nil {
		t.Errorf("%d rows, %d entries, %v; want 4, 4, nil", rows, m.NNZ(), m.Check())
	}
}

func TestMatrixAgainstDense(t *testing.T) {
	for _, binary := range []bool{true, false} {
		m := enginetest.Random(3, 40, 17, 0.2, binary)
		full := dense(m)
		if fmt.Sprint(byColumn(m)) != fmt.Sprint(full) {
			t.Fatal("columns differ from rows")
		}
		if m.Check() != nil || m.Binary() != binary {
			t.Errorf("check: %v, binary %v", m.Check(), m.Binary())
		}
		for _, rows := range [][]int32{{}, {5}, {3, 4, 5, 6}, {9, 2, 30, 2}, {39}} {
			var want [][]float64
			for _, i := range rows {
				want = append(want, full[i])
			}
			got := m.Pick(rows)
			if fmt.Sprint(dense(got)) != fmt.Sprint(want) || fmt.Sprint(byColumn(got)) != fmt.Sprint(want) {
				t.Errorf("Pick %v differs", rows)
			}
			if n := len(rows); n > 1 {
				if part := got.Range(1, n); fmt.Sprint(byColumn(part)) != fmt.Sprint(want[1:]) {
					t.Errorf("Range of Pick %v differs", rows)
				}
			}
		}
		for _, columns := range [][]int32{{}, {5}, {0, 16}, {2, 3, 11}} {
			part := m.Range(10, 30).Keep(columns)
			want := make([][]float64, 20)
			for i := range want {
				want[i] = []float64{}
				for _, j := range columns {
					want[i] = append(want[i], full[10+i][j])
				}
			}
			if fmt.Sprint(dense(part)) != fmt.Sprint(want) || fmt.Sprint(byColumn(part)) != fmt.Sprint(want) {
				t.Errorf("Keep %v differs", columns)
			}
		}
		products(t, m, full)
	}
}

func products(t *testing.T, m *sparse.Matrix, full [][]float64) {
	rows, cols := m.Dims()
	w, r := make([]float64, cols), make([]float64, rows)
	for j := range w {
		w[j] = math.Sin(float64(j))
	}
	for i := range r {
		r[i] = math.Cos(float64(i))
	}
	xw, xr := make([]float64, rows), make([]float64, cols)
	for j := range xr {
		xr[j] = 99 // must be overwritten
	}
	m.MulVec(xw, w)
	m.MulTVec(xr, r)
	for i := range xw {
		want := 0.0
		for j := range w {
			want += full[i][j] * w[j]
		}
		if !(math.Abs(xw[i]-want) <= 1e-13) {
			t.Fatalf("(X·w)[%d] = %v, want %v", i, xw[i], want)
		}
	}
	for j := range xr {
		want, sum := 0.0, 0.0
		for i := range r {
			want += full[i][j] * r[i]
			sum += full[i][j]
		}
		if !(math.Abs(xr[j]-want) <= 1e-13) || !(math.Abs(m.Col(j).Sum()-sum) <= 1e-13) || !(math.Abs(m.Col(j).Dot(r)-want) <= 1e-13) {
			t.Fatalf("column %d: %v, %v, %v; want %v, %v", j, xr[j], m.Col(j).Dot(r), m.Col(j).Sum(), want, sum)
		}
	}
}

func TestColumnsFromManyGoroutines(t *testing.T) {
	m := enginetest.Random(4, 200, 50, 0.1, true)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			n := 0
			for j := range 50 {
				n += m.Col(j).Len()
			}
			if n != m.NNZ() {
				t.Errorf("%d entries by column, %d by row", n, m.NNZ())
			}
		})
	}
	wait.Wait()
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		ptr  []int
		idx  []int32
		val  []float64
		want string
	}{
		{[]int{0, 2}, []int32{0, 1}, []float64{1, 2}, ""},
		{nil, nil, nil, "no row pointers"},
		{[]int{0, 2}, []int32{0, 1}, []float64{1}, "1 values for 2 column indices"},
		{[]int{0, 2, 1}, []int32{0, 1}, nil, "row 1: it starts at entry 2 and ends at 1"},
		{[]int{0, 3}, []int32{0, 1}, nil, "row 0: it starts at entry 0 and ends at 3 of 2"},
		{[]int{-1, 1}, []int32{0, 1}, nil, "row 0"},
		{[]int{0, 1, 2}, []int32{0, 2}, nil, "row 1: column index 2 outside 0..1"},
		{[]int{0, 1}, []int32{-4}, nil, "row 0: column index -4"},
		{[]int{0, 2}, []int32{1, 1}, nil, "row 0: column index 1 is repeated"},
		{[]int{0, 2}, []int32{1, 0}, nil, "row 0: column index 0 after 1"},
		{[]int{0, 1}, []int32{1}, []float64{math.NaN()}, "row 0, column 1: value NaN"},
	} {
		err := sparse.New(2, c.ptr, c.idx, c.val).Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v %v %v: got %v, want %q", c.ptr, c.idx, c.val, err, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	nan := math.NaN()
	var b sparse.Builder
	for _, row := range [][]float64{{1, 2, nan, 4}, {5, 0, 7, nan}, {nan, 3, nan, 0}, {0, 0, 0, 0}} {
		if err := b.Add([]int32{0, 1, 2, 3}, row); err != nil {
			t.Fatal(err)
		}
	}
	m := b.Matrix(4).Place(3, []int32{2, 0, -1, 1}, []int32{2, 0, 0, -1})
	got := ""
	for i := range 4 {
		row := m.Row(i)
		got += fmt.Sprint(row.Idx, row.Val)
	}
	if want := "[0 1 2] [2 4 1][2] [5][0 2] [3 NaN][] []"; got != want || m.NNZ() != 6 {
		t.Errorf("got %s, %v, want %s", got, m.NNZ(), want)
	}
}
