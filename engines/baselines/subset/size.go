package subset

import (
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
)

// ByDefault stands for a number of columns that follows from the data.
const ByDefault = -1

// mostByDefault is how many columns are chosen at most where no number is given.
const mostByDefault = 100

// CheckSize checks a parameter features, of columns at most.
func CheckSize(features int) error {
	return param.Require("features", features >= ByDefault, "%d, expected 0 or more, or %d for the default", features, ByDefault)
}

// Size returns how many columns are chosen at most, 0 for no limit. By default it is a hundred, at most half of the columns that need not be kept,
// and of numbers, which least squares fits without a penalty, at most the root of the rows; but as many as the run asks for.
func Size(features int, run engines.Run) int {
	train := run.Train
	if features != ByDefault {
		return features
	}
	if len(run.At) > 0 {
		return run.At[len(run.At)-1]
	}
	n := min(mostByDefault, (train.Columns()-len(train.Kept())+1)/2)
	if train.TargetInfo(0).Type != data.Class {
		_, rows := train.TestWeights()
		n = min(n, int(math.Round(math.Sqrt(rows))))
	}
	return max(1, n)
}
