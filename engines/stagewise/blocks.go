package stagewise

import (
	"math"

	"tenfold/engines/sparse"
)

// blocks finds the largest |c| of all features while it looks at few of them (spec 4.3, scheme B). Positions are cut into
// blocks; each has a reference s_b and a bound M_b such that always, for every feature k of the block,
//
//	γ_k·|a_k − μ_k·s_b| ≤ M_b,   hence   |c_k| ≤ U_b = M_b + Q_b·|s − s_b|   with Q_b = max γ_k·|μ_k|.
//
// The largest of the U_b is found through groups of blocks, and only blocks that could hold the maximum are looked into.
type blocks struct {
	g     *gaussian
	shift uint // a block has 1<<shift positions
	list  []block
	wide  []float64 // Q_b
	exact []int64   // the query in which a block was looked into last: then U_b is its maximum
	upper []float64 // U_b of the present query
	tops  []float64 // the largest U_b of each group of blocks
	query int64     // number of the present query
	sMax  float64   // largest |s| so far, for the rounding allowance

	rescans int64
}

// block is what a step reads and writes.
type block struct {
	ref, bound float64 // s_b and M_b
	// Features of equal frequency stand together and share μ and γ, so most blocks of rare ones need no look at each
	// feature's own. γ is 0 in the other blocks.
	mu, gamma float64
}

const (
	tie        = 1e-9  // two |c| closer than this, relatively, count as equal: the lowest column wins
	inflation  = 1e-12 // allowance for rounding in U_b, relative
	rounding   = 1e-15 // and in μ·s, where a and μ·s nearly cancel
	groupShift = 5     // 32 blocks a group
)

func newBlocks(g *gaussian, bits uint) *blocks {
	b := &blocks{g: g, shift: bits}
	p := len(g.a)
	b.list = make([]block, (p+1<<b.shift-1)>>b.shift)
	b.upper = make([]float64, len(b.list))
	b.tops = make([]float64, (len(b.list)+1<<groupShift-1)>>groupShift)
	b.wide, b.exact = make([]float64, len(b.list)), make([]int64, len(b.list))
	for i := range b.list {
		members := b.scales(i)
		mu, gamma := members[0].mu, members[0].gamma
		for _, f := range members {
			b.wide[i] = max(b.wide[i], f.gamma*math.Abs(f.mu))
			if f.mu != mu || f.gamma != gamma {
				gamma = 0
			}
		}
		b.list[i].mu, b.list[i].gamma = mu, gamma
	}
	b.forget()
	return b
}

// forget drops what is known of the correlations.
func (b *blocks) forget() {
	for i := range b.list {
		b.list[i].bound, b.exact[i] = math.Inf(1), 0
	}
}

// update is a ← a − h·(X'MX)·1ⱼ. It keeps the invariant: the other members of a block did not change. The column's
// groups are blocks, or parts of one.
func (b *blocks) update(column *sparse.GramColumn, h float64) {
	for short := column.Short; len(short) > 0; {
		from, entries := int(short[0])<<column.Group, short[2:2+short[1]]
		short = short[2+len(entries):]
		q := &b.list[from>>b.shift]
		if q.gamma > 0 {
			lower(q, b.g.a[from:], entries, h)
		} else {
			lowerScaled(q, b.g.a[from:], b.g.d.scales[from:], entries, h)
		}
	}
	for i, k := range column.Idx {
		a := b.g.a[k] - float64(h*column.Val[i])
		b.g.a[k] = a
		q := &b.list[k>>b.shift]
		q.bound = max(q.bound, math.Abs(b.g.d.scales[k].c(a, q.ref)))
	}
}

// lower takes h times the values of a group off a in a block of equal scales.
func lower(q *block, a []float64, entries []uint16, h float64) {
	known, mus := q.bound/q.gamma, float64(q.mu*q.ref)
	largest := known
	for _, e := range entries {
		v := a[e>>8] - float64(h*float64(e&255))
		a[e>>8] = v
		if v = math.Abs(v - mus); v > largest {
			largest = v
		}
	}
	if largest > known {
		q.bound = q.gamma * largest
	}
}

