package boosting

import (
	"math"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/trees"
)

// split of a node: rows in bins of the column up to last go left, and those from next on right; between the two the node has none.
type split struct {
	column     int32
	last, next int32
	missing    trees.Side // of rows that lack the value
	gain       float64    // what it lowers the objective by

	threshold float64 // once it is made
	reach     int32   // the last bin up to it
}

// better reports whether a split gains more than another, or as much on a lower column.
func (s split) better(than split) bool {
	const tieTolerance = 1e-9
	switch {
	case s.gain > than.gain*(1+tieTolerance):
		return true
	case s.gain < than.gain*(1-tieTolerance):
		return false
	}
	return s.gain > 0 && s.column < than.column
}

// price is the regularisation of a tree, in the units of words.
type price struct {
	c1, c2    float64 // in those of first, of second derivatives
	minSecond int64
	least     float64 // of what a split gains
	unit      float64 // of gains
	leaf      float64 // what a further one costs
}

func (e Boosted) priceIn(u scale) price {
	unit := 0.5 * u.second / u.first / u.first
	second := math.Ceil(min(float64(e.MinWeight*u.second), 1<<62))
	return price{c1: e.C1 * u.first, c2: e.C2 * u.second, minSecond: int64(max(1, second)), least: e.Gamma / unit, unit: unit, leaf: e.Gamma}
}

// search for the best split of a node in a block: the largest
//
//	½ (T(G_l)²/(H_l+c2) + T(G_r)²/(H_r+c2) − T(G)²/(H+c2)) − γ,  T(G) = sign(G)·max(|G| − c1, 0),
//
// with the sums G of the first and H of the second derivatives on both sides (Chen and Guestrin 2016, equation 7; T is of the L1 term). Of
// equal ones it is the one of the lowest column, then of the lowest threshold.
type search struct {
	price
	total     int64   // word of the node
	g, second float64 // of the node
	secondAll int64
	parent    float64 // T(G)²/(H+c2)
	may       []bool  // by column; nil: all

	bar  float64 // what a split's sum of both sides must be above
	best split
	sum  float64
}

func newSearch(p price, total int64, may []bool) search {
	g, second := sums(total)
	s := search{price: p, total: total, g: float64(g), second: float64(second), secondAll: second, may: may}
	t := elementary.SoftThreshold(s.g, p.c1)
	s.parent = float64(t*t) / (s.second + p.c2)
	return s
}

// tie is how much larger a sum must be to count as larger.
const tie = 1 + 1e-9

// look looks for the best split in the histogram of a block.
func (s *search) look(b *block, h []int64) split {
	s.best.column, s.bar = -1, (s.parent+s.least)*tie
	for slot, j := range b.column {
		if s.may != nil && !s.may[j] {
			continue
		}
		bins, missing := h[b.first[slot]:][:len(b.cuts[slot])+1], int64(0)
		if b.gaps[slot] != noGaps {
			missing = h[int(b.first[slot])+b.cuts[slot].missing()]
		}
		switch {
		case b.isDense():
			s.scan(j, bins, missing)
			s.setNext(j, bins)
		case len(bins) == 2 && missing == 0: // and zeros in the one that is not stored
			if stored := bins[1-b.zero[slot]]; stored != 0 {
				s.offer(j, 0, stored+b.zeroLess(slot)*(s.total-2*stored), true)
			}
			if s.best.column == j {
				s.best.next = 1
			}
		default:
			rest := s.total - missing
			for _, w := range bins {
				rest -= w
			}
			if rest != s.total {
				bins[b.zero[slot]] = rest
				s.scan(j, bins, missing)
				s.setNext(j, bins)
				bins[b.zero[slot]] = 0
			}
		}
	}
	if s.best.column < 0 {
		return split{column: -1}
	}
	s.best.gain = float64(s.unit*(s.sum-s.parent)) - s.leaf
	return s.best
}

// setNext sets the next bin with a row, if the best split is on column j.
func (s *search) setNext(j int32, bins []int64) {
	if s.best.column != j {
		return
	}
	s.best.next = s.best.last + 1
	for int(s.best.next) < len(bins) && bins[s.best.next] == 0 {
		s.best.next++
	}
}

// zeroLess returns 1 where the bin of 0 is the first of two, which is then on the left.
func (b *block) zeroLess(slot int) int64 { return int64(1 - b.zero[slot]) }

// offer offers the split with a word on its left, and rows without a value on the right or not.
func (s *search) offer(j, last int32, left int64, missingRight bool) {
	first, second := sums(left)
	rest := s.secondAll - second
	if second < s.minSecond || rest < s.minSecond {
		return
	}
	gl := float64(first)
	gr := s.g - gl
	if s.c1 > 0 {
		gl, gr = elementary.SoftThreshold(gl, s.c1), elementary.SoftThreshold(gr, s.c1)
	}
	a, c := float64(second)+s.c2, float64(rest)+s.c2
	sum, under := float64(float64(gl*gl)*c)+float64(float64(gr*gr)*a), float64(a*c)
	if sum > s.bar*under {
		s.best, s.sum = split{column: j, last: last, missing: trees.Side{Right: missingRight}}, sum/under
		s.bar = s.sum * tie
	}
}

// scan scans the bins of a column, of which some rows may lack the value: their word is missing. A bin without a row makes the same split
// as the one before it, and so none that is better.
func (s *search) scan(j int32, bins []int64, missing int64) {
	if missing != 0 {
		s.scanGaps(j, bins, missing)
		return
	}
	g, second, minSecond, c1, c2, bar := s.g, s.second, s.minSecond, s.c1, s.c2, s.bar
	most := s.secondAll - minSecond
	left := int64(0)
	for k, w := range bins[:len(bins)-1] {
		left += w
		hl := left & secondMask
		if hl < minSecond {
			continue
		}
		if hl > most {
			break
		}
		gl, below := float64(left>>secondBits), float64(hl)
		gr := g - gl
		if c1 > 0 {
			gl, gr = elementary.SoftThreshold(gl, c1), elementary.SoftThreshold(gr, c1)
		}
		a, c := below+c2, second-below+c2
		sum, under := float64(float64(gl*gl)*c)+float64(float64(gr*gr)*a), float64(a*c)
		if sum > float64(bar*under) {
			s.best, s.sum = split{column: j, last: int32(k), missing: trees.Side{Right: true}}, sum/under
			bar = s.sum * tie
		}
	}
	s.bar = bar
}

// scanGaps scans the bins of a column that some rows of the node lack (Chen and Guestrin 2016, algorithm 3): these go right or left of each
// threshold, or are apart from all others.
func (s *search) scanGaps(j int32, bins []int64, missing int64) {
	left, observed := int64(0), s.total-missing
	for k, w := range bins {
		if left += w; w == 0 || left == observed {
			continue
		}
		s.offer(j, int32(k), left, true)
		s.offer(j, int32(k), left+missing, false)
	}
	s.offer(j, int32(len(bins)-1), observed, true)
}
