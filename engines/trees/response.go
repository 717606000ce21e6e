package trees

import (
	"fmt"
	"slices"

	"tenfold/engines/data"
)

// Response returns the rows where the only target is defined, and its values there: those of numbers and times, or instead the
// levels of a class. A target that does not vary is an error, and so is an infinite value of a column; one may be missing.
func Response(train *data.View) (rows *data.View, values []float64, level []int32, err error) {
	info := train.TargetInfo(0)
	rows, values = train.Defined(0)
	if len(values) == 0 {
		return nil, nil, nil, fmt.Errorf("target %s has no training row", info.Name)
	}
	if slices.Min(values) == slices.Max(values) {
		return nil, nil, nil, info.RefuseOnly(values[0], len(values))
	}
	if err := rows.Matrix().CheckWithGaps(); err != nil {
		return nil, nil, nil, err
	}
	if info.Type != data.Class {
		return rows, values, nil, nil
	}
	level = make([]int32, len(values))
	for i, l := range values {
		level[i] = int32(l)
	}
	return rows, nil, level, nil
}
