package stagewise

import "math"

// surface is what blocks search: a value for every position, all of the form
//
//	c_k = γ_k·(a_k − μ_k·s)
//
// with one s for all. For least squares a moves and μ stays; for likelihoods the gradient is the observed sum
// less t times the expected one, so a stays, μ moves, and t is the s.
type surface interface {
	at(k int) float64                       // c
	offset() float64                        // s
	largest(from, to int) float64           // the largest |c| of the positions from up to to, all of one block
	lowest(from, to int, v float64) (k int) // the one of lowest index with |c| ≥ v, −1 where there is none
}

// blocks finds the largest |c| of all features while it looks at few of them. Positions are cut into
// blocks; each has a reference s_b and a bound M_b such that always, for every feature k of the block,
//
//	γ_k·|a_k − μ_k·s_b| ≤ M_b,   hence   |c_k| ≤ U_b = M_b + Q_b·|s − s_b|   with Q_b ≥ γ_k·|μ_k|.
//
// The largest of the U_b is found through groups of blocks, and only blocks that could hold the maximum are looked into.
type blocks struct {
	of    surface
	index []int32 // position → the number by which the lowest of several equals wins
	shift uint    // a block has 1<<shift positions
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
	// For least squares: features of equal frequency stand together and share μ and γ, so most blocks of rare ones need
	// no look at each feature's own. γ is 0 in the other blocks.
	mu, gamma float64
}

const (
	tie        = 1e-9  // two |c| closer than this, relatively, count as equal: the lowest column wins
	inflation  = 1e-12 // allowance for rounding in U_b, relative
	rounding   = 1e-15 // and in μ·s, where a and μ·s nearly cancel
	groupShift = 5     // 32 blocks a group
)

// newBlocks knows no bound yet; wide is 0.
func newBlocks(of surface, index []int32, bits uint) *blocks {
	b := &blocks{of: of, index: index, shift: bits}
	b.list = make([]block, (len(index)+1<<b.shift-1)>>b.shift)
	b.upper = make([]float64, len(b.list))
	b.tops = make([]float64, (len(b.list)+1<<groupShift-1)>>groupShift)
	b.wide, b.exact = make([]float64, len(b.list)), make([]int64, len(b.list))
	b.forget()
	return b
}

// positions of block i, from up to to.
func (b *blocks) positions(i int) (from, to int) {
	from = i << b.shift
	return from, min(from+1<<b.shift, len(b.index))
}

// forget drops what is known of the correlations.
func (b *blocks) forget() {
	for i := range b.list {
		b.list[i].bound, b.exact[i] = math.Inf(1), 0
	}
}

// max is the feature with the largest |c|: the lowest index among those that tie. −1 when there is no feature.
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
	return b.lowestIndex(b.upper[top] * (1 - tie))
}

// raise computes every U_b at the present s.
func (b *blocks) raise() {
	b.query++
	s := b.of.offset()
	b.sMax = max(b.sMax, math.Abs(s))
	slack := float64(rounding * b.sMax)
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
	m := b.of.largest(b.positions(i))
	b.list[i].ref, b.list[i].bound = b.of.offset(), m
	b.exact[i], b.upper[i] = b.query, m
	b.settle(i >> groupShift)
}

// pass takes a block out of the present query.
func (b *blocks) pass(i int) {
	b.upper[i] = math.Inf(-1)
	b.settle(i >> groupShift)
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

// lowestIndex is the feature of lowest index among those with |c| ≥ v.
func (b *blocks) lowestIndex(v float64) int {
	best := -1
	for t, u := range b.tops {
		if u < v {
			continue
		}
		group := t << groupShift
		for i := group; i < min(group+1<<groupShift, len(b.upper)); i++ {
			if b.upper[i] < v {
				continue
			}
			from, to := b.positions(i)
			if k := b.of.lowest(from, to, v); k >= 0 && (best < 0 || b.index[k] < b.index[best]) {
				best = k
			}
		}
	}
	return best
}

// others bounds |c| of every feature except the one at position k, after max returned k.
func (b *blocks) others(k int) float64 {
	own := k >> b.shift
	from, to := b.positions(own)
	m := max(b.of.largest(from, k), b.of.largest(k+1, to))
	if next := b.highest(own); next >= 0 {
		m = max(m, b.upper[next])
	}
	return m
}
