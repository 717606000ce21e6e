package group

import (
	"context"
	"math"
	"slices"
)

// descent minimises over some blocks what the objective is to second order about a point,
//
//	Q(D) = Σ_k (−θ_k·d_k + ½·h_k·d_k²) + λ·Σ_g ω_g·‖B_g + D_g‖,   d = X̃·D + a shift a task that is best,
//
// by block coordinate descent (cyclic), with Anderson's extrapolation (Bertrand and Massias, "Anderson acceleration of
// coordinate descent", 2021). For squared errors Q is the objective itself.
//
// v = θ − h∘d, minus what the gradient of Q's smooth part by d is, follows every step. Its shift is in sum: v − h∘(sum/total)
// sums to 0 in every task.
type descent struct {
	pt         *Point
	lambda     float64
	h          []float64 // nil: 1 everywhere
	total      []float64 // Σ h, by task
	theta      []float64 // where it starts
	v          []float64
	sum        []float64 // Σ v, by task
	workingSet []workingBlock

	gradient, shift []float64 // room for a block's, a row's numbers
}

// workingBlock is a block of the working set.
type workingBlock struct {
	*block
	cross []float64 // Σ_i h_i·x_ij by column and task
	curve []float64 // Σ_i h_i·x̃_ij² likewise
	bound float64   // L ≥ the largest curvature of Q within the block
}

// newDescent returns a descent over some blocks that starts at the point. O(entries of the blocks · tasks).
func newDescent(ctx context.Context, pt *Point, lambda float64, blocks []int32, room []float64) *descent {
	p := pt.p
	d := &descent{pt: pt, lambda: lambda, theta: pt.theta, v: slices.Clone(pt.theta), sum: pt.residualSums(), total: make([]float64, p.tasks)}
	var top float64
	d.h, top = p.loss.curve(room, pt.eta)
	for k := range d.v {
		d.total[k%p.tasks] += d.rowCurvature(k)
	}
	maxColumns := 0
	for _, g := range blocks {
		b := &p.blocks[g]
		p.setSpectralNorm(ctx, b)
		maxColumns = max(maxColumns, len(b.columns))
		d.workingSet = append(d.workingSet, d.newWorkingBlock(b, top))
	}
	d.gradient, d.shift = make([]float64, maxColumns*p.tasks), make([]float64, p.tasks)
	return d
}

func (d *descent) rowCurvature(k int) float64 {
	if d.h == nil {
		return 1
	}
	return d.h[k]
}

// newWorkingBlock prepares a block. Its curvature is bounded by that of its columns one by one, and by the largest h at ‖X̃_g‖₂².
func (d *descent) newWorkingBlock(b *block, top float64) workingBlock {
	p, x := d.pt.p, d.pt.p.x
	w := workingBlock{block: b, cross: make([]float64, len(b.columns)*p.tasks), curve: make([]float64, len(b.columns)*p.tasks)}
	alone := float64(top * float64(b.frob*b.frob))
	if d.h == nil {
		for q, j := range b.columns {
			for t := range p.tasks {
				w.cross[q*p.tasks+t], w.curve[q*p.tasks+t] = float64(x.Mean[j]*x.N), x.Norm2[j]
			}
		}
	} else {
		alone = 0
		for q, j := range b.columns {
			alone += d.columnCurvature(j, w.cross[q*p.tasks:][:p.tasks], w.curve[q*p.tasks:][:p.tasks])
		}
	}
	w.bound = min(alone, float64(top*b.norm2))
	return w
}

// columnCurvature sets Σ h·x and Σ h·x̃² for every task, and returns the largest of the latter (about the column's mean, which is at
// least what is left about the best shift).
func (d *descent) columnCurvature(j int32, cross, curves []float64) float64 {
	x, k := d.pt.p.x, len(cross)
	mean, scale := x.Mean[j], x.Scale[j]
	clear(curves)
	col := x.X.Col(int(j))
	for q, i := range col.Idx {
		a := col.At(q)
		e := float64((a-mean)*(a-mean)) - float64(mean*mean)
		for t, h := range d.h[int(i)*k:][:k] {
			cross[t] += float64(a * h)
			curves[t] += float64(e * h)
		}
	}
	most := 0.0
	for t, c := range curves {
		curves[t] = float64(scale*scale) * (c + float64(float64(mean*mean)*d.total[t]))
		most = max(most, curves[t])
	}
	return most
}

