package stability

import (
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/units"
)

// sampler draws halves of the rows. Its units are rows, or groups if those stay together.
type sampler struct {
	units  [][]int32 // rows of each unit, rising
	strata [][]int32 // units of each class; all in one stratum if not stratified
}

// newSampler splits the training rows by the rules of the folds: groups stay together.
func newSampler(run engines.Run, stratify bool) sampler {
	s := sampler{units: units.Of(run)}
	if s.strata = [][]int32{data.Numbers(len(s.units))}; stratify {
		s.strata = units.Strata(run.Train, s.units)
	}
	return s
}

// draw returns a pair of halves: rows, rising. An odd unit is in neither.
func (s sampler) draw(rng *rand.Rand) (first, second []int32) {
	orders := make([][]int32, len(s.strata))
	for c, units := range s.strata {
		orders[c] = slices.Clone(units)
		rng.Shuffle(len(units), func(i, j int) { orders[c][i], orders[c][j] = orders[c][j], orders[c][i] })
	}
	sides := split(orders, rng.IntN(2))
	return s.rows(sides[0]), s.rows(sides[1])
}

// split gives each side half of each class, in the order given; the last units of odd classes go to the sides in turn, beginning
// with start, and the last of an odd number of these to none.
func split(orders [][]int32, start int) (sides [2][]int32) {
	var left []int32
	for _, order := range orders {
		h := len(order) / 2
		sides[0] = append(sides[0], order[:h]...)
		sides[1] = append(sides[1], order[h:2*h]...)
		left = append(left, order[2*h:]...)
	}
	for k, unit := range left[:len(left)/2*2] {
		side := (start + k) % 2
		sides[side] = append(sides[side], unit)
	}
	return sides
}

func (s sampler) rows(units []int32) (rows []int32) {
	for _, u := range units {
		rows = append(rows, s.units[u]...)
	}
	slices.Sort(rows)
	return rows
}
