package combine

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/parallel"
)

// Exact finds every hit by an inverted index: for pairs O(Σ_i nnz_i²/2) over what the bounds leave of the rows in a block, and
// memory of three times that matrix. Hits are ordered by falling |C·v|, ties up to rounding by columns and block. The error is the
// cause of ctx's end.
func (s *Search) Exact(ctx context.Context) ([]Hit, Census, error) {
	return s.searchBlocks(ctx, func(b bounds, x *index, block int32, into []*finds) {
		var sizes terms
		if s.Order > 2 {
			sizes = x.terms.mapTerms(math.Abs)
		}
		walkers := make([]*walker, len(into))
		for w, f := range into {
			walkers[w] = &walker{Search: s, bounds: b, finds: f, block: block, sizes: sizes}
			walkers[w].levels[0].resize(len(x.column))
		}
		parallel.Numbered(len(into), len(x.column), func(w, k int) {
			if ctx.Err() == nil {
				walkers[w].searchColumn(x, k, 0)
			}
		})
	})
}

// walker processes the combinations of one block, as one of several goroutines.
type walker struct {
	*Search
	bounds
	*finds
	block  int32
	sizes  terms   // of the whole index, in absolute value; for triples
	prefix []int32 // columns on which the present index is projected
	levels [2]level
}

// level is the working memory of combinations with one more column. All sums are zero between two columns.
type level struct {
	sum, size []float64
	number    []int32 // in the projection, of a column of the index; -1 for none
	below     index   // the projection, rebuilt for every column
	partners
}

// resize makes room for an index of n columns.
func (l *level) resize(n int) {
	if n > len(l.sum) {
		l.sum, l.size, l.number = make([]float64, n), make([]float64, n), make([]int32, n)
	}
	l.partners.resize(n)
}

// searchColumn finds the hits among the products of column k with those before it in the index, and with Order 3 among the products
// of these with a third. What holds for pairs of columns in the whole index holds for pairs in the projection on a column, the
// index of its rows with residuals r_i x_ik: their products are those of three.
func (w *walker) searchColumn(x *index, k, depth int) {
	l := &w.levels[depth]
	w.prefix = append(w.prefix, x.column[k])
	visits := x.addPairs(l.sum, k, x.terms)
	w.Visits += int64(visits)
	partners := l.partnersOf(x, k, visits)
	for _, j := range partners {
		if v := l.sum[j]; math.Abs(v) >= w.low {
			w.addHit(w.block, v, append(w.prefix, x.column[j])...)
		}
	}
	if depth == 0 && w.Squares {
		w.addSquare(w.bounds, x, k, w.block)
	}
	if depth == 0 && w.Order > 2 {
		w.projectOn(x, k, l, partners)
		w.levels[1].resize(len(l.below.column))
		for q := range l.below.column {
			w.searchColumn(&l.below, q, 1)
		}
	}
	for _, j := range partners {
		l.sum[j] = 0
	}
	w.prefix = w.prefix[:len(w.prefix)-1]
}

// addSquare adds the product of column k with itself.
func (f *finds) addSquare(b bounds, x *index, k int, block int32) {
	sum := 0.0
	for _, p := range x.post[x.start[k]:x.start[k+1]] {
		t := x.r[p.row]
		if x.val != nil {
			v := x.val[x.first[p.row]+int(p.before)]
			t = float64(t * v * v)
		}
		sum += t
	}
	if math.Abs(sum) >= b.low {
		f.addHit(block, sum, x.column[k], x.column[k])
	}
}

// projectOn makes the projection of the index on column k, of whose pairs l.sum has the sums. It contains only columns that could
// be hits with a third: the bound of a pair is that of a column in the projection, and holds for whatever it is multiplied with.
func (w *walker) projectOn(x *index, k int, l *level, partners []int32) {
	y := &l.below
	y.column, y.first, y.part, y.r, y.val = y.column[:0], append(y.first[:0], 0), y.part[:0], y.r[:0], y.val[:0]
	w.Visits += int64(x.addPairs(l.size, k, w.sizes))
	for _, j := range partners { // rising, and so are the numbers
		l.number[j] = -1
		if w.upperBound(weight{l.sum[j], l.size[j]}, w.most) >= w.cut {
			l.number[j] = int32(len(y.column))
			y.column = append(y.column, x.column[j])
		}
		l.size[j] = 0
	}
	for _, p := range x.post[x.start[k]:x.start[k+1]] {
		from, start := x.first[p.row], len(y.part)
		for q, j := range x.part[from : from+int(p.before)] {
			if to := l.number[j]; to >= 0 {
				y.part = append(y.part, to)
				if x.val != nil {
					y.val = append(y.val, x.val[from+q])
				}
			}
		}
		if len(y.part)-start < 2 { // no pair
			y.part, y.val = y.part[:start], y.val[:min(start, len(y.val))]
			continue
		}
		r := x.r[p.row]
		if x.val != nil {
			r *= x.val[from+int(p.before)]
		}
		y.first, y.r = append(y.first, len(y.part)), append(y.r, r)
	}
	if x.val == nil {
		y.val = nil
	}
	y.buildColumns()
	n := float64(len(y.column))
	w.Bounded += float64(n * (n - 1) / 2)
}

// partners finds the columns that have a sum.
type partners struct {
	all  []int32 // 0, 1, 2 …
	list []int32
	seen []bool
}

func (p *partners) resize(n int) {
	for j := len(p.all); j < n; j++ {
		p.all, p.seen = append(p.all, int32(j)), append(p.seen, false)
	}
}

// partnersOf returns the partners of column k, rising: those in its rows, or simply all before it if that is hardly more. Valid
// until the next call.
func (p *partners) partnersOf(x *index, k, visits int) []int32 {
	if visits > k/8 {
		return p.all[:k]
	}
	p.list = p.list[:0]
	for _, entry := range x.post[x.start[k]:x.start[k+1]] {
		from := x.first[entry.row]
		for _, j := range x.part[from : from+int(entry.before)] {
			if !p.seen[j] {
				p.seen[j] = true
				p.list = append(p.list, j)
			}
		}
	}
	for _, j := range p.list {
		p.seen[j] = false
	}
	slices.Sort(p.list)
	return p.list
}
