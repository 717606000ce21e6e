package redundancy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// Levels says how the values of columns become levels, which are counted.
type Levels struct {
	Discretize string    `yaml:"discretize" doc:"how values of the training rows become levels: auto (each value is one in columns of 0 and 1, or of at most bins values with five rows each on average; others are cut at equal frequency, into as many levels as the cube root of the rows, at most bins), none (each value is one), equal-width or equal-frequency (as many as bins says), cuts, praznik (10 of equal width, fewer of few rows). The model is on the values"`
	Bins       int       `yaml:"bins" doc:"levels of a column, of equal-width and equal-frequency, and at most of auto, from 2 to 256"`
	Cuts       []float64 `yaml:"cuts" doc:"of cuts: where all columns are cut, rising; a value that is equal to a cut is below it"`
}

// Words of parameter discretize.
const (
	eachValue      = "none"
	automatic      = "auto"
	equalWidth     = "equal-width"
	equalFrequency = "equal-frequency"
	atCuts         = "cuts"
	asPraznik      = "praznik"
)

// mostLevels of a column whose values are its levels: with more, and few rows each, shares of the rows say nothing of probabilities.
const mostLevels = 256

// valueRows is how many rows a value needs, on average, to be a level of auto.
const valueRows = 5

// cutWhereMany is the default: values that are few are levels.
var cutWhereMany = Levels{Discretize: automatic, Bins: 10}

func (l Levels) validate() error {
	if err := l.ValidateWord(); err != nil {
		return err
	}
	return errors.Join(l.validateBins(), l.validateCuts())
}

// ValidateWord checks the word of discretize alone.
func (l Levels) ValidateWord() error {
	return param.OneOf("discretize", l.Discretize, eachValue, automatic, equalWidth, equalFrequency, atCuts, asPraznik)
}

func (l Levels) validateBins() error {
	if l.Bins < 2 || l.Bins > mostLevels {
		return param.Errorf("bins", "%d, expected 2 to %d", l.Bins, mostLevels)
	}
	return param.Require("bins", l.Bins == cutWhereMany.Bins || l.Discretize == automatic || l.Discretize == equalWidth || l.Discretize == equalFrequency,
		"%d means nothing with discretize: %s, expected auto, equal-width or equal-frequency there", l.Bins, l.Discretize)
}

func (l Levels) validateCuts() error {
	if (len(l.Cuts) > 0) != (l.Discretize == atCuts) {
		return param.Errorf("cuts", "%v with discretize: %s, expected numbers with discretize: cuts, and none without it", l.Cuts, l.Discretize)
	}
	for k, c := range l.Cuts {
		if !elementary.IsFinite(c) || k > 0 && c <= l.Cuts[k-1] {
			return param.Errorf("cuts", "%v, expected finite numbers that rise", l.Cuts)
		}
	}
	return param.Require("cuts", len(l.Cuts) < mostLevels, "%d, expected fewer than %d", len(l.Cuts), mostLevels)
}

// leveled is a column: the rows that have another level than 0, rising, and their levels, nil where that is 1 for all; or planes. Level 0
// is that of the most rows, the lowest of several.
type leveled struct {
	rows, level []int32
	most        int32 // the highest level

	planes []uint64 // of the levels above 0, one after the other; nil of lists
	size   []int32  // of planes: rows of each level
}

func (c leveled) levelOf(k int) int32 {
	if c.level == nil {
		return 1
	}
	return c.level[k]
}

// read returns the levels of the columns of a view, by what its rows have; cut is how many of them auto cuts. Columns of rows with weights
// are lists. O(nnz · log nnz).
func (l Levels) read(ctx context.Context, v *data.View, workers int) (out []leveled, cut int, err error) {
	x := v.Matrix()
	rows, cols := x.Dims()
	weight, total := v.TestWeights()
	pack := func(c leveled) leveled {
		if weight != nil {
			return c
		}
		return c.packed(rows)
	}
	out = make([]leveled, cols)
	byValue := l.Discretize == eachValue || l.Discretize == automatic
	done := make([]bool, cols)
	if weight == nil && byValue && x.NNZ() > 0 && x.NNZ()*planeShare >= rows*cols {
		done = readSmall(ctx, workers, x, out, func(n int) bool {
			return n <= 2 || l.Discretize == eachValue && 2*n <= rows || l.Discretize == automatic && l.areLevels(n, rows)
		})
	}
	for j := range out {
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		if done[j] {
			continue
		}
		col := x.Col(j)
		if col.Val == nil && byValue {
			if col.Len() < rows {
				out[j] = pack(leveled{rows: col.Idx, most: 1})
			}
			continue
		}
		ordered := newDistribution(col, rows, weight, total)
		if l.Discretize == automatic && !l.areLevels(len(ordered.Distinct()), ordered.count()) {
			cut++
		}
		code, err := l.coder(ordered)
		if err != nil {
			return nil, 0, fmt.Errorf("column %q: %w", v.Features().Name(j), err)
		}
		out[j] = pack(newLeveled(col, rows, code))
	}
	return out, cut, nil
}

