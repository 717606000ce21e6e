package forest

import "tenfold/engines/trees"

// leaveOut leaves the rows of keys, which lack the value of a column, out of the node while the column is looked at: splits are compared by
// how much they decrease the impurity of the rows that have a value. The function that it returns puts the rows back.
func (s *search) leaveOut(keys []uint64) (restore func()) {
	weight, squares, sum, base := s.weight, s.squares, s.sum, s.base
	copy(s.entered, s.count)
	for _, key := range keys {
		i := uint32(key)
		r, c := s.row[i], int64(s.row[i].count)
		if s.weight -= c; s.y.levels == 0 {
			s.sum -= float64(float64(c) * (s.number[i] - s.mean))
		} else {
			s.squares -= c * (2*s.count[r.level] - c)
			s.count[r.level] -= c
		}
	}
	if s.base = float64(s.squares) / float64(s.weight); s.y.levels == 0 {
		s.base = float64(s.sum*s.sum) / float64(s.weight)
	}
	return func() {
		s.weight, s.squares, s.sum, s.base = weight, squares, sum, base
		copy(s.count, s.entered)
	}
}

// placeMissing returns the side of the rows of a node that lack the value of the column that it is split on, and by how much the split then
// decreases the impurity of the whole node: they go where that is more, to the left if it is the same (ranger's rule, na.action = "na.learn");
// without such a row the side is the one given.
func (g *grower) placeMissing(rows []int32, best split, larger trees.Side) (to trees.Side, gain float64) {
	col, s := &g.x.col[best.column], &g.search
	var left, right, lacking heap
	for _, i := range rows {
		switch code := g.x.codeOf(i, best.column); {
		case code == col.missing():
			lacking.add(s, i)
		case code <= best.below:
			left.add(s, i)
		default:
			right.add(s, i)
		}
	}
	if lacking.weight == 0 {
		return larger, best.gain()
	}
	onLeft, onRight := left.with(lacking).worth()+right.worth(), left.worth()+right.with(lacking).worth()
	to.Learned, to.Right = true, onRight > onLeft+s.tolerance()
	return to, max(onLeft, onRight) - s.base
}

// tolerance returns what Q of the node's splits may differ by through rounding.
func (s *search) tolerance() float64 {
	if s.y.levels == 0 {
		return float64(1e-9 * s.spread)
	}
	return float64(1e-12 * float64(s.weight))
}

// heap is some rows of a node: their weight, the counts of their levels, the sum of their numbers above the node's mean.
type heap struct {
	weight float64
	count  []float64
	sum    float64
}

func (h *heap) add(s *search, i int32) {
	c := float64(s.row[i].count)
	if h.weight += c; s.y.levels == 0 {
		h.sum += float64(c * (s.number[i] - s.mean))
		return
	}
	if h.count == nil {
		h.count = make([]float64, s.y.levels)
	}
	h.count[s.row[i].level] += c
}

// with returns both together.
func (h heap) with(other heap) heap {
	out := heap{weight: h.weight + other.weight, sum: h.sum + other.sum, count: append([]float64(nil), h.count...)}
	for k, c := range other.count {
		out.count[k] += c
	}
	return out
}

// worth returns the rows' part of Q.
func (h heap) worth() float64 {
	total := float64(h.sum * h.sum)
	for _, c := range h.count {
		total += float64(c * c)
	}
	return total / h.weight
}
