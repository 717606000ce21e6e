package loglinear

import (
	"fmt"
	"math"
	"testing"

	"tenfold/engines/enginetest"
)

func TestNew(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(1, binary, 3)
		p := l.problem(t)
		if p.Rows() >= 30 || p.once == 0 || p.once == p.Rows() {
			t.Errorf("%d distinct rows, %d of them count once", p.Rows(), p.once)
		}
		total := 0.0
		for i := range p.Rows() {
			class, weight := p.Labels(i)
			sum := 0.0
			for k := range class {
				sum += weight[k]
				if k > 0 && class[k] <= class[k-1] {
					t.Errorf("row %d: classes %v", i, class)
				}
			}
			near(t, "weight of a row", sum, p.Mult(i), 1e-15)
			if (p.Mult(i) == 1) != (i < p.once) {
				t.Errorf("row %d of %d counts %v", i, p.once, p.Mult(i))
			}
			total += sum
		}
		near(t, "weight", total, p.Weight, 1e-14)
		for _, c := range candidates(p, 0, true) {
			var seen, holds, sum, squares float64
			for i, y := range l.y {
				if x := l.value(i, c.Feature); x != 0 {
					holds += l.weight[i]
					if y == c.Class {
						seen += l.weight[i]
						sum += l.weight[i] * x
						squares += l.weight[i] * x * x
					}
				}
			}
			near(t, "seen", c.Seen, seen, 1e-14)
			near(t, "holds", c.Holds, holds, 1e-14)
			near(t, "sum", c.Sum, sum, 1e-12)
			near(t, "squares", c.Squares, squares, 1e-12)
			if again := p.Count(c.Feature); !(math.Abs(again.Sum-c.Sum) <= 1e-12) || !(math.Abs(again.Squares-c.Squares) <= 1e-12) || again.Feature != c.Feature {
				t.Errorf("counted alone %+v, with others %+v", again, c)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	p, err := New(background, enginetest.Matrix([]float64{1, 0}, []float64{1, 0}, []float64{1, 0}, []float64{0, 0}), []int32{2, 0, 2, 1}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	for cutoff, want := range map[float64]string{
		1: "[{{-1 0} 1 4 1 1} {{-1 1} 1 4 1 1} {{-1 2} 2 4 2 2} {{0 0} 1 3 1 1} {{0 2} 2 3 2 2}]",
		2: "[{{-1 2} 2 4 2 2} {{0 2} 2 3 2 2}]",
	} {
		if got := fmt.Sprint(candidates(p, cutoff, true)); got != want {
			t.Errorf("cutoff %v: got %s, want %s", cutoff, got, want)
		}
	}
	if got := len(candidates(p, 1, false)); got != 2 {
		t.Errorf("%d candidates without biases, want 2", got)
	}
}

func TestRefused(t *testing.T) {
	x := enginetest.Matrix([]float64{1}, []float64{0})
	for name, err := range map[string]error{
		"labels":          second(New(background, x, []int32{0}, nil, 2)),
		"label too large": second(New(background, x, []int32{0, 2}, nil, 2)),
		"negative label":  second(New(background, x, []int32{-1, 0}, nil, 2)),
		"weights":         second(New(background, x, []int32{0, 1}, []float64{1}, 2)),
		"weight zero":     second(New(background, x, []int32{0, 1}, []float64{1, 0}, 2)),
		"no weight":       second(New(background, x, []int32{0, 1}, []float64{1, math.NaN()}, 2)),
		"no row":          second(New(background, x.Range(0, 0), nil, nil, 2)),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Rows get one number exactly where they are equal in the columns.
func TestAgree(t *testing.T) {
	for _, binary := range []bool{true, false} {
		p := sample(5, binary, 3).problem(t)
		rows := literal{x: p.X}
		for _, columns := range [][]int32{nil, {2}, {0, 3, 7}, {0, 1, 2, 3, 4, 5, 6, 7}} {
			at, first, err := p.Agree(background, columns)
			if err != nil {
				t.Fatal(err)
			}
			for i := range p.Rows() {
				if f := first[at[i]]; int(f) > i {
					t.Errorf("columns %v: row %d has the number of %d, a later one", columns, i, f)
				}
				for j := range i {
					alike := true
					for _, c := range columns {
						alike = alike && rows.value(i, Feature{Column: c}) == rows.value(j, Feature{Column: c})
					}
					if alike != (at[i] == at[j]) {
						t.Errorf("columns %v: rows %d and %d are alike: %v, numbers %d and %d", columns, i, j, alike, at[i], at[j])
					}
				}
			}
		}
	}
}
