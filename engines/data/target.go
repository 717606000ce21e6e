package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tenfold/engines/data/pairs"
)

// Type is the type of a target. It says what the values mean and which metrics apply.
type Type int8

const (
	Any      Type = iota // no requirement but that it is numbers or levels, or not known yet
	Real                 // numbers
	Class                // levels, numbered from 0
	Survival             // times until an event, some of them censored: the event came later than that
	Count                // whole numbers of 0 or more: how often something happened, each in an exposure of its own
)

func (t Type) String() string { return [...]string{"any", "real", "class", "survival", "count"}[t] }

// Target is one response. Several targets on the same rows make a multi-response problem; targets with rows of their own
// make tasks.
type Target struct {
	Name, Group string       // one group: tasks that compete for the same thing
	Type        Type         // Real, Class, Survival or Count
	Levels      []string     // names of the classes; values index into it
	Values      []float64    // one a row of the data set (or one for each of Rows); NaN where a real one is missing; times, above 0, of a survival target
	Events      []int8       // of a survival target: 1 where the time ended in the event, 0 where it was censored; one a value
	Rows        []int32      // rising row numbers where it is defined; nil means everywhere
	Pairs       *pairs.Pairs // when set, values are counted in each fold: those of training rows over the training rows alone
	Pooled      bool         // values were counted over all rows, so that training responses know test rows
	Positive    int          // for two classes: the level that precision, recall and AUC are about
	// Numbers, if set, are cut into two levels at their mean over the training rows of each fold (prepare/response.go), one for each
	// value. Values then hold the levels of a cut at the mean of all rows, which only serve to stratify folds.
	Numbers []float64
}

// onRows returns the target on some rows, in the order given.
func (t Target) onRows(rows []int32) Target {
	if t.Pairs != nil {
		t.Pairs = &pairs.Pairs{Left: ValuesAt(t.Pairs.Left, rows), Right: ValuesAt(t.Pairs.Right, rows), Kappa: t.Pairs.Kappa}
	}
	if t.Rows == nil {
		t.Values, t.Numbers, t.Events = ValuesAt(t.Values, rows), ValuesAt(t.Numbers, rows), ValuesAt(t.Events, rows)
		return t
	}
	defined, from := []int32{}, []int32{}
	for k, i := range rows {
		if p, ok := slices.BinarySearch(t.Rows, i); ok {
			defined, from = append(defined, int32(k)), append(from, int32(p))
		}
	}
	t.Rows, t.Values, t.Numbers, t.Events = defined, ValuesAt(t.Values, from), ValuesAt(t.Numbers, from), ValuesAt(t.Events, from)
	switch {
	case len(defined) == len(rows):
		t.Rows = nil
	case t.Values == nil:
		t.Values = []float64{}
	}
	return t
}

// withLevels returns a class target with other levels. Of two, the last is positive.
func (t Target) withLevels(levels []string, to []int32) Target {
	values := make([]float64, len(t.Values))
	for k, v := range t.Values {
		values[k] = float64(to[int(v)])
	}
	t.Levels, t.Values, t.Positive = levels, values, positiveLevel(levels)
	return t
}

// positiveLevel returns the level that is positive by default.
func positiveLevel(levels []string) int {
	if len(levels) == 2 {
		return 1
	}
	return 0
}

// WithoutEmptyLevels returns a class target without the levels that no row has. If two are left, the positive one stays positive.
func (t Target) WithoutEmptyLevels() Target {
	old, to := renumber(t.Values, len(t.Levels))
	if len(old) == len(t.Levels) {
		return t
	}
	out := t.withLevels(ValuesAt(t.Levels, old), to)
	if len(t.Levels) == 2 && to[t.Positive] >= 0 {
		out.Positive = int(to[t.Positive])
	}
	return out
}

// Stratum returns the stratum of value k, of which stratified folds have equal shares: its level, whether its event was observed, or
// whether its count is above 0.
func (t *Target) Stratum(k int) int {
	switch {
	case t.Type == Survival:
		return int(t.Events[k])
	case t.Type == Count:
		return int(min(t.Values[k], 1))
	}
	return int(t.Values[k])
}

// Strata returns the number of strata, 0 if the target has none.
func (t *Target) Strata() int {
	if t.Type == Survival || t.Type == Count {
		return 2
	}
	return len(t.Levels)
}

// Outputs returns the number of outputs that a model has for the target: one for each level of a class, else one.
func (t Target) Outputs() int {
	if t.Type == Class {
		return len(t.Levels)
	}
	return 1
}

// RefuseOnly returns the error of a fit whose training rows, so many, all have one value.
func (t *Target) RefuseOnly(value float64, rows int) error {
	return fmt.Errorf("target %s is constant (%s in all %d training rows): nothing can be learned about it; of several targets, target: {constant: drop} leaves such ones out", t.Name, t.Show(value), rows)
}

// Show returns a value as text: the name of a level in quotes, a number in the shortest form that is read back as it.
func (t *Target) Show(value float64) string {
	if t.Type == Class {
		return strconv.Quote(t.Levels[int(value)])
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// HasEvent reports whether an event was observed in any of the given rows of a survival target.
func (t *Target) HasEvent(rows []int32) bool {
	return slices.ContainsFunc(rows, func(i int32) bool {
		k, ok := t.valueOf(i)
		return ok && t.Events[k] == 1
	})
}

// OnlyValue returns the value that all of the given rows have that have one, and whether there is such a value.
func (t *Target) OnlyValue(rows []int32) (only float64, ok bool) {
	for _, i := range rows {
		k, known := t.valueOf(i)
		switch {
		case !known || math.IsNaN(t.Values[k]):
		case !ok:
			only, ok = t.Values[k], true
		case t.Values[k] != only:
			return 0, false
		}
	}
	return only, ok
}

// valueOf returns the number of the value of row i, and whether it has one.
func (t *Target) valueOf(i int32) (k int, ok bool) {
	if t.Rows == nil {
		return int(i), true
	}
	return slices.BinarySearch(t.Rows, i)
}

// RowOf returns the row of the data set that value k belongs to.
func (t *Target) RowOf(k int) int {
	if t.Rows == nil {
		return k
	}
	return int(t.Rows[k])
}

func (t *Target) CountGaps() (n int) {
	if t.Type != Real && t.Type != Count {
		return 0
	}
	for _, y := range t.Values {
		if y != y {
			n++
		}
	}
	return n
}

// Cut returns level 1 for the numbers at or above the mean and 0 for the others, and counts the ones.
func Cut(numbers []float64, mean float64) (levels []float64, ones int) {
	levels = make([]float64, len(numbers))
	for k, y := range numbers {
		if y >= mean {
			levels[k] = 1
			ones++
		}
	}
	return levels, ones
}
