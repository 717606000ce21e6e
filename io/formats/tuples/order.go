package tuples

import (
	"cmp"
	"slices"
	"strings"
)

// order sorts records by the names of their patterns without making the names: symbols are ranked once, then
// records are sorted by ranks, one position after the other.
//
// A value inside a name is followed by a semicolon, the last one by nothing. That changes the order of values one of
// which begins the other, so there are two rankings. No value contains a semicolon, so ranks decide as bytes would.
type order struct {
	table        *Table
	text         []string // escaped
	inside, last []int32  // rank of each symbol
	start        []int32  // scratch: of each rank, where its records go
	other        []int32  // scratch: the list sorted so far
}

func newOrder(t *Table) *order {
	text := t.escapedNames()
	return &order{table: t, text: text, inside: byteRanks(text, followedOrder), last: byteRanks(text, strings.Compare), start: make([]int32, len(text)+1)}
}

// followedOrder compares two texts, neither of which has a semicolon, as if one followed each.
func followedOrder(a, b string) int {
	switch {
	case len(a) < len(b) && b[:len(a)] == a:
		return cmp.Compare(';', b[len(a)])
	case len(b) < len(a) && a[:len(b)] == b:
		return cmp.Compare(a[len(b)], ';')
	}
	return strings.Compare(a, b)
}

// byteRanks numbers distinct texts in an order.
func byteRanks(text []string, compare func(a, b string) int) []int32 {
	sorted := make([]int32, len(text))
	for n := range sorted {
		sorted[n] = int32(n)
	}
	slices.SortFunc(sorted, func(a, b int32) int { return compare(text[a], text[b]) })
	rank := make([]int32, len(text))
	for r, n := range sorted {
		rank[n] = int32(r)
	}
	return rank
}

// sortRecords orders records by their values at the positions, the first position most significant. Records that agree stay
// in their order. O(positions · (records + symbols)): a radix sort.
func (o *order) sortRecords(records []int32, positions []int) []int32 {
	if cap(o.other) < len(records) {
		o.other = make([]int32, len(records))
	}
	from, to := records, o.other[:len(records)]
	rank := o.last
	for q := len(positions) - 1; q >= 0; q-- {
		o.radixPass(to, from, o.table.values[positions[q]], rank)
		from, to = to, from
		rank = o.inside
	}
	if len(positions)%2 == 1 {
		copy(records, from)
	}
	return records
}

func (o *order) radixPass(to, from []int32, value, rank []int32) {
	clear(o.start)
	for _, i := range from {
		o.start[rank[value[i]]+1]++
	}
	for r := 1; r < len(o.start); r++ {
		o.start[r] += o.start[r-1]
	}
	for _, i := range from {
		r := rank[value[i]]
		to[o.start[r]] = i
		o.start[r]++
	}
}

// eachRun calls f for every maximal run of sorted records that agree at the positions.
func (o *order) eachRun(sorted []int32, positions []int, f func(run []int32)) {
	for first := 0; first < len(sorted); {
		end := first + 1
		for end < len(sorted) && o.agreeAt(sorted[first], sorted[end], positions) {
			end++
		}
		f(sorted[first:end])
		first = end
	}
}

func (o *order) agreeAt(a, b int32, positions []int) bool {
	for _, p := range positions {
		if v := o.table.values[p]; v[a] != v[b] {
			return false
		}
	}
	return true
}
