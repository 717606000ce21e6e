package curve

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// RankGroups splits values into groups of equal size by rising rank; equal values, which have their mean rank, are in one.
func RankGroups(values []float64, groups int) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]int, len(values))
	for from := 0; from < len(order); {
		end := from
		for end < len(order) && values[order[end]] == values[order[from]] {
			end++
		}
		g := groups * (from + end) / (2 * len(order))
		for _, i := range order[from:end] {
			out[i] = min(g, groups-1)
		}
		from = end
	}
	return out
}

// Greenwood returns the standard error of a Kaplan-Meier estimate at a time (Greenwood 1926).
func Greenwood(times []float64, events []int8, time, estimate float64) float64 {
	died := map[float64]float64{}
	for i, t := range times {
		if events[i] == 1 && t <= time {
			died[t]++
		}
	}
	sum := 0.0
	for _, t := range slices.Sorted(maps.Keys(died)) {
		n := 0.0
		for _, u := range times {
			if u >= t {
				n++
			}
		}
		if d := died[t]; n > d {
			sum += d / float64(n*(n-d))
		}
	}
	return estimate * math.Sqrt(sum)
}
