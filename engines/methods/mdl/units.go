package mdl

import (
	"context"
	"math"
)

// bestUnit is the unit whose columns lower RSS most together, ties to the first. Each is projected on what the model leaves, so a scan is
// O(rows · columns in the model · columns of units).
func (s *stepwise) bestUnit(ctx context.Context) (best entrant, err error) {
	for _, columns := range s.units {
		if ctx.Err() != nil {
			return entrant{}, context.Cause(ctx)
		}
		if s.run.Train.Competes(int(columns[0])) && !s.hasAny(columns) {
			if next := s.entrantOf(columns); next.gain > best.gain*(1+tieTolerance) {
				best = next
			}
		}
	}
	s.evaluated += int64(len(s.units))
	return best, nil
}

// hasAny tells whether some of the columns are in the model.
func (s *stepwise) hasAny(columns []int32) bool {
	for _, j := range s.responses[0].columns {
		for _, k := range columns {
			if j == k {
				return true
			}
		}
	}
	return false
}

// entrantOf the columns of a unit: Gram-Schmidt, after the basis of the model, on those before. There is none where they take all rows.
func (s *stepwise) entrantOf(columns []int32) (next entrant) {
	u := s.responses[0]
	var own [][]float64
	for _, j := range columns {
		if s.constant(j) {
			continue
		}
		z, _ := s.projectOut(u.basis, j)
		for range 2 {
			for _, q := range own {
				addTo(z, -s.dot(q, z), q)
			}
		}
		square := s.dot(z, z)
		if square <= dependentBelow*s.Norm2[j] {
			continue
		}
		norm := math.Sqrt(square)
		for i := range z {
			z[i] /= norm
		}
		along := s.dot(z, u.residual)
		own, next.columns, next.gain = append(own, z), append(next.columns, j), next.gain+float64(along*along)
	}
	if float64(len(u.columns)+len(own)) > s.N-2 {
		return entrant{}
	}
	return next
}