// sweep goes over all blocks, or those with coefficients, until ctx ends, and returns what Q fell by at least.
func (d *descent) sweep(ctx context.Context, all bool) (fall float64) {
	for k := range d.workingSet {
		if ctx.Err() != nil {
			break
		}
		if w := &d.workingSet[k]; all || d.anyNonzero(w) {
			fall += d.blockStep(w)
		}
	}
	return fall
}

func (d *descent) anyNonzero(w *workingBlock) bool {
	for _, j := range w.columns {
		if some(d.pt.coefficientsOf(j)) {
			return true
		}
	}
	return false
}

// blockStep moves the block to the minimum of Q with its curvature within the block replaced by L (Yang & Zou 2015):
//
//	Z = B_g + X̃_g'v / L,   B_g = Z·(1 − λω/(L·‖Z‖))₊
//
// It returns what Q falls by at least.
func (d *descent) blockStep(w *workingBlock) (fall float64) {
	if w.bound == 0 {
		return 0
	}
	x, k := d.pt.p.x, d.pt.p.tasks
	for t := range d.shift {
		d.shift[t] = d.sum[t] / d.total[t]
	}
	b, z := d.pt.b, d.gradient[:len(w.columns)*k]
	dotColumns(z, x.X, w.columns, d.v)
	norm, q := 0.0, 0
	for _, j := range w.columns {
		for t := range k {
			s := x.Scale[j] * (z[q] - float64(d.shift[t]*w.cross[q]))
			z[q] = b[int(j)*k+t] + s/w.bound
			norm += float64(z[q] * z[q])
			q++
		}
	}
	norm = math.Sqrt(norm)
	shrink := 1 - d.lambda*w.weight/(w.bound*norm)
	if !(shrink > 0) { // a norm of 0, too
		shrink = 0
	}
	moved := false
	q = 0
	for _, j := range w.columns {
		for t := range k {
			old := b[int(j)*k+t]
			step := float64(shrink*z[q]) - old
			moved = moved || step != 0
			fall += float64(step * step)
			b[int(j)*k+t] = old + step
			if shrink == 0 {
				b[int(j)*k+t] = 0
			}
			z[q] = -step * x.Scale[j]
			d.sum[t] += float64(z[q] * w.cross[q])
			q++
		}
	}
	if moved {
		addColumns(d.v, x.X, w.columns, z, d.h)
	}
	return w.bound * fall / 2
}

// quadraticValue returns Q at the present iterate, less the loss at the start.
func (d *descent) quadraticValue() float64 {
	s, k := 0.0, d.pt.p.tasks
	for i, v := range d.v {
		h, t := d.rowCurvature(i), i%k
		u := v - float64(h*d.sum[t])/d.total[t]
		s += (float64(u*u) - float64(d.theta[i]*d.theta[i])) / h
	}
	return float64(s/2) + float64(d.lambda*d.penalty())
}

// penalty returns Σ ω‖B_g‖ over the blocks of the working set.
func (d *descent) penalty() float64 {
	s := 0.0
	for k := range d.workingSet {
		s += float64(d.workingSet[k].weight * d.pt.blockNorm(d.workingSet[k].block))
	}
	return s
}

// run descends until a sweep over all blocks promises less than tol, for some rounds at most, of which the last one begins with a
// Newton step, or until ctx ends: sweeps promise nothing then.
func (d *descent) run(ctx context.Context, tol float64, rounds int, past *iterates) {
	for round := range rounds {
		if round == rounds-1 { // sweeps alone have not got there
			d.newtonStep(ctx)
		}
		fall := d.sweep(ctx, true)
		past.clear()
		past.add(d)
		for range extrapolationLength {
			more := d.sweep(ctx, false)
			past.add(d)
			if fall += more; more <= tol/10 {
				break
			}
		}
		past.extrapolate(d)
		if fall <= tol {
			return
		}
	}
}
