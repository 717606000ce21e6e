package text

import (
	"fmt"
	"strconv"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Counts collects texts as rows of a matrix. Its columns are the names of what the texts contain, numbered in order of first appearance.
type Counts struct {
	cutter Cutter
	value  func(count float64) float64 // what is stored for a count; nil: 1
	bits   int                         // of the hash; 0 for a column a name

	number map[string]int32
	bucket map[uint64]int32 // column of each bucket in use
	names  []string         // of the columns

	x     sparse.Builder
	row   int32
	last  []int32 // row, from 1, in which each column stood last
	place []int32 // of its entry in that row
	idx   []int32 // of the row being read
	count []float64

	tokens, empty int
}

// Add adds a text as a row. A text without a token is a row without entries.
func (c *Counts) Add(text []byte) error {
	c.row++
	c.idx, c.count = c.idx[:0], c.count[:0]
	tokens := c.cutter.Each(text, c.addName)
	if c.tokens += tokens; tokens == 0 {
		c.empty++
	}
	if c.value == nil {
		return c.x.Add(c.idx, nil)
	}
	for k, n := range c.count {
		c.count[k] = c.value(n)
	}
	return c.x.Add(c.idx, c.count)
}

// addName adds a name to the row.
func (c *Counts) addName(name []byte) {
	j := c.columnOf(name)
	if c.last[j] == c.row {
		c.count[c.place[j]]++
		return
	}
	c.last[j], c.place[j] = c.row, int32(len(c.idx))
	c.idx, c.count = append(c.idx, j), append(c.count, 1)
}

// columnOf returns the column of a name, a new one where the name is new.
func (c *Counts) columnOf(name []byte) int32 {
	if j, ok := c.number[string(name)]; ok {
		return j
	}
	text := string(name)
	j, title := int32(len(c.names)), text
	if c.bits > 0 {
		b := bucketOf(text, c.bits)
		if k, used := c.bucket[b]; used {
			c.number[text] = k
			return k
		}
		c.bucket[b], title = j, strconv.FormatUint(b, 10)
	}
	c.number[text] = j
	c.names = append(c.names, title)
	c.last, c.place = append(c.last, 0), append(c.place, 0)
	return j
}

// bucketOf returns the first bits of the scrambled FNV-1a hash of a name: the same on every machine, for ever.
func bucketOf(name string, bits int) uint64 { return data.Mix(data.Key(name)) >> (64 - bits) }

// Names returns the names of the columns. With a hash they are the numbers of its buckets.
func (c *Counts) Names() []string { return c.names }

// Entries returns how many words all texts have, each once for a text.
func (c *Counts) Entries() int { return c.x.NNZ() }

// Matrix returns the rows. No text must be added afterwards.
func (c *Counts) Matrix() *sparse.Matrix { return c.x.Matrix(len(c.names)) }

// Facts counts tokens and texts without one, and what shares a bucket of the hash.
func (c *Counts) Facts() []data.Fact {
	facts := []data.Fact{
		{Name: "tokens", Value: fmt.Sprint(c.tokens)},
		{Name: "texts without a token", Value: fmt.Sprint(c.empty)},
	}
	if names := len(c.number); c.bits > 0 {
		facts = append(facts, data.Fact{Name: fmt.Sprintf("tokens and runs of them that share a bucket of %d with an earlier one", uint64(1)<<c.bits),
			Value: fmt.Sprintf("%d of %d", names-len(c.names), names)})
	}
	return facts
}

// values map a count to an entry of the matrix, by the word in the file; idf comes later, from training rows.
var values = map[string]func(count float64) float64{
	"binary": nil,
	"count":  identity, "tf-idf": identity,
	"log": logCount, "log-tf-idf": logCount,
}

func identity(n float64) float64 { return n }
func logCount(n float64) float64 { return 1 + elementary.Log(n) }
