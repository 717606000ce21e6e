package results

import (
	"math"

	"tenfold/io/results/stability"
)

// MeanScores averages the scores of several fits: for each metric that all of them have, in the order of the first. A task of a
// family thus has the mean over its folds, and no value if one of them has none.
func MeanScores(fits [][]Score) []Score {
	if len(fits) == 0 {
		return nil
	}
	type id struct {
		metric, output string
		point          int32
	}
	sum, n := map[id]float64{}, map[id]int{}
	for _, scores := range fits {
		for _, s := range scores {
			if k := (id{s.Metric, s.Output, s.Point}); !math.IsNaN(s.Value) {
				sum[k] += s.Value
				n[k]++
			}
		}
	}
	var out []Score
	for _, s := range fits[0] {
		k := id{s.Metric, s.Output, s.Point}
		if n[k] == len(fits) {
			s.Value = sum[k] / float64(len(fits))
			out = append(out, s)
		}
	}
	return out
}

// StabilityOfTasks returns the mean over the tasks of a family, with a standard error over them.
func StabilityOfTasks(tasks []stability.Estimate) Stat {
	means := make([]float64, len(tasks))
	for i, s := range tasks {
		means[i] = s.Mean
	}
	return Summarise(means)
}