// lowerScaled is lower in a block of different scales.
func lowerScaled(q *block, a []float64, scales []scale, entries []uint16, h float64) {
	largest, s := q.bound, q.ref
	for _, e := range entries {
		v := a[e>>8] - float64(h*float64(e&255))
		a[e>>8] = v
		if v = math.Abs(scales[e>>8].c(v, s)); v > largest {
			largest = v
		}
	}
	q.bound = largest
}

// max is the feature with the largest |c|: the lowest column among those that tie. −1 when there is no feature.
func (b *blocks) max() (position int) {
	b.raise()
	top := b.highest(-1)
	if top < 0 {
		return -1
	}
	for b.exact[top] != b.query {
		b.rescan(top)
		top = b.highest(-1)
	}
	return b.lowestColumn(b.upper[top] * (1 - tie))
}

// raise computes every U_b at the present s.
func (b *blocks) raise() {
	b.query++
	s := b.g.s
	b.sMax = max(b.sMax, math.Abs(s))
	slack := rounding * b.sMax
	for i := range b.list {
		q := &b.list[i]
		b.upper[i] = (q.bound + float64(b.wide[i]*(math.Abs(s-q.ref)+slack))) * (1 + inflation)
	}
	for t := range b.tops {
		b.settle(t)
	}
}

// settle finds the largest U_b of group t.
func (b *blocks) settle(t int) {
	from := t << groupShift
	m := math.Inf(-1)
	for _, u := range b.upper[from:min(from+1<<groupShift, len(b.upper))] {
		if u > m {
			m = u
		}
	}
	b.tops[t] = m
}

// rescan looks at every member of block i.
func (b *blocks) rescan(i int) {
	b.rescans++
	q, s, m := &b.list[i], b.g.s, 0.0
	if q.gamma > 0 {
		mus := float64(q.mu * s)
		for _, a := range b.members(i) {
			m = max(m, math.Abs(a-mus))
		}
		m *= q.gamma
	} else {
		scales := b.scales(i)
		for k, a := range b.members(i) {
			m = max(m, math.Abs(scales[k].c(a, s)))
		}
	}
	q.ref, q.bound = s, m
	b.exact[i], b.upper[i] = b.query, m
	b.settle(i >> groupShift)
}

// members of block i, by their a.
func (b *blocks) members(i int) []float64 {
	from := i << b.shift
	return b.g.a[from:min(from+1<<b.shift, len(b.g.a))]
}

func (b *blocks) scales(i int) []scale {
	from := i << b.shift
	return b.g.d.scales[from:min(from+1<<b.shift, len(b.g.a))]
}

// highest is the block of largest U_b, other than the one given.
func (b *blocks) highest(other int) int {
	best, m := -1, math.Inf(-1)
	for t, u := range b.tops {
		if u <= m {
			continue
		}
		from := t << groupShift
		for i, u := range b.upper[from:min(from+1<<groupShift, len(b.upper))] {
			if u > m && from+i != other {
				best, m = from+i, u
			}
		}
	}
	return best
}

// lowestColumn is the feature of lowest column among those with |c| ≥ v.
func (b *blocks) lowestColumn(v float64) int {
	best := -1
	for t, u := range b.tops {
		if u < v {
			continue
		}
		from := t << groupShift
		for i := from; i < min(from+1<<groupShift, len(b.upper)); i++ {
			if b.upper[i] < v {
				continue
			}
			for k := range b.members(i) {
				k += i << b.shift
				if math.Abs(b.g.at(k)) >= v && (best < 0 || b.g.d.column[k] < b.g.d.column[best]) {
					best = k
				}
			}
		}
	}
	return best
}

// others bounds |c| of every feature except the one at position k, after max returned k.
func (b *blocks) others(k int) float64 {
	own := k >> b.shift
	m := 0.0
	for i := range b.members(own) {
		if i += own << b.shift; i != k {
			m = max(m, math.Abs(b.g.at(i)))
		}
	}
	if next := b.highest(own); next >= 0 {
		m = max(m, b.upper[next])
	}
	return m
}
