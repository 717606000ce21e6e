package slope

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
)

// mostSums is the most numbers that sums of columns by cluster may take.
const mostSums = 1 << 24

// cluster is places of coefficients of one size, which is not 0.
type cluster struct {
	first, last int // of order
	size        float64
	sum         []float64 // Σ ±x̃_j, by row
	penalty     float64
}

// clusters returns the places of the coefficients that are not 0, the largest first, and their clusters, whose sizes fall.
func (d *descent) clusters() (order []int32, all []cluster) {
	for k, b := range d.b {
		if b != 0 {
			order = append(order, int32(k))
		}
	}
	sortBySize(order, d.b)
	for i, k := range order {
		if size := math.Abs(d.b[k]); len(all) == 0 || all[len(all)-1].size != size {
			all = append(all, cluster{first: i, size: size})
		}
		all[len(all)-1].last = i + 1
	}
	return order, all
}

// newton goes to the minimum over the sizes of the clusters, as long as these keep their order and signs: there the penalty is linear,
// and Newton's steps get to the minimum at once, of classes nearly. A step that changes the order is gone where that is downhill all the
// same; else to the nearest sizes in order, or as far as the first two sizes meet. It reports whether it moved.
func (d *descent) newton(ctx context.Context, scale float64) (moved bool) {
	const steps = 30
	for range steps {
		order, all := d.clusters()
		rows, n := len(d.r), float64(len(all))
		cost := float64(n*n*float64(rows)/2) + float64(n*n*n/6) + float64(d.entries)
		if len(all) == 0 || len(all)*rows > mostSums || cost > d.spent+1e5 || ctx.Err() != nil {
			return moved
		}
		d.spent = max(0, d.spent-cost)
		d.evaluate(d.scores)
		step := d.clusterStep(ctx, scale, order, all)
		if step == nil {
			return moved
		}
		whole, ok := d.lineSearch(order, all, step)
		if !ok {
			return moved
		}
		moved = true
		if whole && !d.logistic {
			return moved
		}
	}
	return moved
}

// clusterStep returns Newton's step of the sizes; nil where there is none. O(clusters²·rows + clusters³).
func (d *descent) clusterStep(ctx context.Context, scale float64, order []int32, all []cluster) []float64 {
	rows := len(d.r)
	sums, weighed, roots := make([]float64, len(all)*rows), make([][]float64, len(all)), make([]float64, rows)
	total := 0.0
	for i := range roots {
		h := d.curvatureOf(i)
		total += h
		roots[i] = math.Sqrt(h)
	}
	step, byBias, steepest := make([]float64, len(all)), make([]float64, len(all)), 0.0
	for c := range all {
		a := &all[c]
		a.sum = sums[c*rows:][:rows]
		offset, g := 0.0, 0.0
		for _, k := range order[a.first:a.last] {
			j := d.set[k]
			by := math.Copysign(d.x.Scale[j], d.b[k])
			d.x.X.Col(int(j)).AddTo(a.sum, by)
			offset += float64(by * d.x.Mean[j])
		}
		weighed[c] = make([]float64, rows)
		for i := range a.sum {
			a.sum[i] -= offset
			g += float64(a.sum[i] * d.r[i])
			weighed[c][i] = a.sum[i] * roots[i]
			byBias[c] += float64(weighed[c][i] * roots[i])
		}
		for _, l := range d.penalties[a.first:a.last] {
			a.penalty += float64(scale * l)
		}
		g -= a.penalty
		step[c] = g
		steepest = max(steepest, math.Abs(g)/float64(a.last-a.first))
	}
	if steepest <= 1e-14*scale*d.penalties[0] || total == 0 {
		return nil
	}
	h := dense.Gram(ctx, d.workers, weighed)
	if ctx.Err() != nil {
		return nil
	}
	largest := 0.0
	for c := range all {
		row := h.Row(c)
		for k := range row {
			row[k] -= float64(byBias[c] * byBias[k] / total)
		}
		largest = max(largest, row[c])
	}
	factor := slices.Clone(h)
	for damping := 1e-14; !factor.Factor(ctx); damping *= 1e3 {
		if damping > 1e-3 || ctx.Err() != nil {
			return nil
		}
		copy(factor, h)
		for c := range all {
			factor.Row(c)[c] += float64(damping * largest)
		}
	}
	factor.Solve(step)
	return step
}

// lineSearch goes along a step of the sizes until the objective falls. whole tells that all of it was gone and changed no order.
func (d *descent) lineSearch(order []int32, all []cluster, step []float64) (whole, ok bool) {
	now := d.loss
	for _, a := range all {
		now += float64(a.penalty * a.size)
	}
	meet, met := 1.0, -1 // where size met gets to the next one
	for c, a := range all {
		next, by := 0.0, step[c]
		if c+1 < len(all) {
			next, by = all[c+1].size, step[c]-step[c+1]
		}
		if by < 0 && (a.size-next)/-by < meet {
			meet, met = (a.size-next)/-by, c
		}
	}
	to := make([]float64, len(all))
	along := func(share float64) {
		for c, a := range all {
			to[c] = a.size + float64(share*step[c])
		}
	}
	for share := 1.0; share > 1e-6; share /= 2 {
		if along(share); d.goTo(order, all, to, now) {
			return share == 1 && met < 0, true
		}
		if met < 0 {
			continue
		}
		if d.inOrder(all, to); d.goTo(order, all, to, now) {
			return false, true
		}
		if along(share * meet); share == 1 && met+1 == len(all) {
			to[met] = 0
		} else if share == 1 {
			to[met+1] = to[met]
		}
		if d.goTo(order, all, to, now) {
			return false, true
		}
	}
	return false, false
}

// inOrder pools sizes of clusters so that they fall, and are at least 0.
func (d *descent) inOrder(all []cluster, sizes []float64) {
	d.blocks = d.blocks[:0]
	for c, a := range all {
		d.pool(a.first, sizes[c], a.last-a.first)
	}
	block := 0
	for c, a := range all {
		if block+1 < len(d.blocks) && d.blocks[block+1].first <= a.first {
			block++
		}
		sizes[c] = d.blocks[block].value
	}
}

// goTo values of clusters, below 0 where signs change, if the objective is lower there.
func (d *descent) goTo(order []int32, all []cluster, values []float64, now float64) bool {
	copy(d.extrapolatedScores, d.scores)
	sorted := make([]int32, len(all))
	for c, a := range all {
		sorted[c] = int32(c)
		by := values[c] - a.size
		for i, v := range a.sum {
			d.extrapolatedScores[i] += float64(by * v)
		}
	}
	sortBySize(sorted, values)
	penalty, rank := 0.0, 0
	for _, c := range sorted {
		size := math.Abs(values[c])
		for range all[c].last - all[c].first {
			penalty += float64(d.scale * d.penalties[rank] * size)
			rank++
		}
	}
	d.evaluate(d.extrapolatedScores)
	if !(d.loss+penalty < now) {
		return false
	}
	copy(d.scores, d.extrapolatedScores)
	for c, a := range all {
		for _, k := range order[a.first:a.last] {
			if values[c] == 0 {
				d.b[k] = 0
			} else {
				d.b[k] = math.Copysign(1, d.b[k]) * values[c]
			}
		}
	}
	return true
}
