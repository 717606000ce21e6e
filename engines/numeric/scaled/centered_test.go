package scaled_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// Columns come out centred and scaled as a dense computation has them; those that are mostly zeros keep these.
func TestCenter(t *testing.T) {
	const rows, cols = 60, 11
	rare := dense(enginetest.Random(3, rows, cols, 0.4, false))
	full := make([][]float64, rows)
	for i, row := range rare {
		for j, v := range row {
			switch {
			case j == 0: // one value in all rows
				v = 0.1
			case j == 1: // nothing
				v = 0
			case j < 5: // in all rows, far from 0
				v = 1e6 + float64(i*j%17)
			case j < 7 && i%4 > 0: // in three rows of four
				v = 500 + float64(i%5)
			case j < 7:
				v = 0
			}
			full[i] = append(full[i], v)
		}
	}
	x := enginetest.Matrix(full...)
	for _, weight := range [][]float64{nil, weights(rows)} {
		for _, scale := range []bool{false, true} {
			for _, location := range []scaled.Location{scaled.Unmoved, scaled.Mean} {
				center := location == scaled.Mean
				t.Run(fmt.Sprintf("weighted %v, scale %v, center %v", weight != nil, scale, center), func(t *testing.T) {
					c, err := scaled.Center(t.Context(), x, weight, location, scale)
					if err != nil || c.X.Check() != nil {
						t.Fatal(err, c.X.Check())
					}
					if !scale && !center && c.X != x {
						t.Error("nothing to do, and another matrix")
					}
					if (c.Center != nil) != center || (c.Scale != nil) != scale {
						t.Fatalf("centres %v, scales %v", c.Center, c.Scale)
					}
					got := dense(c.X)
					for j := range cols {
						n, mean, square, entries := 0.0, 0.0, 0.0, 0
						for i := range rows {
							m := 1.0
							if weight != nil {
								m = weight[i]
							}
							n += m
							mean += m * full[i][j]
							if full[i][j] != 0 {
								entries++
							}
						}
						mean /= n
						for i := range rows {
							m := 1.0
							if weight != nil {
								m = weight[i]
							}
							square += m * (full[i][j] - mean) * (full[i][j] - mean)
						}
						if j == 0 {
							square = 0
						}
						from, by := 0.0, 1.0
						if center && 2*entries > rows {
							from = mean
						}
						if scale && square > 0 {
							by = 1 / math.Sqrt(square/n)
						} else if scale {
							by = 0
						}
						if square == 0 && from != 0 {
							from = c.Center[j] // any that leaves nothing will do
						}
						if center && !(math.Abs(c.Center[j]-from) <= 1e-9) || scale && !(math.Abs(c.Scale[j]-by) <= 1e-9) {
							t.Errorf("column %d: centre %v, scale %v, want %v and %v", j, c.Center, c.Scale, from, by)
						}
						for i := range rows {
							want := (full[i][j] - from) * by
							if center && j == 0 {
								want = 0
							}
							if !(math.Abs(got[i][j]-want) <= 1e-8) {
								t.Fatalf("row %d, column %d: %v, want %v", i, j, got[i][j], want)
							}
						}
					}
				})
			}
		}
	}
}

