package linear

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// trainingSet is the training rows on which the target is defined.
type trainingSet struct {
	x      *sparse.Matrix
	target data.Target
	level  []int32      // by row
	weight data.Weights // by row
	total  []float64    // weight of the rows, by level

	// How x was made of the view's columns, which is nil where it was not.
	centred *scaled.Centered
	turned  *sparse.Rotated
	given   *sparse.Matrix
}

// readTrainingSet reads the rows. Two levels must have some.
func readTrainingSet(v *data.View) (*trainingSet, error) {
	v, level, err := v.LevelsOf(0)
	if err != nil {
		return nil, err
	}
	s := &trainingSet{x: v.FilledMatrix(), target: v.TargetInfo(0), level: level, weight: v.Weights()}
	s.total = make([]float64, len(s.target.Levels))
	for i, l := range level {
		s.total[l] += s.weight.Of(i)
	}
	if present := s.present(); len(present) == 1 {
		return nil, s.target.RefuseOnly(float64(present[0]), len(level))
	}
	return s, nil
}

// center centres the columns where a free bias makes that the same: descent crawls where means exceed deviations. The error is the cause
// of ctx's end.
func (s *trainingSet) center(ctx context.Context, bias string) (err error) {
	s.given = s.x
	center := scaled.Unmoved
	if bias == freeBias {
		center = scaled.Middle
	}
	if s.centred, err = scaled.Center(ctx, s.x, s.weight, center, false); err == nil {
		s.x = s.centred.X
	}
	return err
}

// prepare prepares the columns for a solver: centred, and in the rows' own axes where that is less work. The error is the cause of ctx's
// end.
func (s *trainingSet) prepare(ctx context.Context, bias string, workers int) error {
	err := s.center(ctx, bias)
	if err != nil || s.x.NNZ() == 0 {
		return err
	}
	if s.turned, err = s.x.Rotate(ctx, workers); s.turned != nil {
		s.x = s.turned.X
	}
	return err
}

// unprepare returns the weights of the columns as they are given, with the bias where there is one, from the weights of x's columns.
func (s *trainingSet) unprepare(w []float64) []float64 {
	if s.turned != nil {
		_, axes := s.x.Dims()
		_, columns := s.given.Dims()
		out := make([]float64, columns, columns+1)
		s.centred.X.MulTVec(out, s.turned.Shares(w, 1))
		w = append(out, w[axes:]...)
	}
	if s.centred.Center != nil {
		w = slices.Clone(w)
		w[len(w)-1] -= dense.Dot(w[:len(w)-1], s.centred.Center)
	}
	return w
}

// present returns the levels that training rows have, rising.
func (s *trainingSet) present() (levels []int) {
	for l, total := range s.total {
		if total > 0 {
			levels = append(levels, l)
		}
	}
	return levels
}

// never is what levels score that no training row has: less than any other.
const never = -1e100

// newModel has for some levels weights, with the bias last where there is one. Of levels that no row has it is never one.
func (s *trainingSet) newModel(weights map[int][]float64, fitted engines.Fitted) engines.Model {
	_, columns := s.given.Dims()
	bias := make([]float64, len(s.target.Levels))
	var coefs []engines.Coef
	for l := range bias {
		if s.total[l] == 0 {
			bias[l] = never
			fitted.Notes = append(fitted.Notes, fmt.Sprintf("level %s has no training row: it is never predicted", s.target.Levels[l]))
		}
		w := weights[l]
		if w != nil {
			w = s.unprepare(w)
		}
		if len(w) > columns {
			bias[l] = w[columns]
			w = w[:columns]
		}
		for j, v := range w {
			if v != 0 {
				coefs = append(coefs, engines.Coef{Feature: j, Output: l, Value: v, Rank: -1})
			}
		}
	}
	return engines.NewLinear(columns, bias, coefs, fitted)
}
