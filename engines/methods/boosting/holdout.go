package boosting

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"tenfold/engines"
	"tenfold/engines/core/units"
	"tenfold/engines/data"
)

// holdOut divides training rows into those to fit and those held out, both rising: about a share of the units of each class is held out,
// of the units that stay together in folds, or the latest rows where folds are in order of time.
func holdOut(run engines.Run, share float64, rng *rand.Rand) (fitted, held []int32, err error) {
	if set := run.Train.Division(); run.Inner.Ordered && set.Time != nil {
		fitted, held = holdOutLatest(run, set, share)
	} else {
		fitted, held = holdOutDrawn(run, share, rng)
	}
	if len(fitted) == 0 || len(held) == 0 {
		return nil, nil, errors.New("patience: the training rows (or their groups) are too few to hold some out; with patience: 0 none is")
	}
	return fitted, held, nil
}

func holdOutDrawn(run engines.Run, share float64, rng *rand.Rand) (fitted, held []int32) {
	all := units.Of(run)
	out, due := make([]bool, len(all)), 0.0
	for _, stratum := range units.Strata(run.Train, all) {
		before := math.Round(due) // what one level rounds off, the next ones make up for
		due += float64(share * float64(len(stratum)))
		count := int(math.Round(due) - before)
		for _, k := range rng.Perm(len(stratum))[:min(count, max(0, len(stratum)-1))] { // one is left to fit
			out[stratum[k]] = true
		}
	}
	if !slices.Contains(out, true) && len(out) > 1 {
		out[rng.IntN(len(out))] = true
	}
	for u, rows := range all {
		if out[u] {
			held = append(held, rows...)
		} else {
			fitted = append(fitted, rows...)
		}
	}
	slices.Sort(fitted)
	slices.Sort(held)
	return fitted, held
}

// holdOutLatest holds the latest rows out, and fits those before the gap, within the window. Rows of equal times stay together.
func holdOutLatest(run engines.Run, set *data.Dataset, share float64) (fitted, held []int32) {
	order := data.Numbers(set.Rows())
	time := func(k int) float64 { return set.Time[order[k]] }
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(set.Time[a], set.Time[b]) })
	cut := len(order) - max(1, int(math.Round(share*float64(len(order)))))
	for cut > 0 && time(cut-1) == time(cut) {
		cut--
	}
	// stretch is where rows begin that end before a place, at a time: so many, or all within a duration, and the time before them.
	stretch := func(end int, at float64, rows int, seconds float64) (first int, since float64) {
		if seconds > 0 {
			since = at - seconds
			return sort.Search(end, func(k int) bool { return time(k) > since }), since
		}
		if first = max(0, end-rows); first < end {
			at = time(first)
		}
		return first, at
	}
	last, until := stretch(cut, time(cut), run.Inner.Gap, run.Inner.GapTime.Seconds())
	first := 0
	if run.Inner.Window > 0 || run.Inner.WindowTime > 0 {
		first, _ = stretch(last, until, run.Inner.Window, run.Inner.WindowTime.Seconds())
	}
	held = slices.Sorted(slices.Values(order[cut:]))
	together := map[int32]bool{}
	if groups := run.Train.Groups(); run.Inner.By && groups != nil {
		for _, i := range held {
			together[groups.Of[i]] = true
		}
		for _, i := range order[first:last] {
			if !together[groups.Of[i]] {
				fitted = append(fitted, i)
			}
		}
	} else {
		fitted = append(fitted, order[first:last]...)
	}
	slices.Sort(fitted)
	return fitted, held
}
