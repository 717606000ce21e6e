package forest

import (
	"math/rand/v2"
	"slices"
)

// atLeastShadows is how many there are: of fewer columns each has several.
const atLeastShadows = 5

// beside the columns are shadows of them: each has the values of a column, permuted among the rows. They stand in random order, since of
// equal splits that of the lower column is taken, which has to be a shadow's as often. at is the place of each of the columns, all other
// places are those of shadows. O(entries · log rows).
func (c *columns) besideShadows(kept []int32, rng *rand.Rand) (both *columns, at []int32) {
	shadows := len(kept)
	for shadows < atLeastShadows {
		shadows *= 2
	}
	order := rng.Perm(len(kept) + shadows)
	both, at = &columns{rows: c.rows, col: make([]column, len(order)), at: make([]int, c.rows+1)}, make([]int32, len(kept))
	for k, j := range kept {
		at[k] = int32(order[k])
		both.col[order[k]] = c.col[j]
	}
	places := make([]uint32, c.rows)
	for k := range shadows {
		for i := range places { // each column by a permutation of its own
			other := rng.IntN(i + 1)
			places[i] = places[other]
			places[other] = uint32(i)
		}
		both.col[order[len(kept)+k]] = c.col[kept[k%len(kept)]].permuted(places)
	}
	both.layOutRows()
	return both, at
}

// permuted is a column whose value in row i stands in row places[i].
func (c column) permuted(places []uint32) column {
	out := column{value: c.value, zero: c.zero, byKey: make([]uint64, len(c.byKey))}
	for k, key := range c.byKey {
		out.byKey[k] = key>>32<<32 | uint64(places[uint32(key)])
	}
	slices.Sort(out.byKey)
	if c.code != nil {
		out.code = make([]uint32, len(c.code))
		for i, code := range c.code {
			out.code[places[i]] = code
		}
	}
	return out
}
