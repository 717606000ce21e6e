package logits

import (
	"context"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// block is how many rows are taken at a time, so that they are in the fastest cache when the gradient needs them again.
const block = 64

// Evaluate sets margins, residuals, gradient and loss at w in one pass, a Stretch of rows after the other. Sums of stretches are
// added in order. O(nnz · Blocks).
func (pt *Point) Evaluate(ctx context.Context, w []float64, workers int) {
	p := pt.Problem
	n, columns := p.Rows(), p.Columns()
	parts := (n + Stretch - 1) / Stretch
	loss, gradient := make([]float64, parts), make([]float64, parts*len(w))
	full := p.X.IsFull()
	if full {
		w = byBlock(make([]float64, len(w)), w, columns, p.Blocks)
	}
	parallel.Each(workers, parts, func(part int) {
		if ctx.Err() != nil {
			return
		}
		g := gradient[part*len(w) : (part+1)*len(w)]
		for first := part * Stretch; first < min(n, (part+1)*Stretch); first += block {
			last := min(n, (part+1)*Stretch, first+block)
			if full {
				pt.setFullMargins(w, first, last)
			} else {
				for i := first; i < last; i++ {
					p.margin(pt.Z[i*p.Blocks:(i+1)*p.Blocks], w, p.X.Row(i))
				}
			}
			loss[part] += pt.setResiduals(first, last)
			if full {
				pt.addFullGradient(g, first, last)
			} else {
				pt.addGradient(g, first, last)
			}
		}
	})
	total := gradient[:len(w)]
	for part := 1; part < parts; part++ {
		dense.AddTo(total, gradient[part*len(w):(part+1)*len(w)], 1)
	}
	if full {
		byColumn(pt.G, total, columns, p.Blocks)
	} else {
		copy(pt.G, total)
	}
	pt.Loss = dense.Sum(loss)
}

// byBlock sets dst to weights by block and column, where w has them by column and block; biases are last in both. byColumn is its inverse.
func byBlock(dst, w []float64, columns, blocks int) []float64 {
	for j := range columns {
		for b := range blocks {
			dst[b*columns+j] = w[j*blocks+b]
		}
	}
	copy(dst[columns*blocks:], w[columns*blocks:])
	return dst
}

func byColumn(dst, w []float64, columns, blocks int) {
	for j := range columns {
		for b := range blocks {
			dst[j*blocks+b] = w[b*columns+j]
		}
	}
	copy(dst[columns*blocks:], w[columns*blocks:])
}

// setResiduals computes the residuals of the rows from first up to last by their margins, and returns their loss.
func (pt *Point) setResiduals(first, last int) float64 {
	k := pt.Problem.Blocks
	return pt.Problem.residuals(pt.R[first*k:last*k], pt.Z[first*k:last*k], first, last)
}

// setFullMargins computes the margins of the rows from first up to last of a matrix with all its entries; weights are by block.
func (pt *Point) setFullMargins(w []float64, first, last int) {
	p, k := pt.Problem, pt.Problem.Blocks
	columns := p.Columns()
	values, start := p.X.FullRows(first, last)
	var room [block]float64
	for b := range k {
		bias := 0.0
		if p.Bias != NoBias {
			bias = w[columns*k+b]
		}
		dots := room[:last-first]
		dense.DotEachRow(dots, values, start, w[b*columns:(b+1)*columns])
		for i, dot := range dots {
			pt.Z[(first+i)*k+b] = dot + bias
		}
	}
}

// addFullGradient adds that of the rows from first up to last to g, which is by block.
func (pt *Point) addFullGradient(g []float64, first, last int) {
	p, k := pt.Problem, pt.Problem.Blocks
	columns := p.Columns()
	values, start := p.X.FullRows(first, last)
	var room [block]float64
	for b := range k {
		r := room[:last-first]
		for i := range r {
			r[i] = pt.R[(first+i)*k+b]
		}
		dense.AddEachRow(g[b*columns:(b+1)*columns], values, start, r)
	}
	pt.addBiasGradient(p.Biases(g), first, last)
}

// addGradient adds that of the rows from first up to last to g.
func (pt *Point) addGradient(g []float64, first, last int) {
	p, k := pt.Problem, pt.Problem.Blocks
	for i := first; i < last; i++ {
		r, row := pt.R[i*k:(i+1)*k], p.X.Row(i)
		if k == 1 {
			row.AddTo(g, r[0])
			continue
		}
		for q, j := range row.Idx {
			dense.AddTo(g[int(j)*k:][:k], r, row.At(q))
		}
	}
	pt.addBiasGradient(p.Biases(g), first, last)
}

func (pt *Point) addBiasGradient(g []float64, first, last int) {
	switch len(g) {
	case 0:
		return
	case 1:
		sum := g[0]
		for _, r := range pt.R[first:last] {
			sum += r
		}
		g[0] = sum
		return
	}
	for i := first; i < last; i++ {
		for b, r := range pt.R[i*len(g) : (i+1)*len(g)] {
			g[b] += r
		}
	}
}

// Subsample returns the problem of the given rows, rising.
func (p *Problem) Subsample(rows []int32) *Problem {
	q := *p
	q.X, q.Y, q.Weight = p.X.Subsample(rows), data.ValuesAt(p.Y, rows), nil
	if p.Weight != nil {
		q.Weight = data.ValuesAt(p.Weight, rows)
	}
	return &q
}

// Replace sets the point to another of its problem, with all that is known there.
func (pt *Point) Replace(by *Point) {
	copy(pt.W, by.W)
	pt.Z, pt.R, pt.G, pt.Loss, pt.updated = by.Z, by.R, by.G, by.Loss, true
}
