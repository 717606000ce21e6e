package sparse

import "slices"

// Inner holds the inner products x_j'M·x_k between some columns of a matrix, which join one at a time and are then called
// by their place. A column costs as many steps as there are pairs of its entries with entries of those before it in the same
// rows, and 12 bytes for every column that it meets, twice. One goroutine at a time.
type Inner struct {
	x       *Matrix
	weight  []float64 // the diagonal of M; nil means ones
	rows    growing   // the columns that joined, by row
	columns []Vec     // by place: the places met, and the products
	entries int

	sum  []float64 // of one column, by place; zero between calls
	seen []bool    // likewise
}

// NewInner of no column yet. weight is M's diagonal, nil for ones.
func NewInner(x *Matrix, weight []float64) *Inner {
	rows, _ := x.Dims()
	return &Inner{x: x, weight: weight, rows: growing{x: x, row: make([]stretch, rows)}}
}

// Len is the number of columns that joined.
func (p *Inner) Len() int { return len(p.columns) }

// Entries is how many products are held.
func (p *Inner) Entries() int { return p.entries }

// Col is the products of the column at a place with all others and itself, by place in no particular order; shared.
func (p *Inner) Col(place int) Vec { return p.columns[place] }

// Join adds column j of the matrix, at the next place.
func (p *Inner) Join(j int) {
	place := int32(len(p.columns))
	p.sum, p.seen = append(p.sum, 0), append(p.seen, false)
	var met []int32
	col := p.x.Col(j)
	for e, i := range col.Idx {
		x := col.At(e)
		p.rows.add(i, place, x)
		if p.weight != nil {
			x *= p.weight[i]
		}
		row := p.rows.at(i)
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
	own := Vec{Idx: met, Val: make([]float64, len(met))}
	for e, q := range met {
		own.Val[e] = p.sum[q]
		if q != place {
			other := &p.columns[q]
			other.Idx, other.Val = append(other.Idx, place), append(other.Val, p.sum[q])
		}
		p.sum[q], p.seen[q] = 0, false
	}
	p.columns = append(p.columns, own)
	p.entries += max(0, 2*len(met)-1)
}

// growing is rows that entries are added to, in one array: no more to a row than there are in the row of a matrix.
type growing struct {
	x   *Matrix
	row []stretch
	idx []int32
	val []float64 // nil where the matrix has ones only
}

// stretch of an array that belongs to a row, and how many entries are in it.
type stretch struct {
	start     int
	room, len int32
}

// add an entry to row i. A row without room moves to the end, with three times the room.
func (g *growing) add(i, at int32, x float64) {
	r := &g.row[i]
	if r.len == r.room {
		g.widen(i)
	}
	g.idx[r.start+int(r.len)] = at
	if !g.x.Binary() {
		g.val[r.start+int(r.len)] = x
	}
	r.len++
}

func (g *growing) widen(i int32) {
	r := &g.row[i]
	from := r.start
	r.start, r.room = len(g.idx), int32(min(g.x.Row(int(i)).Len(), max(4, 3*int(r.room))))
	g.idx = extend(g.idx, int(r.room))
	copy(g.idx[r.start:], g.idx[from:from+int(r.len)])
	if !g.x.Binary() {
		g.val = extend(g.val, int(r.room))
		copy(g.val[r.start:], g.val[from:from+int(r.len)])
	}
}

// extend a slice by some elements.
func extend[T any](all []T, by int) []T { return slices.Grow(all, by)[:len(all)+by] }

func (g *growing) at(i int32) Vec {
	r := &g.row[i]
	return slice(g.idx, g.val, r.start, r.start+int(r.len))
}
