package maxent

import (
	"context"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/loglinear"
)

// gainBounds keeps, in the list, an upper bound of every candidate's gain, so that a head that is fresh is the best of all.
//
// Adding a feature (A, c) changes p to p' on the rows of A. Along the weight α of a candidate f, with t = e^α − 1, row i
// of both then contributes log(1 + p·t) − log(1 + p'·t) more than before, which is monotone in t and zero at t = 0; so at
// most its value at one end of the weights' range:
//
//	up(i,y) = max over t in {e^{−alpha_max} − 1, e^{alpha_max} − 1} of log[(1 + p_i(y)·t) / (1 + p_i'(y)·t)] ≥ 0
//
// Adding m_i·up(i, c_f) for every such row keeps a bound. Candidates that share no row keep their gain.
type gainBounds struct {
	*gainHeap
	first     []int32 // candidates of column j are first[j+1] to first[j+2], of Always first[0] to first[1]
	up        []float64
	low, high float64 // e^α at the ends of the weights' range
	workers   int
}

func newGainBounds(l *gainHeap, workers int) *gainBounds {
	_, cols := l.s.p.X.Dims()
	c := &gainBounds{
		gainHeap: l, first: make([]int32, cols+2), workers: max(workers, 1),
		up:  make([]float64, l.s.p.Classes),
		low: elementary.Exp(-l.lim.Bound), high: elementary.Exp(l.lim.Bound),
	}
	for _, f := range l.s.cands {
		c.first[f.Column+2]++
	}
	for j := range cols + 1 {
		c.first[j+1] += c.first[j]
	}
	return c
}

func (c *gainBounds) nextCandidate(ctx context.Context) (scoredCandidate, error) {
	return c.freshestHead(ctx)
}

// stale is a stage that is never the present one.
const stale = -1

// addFeature raises the bounds. O(rows of the feature · candidates that share one).
func (c *gainBounds) addFeature(ctx context.Context, k int, alpha float64) {
	rows, ended := 0, false
	c.s.state.AddWatched(c.s.cands[k], alpha, &c.buf, func(i int, before, after []float64) {
		if rows++; rows%256 == 0 {
			ended = ctx.Err() != nil
		}
		if ended {
			return
		}
		c.likelihoodRises(i, before, after)
		c.raiseBounds(loglinear.Always)
		for _, j := range c.s.p.X.Row(i).Idx {
			c.raiseBounds(j)
		}
	})
	c.heapify()
}

// likelihoodRises fills up with m_i·up(i,y).
func (c *gainBounds) likelihoodRises(i int, before, after []float64) {
	m := c.s.p.Mult(i)
	for y, p := range before {
		if y > 0 && p == before[y-1] && after[y] == after[y-1] { // most classes are alike: no feature has moved them
			c.up[y] = c.up[y-1]
			continue
		}
		c.up[y] = m * c.ratioBound(p, after[y])
	}
}

// ratioBound returns up(i,y), from the probability before and after.
func (c *gainBounds) ratioBound(from, to float64) float64 {
	e := c.high
	if to > from {
		e = c.low
	}
	return elementary.Log(((1 - from) + float64(from*e)) / ((1 - to) + float64(to*e)))
}

// raiseBounds raises the bounds of a column's candidates.
func (c *gainBounds) raiseBounds(column int32) {
	for k := c.first[column+1]; k < c.first[column+2]; k++ {
		c.gain[k] += c.up[c.s.cands[k].Class]
		c.computed[k] = stale
	}
}

// invalidate recomputes everything: nothing bounds how far the weights moved.
func (c *gainBounds) invalidate(ctx context.Context) error {
	picks := make([]scoredCandidate, len(c.heap))
	computeGains(ctx, c.s, c.heap, picks, c.lim, make([]loglinear.Buffer, c.workers))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, p := range picks {
		c.alpha[p.k], c.gain[p.k], c.computed[p.k] = p.alpha, p.gain, c.stage
	}
	c.count += int64(len(picks))
	c.heapify()
	return nil
}
