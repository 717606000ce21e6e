package relief

import (
	"cmp"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
)

// tieTolerance is how much distances may differ that count as equal, as a share of them, or of 1.
const tieTolerance = 1e-9

func slack(d float64) float64 { return float64(tieTolerance * max(1, d)) }

// rankWeights returns Σ of the weights of ranks 1 to ρ, for ρ = 0 to k: each weighs 1, or exp(−(ρ/sigma)²).
func rankWeights(k int, sigma float64) []float64 {
	sum := make([]float64, k+1)
	for rank := 1; rank <= k; rank++ {
		w := 1.0
		if sigma > 0 {
			x := float64(rank) / sigma
			w = elementary.Exp(-float64(x * x))
		}
		sum[rank] = sum[rank-1] + w
	}
	return sum
}

// neighbour is a row and its weight.
type neighbour struct {
	row      int32
	distance float64
	weight   float64
}

// nearest finds the neighbours of one row after the other.
type nearest struct {
	weights []float64 // Σ of the weights of the first ranks
	found   []neighbour
	scratch []float64
}

// find returns the k nearest of some rows, without row self, by distance; d has the distance of every row. Rows at the same distance
// share the mean of the weights of their ranks, so that more than k may be found. Weights sum to 1. O(rows + k · log k), without ties.
func (s *nearest) find(d []float64, rows []int32, self int32) []neighbour {
	s.scratch, s.found = s.scratch[:0], s.found[:0]
	for _, r := range rows {
		if r != self {
			s.scratch = append(s.scratch, d[r])
		}
	}
	k := min(len(s.weights)-1, len(s.scratch))
	if k == 0 {
		return nil
	}
	last := smallest(s.scratch, k)
	for _, r := range rows {
		if r != self && d[r] <= last+slack(last) {
			s.found = append(s.found, neighbour{row: r, distance: d[r]})
		}
	}
	slices.SortFunc(s.found, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.row, b.row))
	})
	for first := 0; first < len(s.found); {
		next, limit := first+1, s.found[first].distance+slack(s.found[first].distance)
		for next < len(s.found) && s.found[next].distance <= limit {
			next++
		}
		tied := s.weights[min(next, k)] - s.weights[min(first, k)]
		for i := first; i < next; i++ {
			s.found[i].weight = tied / float64(next-first) / s.weights[k]
		}
		first = next
	}
	return s.found
}

// smallest returns the k-th smallest of some numbers, k from 1, and changes their order (Hoare 1961). O(numbers), in the mean.
func smallest(v []float64, k int) float64 {
	low, high := 0, len(v)-1
	for low < high {
		pivot := v[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return v[k-1]
		}
	}
	return v[low]
}

// spread returns the mean and the standard deviation of the distances of all other rows from row self, with their number as divisor.
func spread(d []float64, self int32) (mean, sd float64) {
	n := float64(len(d) - 1)
	for r, v := range d {
		if int32(r) != self {
			mean += v / n
		}
	}
	for r, v := range d {
		if int32(r) != self {
			sd += float64((v - mean) * (v - mean))
		}
	}
	return mean, math.Sqrt(sd / n)
}
