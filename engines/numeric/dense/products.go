package dense

import (
	"context"

	"tenfold/engines/numeric/parallel"
)

// Products of many vectors are computed in tiles of eight by eight, from panels of eight vectors whose entries lie side by side. Every
// product is one sum in order of the entries, whatever the panels' length: a processor computes 64 of them in parallel.

const (
	tileWidth  = 8
	panelBytes = 1 << 19 // of all panels: they stay in the second level of the cache
	minDepth   = 64      // entries of each vector in a panel
	maxDepth   = 512
)

// tile holds the products of eight vectors with eight others, by the former.
type tile [tileWidth * tileWidth]float64

// Products sets dst[i][j] to the inner product of vectors i of a and j of b, all of one length, on up to workers goroutines. It returns
// early if ctx ends. O(vectors of a · vectors of b · length).
func Products(ctx context.Context, workers int, dst, a, b [][]float64) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	for i := range a {
		clear(dst[i][:len(b)])
	}
	length := len(b[0])
	left, right := newPanels(len(a), len(a)+len(b)), newPanels(len(b), len(a)+len(b))
	for first := 0; first < length && ctx.Err() == nil; first += right.depth {
		left.packVectors(workers, a, first, min(length, first+right.depth))
		right.packVectors(workers, b, first, min(length, first+right.depth))
		addProducts(workers, func(i int) []float64 { return dst[i][:len(b)] }, left, right, nil)
	}
}

// Gram returns the inner products of all vectors with each other. O(vectors² · length / 2).
func Gram(ctx context.Context, workers int, a [][]float64) Triangle {
	g := NewTriangle(len(a))
	if len(a) == 0 {
		return g
	}
	p := newPanels(len(a), len(a))
	for first := 0; first < len(a[0]) && ctx.Err() == nil; first += p.depth {
		p.packVectors(workers, a, first, min(len(a[0]), first+p.depth))
		addProducts(workers, g.Row, p, p, nil)
	}
	return g
}

// AddGram adds Σ_i w_i·x_i·x_i', the Gram matrix of n rows with their weights (nil: 1 each), to g, on up to workers goroutines. row returns
// all entries of row i, which it may put in room; goroutines call it. An entry j, l of g is one sum in order of i, of products x_ij·(w_i·x_il). It
// returns early if ctx ends. O(n · columns² / 2).
func AddGram(ctx context.Context, workers int, g Triangle, n int, row func(i int, room []float64) []float64, w []float64) {
	p := newPanels(g.Rows(), g.Rows())
	for first := 0; first < n && ctx.Err() == nil; first += p.depth {
		last := min(n, first+p.depth)
		p.packRows(workers, row, first, last)
		weight := w
		if w != nil {
			weight = w[first:last]
		}
		addProducts(workers, g.Row, p, p, weight)
	}
}

// panels holds the entries of some vectors from one place to another: entry r of vector 8k + c is values[8·(depth·k + r) + c], 0 where
// there is no such vector.
type panels struct {
	vectors, depth, length int
	values                 []float64
}

// newPanels returns panels of a number of vectors, of which there are so many at a time.
func newPanels(vectors, together int) *panels {
	depth := max(minDepth, min(maxDepth, panelBytes/8/max(1, together)))
	return &panels{vectors: vectors, depth: depth, values: make([]float64, (vectors+tileWidth-1)/tileWidth*tileWidth*depth)}
}

// panel returns the entries of the k-th eight vectors.
func (p *panels) panel(k int) []float64 {
	return p.values[k*tileWidth*p.depth:][:tileWidth*p.length]
}

// packVectors packs the entries of vectors from first up to last.
func (p *panels) packVectors(workers int, vectors [][]float64, first, last int) {
	p.length = last - first
	parallel.Each(workers, (p.vectors+tileWidth-1)/tileWidth, func(k int) {
		to := p.panel(k)
		for c, v := range vectors[k*tileWidth : min(len(vectors), (k+1)*tileWidth)] {
			for r, x := range v[first:last] {
				to[tileWidth*r+c] = x
			}
		}
	})
}

// packRows packs rows from first up to last, whose entries are those of the vectors.
func (p *panels) packRows(workers int, row func(i int, room []float64) []float64, first, last int) {
	p.length = last - first
	parallel.Stretches(workers, minDepth, p.length, func(from, to int) {
		room := make([]float64, p.vectors)
		for r := from; r < to; r++ {
			x, k := row(first+r, room), tileWidth*r
			for ; len(x) >= tileWidth; x, k = x[tileWidth:], k+tileWidth*p.depth {
				*(*[tileWidth]float64)(p.values[k:]) = [tileWidth]float64(x)
			}
			if len(x) > 0 {
				copy(p.values[k:k+tileWidth], x)
			}
		}
	})
}

// addProducts adds the products of the vectors of a and b, with weights of their entries or nil, to the rows of dst, which may be shorter
// than there are vectors of b.
func addProducts(workers int, dst func(i int) []float64, a, b *panels, w []float64) {
	parallel.Each(workers, (a.vectors+tileWidth-1)/tileWidth, func(k int) {
		var rows [tileWidth][]float64
		some := rows[:min(tileWidth, a.vectors-k*tileWidth)]
		for i := range some {
			some[i] = dst(k*tileWidth + i)
		}
		var t tile
		for j := 0; j < len(some[len(some)-1]); j += tileWidth {
			for i, row := range some {
				copy(t[tileWidth*i:tileWidth*(i+1)], row[min(j, len(row)):])
			}
			t.add(a.panel(k), b.panel(j/tileWidth), w)
			for i, row := range some {
				copy(row[min(j, len(row)):], t[tileWidth*i:tileWidth*(i+1)])
			}
			clear(t[:])
		}
	})
}

// add adds the products of two panels.
func (t *tile) add(a, b, w []float64) {
	switch rows := len(a) / tileWidth; {
	case rows == 0:
	case hasWideVectors && w == nil:
		tileWide(t, &a[0], &b[0], rows)
	case hasWideVectors:
		weightedTileWide(t, &a[0], &b[0], &w[0], rows)
	case hasVectors && w == nil:
		tileVector(t, &a[0], &b[0], rows)
	case hasVectors:
		weightedTileVector(t, &a[0], &b[0], &w[0], rows)
	default:
		t.addPlain(a, b, w)
	}
}

// addPlain does what add does, in plain Go, eight sums at a time.
func (t *tile) addPlain(a, b, w []float64) {
	for i := 0; i < tileWidth; i += 2 {
		for j := 0; j < tileWidth; j += 4 {
			p, q := (*[4]float64)(t[tileWidth*i+j:]), (*[4]float64)(t[tileWidth*(i+1)+j:])
			p0, p1, p2, p3, q0, q1, q2, q3 := p[0], p[1], p[2], p[3], q[0], q[1], q[2], q[3]
			for r := range len(a) / tileWidth {
				x, y := (*[2]float64)(a[tileWidth*r+i:]), *(*[4]float64)(b[tileWidth*r+j:])
				if w != nil {
					y[0], y[1], y[2], y[3] = y[0]*w[r], y[1]*w[r], y[2]*w[r], y[3]*w[r]
				}
				p0 += float64(x[0] * y[0])
				p1 += float64(x[0] * y[1])
				p2 += float64(x[0] * y[2])
				p3 += float64(x[0] * y[3])
				q0 += float64(x[1] * y[0])
				q1 += float64(x[1] * y[1])
				q2 += float64(x[1] * y[2])
				q3 += float64(x[1] * y[3])
			}
			*p, *q = [4]float64{p0, p1, p2, p3}, [4]float64{q0, q1, q2, q3}
		}
	}
}
