package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
)

// mostLacking is the most columns of which a report says how many values are missing.
const mostLacking = 20

// apart is how much the shares of missing values in two classes differ, at least, where a report says them.
const apart = 0.1

// lacking counts the missing values of a column.
type lacking struct {
	column      string
	isWord      bool
	rows        int
	train, test float64 // shares of the training and the test rows, means over the folds
	byLevel     []int   // by level of the target
}

// bySide returns the shares of training and test rows if they differ by more than a point.
func (c lacking) bySide() string {
	if math.Abs(c.train-c.test) <= 0.01 {
		return ""
	}
	return fmt.Sprintf(" (%.1f %% of the training rows, %.1f %% of the test rows)", 100*c.train, 100*c.test)
}

// sideShares returns what each row counts in the shares of training rows and of test rows, on average over the folds.
func (s *Set) sideShares() (train, test []float64) {
	train, test = make([]float64, s.Data.Rows()), make([]float64, s.Data.Rows())
	for _, split := range s.Splits {
		for _, i := range split.Fold.Train {
			train[i] += 1 / float64(len(split.Fold.Train)*len(s.Splits))
		}
		for _, i := range split.Fold.Test {
			test[i] += 1 / float64(len(split.Fold.Test)*len(s.Splits))
		}
	}
	return train, test
}

// missingFacts says how many values are missing in each column, those with most of them first, and in each class where they differ; nothing
// where missing values are refused.
func (s *Set) missingFacts() (out []data.Fact) {
	recipe := s.Recipe()
	if s.Task != "" || !recipe.Fills() && !recipe.KeepsGaps() {
		return nil
	}
	rows, all := s.Data.Rows(), s.columnsLacking()
	slices.SortStableFunc(all, func(a, b lacking) int { return cmp.Compare(b.rows, a.rows) })
	for k, c := range all {
		if k == mostLacking {
			return append(out, data.Fact{Name: fmt.Sprintf("missing in each of %d further columns", len(all)-k), Value: fmt.Sprintf("at most %s", share(c.rows, rows))})
		}
		out = append(out, data.Fact{Name: "missing in " + c.column, Value: share(c.rows, rows) + c.bySide() + s.byClass(c) + "; " + recipe.Becomes(c.isWord)})
	}
	return out
}

func share(n, all int) string {
	return fmt.Sprintf("%d of %d rows, %.1f %%", n, all, 100*float64(n)/float64(all))
}

// columnsLacking counts the missing values of the columns that have any, in order.
func (s *Set) columnsLacking() (out []lacking) {
	d, level := s.Data, s.levelOfRow()
	train, test := s.sideShares()
	index := map[string]int{}
	ptr, idx, val := d.X.Rows()
	for i := range d.Rows() {
		for q := ptr[i]; q < ptr[i+1] && val != nil; q++ {
			if val[q] == val[q] {
				continue
			}
			column := d.ColumnOf(int(idx[q]))
			k, ok := index[column]
			if !ok {
				k = len(out)
				index[column] = k
				out = append(out, lacking{column: column, isWord: d.Factor != nil && d.Factor[idx[q]] >= 0})
			}
			c := &out[k]
			c.train, c.test = c.train+train[i], c.test+test[i]
			if c.rows++; level != nil && level[i] >= 0 {
				c.byLevel = append(c.byLevel, make([]int, max(0, int(level[i])+1-len(c.byLevel)))...)
				c.byLevel[level[i]]++
			}
		}
	}
	return out
}

// levelOfRow returns the level of each row, -1 for none; nil unless the only target is a class.
func (s *Set) levelOfRow() []int32 {
	if len(s.Data.Targets) != 1 || s.Data.Targets[0].Type != data.Class {
		return nil
	}
	t := &s.Data.Targets[0]
	level := slices.Repeat([]int32{-1}, s.Data.Rows())
	for k, v := range t.Values {
		level[t.RowOf(k)] = int32(v)
	}
	return level
}

// byClass returns the shares of the rows of each class in which the column is missing, if they are far enough apart.
func (s *Set) byClass(c lacking) string {
	if c.byLevel == nil {
		return ""
	}
	t := &s.Data.Targets[0]
	total := make([]int, len(t.Levels))
	for _, v := range t.Values {
		total[int(v)]++
	}
	least, most := 1.0, 0.0
	var parts []string
	for l, n := range total {
		if n == 0 {
			continue
		}
		lack := 0
		if l < len(c.byLevel) {
			lack = c.byLevel[l]
		}
		part := float64(lack) / float64(n)
		least, most = min(least, part), max(most, part)
		parts = append(parts, fmt.Sprintf("%.1f %% of %s", 100*part, t.Levels[l]))
	}
	if most-least <= apart {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
