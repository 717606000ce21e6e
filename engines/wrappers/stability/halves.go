package stability

import (
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
)

// sampler draws halves of the rows. Its units are rows, or groups where those stay together.
type sampler struct {
	units  [][]int32 // rows of each unit, rising
	strata [][]int32 // units of each class; one of all where none are kept apart
}

// newSampler divides the training rows as the folds divide all rows: groups stay together.
func newSampler(run engines.Run, stratify bool) sampler {
	v := run.Train
	s := sampler{units: units(run)}
	class := v.Targets() == 1 && v.TargetInfo(0).Type == data.Class
	if !stratify || !class {
		s.strata = [][]int32{numbered(len(s.units))}
		return s
	}
	level := make([]int, v.Len())
	for i := range level {
		level[i] = -1
	}
	at, y := v.Target(0)
	for k, value := range y {
		i := k
		if at != nil {
			i = int(at[k])
		}
		level[i] = int(value)
	}
	s.strata = make([][]int32, len(v.TargetInfo(0).Levels)+1) // the last: units without a class
	for u, rows := range s.units {
		c := commonest(rows, level, len(s.strata)-1)
		s.strata[c] = append(s.strata[c], int32(u))
	}
	return s
}

// units are the rows, or the rows of each group or sequence where these stay together.
func units(run engines.Run) [][]int32 {
	v := run.Train
	of := make([]int32, v.Len())
	switch groups, starts := v.Groups(), v.Starts(); {
	case run.Inner.By && groups != nil:
		copy(of, groups.Of)
	case starts != nil:
		for k, from := range starts {
			for i := from; int(i) < len(of) && (k+1 == len(starts) || i < starts[k+1]); i++ {
				of[i] = int32(k)
			}
		}
	default:
		copy(of, numbered(v.Len()))
	}
	number := map[int32]int{}
	var units [][]int32
	for i, g := range of {
		u, ok := number[g]
		if !ok {
			u = len(units)
			number[g] = u
			units = append(units, nil)
		}
		units[u] = append(units[u], int32(i))
	}
	return units
}

func numbered(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// commonest level of some rows, the first of several; none where no row has one.
func commonest(rows []int32, level []int, none int) int {
	count := make([]int, none)
	for _, i := range rows {
		if level[i] >= 0 {
			count[level[i]]++
		}
	}
	best := none
	for c, n := range count {
		if n > 0 && (best == none || n > count[best]) {
			best = c
		}
	}
	return best
}

// draw a pair of halves: rows, rising. What is odd is in neither.
func (s sampler) draw(rng *rand.Rand) (first, second []int32) {
	orders := make([][]int32, len(s.strata))
	for c, units := range s.strata {
		orders[c] = slices.Clone(units)
		rng.Shuffle(len(units), func(i, j int) { orders[c][i], orders[c][j] = orders[c][j], orders[c][i] })
	}
	sides := split(orders, rng.IntN(2))
	return s.rows(sides[0]), s.rows(sides[1])
}

// split gives each side half of each class, in the order given; the last unit of odd classes goes to the sides in turn, from start
// on, and the last of an odd number of these to none.
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
