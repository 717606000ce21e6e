package runner

import (
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/runner/plan"
)

// Values returns a metric on the folds of a cell that ended well, NaN on those that have no value, and the mean of test rows /
// training rows of these folds; point is a size on the path, −1 for the final model.
func (s *Session) Values(c *plan.Cell, name string, point int32) (values []float64, ratio float64) {
	for _, u := range c.Units {
		o, ok, err := s.Outcome(u.Label.Unit)
		if err != nil || !ok || o.Status != results.OK {
			continue
		}
		if o.RowsTrain > 0 {
			ratio += float64(o.RowsTest) / float64(o.RowsTrain)
		}
		scores := append(slices.Clone(o.Scores), s.File.Defined.Derive(name, o)...)
		if i := slices.IndexFunc(scores, func(s results.Score) bool { return s.Metric == name && s.Output == "" && s.Point == point }); i >= 0 {
			values = append(values, scores[i].Value)
		} else {
			values = append(values, math.NaN())
		}
	}
	return values, ratio / float64(max(1, len(values)))
}
