package proximal

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// rowsBetweenLooks is how many rows are passed between two looks at a context.
const rowsBetweenLooks = 1024

// quadraticModel is the second-order model of the loss around a point. It updates the model's gradient while weights move, one
// at a time: each call is linear in the entries of the column.
type quadraticModel interface {
	// expandAt sets the model to the expansion around the point that has these residuals, no weight moved. O(rows · Blocks).
	expandAt(residuals []float64)
	// curvature is the second derivative in the weight of block b of a column.
	curvature(x sparse.Vec, b int) float64
	// gradient is the change of the weight's partial derivative since expandAt.
	gradient(x sparse.Vec, b int) float64
	// update moves that weight by an amount.
	update(x sparse.Vec, b int, by float64)
	// hessian returns that of some weights; hessianCost estimates how many products that takes.
	hessian(ctx context.Context, active []*Coordinate) *hessian
	hessianCost(active []*Coordinate) float64
	// curvatures returns those of the rows' losses in their margins at the point, where a kept Hessian is in use; else nil.
	curvatures() []float64
	// dropKept discards the Hessian kept from earlier points, and reports whether expandAt had decided to use it.
	dropKept() bool
}

// Rows is what the loss of a log-linear model knows of its rows: their classes, or their rates.
type Rows struct {
	Y      []int32   // class, from 0 up to Blocks − 1; with one block 0 or 1
	Rate   []float64 // in place of Y, of Poisson's loss m(e^z − Rate·z); with one block
	Weight []float64 // m, positive; nil counts every row once
	Blocks int       // weights of a column
	Full   bool      // columns have all their entries
}

func (r Rows) len() int { return max(len(r.Y), len(r.Rate)) }

func (r Rows) weight(i int) float64 {
	if r.Weight == nil {
		return 1
	}
	return r.Weight[i]
}

func (r Rows) quadraticModel() quadraticModel {
	n := r.len()
	switch {
	case r.Blocks == 1:
		return &binaryModel{rows: r, d: make([]float64, n), v: make([]float64, n)}
	case r.Full:
		m := n * r.Blocks
		return &denseMultinomialModel{rows: r, probability: make([]float64, m), weighted: make([]float64, m), change: make([]float64, m), mean: make([]float64, n), ones: slices.Repeat([]float64{1}, n)}
	}
	return &multinomialModel{rows: r, row: make([]cell, n*r.Blocks), mean: make([]float64, n)}
}

// binaryModel: the Hessian is XᵀDX with D_i = m_i p_i (1 − p_i), or m_i e^z_i of rates.
type binaryModel struct {
	rows Rows
	d    []float64
	v    []float64 // D_i times the change of margin i

	kept   *keptHessian
	scale  float64 // what kept is multiplied by for d; 0 where it does not do
	spared float64 // entries, about, that descent through columns would have visited since the last Hessian was begun
}

func (q *binaryModel) expandAt(residuals []float64) {
	clear(q.v)
	for i, r := range residuals {
		m := q.rows.weight(i)
		if q.rows.Rate != nil {
			q.d[i] = max(0, r+float64(m*q.rows.Rate[i]))
			continue
		}
		r = math.Abs(r)
		q.d[i] = r * (m - r) / m
	}
	q.scale = q.kept.scaleFor(q.d)
}

func (q *binaryModel) curvature(x sparse.Vec, _ int) float64 {
	if x.Val == nil {
		return x.Dot4(q.d)
	}
	h := 0.0
	for k, i := range x.Idx {
		v := x.Val[k]
		h += float64(v * v * q.d[i])
	}
	return h
}

func (q *binaryModel) gradient(x sparse.Vec, _ int) float64 { return x.Dot4(q.v) }

func (q *binaryModel) update(x sparse.Vec, _ int, by float64) {
	if x.Val == nil {
		for _, i := range x.Idx {
			q.v[i] += float64(by * q.d[i])
		}
		return
	}
	if x.Len() == len(q.v) {
		dense.AddProductsTo(q.v, x.Val, q.d, by)
		return
	}
	for k, i := range x.Idx {
		q.v[i] += float64(by * x.Val[k] * q.d[i])
	}
}

