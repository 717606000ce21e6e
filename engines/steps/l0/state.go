package l0

import (
	"slices"

	"tenfold/engines/numeric/scaled"
)

// state is coefficients of any loss.
type state struct {
	x       *scaled.Matrix // of unit norm
	lambda2 float64
	curve   float64 // of the loss along a column: 1, of classes the bound ¼

	b       []float64
	support []int32   // rising
	c       []float64 // X'r
	looked  int64     // gradients
}

func newState(x *scaled.Matrix, lambda2, curve float64) state {
	_, columns := x.X.Dims()
	return state{x: x, lambda2: lambda2, curve: curve, b: make([]float64, columns), c: make([]float64, columns)}
}

func (s *state) current() *state { return s }

// set sets the coefficient of column j, and returns by how much it moved.
func (s *state) set(j int32, to float64) (by float64) {
	by = to - s.b[j]
	if place, in := slices.BinarySearch(s.support, j); !in && to != 0 {
		s.support = slices.Insert(s.support, place, j)
	} else if in && to == 0 {
		s.support = slices.Delete(s.support, place, place+1)
	}
	s.b[j] = to
	return by
}

// entry returns the largest price at which a column outside the model would enter it.
func (s *state) entry() (lambda float64) {
	for j, c := range s.c {
		if s.b[j] == 0 && s.x.Scale[j] != 0 {
			lambda = max(lambda, 0.5*float64(c*c)/(s.curve+s.lambda2))
		}
	}
	return lambda
}

// squares returns the sum of the squared coefficients.
func (s *state) squares() (sum float64) {
	for _, j := range s.support {
		sum += float64(s.b[j] * s.b[j])
	}
	return sum
}
