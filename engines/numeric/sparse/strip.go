package sparse

import (
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// Strip is the rows of a matrix restricted to a range of columns. The strips of a matrix can be processed at the same time, each
// adding to its own columns, with sums in order of row: the same as in one pass.
type Strip struct {
	First, Last int // the columns from First up to Last
	m           *Matrix
	start, end  []int // by row
}

// Strips splits the columns into at most n ranges with about equal numbers of entries, estimated from a sample of rows. O(rows · n
// · log of their entries), and 8 bytes a row and strip.
func (m *Matrix) Strips(n int) []Strip {
	rows := len(m.start)
	var some []int32
	for i := 0; i < rows && n > 1; i += 1 + rows/1024 {
		some = append(some, m.Row(i).Idx...)
	}
	slices.Sort(some)
	out := []Strip{{m: m, start: m.start}}
	for k := 1; k < n && len(some) > 0; k++ {
		s := &out[len(out)-1]
		border := int(some[k*len(some)/n])
		if border <= s.First {
			continue
		}
		cut := make([]int, rows)
		for i := range cut {
			before, _ := slices.BinarySearch(m.idx[s.start[i]:m.end[i]], int32(border))
			cut[i] = s.start[i] + before
		}
		s.Last, s.end = border, cut
		out = append(out, Strip{First: border, m: m, start: cut})
	}
	s := &out[len(out)-1]
	s.Last, s.end = m.cols, m.end
	return out
}

// Row returns row i within the strip, shared with the matrix.
func (s *Strip) Row(i int) Vec { return vecOf(s.m.idx, s.m.val, s.start[i], s.end[i]) }

// Together calls do for every strip at the same time, and returns when all are done.
func Together(strips []Strip, do func(*Strip)) {
	parallel.Each(len(strips), len(strips), func(k int) { do(&strips[k]) })
}

// MulTVec sets dst[First:Last] of dst = Xᵀ·r: each sum runs in order of row.
func (s *Strip) MulTVec(dst, r []float64) {
	clear(dst[s.First:s.Last])
	if s.m.IsFull() {
		for i, v := range r {
			dense.AddTo(dst[s.First:s.Last], s.m.val[s.start[i]:s.end[i]], v)
		}
		return
	}
	for i, v := range r {
		row := s.Row(i)
		if row.Val != nil {
			row.AddTo(dst, v)
			continue
		}
		idx := row.Idx
		for ; len(idx) >= 4; idx = idx[4:] {
			dst[idx[0]] += v
			dst[idx[1]] += v
			dst[idx[2]] += v
			dst[idx[3]] += v
		}
		for _, j := range idx {
			dst[j] += v
		}
	}
}
