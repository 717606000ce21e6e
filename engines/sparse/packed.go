package sparse

import "math/bits"

// packed is rows of ones with several column numbers to a word, so that a row is one or two cache lines.
type packed struct {
	start []uint32 // row i is word[start[i]:start[i+1]]
	word  []uint64 // numbers plus one, the first in the lowest bits; zeros fill up
	bits  uint     // of a number
}

// pack renames the columns of a matrix of ones to 0..size-1; those of number −1 are left out. O(nnz).
func pack(x *Matrix, number []int32, size int) *packed {
	ptr, idx, _ := x.Rows()
	p := &packed{start: make([]uint32, len(ptr)), bits: uint(max(1, bits.Len(uint(size))))}
	each := 64 / int(p.bits)
	words := 0
	for i := range len(ptr) - 1 {
		words += (ptr[i+1] - ptr[i] + each - 1) / each
	}
	p.word = make([]uint64, 0, words)
	for i := range len(ptr) - 1 {
		w, shift := uint64(0), uint(0)
		for _, j := range idx[ptr[i]:ptr[i+1]] {
			if number[j] < 0 {
				continue
			}
			w |= uint64(number[j]+1) << shift
			if shift += p.bits; shift+p.bits > 64 {
				p.word = append(p.word, w)
				w, shift = 0, 0
			}
		}
		if w != 0 {
			p.word = append(p.word, w)
		}
		p.start[i+1] = uint32(len(p.word))
	}
	return p
}
