package loglinear

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/optim"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
)

// Objective is the function that maximum a posteriori estimation minimises over the weights of a set of features,
//
//	−L(λ) + ½ Σ λ_f²·precision_f,   with gradient   Σ_i m_i x_i p_i(c_f) − E_f + λ_f·precision_f.
//
// Only the columns of the features matter, so rows that agree on them are merged: with few features there are few rows. L = Σ λ_f
// E_f − Σ m_i log Z_i, in which labels do not occur.
//
// Rows are split into blocks whose sums are added in order: results do not depend on the number of workers.
type Objective struct {
	x         *sparse.Matrix // distinct rows of the features' columns
	mult      []float64
	classes   int
	columns   columns
	order     []int32   // order[k] is the feature that is k-th by column
	empirical []float64 // E_f, by feature
	precision []float64 // by feature; 0 without a prior
	blocks    []block
}

// columns lists the features of every column of x: those of column j are class[ptr[j]:ptr[j+1]], in Objective.order. The biases
// come after the last column.
type columns struct {
	ptr   []int32
	class []int32
}

// maxBlocks is the maximum number of blocks of rows; each has its own gradient.
const maxBlocks = 8

// Objective returns the objective of a set of distinct features, with the reciprocals of their priors' variances. The error is the
// cause of ctx's end. O(nnz).
func (p *Problem) Objective(ctx context.Context, fs []Candidate, precision []float64) (*Objective, error) {
	o := &Objective{classes: p.Classes, precision: precision, order: make([]int32, len(fs)), empirical: make([]float64, len(fs))}
	for k, f := range fs {
		o.order[k], o.empirical[k] = int32(k), f.Sum
	}
	slices.SortFunc(o.order, func(a, b int32) int {
		f, g := fs[a].Feature, fs[b].Feature
		if f.Column != g.Column { // as unsigned numbers: Always is last
			return int(int64(uint32(f.Column)) - int64(uint32(g.Column)))
		}
		return int(f.Class - g.Class)
	})
	var keep []int32
	for k, index := range o.order {
		f := fs[index].Feature
		if f.Column != Always && (len(keep) == 0 || keep[len(keep)-1] != f.Column) {
			keep = append(keep, f.Column)
			o.columns.ptr = append(o.columns.ptr, int32(k))
		} else if f.Column == Always && len(o.columns.ptr) == len(keep) {
			o.columns.ptr = append(o.columns.ptr, int32(k))
		}
		o.columns.class = append(o.columns.class, f.Class)
	}
	for len(o.columns.ptr) < len(keep)+2 {
		o.columns.ptr = append(o.columns.ptr, int32(len(fs)))
	}
	if err := o.mergeRows(ctx, p, keep); err != nil {
		return nil, err
	}
	o.cutBlocks()
	return o, nil
}

// mergeRows restricts x to the given columns, and merges rows that are then equal.
func (o *Objective) mergeRows(ctx context.Context, p *Problem, keep []int32) error {
	x := p.X
	if _, cols := x.Dims(); len(keep) < cols {
		x = x.Keep(keep)
	}
	number, first := distinctRows(ctx, x)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	o.mult = make([]float64, len(first))
	for i, k := range number {
		o.mult[k] += p.Mult(i)
	}
	if len(first) < len(number) {
		x = x.Pick(first)
	}
	o.x = x
	return nil
}

// cutBlocks splits the rows into blocks, whose sums are added in order.
func (o *Objective) cutBlocks() {
	rows, _ := o.x.Dims()
	n := max(1, min(maxBlocks, rows/64))
	for b := range n {
		o.blocks = append(o.blocks, block{
			first: b * rows / n, last: (b + 1) * rows / n,
			grad: make([]float64, len(o.order)), biasGrad: make([]float64, o.classes),
			score: make([]float64, o.classes), weight: make([]float64, o.classes), mark: make([]int32, o.classes),
		})
	}
}

// Func returns a function that evaluates the objective on up to the given number of goroutines; its value is NaN once ctx has
// ended. An evaluation is O(Σ over rows of the features that fire). It owns work space, so only one evaluation may run at a time.
func (o *Objective) Func(ctx context.Context, workers int) optim.Func {
	byColumn := make([]float64, len(o.order)) // weights in order
	return func(grad, w []float64) float64 {
		for k, f := range o.order {
			byColumn[k] = w[f]
		}
		parallel.Each(workers, len(o.blocks), func(b int) { o.sumBlock(ctx, &o.blocks[b], byColumn) })
		value := 0.0
		for k, v := range w {
			value += float64(0.5*o.precision[k]*v*v) - float64(v*o.empirical[k])
			grad[k] = float64(v*o.precision[k]) - o.empirical[k]
		}
		for b := range o.blocks {
			value += o.blocks[b].value
			for k, g := range o.blocks[b].grad {
				grad[o.order[k]] += g
			}
		}
		if ctx.Err() != nil {
			return math.NaN()
		}
		return value
	}
}
