package cells

import (
	"fmt"

	"tenfold/io/results"
)

// Pairs returns the rows of two cells that were measured on the same folds and ended well. They are matched by digest, never by
// order; equal folds, which repeats can produce, by their number of occurrence. It is an error if one cell has a fold that the
// other lacks, or if there is none.
func Pairs(a, b *Cell) ([][2]*results.Row, error) {
	left, right := a.Finished(), b.Finished()
	if len(left) != len(right) {
		return nil, fmt.Errorf("not on the same folds: %d of %s ended well, %d of %s", len(left), a.AlgorithmLabel(), len(right), b.AlgorithmLabel())
	}
	if len(left) == 0 {
		return nil, fmt.Errorf("no fold of %s and %s ended well", a.AlgorithmLabel(), b.AlgorithmLabel())
	}
	partners := map[string][]*results.Row{}
	for _, r := range right {
		partners[r.FoldDigest] = append(partners[r.FoldDigest], r)
	}
	out := make([][2]*results.Row, len(left))
	for i, r := range left {
		have := partners[r.FoldDigest]
		if len(have) == 0 {
			return nil, fmt.Errorf("not on the same folds: repeat %d, fold %d of %s has no partner in %s", r.Repeat, r.Fold, a.AlgorithmLabel(), b.AlgorithmLabel())
		}
		out[i] = [2]*results.Row{r, have[0]}
		partners[r.FoldDigest] = have[1:]
	}
	return out, nil
}
