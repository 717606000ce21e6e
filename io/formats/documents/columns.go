package documents

import (
	"strconv"

	"tenfold/engines/core/elementary"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// columns numbers the names of what texts contain, in order of first appearance, and collects rows of their counts.
type columns struct {
	bits   int // of the hash; 0 for a column a name
	of     map[string]int32
	bucket map[uint64]int32 // column of each bucket in use
	names  []string         // of the columns

	x     sparse.Builder
	row   int32
	last  []int32 // row, from 1, in which each column stood last
	place []int32 // of its entry in that row
	idx   []int32 // of the row being read
	count []float64
}

func newColumns(bits int) *columns {
	return &columns{bits: bits, of: map[string]int32{}, bucket: map[uint64]int32{}}
}

// columnOf returns the column of a name, a new one where the name is new.
func (c *columns) columnOf(name []byte) int32 {
	if j, ok := c.of[string(name)]; ok {
		return j
	}
	text := string(name)
	j, title := int32(len(c.names)), text
	if c.bits > 0 {
		b := bucketOf(text, c.bits)
		if k, used := c.bucket[b]; used {
			c.of[text] = k
			return k
		}
		c.bucket[b], title = j, strconv.FormatUint(b, 10)
	}
	c.of[text] = j
	c.names = append(c.names, title)
	c.last, c.place = append(c.last, 0), append(c.place, 0)
	return j
}

// bucketOf is the first bits of the scrambled FNV-1a hash of a name: the same on every machine, for ever.
func bucketOf(name string, bits int) uint64 { return data.Mix(data.Key(name)) >> (64 - bits) }

// beginRow begins a row.
func (c *columns) beginRow() {
	c.row++
	c.idx, c.count = c.idx[:0], c.count[:0]
}

// addName adds a name to the row.
func (c *columns) addName(name []byte) {
	j := c.columnOf(name)
	if c.last[j] == c.row {
		c.count[c.place[j]]++
		return
	}
	c.last[j], c.place[j] = c.row, int32(len(c.idx))
	c.idx, c.count = append(c.idx, j), append(c.count, 1)
}

// endRow ends the row; value turns counts into what is stored, nil when that is one everywhere.
func (c *columns) endRow(value func(count float64) float64) error {
	if value == nil {
		return c.x.Add(c.idx, nil)
	}
	for k, n := range c.count {
		c.count[k] = value(n)
	}
	return c.x.Add(c.idx, c.count)
}

// values map a count to an entry of the matrix, by the word in the file; idf comes later, from training rows.
var values = map[string]func(count float64) float64{
	"binary": nil,
	"count":  identity, "tf-idf": identity,
	"log": logCount, "log-tf-idf": logCount,
}

func identity(n float64) float64 { return n }
func logCount(n float64) float64 { return 1 + elementary.Log(n) }
