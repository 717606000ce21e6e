package stagewise

import (
	"fmt"
	"math"
	"math/rand/v2"

	"tenfold/engines/data"
)

// splitForValidation divides training rows at random into a part to fit on and a held-out part. Rows of one group stay together;
// share returns the share of the groups that are held out, or of the rows if there are no groups; 0 is a tenth, but twenty of fewer than 200, and at most a third.
func splitForValidation(train *data.View, rng *rand.Rand, share float64) (part, held *data.View, err error) {
	train, _ = train.Defined(0)
	groupOf, groups, word := groupsOf(train)
	if groups < 2 {
		return nil, nil, fmt.Errorf("choose: validation: the training rows have %d %s, at least 2 are needed to hold one out; use choose: last", groups, word)
	}
	out := make([]bool, groups)
	count := max(int(math.Round(share*float64(groups))), 1)
	if share == 0 {
		count = max((groups+5)/10, min(20, groups/3), 1)
	}
	count = min(count, groups-1)
	for _, g := range rng.Perm(groups)[:count] {
		out[g] = true
	}
	var in, rest []int32
	for i := range train.Len() {
		if out[groupOf(i)] {
			rest = append(rest, int32(i))
		} else {
			in = append(in, int32(i))
		}
	}
	return train.Sub(in), train.Sub(rest), nil
}

// groupsOf numbers the groups that occur in order of their first row, and returns the group of each row, their number, and the noun of
// a group for messages. Without groups every row is one.
func groupsOf(v *data.View) (groupOf func(i int) int, n int, word string) {
	g := v.Groups()
	if g == nil {
		return func(i int) int { return i }, v.Len(), "rows"
	}
	number := map[int32]int{}
	for _, k := range g.Of {
		if _, ok := number[k]; !ok {
			number[k] = len(number)
		}
	}
	return func(i int) int { return number[g.Of[i]] }, len(number), "groups"
}
