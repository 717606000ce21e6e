package gram

import (
	"math/bits"

	"tenfold/engines/numeric/sparse"
)

// packed holds rows of ones with several column numbers to a word, so that a row is one or two cache lines.
type packed struct {
	start []uint32 // row i is word[start[i]:start[i+1]]
	word  []uint64 // numbers plus one, the first in the lowest bits; padded with zeros
	bits  uint     // of a number
}

// packColumns renumbers the columns of a matrix of ones to 0..size-1; columns with number −1 are left out. O(nnz).
func packColumns(x *sparse.Matrix, number []int32, size int) *packed {
	start, end, idx, _ := x.Spans()
	p := &packed{start: make([]uint32, len(start)+1), bits: uint(max(1, bits.Len(uint(size))))}
	each := 64 / int(p.bits)
	for i, a := range start {
		n := 0
		for _, j := range idx[a:end[i]] {
			if number[j] >= 0 {
				n++
			}
		}
		p.start[i+1] = p.start[i] + uint32((n+each-1)/each)
	}
	p.word = x.Uint64s(int(p.start[len(start)]))
	for i, a := range start {
		next, w, shift := p.start[i], uint64(0), uint(0)
		for _, j := range idx[a:end[i]] {
			if number[j] < 0 {
				continue
			}
			w |= uint64(number[j]+1) << shift
			if shift += p.bits; shift+p.bits > 64 {
				p.word[next] = w
				next++
				w, shift = 0, 0
			}
		}
		if w != 0 {
			p.word[next] = w
		}
	}
	return p
}