// hessianCost returns less where columns have entries in most rows, whose products are kept: what those of columns that join take, less what the
// Hessian has spared since it was begun.
func (q *binaryModel) hessianCost(active []*Coordinate) float64 {
	if !allDense(active, q.rows.len()) {
		return expectedSharedRows(active, q.rows.len())
	}
	pairs := pairsOf(len(active), 0)
	if n, ok := q.canExtend(active); ok {
		pairs = pairsOf(n, len(q.kept.values))
	}
	return pairs*float64(q.rows.len())/3 - q.spared
}

// pairsOf returns how many pairs of columns so many that join others make.
func pairsOf(joining, others int) float64 {
	n := float64(joining)
	return n * (float64(others) + float64(n/2))
}

func (q *binaryModel) hessian(ctx context.Context, active []*Coordinate) *hessian {
	if allDense(active, q.rows.len()) {
		return q.fromKept(ctx, active)
	}
	g, rows := newHessian(active), layOutByRow(active, q.rows.len())
	for i, d := range q.d {
		if i%rowsBetweenLooks == 0 && ctx.Err() != nil {
			break
		}
		columns, val := rows.row(i)
		for e, k := range columns {
			h := g.h[k]
			if val == nil {
				for _, j := range columns[:e+1] {
					h[j] += d
				}
				continue
			}
			v := float64(d * val[e])
			for f, j := range columns[:e+1] {
				h[j] += float64(v * val[f])
			}
		}
	}
	g.symmetrize()
	return g
}

func (q *binaryModel) curvatures() []float64 {
	if q.scale == 0 {
		return nil
	}
	return q.d
}

func (q *binaryModel) dropKept() bool {
	used := q.scale != 0
	q.kept, q.scale = nil, 0
	return used
}

// multinomialModel: the Hessian of row i is m_i (diag(p) − ppᵀ) between the blocks. With the change of margins d and its mean
// Σ_b p_b d_b, one weight costs what it does in the binary model.
type multinomialModel struct {
	rows Rows
	row  []cell
	mean []float64
}

type cell struct{ p, d float64 } // probability of a class, change of its margin

func (q *multinomialModel) expandAt(residuals []float64) {
	clear(q.mean)
	k := q.rows.Blocks
	for i, y := range q.rows.Y {
		m := q.rows.weight(i)
		for b, r := range residuals[i*k : (i+1)*k] {
			q.row[i*k+b] = cell{p: r / m}
		}
		q.row[i*k+int(y)].p++
	}
}

func (q *multinomialModel) curvature(x sparse.Vec, b int) float64 {
	h, k := 0.0, q.rows.Blocks
	for e, i := range x.Idx {
		v, p := x.At(e), q.row[int(i)*k+b].p
		h += float64(q.rows.weight(int(i)) * v * v * p * (1 - p))
	}
	return h
}

func (q *multinomialModel) gradient(x sparse.Vec, b int) float64 {
	g, k := 0.0, q.rows.Blocks
	if x.Val == nil && q.rows.Weight == nil {
		for _, i := range x.Idx {
			c := &q.row[int(i)*k+b]
			g += float64(c.p * (c.d - q.mean[i]))
		}
		return g
	}
	for e, i := range x.Idx {
		c := &q.row[int(i)*k+b]
		g += float64(q.rows.weight(int(i)) * x.At(e) * c.p * (c.d - q.mean[i]))
	}
	return g
}

func (q *multinomialModel) update(x sparse.Vec, b int, by float64) {
	k := q.rows.Blocks
	for e, i := range x.Idx {
		c, d := &q.row[int(i)*k+b], float64(by*x.At(e))
		c.d += d
		q.mean[i] += float64(c.p * d)
	}
}

func (q *multinomialModel) curvatures() []float64 { return nil }

func (q *multinomialModel) dropKept() bool { return false }

