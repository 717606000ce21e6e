// Package group holds linear models with a penalty on the norms of blocks of coefficients: group lasso, whose blocks are the
// columns of a class, and multi-task lasso, whose blocks are the coefficients of a column for all responses. With scaled
// coefficients B (columns × tasks) and unpenalised intercepts b it is
//
//	minimise  Σ_t loss(y_t, X·B_t + b_t) + λ·Σ_g ω_g·‖B_g‖    over B and b,
//
// where the loss is half the sum of squared errors, or the sum of logistic losses, ‖·‖ is the root of the sum of squares, and
// the blocks divide the columns. (Yuan and Lin, "Model selection and estimation in regression with grouped variables", 2006;
// Obozinski, Taskar and Jordan, "Joint covariate selection and joint subspace selection for multiple classification problems",
// 2010.)
package group

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// Problem is the data and the blocks. Columns are centred and scaled in the formulas only. Without a variation a column has
// scale 0, and with it no coefficient.
type Problem struct {
	x       *scaled.Matrix
	tasks   int
	blocks  []block
	blockOf []int32 // by column
	loss    loss
	free    []int32   // blocks of weight 0, rising
	mean    []float64 // of each response, for squared loss taken from it; else 0
}

// block is some columns, all their coefficients, and what the penalty weighs their norm with.
type block struct {
	columns []int32
	weight  float64 // ω
	frob    float64 // ‖X̃_g‖_F ≥ ‖X̃_g‖₂, with centred and scaled columns
	norm2   float64 // about ‖X̃_g‖₂², seldom less; 0: not looked for yet
}

// New problem of scaled columns and responses (row by row, one a task), with the columns of each block and its weight in the
// penalty. Blocks must divide the columns.
func New(x *scaled.Matrix, y []float64, tasks int, logistic bool, columns [][]int32, weight []float64) *Problem {
	p := &Problem{x: x, tasks: tasks, blocks: make([]block, len(columns)), blockOf: make([]int32, len(x.Norm2))}
	for g, list := range columns {
		sum := 0.0
		for _, j := range list {
			sum += x.Norm2[j]
			p.blockOf[j] = int32(g)
		}
		p.blocks[g] = block{columns: list, weight: weight[g], frob: math.Sqrt(sum)}
		if weight[g] == 0 {
			p.free = append(p.free, int32(g))
		}
	}
	r := responses{y: y, weight: x.Weight, tasks: tasks}
	p.mean = make([]float64, tasks)
	if logistic {
		p.loss = logits{r}
		return p
	}
	r.y = slices.Clone(y)
	squares{r}.center(make([]float64, len(y)), p.mean)
	for k := range r.y {
		r.y[k] -= p.mean[k%tasks]
	}
	p.loss = squares{r}
	return p
}

// rows and columns of the data.
func (p *Problem) dims() (rows, columns int) { return p.x.X.Dims() }

// setSpectralNorm sets norm2 of a block by the power method, from a start that no ordinary block is orthogonal to. Since that
// comes from below, a percent is added, and the Frobenius norm is what it cannot exceed. Where it is too small all the same, steps go
// too far, and the line search takes them back. Where ctx ends, it is the Frobenius norm.
func (p *Problem) setSpectralNorm(ctx context.Context, b *block) {
	if b.norm2 > 0 {
		return
	}
	b.norm2 = float64(b.frob * b.frob)
	if len(b.columns) < 2 || b.norm2 == 0 {
		return
	}
	const golden = 0.6180339887498949
	rows, _ := p.dims()
	v, u := make([]float64, len(b.columns)), make([]float64, rows)
	for k := range v {
		v[k] = 0.5 + math.Mod(golden*float64(k+1), 1)
	}
	last := 0.0
	for range 100 {
		if ctx.Err() != nil {
			return
		}
		size := math.Sqrt(dense.DotInOrder(v, v))
		if size == 0 {
			return
		}
		clear(u)
		offset := 0.0
		for k, j := range b.columns {
			a := v[k] / size * p.x.Scale[j]
			p.x.X.Col(int(j)).AddTo(u, a)
			offset += float64(a * p.x.Mean[j])
		}
		sum := 0.0
		for i := range u {
			u[i] = float64(p.x.RowWeight(i) * (u[i] - offset))
			sum += u[i]
		}
		for k, j := range b.columns {
			v[k] = p.x.Product(int(j), p.x.X.Col(int(j)).Dot(u), sum)
		}
		now := math.Sqrt(dense.DotInOrder(v, v))
		if now <= last*(1+1e-4) {
			break
		}
		last = now
	}
	b.norm2 = min(b.norm2, 1.01*last)
}

// Columns of the matrix times rows of responses or residuals, all tasks at a time.

// dotColumns sets dst to dotRows of some columns, one after the other.
func dotColumns(dst []float64, x *sparse.Matrix, columns []int32, v []float64) {
	if len(dst) == len(columns) {
		x.DotColumns(dst, columns, v)
		return
	}
	k := len(dst) / max(1, len(columns))
	for q, j := range columns {
		dotRows(dst[q*k:][:k], x.Col(int(j)), v)
	}
}

// dotRows sets dst = Σ_i x_i·v[i], where v has len(dst) numbers a row. Four sums at a time stay in registers.
func dotRows(dst []float64, x sparse.Vec, v []float64) {
	k := len(dst)
	switch {
	case k == 1:
		dst[0] = x.Dot4(v)
		return
	case x.HasAll(len(v) / k):
		dense.DotRows(dst, x.Val, v)
		return
	}
	t := 0
	for ; t+4 <= k; t += 4 {
		var a, b, c, d float64
		for q, i := range x.Idx {
			m := x.At(q)
			row := v[int(i)*k+t:]
			row = row[:4]
			a += float64(m * row[0])
			b += float64(m * row[1])
			c += float64(m * row[2])
			d += float64(m * row[3])
		}
		dst[t], dst[t+1], dst[t+2], dst[t+3] = a, b, c, d
	}
	for ; t < k; t++ {
		s := 0.0
		for q, i := range x.Idx {
			s += float64(x.At(q) * v[int(i)*k+t])
		}
		dst[t] = s
	}
}

// addColumns adds columns times d, one after the other, to v; with curve as addRows.
func addColumns(v []float64, x *sparse.Matrix, columns []int32, d, curve []float64) {
	rows, _ := x.Dims()
	k := len(v) / rows
	if k == 1 && curve == nil {
		x.AddColumns(v, columns, d)
		return
	}
	for q, j := range columns {
		if step := d[q*k:][:k]; some(step) {
			addRows(v, x.Col(int(j)), step, curve)
		}
	}
}

// addRows adds x_i·d to v[i], or with curve x_i·curve[i]∘d.
func addRows(v []float64, x sparse.Vec, d, curve []float64) {
	k := len(d)
	switch {
	case curve != nil:
		for q, i := range x.Idx {
			a := x.At(q)
			row, h := v[int(i)*k:][:k], curve[int(i)*k:][:k]
			for t, e := range d {
				row[t] += float64(float64(a*h[t]) * e)
			}
		}
	case k == 1:
		x.AddTo(v, d[0])
	case x.HasAll(len(v) / k):
		dense.AddRows(v, x.Val, d)
	default:
		for q, i := range x.Idx {
			a := x.At(q)
			row := v[int(i)*k:][:k]
			for t, e := range d {
				row[t] += float64(a * e)
			}
		}
	}
}
