package prepare

import (
	"fmt"
	"math"

	"tenfold/engines/data"
)

// What replaces a missing word, which a data set has as a gap (NaN) in one column of its categorical one (data.Missing). With Keep all
// columns of the categorical one have the gap.
const (
	// Level is a level of its own, if a training row lacks the word; else as Commonest.
	Level = "level"
	// Commonest is the level that most training rows have, of several the first.
	Commonest = "commonest"
)

// wordsAreLevel reports whether missing words are a level, where a training row lacks one.
func (r Recipe) wordsAreLevel() bool { return r.Words != Commonest && !r.keepsWords() }

// placeWords returns, by column, where its gaps go: those of numbers stay (to), and those of a level go to the level of missing words of the
// same categorical column, or else to its commonest level; -1 if that is no column. count holds the training rows of each column, lacking the
// levels of missing words that some of them have.
func placeWords(d *data.Dataset, to, count []int32, lacking []bool) []int32 {
	rank := func(j int32) int32 {
		if lacking[j] {
			return math.MaxInt32
		}
		return count[j]
	}
	const anyClass = -2
	best := map[[2]int32]int32{} // by categorical column and class, of which copies of levels differ
	for j := range int32(len(to)) {
		for _, class := range []int32{anyClass, int32(d.Features.Class(int(j)))} {
			key := [2]int32{d.Factor[j], class}
			if b, ok := best[key]; !ok || rank(j) > rank(b) {
				best[key] = j
			}
		}
	}
	out := make([]int32, len(to))
	for j := range int32(len(to)) {
		out[j] = to[j]
		if !isLevel(d, int(j)) {
			continue
		}
		level := best[[2]int32{d.Factor[j], anyClass}]
		if same := best[[2]int32{d.Factor[j], int32(d.Features.Class(int(j)))}]; rank(same) == rank(level) {
			level = same
		}
		if out[j] = to[level]; rank(level) == 0 {
			out[j] = -1
		}
	}
	return out
}

// refuseUnseen returns an error if a row has a level that no training row has.
func refuseUnseen(d *data.Dataset, count []int32, drop []bool) error {
	has := make([]bool, len(count))
	for i := range d.Rows() {
		row := d.X.Row(i)
		for k, j := range row.Idx {
			v := row.At(k)
			has[j] = has[j] || v == v
		}
	}
	for j, c := range count {
		if has[j] && c == 0 && isLevel(d, j) && !(drop != nil && drop[j]) {
			return fmt.Errorf("level %q occurs in rows outside the training rows and in none of these (prepare: {unseen: error})", d.Features.Name(j))
		}
	}
	return nil
}
