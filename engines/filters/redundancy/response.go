package redundancy

import (
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/numeric/sparse"
)

// responseCuts is into how many levels numbers are cut: with more, a table of two columns and the response has few rows in each cell.
const responseCuts = 3

// responseLevels returns the rows on which the target is defined, and the level of each response, one of so many: its class; or of numbers, and
// of the martingale residuals of times, one of three levels of equal frequency. Numbers of at most three values are levels themselves. A cut above
// all numbers, where most are the largest, is taken below that. O(n log n).
func responseLevels(v *data.View) (rows *data.View, level []int32, levels int, err error) {
	if info := v.TargetInfo(0); info.Type == data.Class {
		rows, level, err = v.LevelsOf(0)
		return rows, level, len(info.Levels), err
	}
	rows, y, err := univariate.Number(v)
	if err == nil && len(y) == 0 {
		err = fmt.Errorf("target %s has no training row", v.TargetInfo(0).Name)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	weight, n := rows.TestWeights()
	ordered := newDistribution(sparse.Vec{Idx: data.Numbers(len(y)), Val: y}, len(y), weight, n)
	values := ordered.Distinct()
	code := valueOf(values)
	if largest := len(values) - 1; largest >= responseCuts {
		if code = equalFrequencies(ordered, responseCuts); code(values[largest]) == 0 {
			code = below(values[largest-1 : largest])
		}
	}
	level = make([]int32, len(y))
	for i, number := range y {
		level[i] = int32(code(number))
	}
	return rows, level, responseCuts, nil
}
