package trees

import (
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/counts"
)

// Response returns the rows where the only target is defined, its values there, those of numbers and times, the rates of counts, or
// instead the levels of a class, and the weights, those of rates times exposures. A target that does not vary is an error, and so is an infinite value of a column; one may be missing.
func Response(train *data.View) (rows *data.View, values []float64, level []int32, weight data.Weights, err error) {
	info := train.TargetInfo(0)
	rows, values = train.Defined(0)
	if len(values) == 0 {
		return nil, nil, nil, nil, fmt.Errorf("target %s has no training row", info.Name)
	}
	weight = rows.Weights()
	if info.Type == data.Count {
		if rows, values, weight, err = counts.Rates(train, 0); err != nil {
			return nil, nil, nil, nil, err
		}
	}
	if slices.Min(values) == slices.Max(values) {
		return nil, nil, nil, nil, info.RefuseOnly(values[0], len(values))
	}
	if err := rows.Matrix().CheckWithGaps(); err != nil {
		return nil, nil, nil, nil, err
	}
	if info.Type != data.Class {
		return rows, values, nil, weight, nil
	}
	level = make([]int32, len(values))
	for i, l := range values {
		level[i] = int32(l)
	}
	return rows, nil, level, weight, nil
}
