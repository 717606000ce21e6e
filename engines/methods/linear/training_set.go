package linear

import (
	"context"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// trainingSet is the training rows on which the target is defined.
type trainingSet struct {
	x      *sparse.Matrix
	target data.Target
	level  []int32      // by row
	weight data.Weights // by row
	total  []float64    // weight of the rows, by level

	turned *sparse.Rotated // the rows in axes of their own, which x has then; nil where it has the columns
	given  *sparse.Matrix  // the columns, where x has not
}

// readTrainingSet reads the rows. Two levels must have some.
func readTrainingSet(v *data.View) (*trainingSet, error) {
	v, level, err := v.LevelsOf(0)
	if err != nil {
		return nil, err
	}
	s := &trainingSet{x: v.Matrix(), target: v.TargetInfo(0), level: level, weight: v.Weights()}
	s.total = make([]float64, len(s.target.Levels))
	for i, l := range level {
		s.total[l] += s.weight.Of(i)
	}
	if present := s.present(); len(present) == 1 {
		return nil, fmt.Errorf("target %s: all %d training rows have level %q; a support vector machine needs two levels", s.target.Name, len(level), s.target.Levels[present[0]])
	}
	return s, nil
}

// rotate the rows into axes of their own where that is less work. The error is the cause of ctx's end.
func (s *trainingSet) rotate(ctx context.Context, workers int) (err error) {
	s.turned, err = s.x.Rotate(ctx, workers)
	if s.turned != nil {
		s.x, s.given = s.turned.X, s.x
	}
	return err
}

// turnBack is weights of the columns from those in the rows' axes, with the bias where there is one.
func (s *trainingSet) turnBack(w []float64) []float64 {
	_, axes := s.x.Dims()
	_, columns := s.given.Dims()
	out := make([]float64, columns, columns+1)
	s.given.MulTVec(out, s.turned.Shares(w, 1))
	return append(out, w[axes:]...)
}

// present are the levels that training rows have.
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
	x := s.x
	if s.turned != nil {
		x = s.given
	}
	_, columns := x.Dims()
	bias := make([]float64, len(s.target.Levels))
	var coefs []engines.Coef
	for l := range bias {
		if s.total[l] == 0 {
			bias[l] = never
			fitted.Notes = append(fitted.Notes, fmt.Sprintf("level %s has no training row: it is never predicted", s.target.Levels[l]))
		}
		w := weights[l]
		if s.turned != nil && w != nil {
			w = s.turnBack(w)
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
