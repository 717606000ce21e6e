package scaled

import (
	"context"

	"tenfold/engines/numeric/parallel"
)

// Normal is the least-squares operator of a centred and scaled matrix: from coefficients β it computes, in one pass over the rows,
//
//	e = y − G·β   and   G'e,
//
// where ' means weighting by m_i. The two products alternate on a few thousand rows at a time, so that the matrix is read from
// memory once, and no vector of all rows is needed.
//
// Rows are split into blocks that depend on the matrix alone, and the sums of the blocks are added in order, so that results do not
// depend on the number of workers. Not safe for several goroutines: it owns its work space.
type Normal struct {
	g      *Matrix
	blocks []block
	w      []float64 // γ∘β
}

// block is a run of consecutive rows, and the sums over them.
type block struct {
	first, last int
	acc         []float64 // X'(m∘e)
	sum, square float64   // Σ m·e, Σ m·e²
	e           []float64 // m∘e of the current rows
}

const (
	entriesPerColumn = 16 // minimum in a block: with fewer, adding up the blocks would cost too much
	maxBlocks        = 8
	rowsAtOnce       = 8192 // more would leave the cache between the two products; with fewer, these would evict each other
)

// Normal returns the operator of G.
func (g *Matrix) Normal() *Normal {
	rows, cols := g.X.Dims()
	n := &Normal{g: g, w: make([]float64, cols)}
	count := min(max(g.X.NNZ()/(entriesPerColumn*max(cols, 1)), 1), maxBlocks)
	last, before := 0, 0 // the end of the blocks so far, and the number of entries before it
	for k := range count {
		first, end := last, (k+1)*g.X.NNZ()/count
		for ; last < rows && (k == count-1 || before+g.X.Row(last).Len() <= end); last++ {
			before += g.X.Row(last).Len()
		}
		e := make([]float64, min(rowsAtOnce, last-first))
		n.blocks = append(n.blocks, block{first: first, last: last, acc: make([]float64, cols), e: e})
	}
	return n
}

// Apply sets dst = G'(y − G·β) and returns ‖y − G·β‖² (weighted), on up to the given number of goroutines; a nil y is zero. If ctx
// ends meanwhile, the results are invalid. O(nnz).
func (n *Normal) Apply(ctx context.Context, dst, beta, y []float64, workers int) (square float64) {
	g := n.g
	offset := 0.0 // μ'(γ∘β)
	for j, b := range beta {
		n.w[j] = float64(g.Scale[j] * b)
		offset += float64(n.w[j] * g.Mean[j])
	}
	parallel.Each(workers, len(n.blocks), func(k int) { n.blocks[k].addResiduals(ctx, g, n.w, offset, y) })

	sum := 0.0
	clear(dst)
	for k := range n.blocks {
		b := &n.blocks[k]
		sum += b.sum
		square += b.square
		for j, v := range b.acc {
			dst[j] += v
		}
	}
	for j, v := range dst {
		dst[j] = g.Product(j, v, sum)
	}
	return square
}

// addResiduals passes over the rows of a block, rowsAtOnce at a time: e_i = y_i − (x_i·w − offset), and adds m_i·e_i·x_i to acc.
func (b *block) addResiduals(ctx context.Context, g *Matrix, w []float64, offset float64, y []float64) {
	clear(b.acc)
	b.sum, b.square = 0, 0
	for first := b.first; first < b.last && ctx.Err() == nil; first += rowsAtOnce {
		e := b.e[:min(rowsAtOnce, b.last-first)]
		g.X.DotRows(e, first, w)
		b.weighResiduals(g, e, first, offset, y)
		g.X.AddRows(b.acc, first, e)
	}
}

// weighResiduals turns x_i·w into m_i·e_i for the rows i = first + k.
func (b *block) weighResiduals(g *Matrix, e []float64, first int, offset float64, y []float64) {
	sum, square := b.sum, b.square
	for k, xw := range e {
		d := offset - xw
		if y != nil {
			d += y[first+k]
		}
		m := g.RowWeight(first + k)
		e[k] = float64(m * d)
		sum += e[k]
		square += float64(m * float64(d*d))
	}
	b.sum, b.square = sum, square
}
