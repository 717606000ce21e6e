package combine

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// Products holds columns that are products of the data's, numbered after them in order of entry.
type Products struct {
	columns int        // of the data
	factors [][3]int32 // the columns of each product, as in Hit
	// from lists, by first column, its products by the others.
	from map[int32][]product
	seed maphash.Seed
	same map[uint64][]int32 // products by the hash of their entries
}

// product is one entry of a list: its number and the columns after the first.
type product struct{ number, second, third int32 }

// newProducts returns an empty Products for a data set with this many columns.
func newProducts(columns int) *Products {
	return &Products{columns: columns, from: map[int32][]product{}, seed: maphash.MakeSeed(), same: map[uint64][]int32{}}
}

// Len returns the number of products.
func (p *Products) Len() int { return len(p.factors) }

// Columns returns the number of columns of the data and products.
func (p *Products) Columns() int { return p.columns + len(p.factors) }

// Name returns the name of column j of the data and the products: for a product the names of its columns, in bytewise order, joined
// by &.
func (p *Products) Name(features *data.Features, j int) string {
	if j < p.columns {
		return features.Name(j)
	}
	var names []string
	for _, c := range p.factors[j-p.columns] {
		if c >= 0 {
			names = append(names, features.Name(int(c)))
		}
	}
	slices.Sort(names)
	return strings.Join(names, "&")
}

// Taken counts what became of hits.
type Taken struct {
	Added, Equal, Rare, Over int // of those not added: equal to a column or product, in too few rows, beyond the cap
}

// Take adds the products of hits, in their order, up to a limit. It leaves out those that equal, entry by entry, a column of x,
// which has the data's columns, or another product, and those that are nonzero in fewer than support rows. O(entries of the columns
// involved).
func (p *Products) Take(ctx context.Context, x *sparse.Matrix, hits []Hit, limit, support int) (t Taken, err error) {
	looked := map[[3]int32]bool{}
	for k, h := range hits {
		if k%8 == 0 && ctx.Err() != nil {
			return t, context.Cause(ctx)
		}
		if looked[h.Columns] { // for another class
			continue
		}
		looked[h.Columns] = true
		if t.Added == limit {
			t.Over++
			continue
		}
		v := p.entriesOf(x, h.Columns)
		hash := p.hashVec(v)
		switch {
		case v.Len() < support:
			t.Rare++
		case isColumn(x, v) || slices.ContainsFunc(p.same[hash], func(q int32) bool { return equalVec(v, p.entriesOf(x, p.factors[q])) }):
			t.Equal++
		default:
			p.same[hash] = append(p.same[hash], p.addProduct(h.Columns))
			t.Added++
		}
	}
	p.sortLists()
	return t, nil
}

// addProduct adds a product and returns its number.
func (p *Products) addProduct(columns [3]int32) int32 {
	n := int32(len(p.factors))
	p.factors = append(p.factors, columns)
	p.from[columns[0]] = append(p.from[columns[0]], product{n, columns[1], columns[2]})
	return n
}

// sortLists sorts the lists that were added to.
func (p *Products) sortLists() {
	for _, list := range p.from {
		slices.SortFunc(list, func(a, b product) int { return cmp.Or(cmp.Compare(a.second, b.second), cmp.Compare(a.third, b.third)) })
	}
}

// entriesOf multiplies the columns of a product, entry by entry.
func (p *Products) entriesOf(x *sparse.Matrix, columns [3]int32) sparse.Vec {
	v := x.Col(int(columns[0]))
	for _, j := range columns[1:] {
		if j >= 0 {
			v = multiply(v, x.Col(int(j)))
		}
	}
	return v
}

// multiply returns the product of two columns, entry by entry.
func multiply(a, b sparse.Vec) (out sparse.Vec) {
	if a.Len() > b.Len() {
		a, b = b, a
	}
	next := 0
	for k, i := range a.Idx {
		step, found := slices.BinarySearch(b.Idx[next:], i)
		if next += step; !found {
			continue
		}
		out.Idx = append(out.Idx, i)
		if a.Val != nil {
			out.Val = append(out.Val, float64(a.Val[k]*b.Val[next]))
		}
	}
	return out
}

// isColumn reports whether a product equals a column of the matrix, which must then have an entry in the product's first row.
func isColumn(x *sparse.Matrix, v sparse.Vec) bool {
	return v.Len() > 0 && slices.ContainsFunc(x.Row(int(v.Idx[0])).Idx, func(j int32) bool {
		col := x.Col(int(j))
		return col.Len() == v.Len() && equalVec(col, v)
	})
}

func equalVec(a, b sparse.Vec) bool { return slices.Equal(a.Idx, b.Idx) && slices.Equal(a.Val, b.Val) }

func (p *Products) hashVec(v sparse.Vec) uint64 {
	var h maphash.Hash
	h.SetSeed(p.seed)
	for k, i := range v.Idx {
		maphash.WriteComparable(&h, i)
		maphash.WriteComparable(&h, v.At(k))
	}
	return h.Sum64()
}

// Extend returns a row with its products. The result is valid until buf, which holds it, is used again. O(n log q + found) for n
// entries, if a column is the first of at most q products.
func (p *Products) Extend(buf *sparse.Vec, row sparse.Vec) sparse.Vec {
	buf.Idx, buf.Val = append(buf.Idx[:0], row.Idx...), append(buf.Val[:0], row.Val...)
	for k, j := range row.Idx {
		if list := p.from[j]; len(list) > 0 {
			buf.Idx = p.appendPartners(buf.Idx, list, row.Idx[k:])
		}
	}
	found := buf.Idx[len(row.Idx):]
	slices.Sort(found)
	if row.Val == nil {
		return sparse.Vec{Idx: buf.Idx}
	}
	for _, q := range found {
		value := 1.0
		for _, j := range p.factors[int(q)-p.columns] {
			if j >= 0 {
				k, _ := slices.BinarySearch(row.Idx, j)
				value *= row.Val[k]
			}
		}
		buf.Val = append(buf.Val, value)
	}
	return *buf
}

// appendPartners appends the products of a list whose other columns are among the given ones.
func (p *Products) appendPartners(to []int32, list []product, among []int32) []int32 {
	for k, j := range among {
		q, _ := slices.BinarySearchFunc(list, j, func(c product, j int32) int { return int(c.second) - int(j) })
		for ; q < len(list) && list[q].second == j; q++ {
			ok := list[q].third < 0
			if !ok {
				_, ok = slices.BinarySearch(among[k+1:], list[q].third)
			}
			if ok {
				to = append(to, int32(p.columns)+list[q].number)
			}
		}
	}
	return to
}

// Matrix returns the rows of x with their products.
func (p *Products) Matrix(ctx context.Context, x *sparse.Matrix) (*sparse.Matrix, error) {
	rows, _ := x.Dims()
	ptr, idx := make([]int, 1, rows+1), make([]int32, 0, x.NNZ()+x.NNZ()/8)
	var val []float64
	var buf sparse.Vec
	for i := range rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		row := p.Extend(&buf, x.Row(i))
		idx, val = append(idx, row.Idx...), append(val, row.Val...)
		ptr = append(ptr, len(idx))
	}
	if !x.Binary() && val == nil {
		val = []float64{} // no entry at all
	}
	return sparse.New(p.Columns(), ptr, idx, val), nil
}
