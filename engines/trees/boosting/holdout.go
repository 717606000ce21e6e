package boosting

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/model/units"
)

// holdOut divides training rows into those to fit and those held out, both rising: about a share of the units of each class is held out,
// of the units that stay together in folds, or the latest rows where folds are in order of time.
func holdOut(run engines.Run, share float64, rng *rand.Rand) (fitted, held []int32, err error) {
	if set := run.Train.Division(); run.Inner.Ordered && set.Time != nil {
		fitted, held = units.Latest(run, set, share)
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
