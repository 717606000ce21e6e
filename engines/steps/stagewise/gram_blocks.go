package stagewise

import (
	"math"

	"tenfold/engines/steps/gram"
	"tenfold/engines/steps/stagewise/design"
	"tenfold/engines/steps/stagewise/lookup"
)

// setBlocks makes blocks of 1<<bits positions, with their constant Q_b = max γ·|μ|.
func (g *gramCorrelations) setBlocks(bits uint) {
	b := lookup.NewBlocks(g, g.d.Column, bits)
	for i := range b.List {
		from, to := b.Positions(i)
		members := g.d.Scales[from:to]
		mu, gamma := members[0].Mu, members[0].Gamma
		for _, f := range members {
			b.Widths[i] = max(b.Widths[i], f.Gamma*math.Abs(f.Mu))
			if f.Mu != mu || f.Gamma != gamma {
				gamma = 0
			}
		}
		b.List[i].Mu, b.List[i].Gamma = mu, gamma
	}
	g.blocks = b
}

// updateBlocks computes a ← a − h·(X'MX)·1ⱼ. It raises the bound of a block where a changed entry exceeds it. Groups of a
// gram.Column (number, count, then place<<8 | value for each entry) are blocks, or parts of one.
func (g *gramCorrelations) updateBlocks(column *gram.Column, h float64) {
	b := g.blocks
	for short := column.Short; len(short) > 0; {
		from, entries := int(short[0])<<column.Group, short[2:2+short[1]]
		short = short[2+len(entries):]
		q := &b.List[from>>b.Shift]
		if q.Gamma > 0 {
			subtractScaled(q, g.a[from:], entries, h)
		} else {
			subtractScaledEach(q, g.a[from:], g.d.Scales[from:], entries, h)
		}
	}
	for i, k := range column.Idx {
		a := g.a[k] - float64(h*column.Val[i])
		g.a[k] = a
		q := &b.List[k>>b.Shift]
		q.Bound = max(q.Bound, math.Abs(g.d.Scales[k].Correlation(a, q.Ref)))
	}
}

// subtractScaled subtracts h times the entries of a group from a, in a block whose features have one scale.
func subtractScaled(q *lookup.Block, a []float64, entries []uint16, h float64) {
	known, mus := q.Bound/q.Gamma, float64(q.Mu*q.Ref)
	largest := known
	for _, e := range entries {
		v := a[e>>8] - float64(h*float64(e&255))
		a[e>>8] = v
		if v = math.Abs(v - mus); v > largest {
			largest = v
		}
	}
	if largest > known {
		q.Bound = q.Gamma * largest
	}
}

// subtractScaledEach does so in a block of different scales.
func subtractScaledEach(q *lookup.Block, a []float64, scales []design.Scale, entries []uint16, h float64) {
	largest, s := q.Bound, q.Ref
	for _, e := range entries {
		v := a[e>>8] - float64(h*float64(e&255))
		a[e>>8] = v
		if v = math.Abs(scales[e>>8].Correlation(v, s)); v > largest {
			largest = v
		}
	}
	q.Bound = largest
}

// MaxAbs returns the largest |c| of the positions from, …, to − 1, all of one block.
func (g *gramCorrelations) MaxAbs(from, to int) float64 {
	if from >= to {
		return 0
	}
	q := &g.blocks.List[from>>g.blocks.Shift]
	if q.Gamma > 0 {
		return largestDistance(g.a[from:to], float64(q.Mu*g.s)) * q.Gamma
	}
	s, m := g.s, 0.0
	scales := g.d.Scales[from:to]
	for k, a := range g.a[from:to] {
		if v := math.Abs(scales[k].Correlation(a, s)); v > m {
			m = v
		}
	}
	return m
}

// largestDistance returns the largest |a − c|. Its four maxima do not wait for each other, and their branches are hardly ever taken; the
// builtin max looks for NaN and −0 each time.
func largestDistance(a []float64, c float64) float64 {
	var m0, m1, m2, m3 float64
	for ; len(a) >= 4; a = a[4:] {
		if v := math.Abs(a[0] - c); v > m0 {
			m0 = v
		}
		if v := math.Abs(a[1] - c); v > m1 {
			m1 = v
		}
		if v := math.Abs(a[2] - c); v > m2 {
			m2 = v
		}
		if v := math.Abs(a[3] - c); v > m3 {
			m3 = v
		}
	}
	for _, x := range a {
		m0 = max(m0, math.Abs(x-c))
	}
	return max(m0, m1, m2, m3)
}

// LowestIndexAbove returns, of these, the one of the lowest column with |c| ≥ v, or −1.
func (g *gramCorrelations) LowestIndexAbove(from, to int, v float64) int {
	best, column := -1, g.d.Column
	for k := from; k < to; k++ {
		if math.Abs(g.Value(k)) >= v && (best < 0 || column[k] < column[best]) {
			best = k
		}
	}
	return best
}
