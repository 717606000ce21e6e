package pruning

import "tenfold/engines/numeric/sparse"

// Counts holds what the rules of NearZero compare.
type Counts struct{ Ratio, PercentUnique, Share float64 }

// CountValues returns what the rules of NearZero compare, by column.
func CountValues(x *sparse.Matrix) (out []Counts) {
	for _, v := range countValues(x) {
		out = append(out, Counts{v.ratio(), v.percentUnique(), v.share()})
	}
	return out
}
