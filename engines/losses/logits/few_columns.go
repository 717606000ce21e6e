package logits

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// What solvers of problems with few columns share: a sample of the rows, and the Gram matrix of weighted rows.

const (
	sampleRows  = 10  // minimum number of rows of a sample, for each weight,
	sampleFloor = 500 // in all,
	sampleClass = 20  // and of each class
	sampleShare = 16  // rows for each row of a large sample,
	minShare    = 4   // and of the largest that saves time
)

// Sample returns the problem of every so many-th row; nil if these are too few to tell the weights, or some class has too few.
func (p *Problem) Sample() *Problem {
	share := min(sampleShare, len(p.Y)/max(sampleFloor, sampleRows*p.Width()))
	if share < minShare {
		return nil
	}
	n := len(p.Y) / share
	rows, count := make([]int32, n), make([]int, p.Classes)
	for k := range rows {
		rows[k] = int32(k * share)
		count[p.Y[rows[k]]]++
	}
	for _, c := range count {
		if c < sampleClass {
			return nil
		}
	}
	return p.Subsample(rows)
}

// OptimizeBias moves the free bias of one block to its optimum for fixed other weights, by Newton's method; margins follow.
func (pt *Point) OptimizeBias(ctx context.Context, workers int) {
	p, total := pt.Problem, pt.Problem.Total()
	bias := &pt.W[len(pt.W)-1]
	before := math.Inf(1)
	for range 20 {
		slope, curvature := 0.0, 0.0
		p.Residuals(ctx, pt.R, pt.Z, workers)
		for i := range pt.R {
			m, wrong := p.Weight.Of(i), math.Abs(pt.R[i])
			slope += pt.R[i]
			curvature += float64(wrong * (1 - wrong/m))
		}
		if !(math.Abs(slope) < before/2) || math.Abs(slope) <= 1e-13*total || !(curvature > 0) {
			return
		}
		before = math.Abs(slope)
		step := slope / curvature
		*bias -= step
		for i := range pt.Z {
			pt.Z[i] -= step
		}
	}
}

// WeightedGram returns Σ_r h_r x_i·x_iᵀ with i = r·share, the bias's column of ones last. O(pairs of entries).
func (p *Problem) WeightedGram(ctx context.Context, h []float64, share, workers int) dense.Triangle {
	columns := p.Columns()
	size := columns
	if p.Bias != NoBias {
		size++
	}
	out := dense.NewTriangle(size)
	if p.X.IsFull() {
		dense.AddGram(ctx, workers, out, len(h), func(r int, room []float64) []float64 {
			x := p.X.Row(r * share).Val
			if size == columns {
				return x
			}
			room[copy(room, x)] = 1
			return room
		}, h)
		return out
	}
	parts := make([]dense.Triangle, GramParts)
	per := (len(h) + GramParts - 1) / GramParts
	parallel.Each(workers, GramParts, func(part int) {
		if first, last := min(len(h), part*per), min(len(h), (part+1)*per); first < last {
			parts[part] = dense.NewTriangle(size)
			p.addGram(ctx, parts[part], h, share, first, last)
		}
	})
	for _, g := range parts {
		if g != nil { // nil where there are few rows
			dense.AddTo(out, g, 1)
		}
	}
	return out
}

// GramParts is into how many ranges of rows the Gram matrix of a sparse problem is divided, for any number of workers.
const GramParts = 8

// addGram adds that of the rows from first up to last, times share, of a sparse problem to gram.
func (p *Problem) addGram(ctx context.Context, gram dense.Triangle, h []float64, share, first, last int) {
	columns := p.Columns()
	for i := first; i < last; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return
		}
		x := p.X.Row(i * share)
		for k, j := range x.Idx {
			v, to := float64(h[i]*x.At(k)), gram.Row(int(j))
			for l, c := range x.Idx[:k+1] {
				to[c] += float64(v * x.At(l))
			}
			if p.Bias != NoBias {
				gram.Row(columns)[j] += v
			}
		}
		if p.Bias != NoBias {
			gram.Row(columns)[columns] += h[i]
		}
	}
}
