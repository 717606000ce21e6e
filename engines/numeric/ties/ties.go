// Package ties orders columns by scores. Scores that differ by a share of 1e-9 or less differ by rounding alone: they are ties, which go to
// the column of the lowest number, so that no order depends on how sums were divided.
package ties

import (
	"cmp"
	"iter"
	"slices"
)

const tolerance = 1e-9

// Threshold returns the smallest score that ties with a larger one.
func Threshold(score float64) float64 { return score - float64(tolerance*max(score, -score)) }

// Best returns the open column with the largest score, the first of its ties; −1 where none is open. O(columns).
func Best(score []float64, open []bool) int {
	largest := -1
	for j, s := range score {
		if open[j] && (largest < 0 || s > score[largest]) {
			largest = j
		}
	}
	if largest < 0 {
		return -1
	}
	threshold := Threshold(score[largest])
	for j := range largest {
		if open[j] && score[j] >= threshold {
			return j
		}
	}
	return largest
}

// Above returns the columns that score more than a floor, best first. O(columns · log columns).
func Above(score []float64, floor float64) (order []int32) {
	for j, s := range score {
		if s > floor {
			order = append(order, int32(j))
		}
	}
	Sort(order, score)
	return order
}

// Sort sorts columns by falling values of the first key, those that tie with the largest of them by the next key, and by number where no key
// is left. Keys are indexed by column. O(columns · log columns) a key.
func Sort(columns []int32, keys ...[]float64) {
	if len(keys) == 0 {
		slices.Sort(columns)
		return
	}
	for _, tied := range Groups(columns, keys[0]) {
		Sort(tied, keys[1:]...)
	}
}

// Groups sorts columns by falling score, and yields each group of ties, the columns that tie with the largest score left, with the place of
// its first column.
func Groups(columns []int32, score []float64) iter.Seq2[int, []int32] {
	return func(yield func(first int, tied []int32) bool) {
		slices.SortStableFunc(columns, func(a, b int32) int { return cmp.Compare(score[b], score[a]) })
		for first := 0; first < len(columns); {
			last, threshold := first+1, Threshold(score[columns[first]])
			for last < len(columns) && score[columns[last]] >= threshold {
				last++
			}
			if !yield(first, columns[first:last]) {
				return
			}
			first = last
		}
	}
}
