package sparse

import (
	"context"
	"slices"

	"tenfold/engines/numeric/dense"
)

// Inner holds the inner products x_j'M·x_k between some columns of a matrix, which join one at a time and are then addressed by
// their place, in order of joining. Joining takes one step for each pair of an entry and an entry of an earlier column in the same
// row, and 8 or 16 bytes, twice, for every column with a nonzero product. Not safe for several goroutines.
type Inner struct {
	x      *Matrix
	weight []float64 // the diagonal of M; nil means ones
	rows   growing   // the columns that joined, by row

	// The products, by place, in the narrowest form: those of ones are whole numbers that fit in 32 bits; if every column has all
	// entries, each column has a product with every place.
	full    [][]float64
	columns [][]float64 // the columns that joined, with all their entries
	narrow  [][]product[float32]
	wide    [][]product[float64]
	places  int
	entries int

	sum  []float64 // of one column, by place; zero between calls
	seen []bool    // likewise
}

// product is the inner product of a column with the one at a place.
type product[T float32 | float64] struct {
	place int32
	value T
}

// NewInner returns an Inner without columns. weight is M's diagonal, nil for ones.
func NewInner(x *Matrix, weight []float64) *Inner {
	rows, _ := x.Dims()
	return &Inner{x: x, weight: weight, rows: growing{x: x, row: make([]stretch, rows)}}
}

// Len returns the number of columns that joined.
func (p *Inner) Len() int { return p.places }

// Entries returns the number of products held.
func (p *Inner) Entries() int { return p.entries }

// AddTo adds a times the products of the column at a place with all columns to dst, by place.
func (p *Inner) AddTo(dst []float64, a float64, place int) {
	switch {
	case p.isFull():
		dense.AddTo(dst[:p.places], p.full[place], a)
	case p.isExact():
		addTo(dst, a, p.narrow[place])
	default:
		addTo(dst, a, p.wide[place])
	}
}

func addTo[T float32 | float64](dst []float64, a float64, column []product[T]) {
	for _, e := range column {
		dst[e.place] += float64(a * float64(e.value))
	}
}

// isExact reports whether products are whole numbers of at most 24 bits, which float32 holds exactly.
func (p *Inner) isExact() bool { return p.x.Binary() && p.weight == nil && len(p.rows.row) < 1<<24 }

// isFull reports whether every column has all its entries.
func (p *Inner) isFull() bool {
	return p.x.IsFull()
}

// joinFull joins columns to the products of a matrix with all its entries.
func (p *Inner) joinFull(ctx context.Context, workers int, columns []int32) {
	var joining, weighted [][]float64
	for _, j := range columns {
		col := p.x.Col(int(j)).Val
		joining = append(joining, col)
		if p.weight != nil {
			times := make([]float64, len(col))
			for i, v := range col {
				times[i] = v * p.weight[i]
			}
			weighted = append(weighted, times)
		}
	}
	p.full = dense.ExtendGram(ctx, workers, p.full, p.columns, joining, weighted)
	p.columns = append(p.columns, joining...)
	p.places += len(columns)
	p.entries = p.places * p.places
}

// Join adds columns of the matrix at the next places, on up to workers goroutines. If ctx ends, products are missing.
func (p *Inner) Join(ctx context.Context, workers int, columns ...int32) {
	if p.isFull() {
		p.joinFull(ctx, workers, columns)
		return
	}
	for _, j := range columns {
		place := int32(p.places)
		p.places++
		p.sum, p.seen = append(p.sum, 0), append(p.seen, false)
		met := p.meet(int(j), place)
		if p.isExact() {
			p.narrow = join(p.narrow, met, p.sum)
		} else {
			p.wide = join(p.wide, met, p.sum)
		}
		for _, q := range met {
			p.sum[q], p.seen[q] = 0, false
		}
		p.entries += max(0, 2*len(met)-1)
	}
}

// meet sums the products of column j, and returns the places with which it shares a row.
func (p *Inner) meet(j int, place int32) (met []int32) {
	col := p.x.Col(j)
	for e, i := range col.Idx {
		x := col.At(e)
		p.rows.addEntry(i, place, x)
		if p.weight != nil {
			x *= p.weight[i]
		}
		row := p.rows.vecAt(i)
		for f, q := range row.Idx {
			if !p.seen[q] {
				p.seen[q] = true
				met = append(met, q)
			}
			if row.Val == nil {
				p.sum[q] += x
			} else {
				p.sum[q] += float64(x * row.Val[f])
			}
		}
	}
	return met
}

// join adds a column with the given products to the others, and each product to the other column as well.
func join[T float32 | float64](columns [][]product[T], met []int32, sum []float64) [][]product[T] {
	place := int32(len(columns))
	column := make([]product[T], len(met))
	for k, q := range met {
		column[k] = product[T]{q, T(sum[q])}
		if q == place {
			continue
		}
		other := columns[q]
		if len(other) == cap(other) { // spare an eighth, less than append would
			other = append(make([]product[T], 0, len(other)+len(other)/8+4), other...)
		}
		columns[q] = append(other, product[T]{place, T(sum[q])})
	}
	return append(columns, column)
}

// growing holds rows to which entries can be added, in one array; a row has at most as many entries as the row of the matrix.
type growing struct {
	x   *Matrix
	row []stretch
	idx []int32
	val []float64 // nil if the matrix has ones only
}

// stretch is the part of an array that belongs to a row, and the number of entries in it.
type stretch struct {
	start     int
	room, len int32
}

// addEntry adds an entry to row i. A row without room moves to the end, with three times the room.
func (g *growing) addEntry(i, column int32, x float64) {
	r := &g.row[i]
	if r.len == r.room {
		g.widenRow(i)
	}
	g.idx[r.start+int(r.len)] = column
	if !g.x.Binary() {
		g.val[r.start+int(r.len)] = x
	}
	r.len++
}

func (g *growing) widenRow(i int32) {
	r := &g.row[i]
	from := r.start
	r.start, r.room = len(g.idx), int32(min(g.x.Row(int(i)).Len(), max(4, 3*int(r.room))))
	g.idx = extendBy(g.idx, int(r.room))
	copy(g.idx[r.start:], g.idx[from:from+int(r.len)])
	if !g.x.Binary() {
		g.val = extendBy(g.val, int(r.room))
		copy(g.val[r.start:], g.val[from:from+int(r.len)])
	}
}

// extendBy returns the slice with by more elements.
func extendBy[T any](all []T, by int) []T { return slices.Grow(all, by)[:len(all)+by] }

func (g *growing) vecAt(i int32) Vec {
	r := &g.row[i]
	return vecOf(g.idx, g.val, r.start, r.start+int(r.len))
}