// A standard deviation that is a hundred-millionth of the mean keeps its digits.
func TestCenterKeepsDigits(t *testing.T) {
	const n = 1000
	var near, far [][]float64
	for i := range n {
		v := float64(1+i%2) / 1024
		if i == 0 {
			v = 99.0 / 1024 // squares are summed about it, and it is far from the others
		}
		near, far = append(near, []float64{v}), append(far, []float64{1e6 + v})
	}
	want, err := scaled.Center(t.Context(), enginetest.Matrix(near...), nil, scaled.Mean, true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := scaled.Center(t.Context(), enginetest.Matrix(far...), nil, scaled.Mean, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if a, b := got.X.Row(i).At(0), want.X.Row(i).At(0); !(math.Abs(a-b) <= 1e-6) {
			t.Fatalf("row %d: %v, want %v", i, a, b)
		}
	}
}

// Where one entry is larger than all others by orders of magnitude, the zero of the column is among the others, if it is to be in the middle.
func TestCenterInTheMiddle(t *testing.T) {
	x := make([][]float64, 9)
	for i := range x {
		x[i] = []float64{float64(i + 1), 1 + float64(i)/64}
	}
	x[3][1] = 1e16
	for location, want := range map[scaled.Location][]float64{scaled.Mean: {5, (1e16 + 8 + 33.0/64) / 9}, scaled.Middle: {5, 1 + 5.0/64}} {
		c, err := scaled.Center(t.Context(), enginetest.Matrix(x...), nil, location, false)
		if err != nil {
			t.Fatal(err)
		}
		if c.Center[0] != want[0] || !(math.Abs(c.Center[1]-want[1]) <= 1e-15*want[1]) {
			t.Errorf("location %d: centres %v, want %v", location, c.Center, want)
		}
	}
}

// A matrix of ones, and one whose columns are mostly zeros, are left alone: nothing is copied.
func TestCenterLeavesSparseColumns(t *testing.T) {
	for _, x := range []*sparse.Matrix{enginetest.Random(3, 50, 9, 0.9, true), enginetest.Random(3, 50, 9, 0.2, false)} {
		if c, err := scaled.Center(t.Context(), x, nil, scaled.Mean, false); err != nil || c.X != x || c.Center != nil {
			t.Errorf("%v, error %v", c, err)
		}
	}
	x := enginetest.Random(3, 50, 9, 0.9, true)
	if c, err := scaled.Center(t.Context(), x, nil, scaled.Mean, true); err != nil || c.X.NNZ() != x.NNZ() {
		t.Errorf("%d entries of %d, error %v", c.X.NNZ(), x.NNZ(), err)
	}
}

func TestCenterIsCancelled(t *testing.T) {
	over := errors.New("over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(over)
	for _, scale := range []bool{false, true} {
		if _, err := scaled.Center(ctx, enginetest.Random(3, 50, 9, 0.9, false), nil, scaled.Mean, scale); !errors.Is(err, over) {
			t.Errorf("scale %v: %v", scale, err)
		}
	}
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
		for _, how := range []struct {
			center scaled.Location
			scale  bool
		}{{scaled.Mean, false}, {scaled.Middle, false}, {scaled.Unmoved, true}, {scaled.Mean, true}} {
			got, err := scaled.Center(ctx, full, w, how.center, how.scale)
			if err != nil {
				t.Fatal(err)
			}
			want, err := scaled.Center(ctx, other, w, how.center, how.scale)
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
			if how.center != scaled.Unmoved && !slices.Equal(got.Center, want.Center[:cols]) || how.scale && !slices.Equal(got.Scale, want.Scale[:cols]) {
				t.Fatalf("weights %v: centres or scales differ", w != nil)
			}
		}
	}
}

// Centring keeps a matrix full where a column of it has one value, whose cells become zeros.
func TestCenterKeepsFull(t *testing.T) {
	x := drawFull(rand.New(rand.NewPCG(7, 8)), 9, 5, false)
	x = x.Valued(func(j int32, v float64) float64 {
		if j == 2 {
			return 0.1
		}
		return v
	})
	for _, scale := range []bool{false, true} {
		c, err := scaled.Center(t.Context(), x, nil, scaled.Mean, scale)
		if err != nil {
			t.Fatal(err)
		}
		if !c.X.IsFull() {
			t.Fatal("it lost entries")
		}
		for i := range 9 {
			if v := c.X.Row(i).Val[2]; v != 0 {
				t.Fatalf("row %d of a column with one value is %v", i, v)
			}
		}
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

// TestAnyFarFromZero: a column is far from zero where its mean is several standard deviations from it, or it has one value.
func TestAnyFarFromZero(t *testing.T) {
	for want, values := range map[bool][][]float64{
		true:  {{5, 5, 5}, {100, 101, 102}, {-7, -6, -8}},
		false: {{0, 0, 0}, {-1, 1, 2}, {1, 2, 9}},
	} {
		for _, v := range values {
			x := enginetest.Matrix([]float64{v[0], 1}, []float64{v[1], -1}, []float64{v[2], 2}).Filled()
			if got := scaled.AnyFarFromZero(x); !x.IsFull() || got != want {
				t.Errorf("%v: %v", v, got)
			}
		}
	}
	if !scaled.AnyFarFromZero(drawFull(rand.New(rand.NewPCG(7, 8)), 9, 5, false)) {
		t.Error("means of 50 and more are near")
	}
	if scaled.AnyFarFromZero(enginetest.Random(3, 50, 9, 0.4, false)) {
		t.Error("columns of few entries are far")
	}
}
