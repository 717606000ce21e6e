package ranks

import (
	"math"
	"slices"
)

// Complete returns the data sets and algorithms, by index, that are left of scores[data set][algorithm] when the one missing the
// largest share of its scores (NaN) is removed, one data set or algorithm at a time, until none is missing. On ties a data set is
// removed rather than an algorithm, and the last of its kind. O(N·k·(N + k)).
func Complete(scores [][]float64) (datasets, algorithms []int) {
	datasets = upTo(len(scores))
	if len(scores) > 0 {
		algorithms = upTo(len(scores[0]))
	}
	for {
		d, ofDatasets := mostIncomplete(datasets, algorithms, func(d, a int) float64 { return scores[d][a] })
		a, ofAlgorithms := mostIncomplete(algorithms, datasets, func(a, d int) float64 { return scores[d][a] })
		switch {
		case ofDatasets == 0:
			return datasets, algorithms
		case ofDatasets >= ofAlgorithms:
			datasets = slices.Delete(datasets, d, d+1)
		default:
			algorithms = slices.Delete(algorithms, a, a+1)
		}
	}
}

// mostIncomplete returns the row or column with the largest share of missing scores, on ties the last.
func mostIncomplete(lines, across []int, score func(line, across int) float64) (worst int, share float64) {
	for i, l := range lines {
		n := 0
		for _, k := range across {
			if math.IsNaN(score(l, k)) {
				n++
			}
		}
		if s := float64(n) / float64(len(across)); n > 0 && s >= share {
			worst, share = i, s
		}
	}
	return worst, share
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
