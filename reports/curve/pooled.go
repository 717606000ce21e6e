package curve

import (
	"math"
	"slices"
)

// Pooled is the area under the receiver operating characteristic of rows that were scored once in each of several repeats: the mean of the
// areas of the repeats. The scores of a repeat may come from models of several folds.
type Pooled struct {
	Area    float64
	SE      float64 // NaN where one row, or group, alone has a class
	Low     float64 // ends of the 95 % interval, cut to [0, 1]; NaN where there is no SE
	High    float64
	Repeats int
}

// PoolAreas returns the area of rows, by the scores of each repeat, with the standard error of drawing rows for the models as fitted: that of
// DeLong, DeLong & Clarke-Pearson 1988 for the mean of several curves, and of Obuchowski 1997 where rows come in groups, by number, nil for
// none. The area is NaN without rows of both classes. O(repeats · n log n).
func PoolAreas(positive []bool, scores [][]float64, groups []int32) Pooled {
	placed := make([]float64, len(positive)) // of a positive row the share of negative ones below it, of a negative one that of positive ones above it
	for _, score := range scores {
		addPlacements(placed, positive, score)
	}
	var sides [2][]float64 // negative, positive
	for i, is := range positive {
		placed[i] /= float64(len(scores))
		sides[side(is)] = append(sides[side(is)], placed[i])
	}
	p := Pooled{Area: mean(sides[1]), SE: math.NaN(), Low: math.NaN(), High: math.NaN(), Repeats: len(scores)}
	variance := 0.0
	if groups == nil {
		for _, placed := range sides {
			n := float64(len(placed))
			variance += squares(placed, p.Area) / float64(n*(n-1))
		}
	} else {
		variance = groupedVariance(placed, positive, groups, p.Area)
	}
	if len(sides[0]) < 2 || len(sides[1]) < 2 || !(variance >= 0) || math.IsInf(variance, 1) {
		return p
	}
	const normal = 1.959963984540054 // 97.5 %
	p.SE = math.Sqrt(variance)
	p.Low, p.High = max(0, p.Area-float64(normal*p.SE)), min(1, p.Area+float64(normal*p.SE))
	return p
}

func side(positive bool) int {
	if positive {
		return 1
	}
	return 0
}

// addPlacements adds, to each positive row, the share of negative ones that it is above, and to each negative row the share of positive ones
// that are above it; ties count half.
func addPlacements(placed []float64, positive []bool, score []float64) {
	var sorted [2][]float64
	for i, is := range positive {
		sorted[side(is)] = append(sorted[side(is)], score[i])
	}
	slices.Sort(sorted[0])
	slices.Sort(sorted[1])
	for i, is := range positive {
		others := sorted[1-side(is)]
		below, _ := slices.BinarySearch(others, score[i])
		upTo := below
		for upTo < len(others) && others[upTo] == score[i] {
			upTo++
		}
		share := float64(below+upTo) / float64(2*len(others))
		if !is {
			share = 1 - share
		}
		placed[i] += share
	}
}

// groupedVariance returns that of Obuchowski 1997: sums over groups take the place of rows, and a group with rows of both classes adds their
// covariance.
func groupedVariance(placed []float64, positive []bool, groups []int32, area float64) float64 {
	sum, with, rows := [2][]float64{}, [2][]bool{}, [2]float64{}
	n := int(slices.Max(groups)) + 1
	for s := range sum {
		sum[s], with[s] = make([]float64, n), make([]bool, n)
	}
	for i, is := range positive {
		s := side(is)
		sum[s][groups[i]] += placed[i] - area
		with[s][groups[i]] = true
		rows[s]++
	}
	variance, cross, all := 0.0, 0.0, 0.0
	for s := range sum {
		some := 0.0
		for _, is := range with[s] {
			some += float64(side(is))
		}
		variance += some / (some - 1) * squares(sum[s], 0) / float64(rows[s]*rows[s])
	}
	for g := range n {
		cross += float64(sum[0][g] * sum[1][g])
		if with[0][g] || with[1][g] {
			all++
		}
	}
	return variance + 2*all/(all-1)*cross/float64(rows[0]*rows[1])
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v
	}
	return m / float64(len(x))
}

// squares returns the sum of squared distances from a number.
func squares(x []float64, from float64) (sum float64) {
	for _, v := range x {
		d := v - from
		sum += float64(d * d)
	}
	return sum
}
