package loglinear

import (
	"math"
	"testing"
)

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

// A line over terms of the caller's is the state's line.
func TestNewLine(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(6, binary, 3)
		p := l.problem(t)
		cands, fs, w := l.features(p, 6)
		s := started(p)
		if err := s.Set(background, cands, w); err != nil {
			t.Fatal(err)
		}
		row := make([]float64, p.Classes)
		for k, c := range cands {
			col := p.Col(c.Column)
			var probability, mult []float64
			for _, i := range col.Idx {
				s.Probabilities(row, int(i))
				probability = append(probability, row[c.Class])
				if m := p.Mult(int(i)); m != 1 {
					mult = append(mult, m)
				}
			}
			got, want := NewLine(c, probability, mult, col.Val), s.Line(c, &Buffer{})
			a, b := got.Slope(0.3)
			x, y := want.Slope(0.3)
			if math.Abs(a-x) > 1e-12 || math.Abs(b-y) > 1e-12 || math.Abs(got.Value(0.3)-want.Value(0.3)) > 1e-12 {
				t.Errorf("%v: slope %v, %v, value %v; want %v, %v, %v", fs[k], a, b, got.Value(0.3), x, y, want.Value(0.3))
			}
		}
	}
}
