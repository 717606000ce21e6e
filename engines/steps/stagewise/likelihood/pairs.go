package likelihood

import (
	"context"
	"slices"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// CooccurringPairs lists the pairs of a column and a class that occur together in at least cutoff rows, by column, then class.
func CooccurringPairs(ctx context.Context, d *design.Design, train ClassProbabilities, cutoff int) (out []loglinear.Feature) {
	seen := make([]float64, train.Classes)
	for j, k := range d.Position {
		if j%lookup.FeaturesPerCheck == 0 && ctx.Err() != nil {
			return nil
		}
		if k < 0 {
			continue
		}
		for _, i := range d.Cols.Col(j).Idx {
			seen[int(train.Y[i])] += train.weightOf(int(i))
		}
		for c, m := range seen {
			if m > 0 && m >= float64(cutoff) {
				out = append(out, loglinear.Feature{Column: int32(j), Class: int32(c)})
			}
			seen[c] = 0
		}
	}
	return out
}

// PairFeatures orders the pairs by the position of their column, so that the pairs of a column are contiguous.
func PairFeatures(d *design.Design, pairs []loglinear.Feature) Features {
	first := make([]int32, len(d.Column)+1)
	for _, f := range pairs {
		if a := d.Position[f.Column]; a >= 0 {
			first[a+1]++
		}
	}
	for a := range d.Column {
		first[a+1] += first[a]
	}
	n := first[len(d.Column)]
	out := Features{Design: d, first: first, TieRank: make([]int32, n), Column: make([]int32, n), Class: make([]int32, n), Gamma: make([]float64, n)}
	next := slices.Clone(first)
	for i, f := range pairs {
		if a := d.Position[f.Column]; a >= 0 {
			k := next[a]
			next[a]++
			out.TieRank[k], out.Column[k], out.Class[k], out.Gamma[k] = int32(i), f.Column, f.Class, d.Scales[a].Gamma
		}
	}
	return out
}
