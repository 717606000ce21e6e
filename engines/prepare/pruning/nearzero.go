package pruning

import (
	"fmt"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// The rules of NearZero.
const (
	Caret = "caret"
	Share = "share"
)

// NearZero says which columns hardly vary: constant ones, and by rule
//
//	caret: the commonest value is more than FreqRatio times as frequent as the next, and at most PercentUnique values are
//	       different, in percent of the rows (nearZeroVar of caret, Kuhn 2008, Journal of Statistical Software 28(5))
//	share: more than this share of the rows have the commonest value
//
// The zero value leaves all columns.
type NearZero struct {
	Rule          string
	FreqRatio     float64
	PercentUnique float64
	Share         float64
}

func (r NearZero) String() string {
	switch r.Rule {
	case "":
		return "none"
	case Share:
		return fmt.Sprintf("share %v", r.Share)
	}
	return fmt.Sprintf("%s, freq_ratio %v, percent_unique %v", r.Rule, r.FreqRatio, r.PercentUnique)
}

// values counts the values of a column.
type values struct {
	rows, distinct int
	first, second  int // how often the two commonest occur; second is 0 for a constant
}

// countValues counts the values of each column, zeros that are not stored by difference. O(entries · log entries).
func countValues(x *sparse.Matrix) []values {
	rows, columns := x.Dims()
	out := make([]values, columns)
	var stored []float64
	for j := range out {
		stored = stored[:0]
		col := x.Col(j)
		for k := range col.Idx {
			if v := col.At(k); v != 0 {
				stored = append(stored, v)
			}
		}
		slices.Sort(stored)
		v := values{rows: rows}
		v.add(rows - len(stored))
		for begin := 0; begin < len(stored); {
			end := begin + 1
			for end < len(stored) && stored[end] == stored[begin] {
				end++
			}
			v.add(end - begin)
			begin = end
		}
		out[j] = v
	}
	return out
}

// add counts a value that occurs n times.
func (v *values) add(n int) {
	if n == 0 {
		return
	}
	v.distinct++
	if n > v.first {
		v.first, v.second = n, v.first
	} else {
		v.second = max(v.second, n)
	}
}

// share returns the share of the rows that have the commonest value.
func (v values) share() float64 { return float64(v.first) / float64(max(v.rows, 1)) }

// ratio returns how often the commonest value occurs for each time of the next; 0 for a constant, as in caret.
func (v values) ratio() float64 {
	if v.second == 0 {
		return 0
	}
	return float64(v.first) / float64(v.second)
}

// percentUnique returns the number of different values in percent of the rows.
func (v values) percentUnique() float64 { return 100 * float64(v.distinct) / float64(max(v.rows, 1)) }

// slack is the share of the rows that a comparison with Share leaves to rounding: a share of exactly 0.95 stays.
const slack = 1e-9

// reason returns why a column with these values is left out; "" if it stays.
func (r NearZero) reason(v values) string {
	switch {
	case v.second == 0:
		return "constant"
	case r.Rule == Share && float64(v.first) > (r.Share+slack)*float64(v.rows),
		r.Rule == Caret && v.ratio() > r.FreqRatio && v.percentUnique() <= r.PercentUnique:
		return fmt.Sprintf("%d of %d rows have one value", v.first, v.rows)
	}
	return ""
}

// Drop returns the columns of training rows without gaps that the rule leaves out, in order, but for those to keep (nil: none).
// unit, nil where each column is one, numbers the variables that leave or stay as a whole: a variable of several columns leaves if the
// column of its most frequent level would. O(entries · log entries).
func (r NearZero) Drop(x *sparse.Matrix, keep []bool, unit []int32) []Dropped {
	if r.Rule == "" {
		return nil
	}
	counted := countValues(x)
	leads := map[int32]int{} // by variable, the column with the most entries
	for j, u := range unit {
		if lead, known := leads[u]; !known || x.Col(j).Len() > x.Col(lead).Len() {
			leads[u] = j
		}
	}
	var out []Dropped
	for j, v := range counted {
		if unit != nil {
			v = counted[leads[unit[j]]]
		}
		if why := r.reason(v); why != "" && (keep == nil || !keep[j]) {
			out = append(out, Dropped{int32(j), -1, why})
		}
	}
	return out
}
