// Package ranking ranks columns, or units of them, by scores that each has by itself, and fits the plain model to the best.
//
// ranking.go has the order and what is reported of it, filter.go the fit, and tests.go scores of one column after the other.
package ranking

import (
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/ties"
)

// Ranking holds columns, or units of columns, by their scores.
type Ranking struct {
	Score   []float64 // by column or unit
	P       []float64 // p-values, by column or unit; nil for scores that have none
	Members [][]int32 // columns, by unit; nil if columns are ranked
	Order   []int32   // columns or units above the floor, best first, without those of Kept
	Kept    []int32   // columns or units that every model has, rising
	Usual   int       // number of columns that are kept by default
	Facts   []data.Fact
	Notes   []string
}

// SetOrder sets Kept and Order: what scores above the floor, best first, ties to the lowest number. O(columns · log columns).
func (r *Ranking) SetOrder(v *data.View, floor float64) {
	r.Kept = v.Kept()
	if r.Members != nil {
		r.Kept = slices.DeleteFunc(data.Numbers(len(r.Members)), func(u int32) bool { return v.Competes(int(r.Members[u][0])) })
	}
	r.Order = slices.DeleteFunc(ties.Above(r.Score, floor), r.isKept)
}

func (r *Ranking) isKept(j int32) bool { _, is := slices.BinarySearch(r.Kept, j); return is }

// TestedP returns the p-values of the columns or units that are not kept anyway, and the numbers of these.
func (r *Ranking) TestedP() (p []float64, items []int32) {
	items = slices.DeleteFunc(data.Numbers(len(r.P)), r.isKept)
	return data.ValuesAt(r.P, items), items
}

// columnsOf returns the columns of some items, columns or units, one after the other, and the item of each.
func (r *Ranking) columnsOf(items []int32) (columns, item []int32) {
	if r.Members == nil {
		return items, items
	}
	for _, u := range items {
		for _, j := range r.Members[u] {
			columns, item = append(columns, j), append(item, u)
		}
	}
	return columns, item
}

// best returns the columns of Kept and of the first n of Order, rising, each with its rank and score, and the facts about them.
func (r *Ranking) best(n int) (chosen []engines.Coef, fitted engines.Fitted) {
	fitted = engines.Fitted{Stop: "selected", Evaluated: int64(len(r.Score)), Best: -1, Notes: slices.Clone(r.Notes)}
	if n == 0 {
		fitted.Stop = "none_selected"
	}
	what := "column"
	if r.Members != nil {
		what = "unit"
	}
	fitted.Facts = append([]data.Fact{
		{Name: what + "s kept", Value: fmt.Sprintf("%d of %d", n, len(r.Score)-len(r.Kept))},
		{Name: what + "s that tell nothing by themselves", Value: fmt.Sprint(len(r.Score) - len(r.Kept) - len(r.Order))},
	}, r.Facts...)
	if n > 0 {
		fitted.Facts = append(fitted.Facts, r.lastKept(what, r.Order[n-1]))
	}
	columns, item := r.columnsOf(slices.Concat(r.Kept, r.Order[:n]))
	return engines.Ranked(columns, func(rank int, _ int32) float64 { return r.Score[item[rank]] }), fitted
}

// lastKept returns the fact of the score of a column or unit, and of its p-value if it has one.
func (r *Ranking) lastKept(what string, item int32) data.Fact {
	if r.P == nil {
		return data.Fact{Name: "score of the last " + what + " kept", Value: fmt.Sprintf("%.6g", r.Score[item])}
	}
	return data.Fact{Name: "score and p-value of the last " + what + " kept", Value: fmt.Sprintf("%.6g, %.4g", r.Score[item], r.P[item])}
}
