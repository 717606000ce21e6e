package synthetic

import (
	"math"
	"testing"
)

// The response is the parity of the true columns, columns are fair coins, and more rows leave the first ones as they are.
func TestParity(t *testing.T) {
	t.Parallel()
	for _, p := range []Joint{{Rows: 2000, Columns: 5, True: 2}, {Rows: 500, Columns: 3, True: 3}, {Rows: 500, Columns: 3}} {
		s := defaults
		s.Generator, s.Parity = parity, p
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		d, err := s.Load(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Parity.Rows *= 2
		more, err := s.Load(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range d.Targets[0].Values {
			odd := 0
			for _, j := range d.X.Row(i).Idx {
				if int(j) < p.True {
					odd ^= 1
				}
			}
			if y != float64(odd) || more.Targets[0].Values[i] != y {
				t.Fatalf("%+v: row %d is %v and %v, expected %d", p, i, y, more.Targets[0].Values[i], odd)
			}
		}
		for j := range p.Columns {
			if share := float64(d.X.Col(j).Len()) / float64(p.Rows); !(math.Abs(share-0.5) <= 2/math.Sqrt(float64(p.Rows))) {
				t.Errorf("%+v: column %d is 1 in a share of %v", p, j, share)
			}
		}
		if len(d.Truth) != p.True {
			t.Errorf("%+v: %d true columns", p, len(d.Truth))
		}
	}
}

// Half of the rows lie in the ring, which depends on the true columns alone: those far from the quartiles of their squared length are
// where they should be.
func TestRing(t *testing.T) {
	t.Parallel()
	s := defaults
	s.Generator, s.Ring = ring, Joint{Rows: 4000, Columns: 4, True: 2}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	d, err := s.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	inside := 0.0
	for i, y := range d.Targets[0].Values {
		row := d.X.Row(i)
		square := row.At(0)*row.At(0) + row.At(1)*row.At(1)
		// Of χ² with two degrees of freedom the quartiles are -2·log(3/4) and -2·log(1/4).
		if want := square > -2*math.Log(0.75) && square < -2*math.Log(0.25); want != (y == 1) {
			t.Fatalf("row %d of squared length %v is %v", i, square, y)
		}
		inside += y
	}
	if share := inside / 4000; !(math.Abs(share-0.5) < 0.03) || len(d.Truth) != 2 {
		t.Errorf("a share of %v lies in the ring, with %d true columns", share, len(d.Truth))
	}
}
