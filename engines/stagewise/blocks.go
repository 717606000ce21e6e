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
	upper []float64 // U_b of the present query
	tops  []float64 // the largest U_b of each group of blocks
	query int64     // number of the present query
	sMax  float64   // largest |s| so far, for the rounding allowance

	rescans int64
}

type block struct {
	ref, bound, spread float64 // s_b, M_b, Q_b
	exact              int64   // the query in which the block was looked into last: then U_b is its maximum
}

const (
	tie        = 1e-9  // two |c| closer than this, relatively, count as equal: the lowest column wins
	inflation  = 1e-12 // allowance for rounding in U_b, relative
	rounding   = 1e-15 // and in μ·s, where a and μ·s nearly cancel
	groupShift = 5     // 32 blocks a group
)

func newBlocks(g *gaussian, bits uint) *blocks {
	b := &blocks{g: g, shift: bits}
	p := len(g.cells)
	b.list = make([]block, (p+1<<b.shift-1)>>b.shift)
	b.upper = make([]float64, len(b.list))
	b.tops = make([]float64, (len(b.list)+1<<groupShift-1)>>groupShift)
	for k := range g.cells {
		q := &b.list[k>>b.shift]
		q.spread = max(q.spread, g.cells[k].gamma*math.Abs(g.cells[k].mu))
	}
	b.forget()
	return b
}

// forget drops what is known of the correlations.
func (b *blocks) forget() {
	for i := range b.list {
		b.list[i].bound, b.list[i].exact = math.Inf(1), 0
	}
}

// update is a ← a − h·(X'MX)·1ⱼ. It keeps the invariant: the other members of a block did not change. The column's
// groups are blocks, or parts of one.
func (b *blocks) update(column *sparse.GramColumn, h float64) {
	for short := column.Short; len(short) > 0; {
		from, entries := int(short[0])<<column.Group, short[2:2+short[1]]
		short = short[2+len(entries):]
		q := &b.list[from>>b.shift]
		ref, bound := q.ref, q.bound
		members := b.g.cells[from:]
		for _, e := range entries {
			f := &members[e>>8]
			f.a -= float64(h * float64(e&255))
			if v := math.Abs(f.c(ref)); v > bound {
				bound = v
			}
		}
		q.bound = bound
	}
	for i, k := range column.Idx {
		f := &b.g.cells[k]
		f.a -= float64(h * column.Val[i])
		q := &b.list[k>>b.shift]
		q.bound = max(q.bound, math.Abs(f.c(q.ref)))
	}
}

// max is the feature with the largest |c|: the lowest column among those that tie. −1 when there is no feature.
func (b *blocks) max() (position int) {
	b.raise()
	top := b.highest(-1)
	if top < 0 {
		return -1
	}
	for b.list[top].exact != b.query {
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
		b.upper[i] = (q.bound + float64(q.spread*(math.Abs(s-q.ref)+slack))) * (1 + inflation)
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
	s, m := b.g.s, 0.0
	members := b.members(i)
	for k := range members {
		if v := math.Abs(members[k].c(s)); v > m {
			m = v
		}
	}
	q := &b.list[i]
	q.ref, q.bound, q.exact = s, m, b.query
	b.upper[i] = m
	b.settle(i >> groupShift)
}

func (b *blocks) members(i int) []cell {
	from := i << b.shift
	return b.g.cells[from:min(from+1<<b.shift, len(b.g.cells))]
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
			for k, f := range b.members(i) {
				k += i << b.shift
				if math.Abs(f.c(b.g.s)) >= v && (best < 0 || b.g.d.column[k] < b.g.d.column[best]) {
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
	for i, f := range b.members(own) {
		if i+own<<b.shift != k {
			m = max(m, math.Abs(f.c(b.g.s)))
		}
	}
	if next := b.highest(own); next >= 0 {
		m = max(m, b.upper[next])
	}
	return m
}
