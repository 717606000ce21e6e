package combine

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/parallel"
)

// index is one block of a problem with only the columns that can be part of a hit, by row and by column. Columns are renumbered by
// falling number of rows: then the partners of a column, those before it in its rows, are few columns that occur often, and their
// sums stay in the cache.
type index struct {
	column []int32 // of the matrix, by number
	first  []int   // row i has part[first[i]:first[i+1]], numbers rising
	part   []int32
	start  []int // column k has post[start[k]:start[k+1]]
	post   []posting
	terms
}

// posting is a row of a column, with the number of the row's columns before it.
type posting struct{ row, before int32 }

// terms holds the factors of the sums of products: a residual for each row, and a value for each entry, nil if all are one.
type terms struct{ r, val []float64 }

func (t terms) mapTerms(f func(float64) float64) terms {
	over := func(x []float64) (out []float64) {
		if x != nil {
			out = make([]float64, len(x))
		}
		for i, v := range x {
			out[i] = f(v)
		}
		return out
	}
	return terms{over(t.r), over(t.val)}
}

// addPairs adds, for column k, the terms of its products with every column before it: sum[j] += Σ_i r_i x_ik x_ij, rows in
// order. It returns the number of terms.
func (x *index) addPairs(sum []float64, k int, t terms) (visits int) {
	post := x.post[x.start[k]:x.start[k+1]]
	if t.val == nil {
		for _, p := range post {
			r, from := t.r[p.row], x.first[p.row]
			for _, j := range x.part[from : from+int(p.before)] {
				sum[j] += r
			}
			visits += int(p.before)
		}
		return visits
	}
	for _, p := range post {
		from := x.first[p.row]
		to := from + int(p.before)
		r, val := float64(t.r[p.row]*t.val[to]), t.val[from:to]
		for q, j := range x.part[from:to] {
			sum[j] += float64(r * val[q])
		}
		visits += int(p.before)
	}
	return visits
}

// rowsOf returns the number of rows of column k.
func (x *index) rowsOf(k int) int { return x.start[k+1] - x.start[k] }

// buildColumns makes the columns from the rows.
func (x *index) buildColumns() {
	k := len(x.column)
	x.start = slices.Grow(x.start[:0], k+2)[:k+2]
	clear(x.start)
	for _, j := range x.part {
		x.start[j+2]++
	}
	for j := range k {
		x.start[j+2] += x.start[j+1]
	}
	next := x.start[1:] // becomes the end of each column, which is the start of the next one
	x.post = slices.Grow(x.post[:0], len(x.part))[:len(x.part)]
	for i := range len(x.first) - 1 {
		for q, j := range x.part[x.first[i]:x.first[i+1]] {
			x.post[next[j]] = posting{int32(i), int32(q)}
			next[j]++
		}
	}
	x.start = x.start[:k+1]
}

// weight holds two sums over the terms of a column, or of a combination: of the terms, which is its C·v, and of their absolute
// values.
type weight struct{ sum, size float64 }

// upperBound returns a bound of the absolute value of every product of a column with another one, whose values are within ±most:
// the larger of the sums of all positive and all negative terms, times most; if values may be negative, of any choice of signs.
func (b bounds) upperBound(w weight, most float64) float64 {
	if b.signed {
		return w.size * most
	}
	return (w.size + math.Abs(w.sum)) / 2 * most
}

// bounds says what is a hit, and what can be part of one.
type bounds struct {
	low    float64 // minimum of |C·v| of a hit
	cut    float64 // below low by more than the rounding of a bound
	most   float64 // largest |value| of a column
	signed bool    // some value is negative
}

// slack is the relative difference that counts as a tie.
const slack = 1e-9

func (s *Search) makeBounds() bounds {
	b := bounds{low: s.Low * (1 - slack), cut: s.Low * (1 - 2*slack), most: 1}
	if s.X.Binary() {
		return b
	}
	b.most = 0
	for _, j := range s.Columns {
		for _, v := range s.X.Col(int(j)).Val {
			b.most, b.signed = max(b.most, math.Abs(v)), b.signed || v < 0
		}
	}
	return b
}

// newIndex returns the index of a block with the residuals r. A column is in it if the bound allows it a partner.
func (s *Search) newIndex(ctx context.Context, b bounds, r []float64) *index {
	most := b.most
	if s.Order > 2 {
		most = max(most, most*most)
	}
	weights := make([]weight, len(s.Columns))
	parallel.Stretches(s.Workers, 1024, len(s.Columns), func(first, last int) {
		for k := first; k < last && ctx.Err() == nil; k++ {
			weights[k] = s.columnWeight(int(s.Columns[k]), r)
		}
	})
	var order []int64 // complement of the column's number of rows, then its number
	for k, j := range s.Columns {
		if n := s.X.Col(int(j)).Len(); n >= s.MinSupport && b.upperBound(weights[k], most) >= b.cut {
			order = append(order, int64(len(r)-n)<<32|int64(j))
		}
	}
	slices.Sort(order)
	x := &index{}
	for _, key := range order {
		x.column = append(x.column, int32(key))
	}
	s.fillIndex(ctx, x, r)
	return x
}

func (s *Search) columnWeight(j int, r []float64) (w weight) {
	col := s.X.Col(j)
	for q, i := range col.Idx {
		t := float64(r[i] * col.At(q))
		w.sum += t
		w.size += math.Abs(t)
	}
	return w
}

// fillIndex fills the rows of an index. Rows with a single column (unless there are squares) or without residual are left out. If
// ctx ends, it leaves the index unfinished.
func (s *Search) fillIndex(ctx context.Context, x *index, r []float64) {
	least := int32(2)
	if s.Squares {
		least = 1
	}
	count := make([]int32, len(r))
	for k, j := range x.column {
		if k%1024 == 0 && ctx.Err() != nil {
			return
		}
		for _, i := range s.X.Col(int(j)).Idx {
			count[i]++
		}
	}
	x.first = append(x.first, 0)
	end := 0
	row := count // number in the index; -1 for none
	for i, n := range count {
		if n < least || r[i] == 0 {
			row[i] = -1
			continue
		}
		row[i] = int32(len(x.r))
		end += int(n)
		x.first, x.r = append(x.first, end), append(x.r, r[i])
	}
	next := slices.Clone(x.first)
	x.part = make([]int32, end)
	if !s.X.Binary() {
		x.val = make([]float64, end)
	}
	for k, j := range x.column {
		if k%1024 == 0 && ctx.Err() != nil {
			return
		}
		col := s.X.Col(int(j))
		for q, i := range col.Idx {
			if to := row[i]; to >= 0 {
				x.part[next[to]] = int32(k)
				if x.val != nil {
					x.val[next[to]] = col.Val[q]
				}
				next[to]++
			}
		}
	}
	x.buildColumns()
}
