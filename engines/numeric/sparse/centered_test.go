package sparse_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"tenfold/engines/enginetest"
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
			for _, location := range []sparse.Location{sparse.Unmoved, sparse.Mean} {
				center := location == sparse.Mean
				t.Run(fmt.Sprintf("weighted %v, scale %v, center %v", weight != nil, scale, center), func(t *testing.T) {
					c, err := sparse.Center(t.Context(), x, weight, location, scale)
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
	want, err := sparse.Center(t.Context(), enginetest.Matrix(near...), nil, sparse.Mean, true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sparse.Center(t.Context(), enginetest.Matrix(far...), nil, sparse.Mean, true)
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
	for location, want := range map[sparse.Location][]float64{sparse.Mean: {5, (1e16 + 8 + 33.0/64) / 9}, sparse.Middle: {5, 1 + 5.0/64}} {
		c, err := sparse.Center(t.Context(), enginetest.Matrix(x...), nil, location, false)
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
		if c, err := sparse.Center(t.Context(), x, nil, sparse.Mean, false); err != nil || c.X != x || c.Center != nil {
			t.Errorf("%v, error %v", c, err)
		}
	}
	x := enginetest.Random(3, 50, 9, 0.9, true)
	if c, err := sparse.Center(t.Context(), x, nil, sparse.Mean, true); err != nil || c.X.NNZ() != x.NNZ() {
		t.Errorf("%d entries of %d, error %v", c.X.NNZ(), x.NNZ(), err)
	}
}

func TestCenterIsCancelled(t *testing.T) {
	over := errors.New("over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(over)
	for _, scale := range []bool{false, true} {
		if _, err := sparse.Center(ctx, enginetest.Random(3, 50, 9, 0.9, false), nil, sparse.Mean, scale); !errors.Is(err, over) {
			t.Errorf("scale %v: %v", scale, err)
		}
	}
}
