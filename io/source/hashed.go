package source

import (
	"fmt"
	"hash/fnv"

	"tenfold/engines/data"
	"tenfold/engines/param"
)

// maxHashBits is the number of bits that number MaxColumns columns.
const maxHashBits = 26

// CheckHash returns an error if bits is not a valid number of bits of a hash of names.
func CheckHash(field string, bits int) error {
	if bits < 0 || bits > maxHashBits {
		return param.Errorf(field, "%d bits, expected 1 to %d, or 0 for columns by name", bits, maxHashBits)
	}
	return nil
}

// hashed numbers columns, in order of first appearance, by some bits of a hash of their names.
type hashed struct {
	mask   uint64
	column []int32  // of each hash, plus one; 0 for none yet
	first  []uint64 // by column: the whole hash of its first name
	shared []bool   // by column: whether several names share it

	entries, others int64 // all, and those of names that are not the first of their column
}

func newHashed(bits int) *hashed {
	return &hashed{mask: 1<<bits - 1, column: make([]int32, 1<<bits)}
}

// numberOf returns the number of a name's column; the name of a new column, # and the hash, joins the list.
func (h *hashed) numberOf(name []byte, list *[]string) int32 {
	sum := fnv.New64a()
	_, _ = sum.Write(name) // it cannot fail
	whole := sum.Sum64()
	bucket := (whole ^ whole>>32) & h.mask // folded, because the low bits depend mostly on the last bytes
	column := &h.column[bucket]
	h.entries++
	if *column == 0 {
		*list = append(*list, fmt.Sprintf("#%d", bucket)) // the same in every file
		h.first, h.shared = append(h.first, whole), append(h.shared, false)
		*column = int32(len(*list))
		return *column - 1
	}
	if k := *column - 1; h.first[k] != whole {
		h.shared[k] = true
		h.others++
	}
	return *column - 1
}

// Facts reports, for people, how many columns and entries share a hash with other names; nil without hashing.
func (n *Names) Facts() []data.Fact {
	h := n.hashed
	if h == nil {
		return nil
	}
	shared := 0
	for _, s := range h.shared {
		if s {
			shared++
		}
	}
	share := 0.0
	if h.entries > 0 {
		share = 100 * float64(h.others) / float64(h.entries)
	}
	return []data.Fact{
		{Name: "columns that several features share by hash", Value: fmt.Sprintf("%d of %d", shared, len(h.shared))},
		{Name: "entries of features that are not the first of their column", Value: fmt.Sprintf("%d (%.2f %%)", h.others, share)},
	}
}
