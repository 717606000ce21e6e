package units

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"tenfold/engines"
	"tenfold/engines/data"
)

// Latest returns the latest rows, held out, and those to fit, before the gap and within the window, both rising. Rows of equal times stay together.
func Latest(run engines.Run, set *data.Dataset, share float64) (fitted, held []int32) {
	order := data.Numbers(set.Rows())
	time := func(k int) float64 { return set.Time[order[k]] }
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(set.Time[a], set.Time[b]) })
	cut := len(order) - max(1, int(math.Round(share*float64(len(order)))))
	for cut > 0 && time(cut-1) == time(cut) {
		cut--
	}
	// stretch is where rows begin that end before a place, at a time: so many, or all within a duration, and the time before them.
	stretch := func(end int, moment float64, rows int, seconds float64) (first int, since float64) {
		if seconds > 0 {
			since = moment - seconds
			return sort.Search(end, func(k int) bool { return time(k) > since }), since
		}
		if first = max(0, end-rows); first < end {
			moment = time(first)
		}
		return first, moment
	}
	last, until := stretch(cut, time(cut), run.Inner.Gap, run.Inner.GapTime.Seconds())
	first := 0
	if run.Inner.Window > 0 || run.Inner.WindowTime > 0 {
		first, _ = stretch(last, until, run.Inner.Window, run.Inner.WindowTime.Seconds())
	}
	held = slices.Sorted(slices.Values(order[cut:]))
	heldGroups := map[int32]bool{}
	if groups := run.Train.Groups(); run.Inner.By && groups != nil {
		for _, i := range held {
			heldGroups[groups.Of[i]] = true
		}
		for _, i := range order[first:last] {
			if !heldGroups[groups.Of[i]] {
				fitted = append(fitted, i)
			}
		}
	} else {
		fitted = append(fitted, order[first:last]...)
	}
	slices.Sort(fitted)
	return fitted, held
}