func (q *multinomialModel) hessianCost(active []*Coordinate) float64 {
	return 2 * expectedSharedRows(active, q.rows.len())
}

func (q *multinomialModel) hessian(ctx context.Context, active []*Coordinate) *hessian {
	g, rows, k := newHessian(active), layOutByRow(active, q.rows.len()), q.rows.Blocks
	for i := range q.rows.Y {
		if i%rowsBetweenLooks == 0 && ctx.Err() != nil {
			break
		}
		columns, val := rows.row(i)
		m, row := q.rows.weight(i), q.row[i*k:(i+1)*k]
		for e, a := range columns {
			h, block := g.h[a], active[a].Block
			v := m * row[block].p
			if val != nil {
				v *= val[e]
			}
			for f, j := range columns[:e+1] {
				other := active[j].Block
				u := -row[other].p
				if other == block {
					u++
				}
				if val != nil {
					u *= val[f]
				}
				h[j] += float64(v * u)
			}
		}
	}
	g.symmetrize()
	return g
}

// denseMultinomialModel is multinomialModel for columns with all their entries: numbers of a block lie together, by row.
type denseMultinomialModel struct {
	rows        Rows
	probability []float64 // p_ib, as are
	weighted    []float64 // m_i p_ib
	change      []float64 // of the margin
	mean        []float64 // Σ_b p_b d_b, by row
	ones        []float64 // the column of a bias
}

func (q *denseMultinomialModel) expandAt(residuals []float64) {
	clear(q.mean)
	clear(q.change)
	k, n := q.rows.Blocks, q.rows.len()
	for i, y := range q.rows.Y {
		m := q.rows.weight(i)
		for b, r := range residuals[i*k : (i+1)*k] {
			p := r / m
			if b == int(y) {
				p++
			}
			q.probability[b*n+i], q.weighted[b*n+i] = p, m*p
		}
	}
}

// values returns those of a column, one a row.
func (q *denseMultinomialModel) values(x sparse.Vec) []float64 {
	if x.Val == nil {
		return q.ones
	}
	return x.Val
}

// block returns the numbers of block b, one a row.
func (q *denseMultinomialModel) block(all []float64, b int) []float64 {
	n := len(q.mean)
	return all[b*n : (b+1)*n]
}

func (q *denseMultinomialModel) curvature(x sparse.Vec, b int) float64 {
	h, p, values := 0.0, q.block(q.probability, b), q.values(x)
	for i, mp := range q.block(q.weighted, b) {
		v := values[i]
		h += float64(v * v * mp * (1 - p[i]))
	}
	return h
}

func (q *denseMultinomialModel) gradient(x sparse.Vec, b int) float64 {
	return dense.DotDifference(q.values(x), q.block(q.weighted, b), q.block(q.change, b), q.mean)
}

func (q *denseMultinomialModel) update(x sparse.Vec, b int, by float64) {
	values := q.values(x)
	dense.AddTo(q.block(q.change, b), values, by)
	dense.AddProductsTo(q.mean, values, q.block(q.probability, b), by)
}

func (q *denseMultinomialModel) curvatures() []float64 { return nil }

func (q *denseMultinomialModel) dropKept() bool { return false }

func (q *denseMultinomialModel) hessianCost(active []*Coordinate) float64 {
	n := float64(len(active))
	return n * n / 2 * float64(q.rows.len()) / 3 // by vectors
}

func (q *denseMultinomialModel) hessian(ctx context.Context, active []*Coordinate) *hessian {
	g, column, zeros := newHessian(active), make([]float64, q.rows.len()), make([]float64, q.rows.len())
	for a, c := range active {
		if ctx.Err() != nil {
			break
		}
		x := q.values(c.X)
		for i, mp := range q.block(q.weighted, c.Block) {
			column[i] = mp * x[i]
		}
		for j, d := range active[:a+1] {
			same := zeros
			if d.Block == c.Block {
				same = q.ones
			}
			g.h[a][j] = dense.DotDifference(q.values(d.X), column, same, q.block(q.probability, d.Block))
		}
	}
	g.symmetrize()
	return g
}
