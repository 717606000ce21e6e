// Package sparse provides the matrices that every engine works on, and their kernels.
//
// A Matrix is immutable. Callers ask it for a row or a column, never for a storage format: rows are stored, columns are laid out on
// first use. Values that are all one are not stored, so binary data costs four bytes an entry.
//
// Kernels write products and sums as separate statements (float64(a*b) where needed), so that no compiler fuses them: results are
// the same on every architecture.
package sparse

import (
	"slices"

	"tenfold/engines/numeric/dense"
)

// Vec is one row or column: rising indices and their values. A nil Val means that every value is one.
type Vec struct {
	Idx []int32
	Val []float64
}

// Len returns the number of stored entries.
func (v Vec) Len() int { return len(v.Idx) }

// At returns the value of the k-th stored entry (not of index k).
func (v Vec) At(k int) float64 {
	if v.Val == nil {
		return 1
	}
	return v.Val[k]
}

// ValueOf returns the value at index j, 0 if there is no entry. O(log of the entries, or of the indices without one).
func (v Vec) ValueOf(j int32) float64 {
	k := int(j)
	if k >= len(v.Idx) || v.Idx[k] != j { // it is at k only if all entries before it are stored
		last := len(v.Idx) - 1
		if last < 0 || v.Idx[last] < j {
			return 0
		}
		// Indices rise by one at least: entry k has index k or more, and index Idx[last] − (last − k) or less.
		first := max(0, last-int(v.Idx[last]-j))
		offset, ok := slices.BinarySearch(v.Idx[first:min(k, last)+1], j)
		if !ok {
			return 0
		}
		k = first + offset
	}
	return v.At(k)
}

// PlaceFrom returns the place of the first entry at index j or above. O(log of the entries, or 1 where all below j are stored).
func (v Vec) PlaceFrom(j int32) int {
	if int(j) < len(v.Idx) && v.Idx[j] == j {
		return int(j)
	}
	k, _ := slices.BinarySearch(v.Idx, j)
	return k
}

// Range returns the entries from place a up to b.
func (v Vec) Range(a, b int) Vec { return vecOf(v.Idx, v.Val, a, b) }

// Outnumbers reports whether looking up n values (ValueOf) costs less than a pass over all entries.
func (v Vec) Outnumbers(n int) bool { return len(v.Idx) > 16*n }

// Keep returns the entries at the given indices, rising, renumbered by their places among these. O(shorter list · log of the
// longer).
func (v Vec) Keep(indices []int32) Vec {
	out := Vec{}
	if v.Val != nil {
		out.Val = []float64{}
	}
	add := func(k, place int) {
		out.Idx = append(out.Idx, int32(place))
		if v.Val != nil {
			out.Val = append(out.Val, v.Val[k])
		}
	}
	if len(indices) < len(v.Idx) {
		for place, j := range indices {
			if k, ok := slices.BinarySearch(v.Idx, j); ok {
				add(k, place)
			}
		}
		return out
	}
	for k, j := range v.Idx {
		if place, ok := slices.BinarySearch(indices, j); ok {
			add(k, place)
		}
	}
	return out
}

// Dot returns the inner product with a dense vector, summed in order of index.
func (v Vec) Dot(w []float64) float64 {
	s := 0.0
	if v.Val == nil {
		for _, j := range v.Idx {
			s += w[j]
		}
		return s
	}
	for k, j := range v.Idx {
		s += float64(v.Val[k] * w[j])
	}
	return s
}

// Dot4 returns the inner product with w, as Dot does, from four alternating sums, which a processor computes in parallel: faster on long
// vectors of ones, and the same on every architecture, but its last digits differ from those of Dot.
func (v Vec) Dot4(w []float64) float64 {
	var a, b, c, d float64
	idx := v.Idx
	if v.Val == nil {
		for ; len(idx) >= 4; idx = idx[4:] {
			a += w[idx[0]]
			b += w[idx[1]]
			c += w[idx[2]]
			d += w[idx[3]]
		}
		for _, j := range idx {
			a += w[j]
		}
		return (a + b) + (c + d)
	}
	val := v.Val[:len(idx)]
	if v.isFull(len(w)) {
		return dense.Dot(val, w)
	}
	for ; len(idx) >= 4 && len(val) >= 4; idx, val = idx[4:], val[4:] {
		a += float64(val[0] * w[idx[0]])
		b += float64(val[1] * w[idx[1]])
		c += float64(val[2] * w[idx[2]])
		d += float64(val[3] * w[idx[3]])
	}
	for k, j := range idx {
		a += float64(val[k] * w[j])
	}
	return (a + b) + (c + d)
}

// isFull reports whether there is an entry at each of the indices 0 … n−1: since indices rise, they need not be read.
func (v Vec) isFull(n int) bool { return len(v.Idx) == n }

// AddTo adds a times the vector to dst.
func (v Vec) AddTo(dst []float64, a float64) {
	if v.Val != nil && v.isFull(len(dst)) {
		dense.AddTo(dst, v.Val, a)
		return
	}
	v.addEntries(dst, a)
}

func (v Vec) addEntries(dst []float64, a float64) {
	a = float64(a) // where this is inlined, a may be a product
	if v.Val == nil {
		for _, j := range v.Idx {
			dst[j] += a
		}
		return
	}
	for k, j := range v.Idx {
		dst[j] += float64(a * v.Val[k])
	}
}

// Sum returns the sum of the values.
func (v Vec) Sum() float64 {
	if v.Val == nil {
		return float64(len(v.Idx))
	}
	return dense.Sum(v.Val)
}

// Spread returns the values of a vector, zeros included: its own if it has all entries, else in room.
func (v Vec) Spread(room []float64) []float64 {
	if v.HasAll(len(room)) {
		return v.Val
	}
	clear(room)
	v.addEntries(room, 1)
	return room
}
