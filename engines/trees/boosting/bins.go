package boosting

import (
	"math"
	"slices"

	"tenfold/engines/numeric/sparse"
	"tenfold/engines/trees"
)

// mostBins is what a byte tells apart.
const mostBins = 256

// cut separates two neighbouring bins: the largest value of the one, and the smallest of the next, which is above it.
type cut struct{ below, above float64 }

func (c cut) threshold() float64 { return trees.Between(c.below, c.above) }

// cuts separate the bins of a column, rising: the bin of a value is the number of those whose thresholds are below it. Rows that lack the
// value are in a bin of their own, behind the others.
type cuts []cut

// missing returns the bin of rows that lack the value.
func (c cuts) missing() int { return len(c) + 1 }

// between returns the threshold between two bins, those between which have no row at a node: halfway from the largest value of the lower
// one to the smallest of the upper one, but not within a bin, whose rows stay together. reach is the last bin up to it.
func (c cuts) between(lower, upper int32) (threshold float64, reach int32) {
	if int(upper) > len(c) {
		return math.Inf(1), lower
	}
	threshold = trees.Between(c[lower].below, c[upper-1].above)
	for reach = lower; reach+1 < upper; reach++ {
		switch least, most := c[reach].above, c[reach+1].below; {
		case least > threshold:
			return threshold, reach
		case most > threshold:
			return c[reach].threshold(), reach
		}
	}
	return threshold, reach
}

// binOf returns the bin of a value. O(log bins).
func (c cuts) binOf(v float64) int { return c.table().binOf(v) }

// cutTable has the cuts as whole numbers, and behind them the largest one.
type cutTable [mostBins]uint64

func (c cuts) table() *cutTable {
	t := new(cutTable)
	for k := range t {
		if t[k] = math.MaxUint64; k < len(c) {
			t[k] = sortable(c[k].threshold())
		}
	}
	return t
}

// binOf returns the bin of a value, in eight steps without a jump that depends on it.
func (t *cutTable) binOf(v float64) int {
	key, low := sortable(v+0), uint8(0)
	if t[127] < key {
		low = 128
	}
	if t[low+63] < key {
		low += 64
	}
	if t[low+31] < key {
		low += 32
	}
	if t[low+15] < key {
		low += 16
	}
	if t[low+7] < key {
		low += 8
	}
	if t[low+3] < key {
		low += 4
	}
	if t[low+1] < key {
		low += 2
	}
	if t[low+0] < key {
		low += 1
	}
	return int(low)
}

// counted is a value and how many rows have it.
type counted struct {
	value float64
	rows  int
}

// cut cuts a column into bins, at most so many; a byte has room for them, and for the rows that lack the value.
func (c *valueCounter) cut(v sparse.Vec, bins int) (cuts, gaps) {
	values := c.tally(v)
	switch {
	case !c.lacking:
		return newCuts(values, c.fitted, bins), noGaps
	case c.missing == 0:
		return newCuts(values, c.fitted, min(bins, mostBins-1)), someGaps
	case len(values) == 0:
		return nil, someGaps
	}
	return newCuts(values, c.fitted-c.missing, min(bins, mostBins-1)), tellingGaps
}

// newCuts cuts the values of rows into bins, at most so many, of about as many rows each; a value is in one bin. With fewer values than
// bins each has a bin of its own. Values that more rows have than a bin's share leave fewer for the others, which share what is left.
func newCuts(values []counted, rows, bins int) cuts {
	c := make(cuts, 0, min(bins, len(values))-1)
	left, inBin := rows, 0
	for k, v := range values {
		open := bins - len(c) // bins from the present one on
		if full := len(values)-k < open || open > 1 && 2*open*inBin+open*v.rows > 2*left; k > 0 && full {
			c = append(c, cut{values[k-1].value, v.value})
			left, inBin = left-inBin, 0
		}
		inBin += v.rows
	}
	return c
}

// valueCounter counts the values of columns among the rows that are fitted.
type valueCounter struct {
	isFitted   []bool
	fitted     int
	key, spare []uint64
	counts     []counted
	missing    int  // fitted rows that lack the value
	lacking    bool // any row does
}

func newValueCounter(rows int, fitted []int32) *valueCounter {
	c := &valueCounter{isFitted: make([]bool, rows), fitted: len(fitted)}
	for _, i := range fitted {
		c.isFitted[i] = true
	}
	return c
}

// tally returns the bins of a column: its values, rising, rows that are not stored included. It counts the rows that lack it. O(entries).
func (c *valueCounter) tally(v sparse.Vec) []counted {
	c.counts, c.missing, c.lacking = c.counts[:0], 0, false
	if v.Val == nil {
		ones := 0
		for _, i := range v.Idx {
			if c.isFitted[i] {
				ones++
			}
		}
		return c.count(0, c.fitted-ones).count(1, ones).counts
	}
	c.key = c.key[:0]
	for k, i := range v.Idx {
		switch isMissing := v.Val[k] != v.Val[k]; {
		case isMissing && c.isFitted[i]:
			c.missing++
			fallthrough
		case isMissing:
			c.lacking = true
		case c.isFitted[i]:
			c.key = append(c.key, sortable(v.Val[k]+0)) // -0 is 0
		}
	}
	zeros := c.fitted - len(c.key) - c.missing
	zero := sortable(0)
	for _, key := range c.sorted() {
		if key >= zero {
			c.count(0, zeros)
			zeros = 0
		}
		c.count(valueOf(key), 1)
	}
	return c.count(0, zeros).counts
}

// count rows of a value, which is no less than those before it.
func (c *valueCounter) count(value float64, rows int) *valueCounter {
	switch n := len(c.counts); {
	case rows == 0:
	case n > 0 && c.counts[n-1].value == value:
		c.counts[n-1].rows += rows
	default:
		c.counts = append(c.counts, counted{value, rows})
	}
	return c
}

// sorted keys: by counting, from the last digits to the first.
func (c *valueCounter) sorted() []uint64 {
	const few, digits, bits = 64, 6, 11
	if len(c.key) <= few {
		slices.Sort(c.key)
		return c.key
	}
	var next [digits][1 << bits]int32
	for _, key := range c.key {
		for d := range digits {
			next[d][key>>(d*bits)&(1<<bits-1)]++
		}
	}
	from, to := c.key, slices.Grow(c.spare[:0], len(c.key))[:len(c.key)]
	for d := range digits {
		n, sum := &next[d], int32(0)
		if n[from[0]>>(d*bits)&(1<<bits-1)] == int32(len(from)) {
			continue // all have the same digit
		}
		for k, count := range n {
			n[k] = sum
			sum += count
		}
		for _, key := range from {
			digit := key >> (d * bits) & (1<<bits - 1)
			to[n[digit]] = key
			n[digit]++
		}
		from, to = to, from
	}
	c.key, c.spare = from, to
	return from
}

// sortable returns a whole number for a finite one, in the same order.
func sortable(v float64) uint64 {
	bits := math.Float64bits(v)
	return bits ^ (uint64(int64(bits)>>63) | 1<<63)
}

// valueOf returns the value of a sortable number.
func valueOf(key uint64) float64 {
	if key>>63 != 0 {
		return math.Float64frombits(key &^ (1 << 63))
	}
	return math.Float64frombits(^key)
}
