// Package curve measures scores of two classes at every threshold: the receiver operating characteristic, precision against recall,
// and how far probabilities are from what happens. Beside these (validation.go) it makes curves of what searches measured on inner folds.
package curve

import (
	"cmp"
	"math"
	"slices"
)

// Rows holds rows of two classes, in parallel slices. Scores rise with the belief in the positive class.
type Rows struct {
	Score    []float64
	Positive []bool
	Weight   []float64 // nil: each row counts once
}

// Append adds other rows after these. Rows without weights count once.
func (r *Rows) Append(other Rows) {
	if r.Weight == nil && other.Weight != nil {
		r.Weight = slices.Repeat([]float64{1}, len(r.Score))
	}
	r.Score, r.Positive = append(r.Score, other.Score...), append(r.Positive, other.Positive...)
	if r.Weight != nil {
		for i := range other.Score {
			r.Weight = append(r.Weight, other.weight(i))
		}
	}
}

func (r Rows) weight(i int) float64 {
	if r.Weight == nil {
		return 1
	}
	return r.Weight[i]
}

// masses returns the weights of the positive and of the negative rows.
func (r Rows) masses() (positive, negative float64) {
	for i, is := range r.Positive {
		if is {
			positive += r.weight(i)
		} else {
			negative += r.weight(i)
		}
	}
	return positive, negative
}

// Share returns the share of the positive class, by weight; NaN without rows.
func (r Rows) Share() float64 {
	p, n := r.masses()
	return p / (p + n)
}

// byFallingScore returns the row numbers in runs of equal scores, the highest first.
func (r Rows) byFallingScore() (runs [][]int) {
	order := make([]int, len(r.Score))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Score[b], r.Score[a]) })
	for from := 0; from < len(order); {
		end := from + 1
		for end < len(order) && r.Score[order[end]] == r.Score[order[from]] {
			end++
		}
		runs, from = append(runs, order[from:end]), end
	}
	return runs
}

// Cut is a threshold: rows of this score or above are taken for positive.
type Cut struct {
	Threshold float64
	X, Y      float64 // ROC: false and true positive rate; PR: recall and precision
}

// ROC returns the receiver operating characteristic, a cut for each distinct score from +∞ downwards, and the area below it. Rows of
// equal score move together, so the area by trapezoids counts their pairs as one half each. Without a row of either class there is
// no curve and the area is NaN. O(n log n).
func ROC(r Rows) (cuts []Cut, area float64) {
	positive, negative := r.masses()
	if !(positive > 0 && negative > 0) {
		return nil, math.NaN()
	}
	var tp, fp float64
	cuts = append(cuts, Cut{Threshold: math.Inf(1)})
	for _, run := range r.byFallingScore() {
		tp, fp = r.count(run, tp, fp)
		last, now := cuts[len(cuts)-1], Cut{r.Score[run[0]], fp / negative, tp / positive}
		area += float64((now.X - last.X) * (now.Y + last.Y) / 2)
		cuts = append(cuts, now)
	}
	return cuts, area
}

// PrecisionRecall returns recall and precision at each distinct score, the highest first, and the area as the sum of precision times
// the step of recall (average precision): no lines between points, and none added at recall 0. Without a positive row there is no
// curve and the area is NaN. O(n log n).
func PrecisionRecall(r Rows) (cuts []Cut, area float64) {
	positive, _ := r.masses()
	if !(positive > 0) {
		return nil, math.NaN()
	}
	var tp, fp, recall float64
	for _, run := range r.byFallingScore() {
		tp, fp = r.count(run, tp, fp)
		now := Cut{r.Score[run[0]], tp / positive, tp / (tp + fp)}
		area += float64((now.X - recall) * now.Y)
		recall = now.X
		cuts = append(cuts, now)
	}
	return cuts, area
}

// count adds the weights of some rows to those of the true and the false positives.
func (r Rows) count(run []int, tp, fp float64) (float64, float64) {
	for _, i := range run {
		if r.Positive[i] {
			tp += r.weight(i)
		} else {
			fp += r.weight(i)
		}
	}
	return tp, fp
}

// TruePositives returns the true positive rate of a receiver operating characteristic at a false positive rate in [0, 1]: on the line
// between two cuts, at the upper end of a vertical one.
func TruePositives(cuts []Cut, rate float64) float64 {
	beyond, _ := slices.BinarySearchFunc(cuts, rate, func(c Cut, rate float64) int {
		if c.X <= rate {
			return -1
		}
		return 1
	})
	k := beyond - 1
	if k+1 == len(cuts) {
		return cuts[k].Y
	}
	a, b := cuts[k], cuts[k+1]
	return a.Y + float64((b.Y-a.Y)*(rate-a.X)/(b.X-a.X))
}

// Precision returns the precision at the first cut that reaches a recall in [0, 1].
func Precision(cuts []Cut, recall float64) float64 {
	const slack = 1e-12 // recalls are sums of weights
	k, _ := slices.BinarySearchFunc(cuts, recall-slack, func(c Cut, recall float64) int { return cmp.Compare(c.X, recall) })
	return cuts[min(k, len(cuts)-1)].Y
}
