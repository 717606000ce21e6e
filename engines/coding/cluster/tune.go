package cluster

import "math"

// Tune searches for the similarity that yields the wished number of clusters, and returns it with the clusters. From a low
// similarity, which puts most points together, their number first grows, until points are too far apart for any: it steps up until
// there are enough for the first time, and bisects the last step. If there never are, or the number jumps over the wished one, it
// returns the nearest, at the lowest similarity of several. o.Similarity is ignored. O(clusterings), some 30 of them.
func Tune(sets [][]int32, wished int, o Options) (similarity float64, assigned []int) {
	const steps, halvings = 20, 16
	t := tuning{points: readSets(sets, o.Weights), options: o, wished: wished, off: math.MaxInt}
	low := 0.0
	for k := 1; k <= steps; k++ {
		high := float64(k) / steps
		if t.trySimilarity(high) < wished {
			low = high
			continue
		}
		for range halvings {
			if t.off == 0 {
				break
			}
			if middle := (low + high) / 2; t.trySimilarity(middle) < wished {
				low = middle
			} else {
				high = middle
			}
		}
		break
	}
	return t.similarity, t.assigned
}

// tuning holds the best similarity tried so far.
type tuning struct {
	points     *points
	options    Options
	wished     int
	off        int
	similarity float64
	assigned   []int
}

// trySimilarity clusters with a similarity and returns the number of clusters.
func (t *tuning) trySimilarity(similarity float64) int {
	t.options.Similarity = similarity
	assigned := t.points.leadAndMerge(t.options)
	n := Count(assigned)
	off := max(n-t.wished, t.wished-n)
	if off < t.off || off == t.off && similarity < t.similarity {
		t.off, t.similarity, t.assigned = off, similarity, assigned
	}
	return n
}

// Count returns the number of clusters.
func Count(assigned []int) int {
	n := 0
	for _, k := range assigned {
		n = max(n, k+1)
	}
	return n
}
