package univariate

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Levene returns Levene's (1960) test that a column spreads alike in all classes, about the classes' medians (Brown & Forsythe 1974): F of an
// analysis of variance of |x − median|. O(rows · log rows) a column.
func Levene(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	c, err := severalClasses(v)
	if err != nil {
		return nil, nil, err
	}
	if c.n <= c.seen {
		return nil, nil, fmt.Errorf("a test of spread needs more rows than classes, there are %v rows of %v classes", c.n, c.seen)
	}
	rows := data.Numbers(len(c.y))
	distance, values := make([]float64, len(rows)), make([][]float64, len(c.size))
	return c.x, func(col sparse.Vec) (ranking.Result, error) {
		for k, v := range col.Val {
			if !elementary.IsFinite(v) {
				return ranking.Nothing, fmt.Errorf("row %d: value %v, expected a finite number", col.Idx[k], v)
			}
		}
		clear(distance)
		col.AddTo(distance, 1)
		for k := range values {
			values[k] = values[k][:0]
		}
		for i, v := range distance {
			values[c.y[i]] = append(values[c.y[i]], v)
		}
		for _, ofClass := range values {
			slices.Sort(ofClass)
		}
		for i, v := range distance {
			ofClass := values[c.y[i]]
			n := len(ofClass)
			distance[i] = math.Abs(v - float64((ofClass[(n-1)/2]+ofClass[n/2])/2))
		}
		return c.fStatistic(sparse.Vec{Idx: rows, Val: distance})
	}, nil
}
