package boosting

import (
	"math"
	"slices"

	"tenfold/engines/numeric/sparse"
	"tenfold/engines/trees"
)

// mostBins is what a byte tells apart.
const mostBins = 256

// cuts are the thresholds between the bins of a column, rising: the bin of a value is the number of those that are below it.
type cuts []float64

// binOf returns the bin of a value. O(log bins).
func (c cuts) binOf(v float64) int { return c.table().binOf(v) }

// cutTable has the cuts as whole numbers, and behind them the largest one.
type cutTable [mostBins]uint64

func (c cuts) table() *cutTable {
	t := new(cutTable)
	for k := range t {
		if t[k] = math.MaxUint64; k < len(c) {
			t[k] = sortable(c[k])
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

// newCuts cuts the values of rows into bins, at most so many, of about as many rows each; a value is in one bin. With fewer values than
// bins each has a bin of its own. Values that more rows have than a bin's share leave fewer for the others, which share what is left.
func newCuts(values []counted, rows, bins int) cuts {
	c := make(cuts, 0, min(bins, len(values))-1)
	left, inBin := rows, 0
	for k, v := range values {
		open := bins - len(c) // bins from the present one on
		if full := len(values)-k < open || open > 1 && 2*open*inBin+open*v.rows > 2*left; k > 0 && full {
			c = append(c, trees.Between(values[k-1].value, v.value))
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
}

func newValueCounter(rows int, fitted []int32) *valueCounter {
	c := &valueCounter{isFitted: make([]bool, rows), fitted: len(fitted)}
	for _, i := range fitted {
		c.isFitted[i] = true
	}
	return c
}

// tally returns the bins of a column: its values, rising, rows that are not stored included. O(entries).
func (c *valueCounter) tally(v sparse.Vec) []counted {
	c.counts = c.counts[:0]
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
		if c.isFitted[i] {
			c.key = append(c.key, sortable(v.Val[k]+0)) // -0 is 0
		}
	}
	zeros := c.fitted - len(c.key)
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