// often is the number of columns after which the end of a context is looked for.
const often = 1024

// newLeveled returns a column, in lists, by the code of each value, from 0.
func newLeveled(col sparse.Vec, rows int, code func(x float64) int) (out leveled) {
	index, levels, zero := col.Idx, make([]int, col.Len()), code(0)
	for k := range levels {
		levels[k] = code(col.At(k))
	}
	if 2*len(levels) >= rows { // the entries that are not stored may not be the commonest
		all := slices.Repeat([]int{zero}, rows)
		for k, i := range index {
			all[i] = levels[k]
		}
		index, levels, zero = nil, all, commonest(all)
	}
	for k, level := range levels {
		if level == zero {
			continue
		}
		if level < zero {
			level++
		}
		i := int32(k)
		if index != nil {
			i = index[k]
		}
		out.rows, out.level, out.most = append(out.rows, i), append(out.level, int32(level)), max(out.most, int32(level))
	}
	if !slices.ContainsFunc(out.level, func(v int32) bool { return v != 1 }) {
		out.level = nil
	}
	return out
}

// commonest returns the commonest of some levels, the lowest of equally common ones; −1 of none.
func commonest(levels []int) int {
	if len(levels) == 0 {
		return -1
	}
	count := make([]int, 1+slices.Max(levels))
	for _, v := range levels {
		count[v]++
	}
	return slices.Index(count, slices.Max(count))
}

// coder returns the level, from 0, of a value of a column.
func (l Levels) coder(o distribution) (func(x float64) int, error) {
	n, k := o.count(), l.Bins
	switch l.Discretize {
	case eachValue:
		values := o.Distinct()
		if len(values) > 2 && (len(values) > mostLevels || 2*len(values) > n) {
			return nil, fmt.Errorf("%d different values in %d rows, expected at most %d levels of two rows each: let discretize cut them (auto, say)", len(values), n, mostLevels)
		}
		return valueOf(values), nil
	case automatic:
		if values := o.Distinct(); l.areLevels(len(values), n) {
			return valueOf(values), nil
		}
		return equalFrequencies(o, max(2, min(k, cubeRoot(n)))), nil
	case equalFrequency:
		return equalFrequencies(o, k), nil
	case atCuts:
		return below(l.Cuts), nil
	}
	low, high := o.At(0), o.At(o.Len()-1)
	if l.Discretize == asPraznik {
		low, high, k = praznikRange(low, high, n)
	}
	width := high - low
	switch {
	case !elementary.IsFinite(width):
		return nil, fmt.Errorf("values from %v to %v are too far apart to divide into levels of equal width", low, high)
	case width == 0:
		return func(float64) int { return 0 }, nil
	}
	return func(x float64) int { return min(k-1, max(0, int(math.Floor((x-low)/width*float64(k))))) }, nil
}

// areLevels reports whether auto takes a column of so many values in n rows by its values.
func (l Levels) areLevels(values, n int) bool {
	return values <= 2 || values <= l.Bins && valueRows*values <= n
}

// cubeRoot returns the cube root of n ≥ 0, rounded down.
func cubeRoot(n int) (k int) {
	for (k+1)*(k+1)*(k+1) <= n {
		k++
	}
	return k
}

// valueOf returns the number of a value, from 0, among values that rise.
func valueOf(values []float64) func(x float64) int {
	return func(x float64) int { level, _ := slices.BinarySearch(values, x); return level }
}

// equalFrequencies cuts a column into k levels with as many rows each as ties allow.
func equalFrequencies(o distribution, k int) func(x float64) int {
	var cuts []float64
	for i := 1; i < k; i++ {
		cuts = append(cuts, o.quantile(i, k))
	}
	return below(slices.Compact(cuts))
}

// below returns how many of the cuts, which rise, are less than a value.
func below(cuts []float64) func(x float64) int {
	return func(x float64) int { level, _ := slices.BinarySearch(cuts, x); return level }
}

// praznikRange returns the range of a column and the number of levels as the R package praznik 13 has them (Kursa 2021): wider by a thousandth
// on both sides, unless an end is zero, or next to it, or next to infinite.
func praznikRange(low, high float64, rows int) (from, to float64, levels int) {
	const tiny, huge = 1e-14, 1e300
	inside := func(x float64) bool { return math.Abs(x) > tiny && math.Abs(x) < huge }
	if inside(low) && inside(high) && low < high {
		low -= (high - low) / 1000
		high += (high - low) / 1000
	}
	switch {
	case rows < 6:
		return low, high, 2
	case rows > 30:
		return low, high, 10
	}
	return low, high, rows / 3
}
