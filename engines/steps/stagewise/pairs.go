package stagewise

import (
	"context"
	"slices"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// cooccurringPairs lists the pairs of a column and a class that occur together in at least cutoff rows, by column, then class.
func cooccurringPairs(ctx context.Context, d *design.Design, train classProbabilities, cutoff int) (out []loglinear.Feature) {
	seen := make([]float64, train.classes)
	for j, k := range d.Position {
		if j%lookup.FeaturesPerCheck == 0 && ctx.Err() != nil {
			return nil
		}
		if k < 0 {
			continue
		}
		for _, i := range d.Cols.Col(j).Idx {
			seen[int(train.y[i])] += train.weightOf(int(i))
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

// featuresOfPairs orders the pairs by the position of their column, so that the pairs of a column are contiguous.
func featuresOfPairs(d *design.Design, pairs []loglinear.Feature) features {
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
	out := features{d: d, first: first, tieRank: make([]int32, n), column: make([]int32, n), class: make([]int32, n), gamma: make([]float64, n)}
	next := slices.Clone(first)
	for i, f := range pairs {
		if a := d.Position[f.Column]; a >= 0 {
			k := next[a]
			next[a]++
			out.tieRank[k], out.column[k], out.class[k], out.gamma[k] = int32(i), f.Column, f.Class, d.Scales[a].Gamma
		}
	}
	return out
}
