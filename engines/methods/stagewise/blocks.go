package stagewise

import "math"

// correlated is what blocks search: a value for every position, all of the form
//
//	c_k = γ_k·(a_k − μ_k·s)
//
// with one s for all. For least squares a moves and μ stays; for likelihoods the gradient is the observed sum
// less t times the expected one, so a stays, μ moves, and t is the s.
type correlated interface {
	value(k int) float64                              // c
	offset() float64                                  // s
	maxAbs(from, to int) float64                      // the largest |c| of the positions from up to to, all of one block
	lowestIndexAbove(from, to int, v float64) (k int) // the one of lowest index with |c| ≥ v, −1 where there is none
}

// blocks finds the largest |c| of all features while it looks at few of them. Positions are cut into
// blocks; each has a reference s_b and a bound M_b such that always, for every feature k of the block,
//
//	γ_k·|a_k − μ_k·s_b| ≤ M_b,   hence   |c_k| ≤ U_b = M_b + Q_b·|s − s_b|   with Q_b ≥ γ_k·|μ_k|.
//
// The largest of the U_b is found through groups of blocks, and only blocks that could hold the maximum are looked into.
type blocks struct {
	values      correlated
	index       []int32 // position → the number by which the lowest of several equals wins
	shift       uint    // a block has 1<<shift positions
	blocks      []block
	widths      []float64 // Q_b
	scannedIn   []int64   // the query in which a block was looked into last: then U_b is its maximum
	upper       []float64 // U_b of the present query
	groupUppers []float64 // the largest U_b of each group of blocks
	query       int64     // number of the present query
	sMax        float64   // largest |s| so far, for the rounding allowance

	scans int64
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
func newBlocks(of correlated, index []int32, bits uint) *blocks {
	b := &blocks{values: of, index: index, shift: bits}
	b.blocks = make([]block, (len(index)+1<<b.shift-1)>>b.shift)
	b.upper = make([]float64, len(b.blocks))
	b.groupUppers = make([]float64, (len(b.blocks)+1<<groupShift-1)>>groupShift)
	b.widths, b.scannedIn = make([]float64, len(b.blocks)), make([]int64, len(b.blocks))
	b.resetBounds()
	return b
}

// positions of block i, from up to to.
func (b *blocks) positions(i int) (from, to int) {
	from = i << b.shift
	return from, min(from+1<<b.shift, len(b.index))
}

// resetBounds forgets all bounds: the values were recomputed.
func (b *blocks) resetBounds() {
	for i := range b.blocks {
		b.blocks[i].bound, b.scannedIn[i] = math.Inf(1), 0
	}
}

// argmax is the feature with the largest |c|: the lowest index among those that tie. −1 when there is no feature.
func (b *blocks) argmax() (position int) {
	b.computeUpperBounds()
	top := b.highestBlock(-1)
	if top < 0 {
		return -1
	}
	for b.scannedIn[top] != b.query {
		b.scan(top)
		top = b.highestBlock(-1)
	}
	return b.lowestIndex(b.upper[top] * (1 - tie))
}

// computeUpperBounds computes every U_b at the present s.
func (b *blocks) computeUpperBounds() {
	b.query++
	s := b.values.offset()
	b.sMax = max(b.sMax, math.Abs(s))
	slack := float64(rounding * b.sMax)
	for i := range b.blocks {
		q := &b.blocks[i]
		b.upper[i] = (q.bound + float64(b.widths[i]*(math.Abs(s-q.ref)+slack))) * (1 + inflation)
	}
	for t := range b.groupUppers {
		b.updateGroup(t)
	}
}

// updateGroup finds the largest U_b of group t of blocks.
func (b *blocks) updateGroup(t int) {
	from := t << groupShift
	m := math.Inf(-1)
	for _, u := range b.upper[from:min(from+1<<groupShift, len(b.upper))] {
		if u > m {
			m = u
		}
	}
	b.groupUppers[t] = m
}

// scan computes the maximum of block i exactly.
func (b *blocks) scan(i int) {
	b.scans++
	m := b.values.maxAbs(b.positions(i))
	b.blocks[i].ref, b.blocks[i].bound = b.values.offset(), m
	b.scannedIn[i], b.upper[i] = b.query, m
	b.updateGroup(i >> groupShift)
}

// exclude removes block i from the present query.
func (b *blocks) exclude(i int) {
	b.upper[i] = math.Inf(-1)
	b.updateGroup(i >> groupShift)
}

// highestBlock is the block of largest U_b, other than the one given.
func (b *blocks) highestBlock(other int) int {
	best, m := -1, math.Inf(-1)
	for t, u := range b.groupUppers {
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
	for t, u := range b.groupUppers {
		if u < v {
			continue
		}
		group := t << groupShift
		for i := group; i < min(group+1<<groupShift, len(b.upper)); i++ {
			if b.upper[i] < v {
				continue
			}
			from, to := b.positions(i)
			if k := b.values.lowestIndexAbove(from, to, v); k >= 0 && (best < 0 || b.index[k] < b.index[best]) {
				best = k
			}
		}
	}
	return best
}

// maxAbsOfOthers bounds |c| of every feature except the one at position k, after max returned k.
func (b *blocks) maxAbsOfOthers(k int) float64 {
	own := k >> b.shift
	from, to := b.positions(own)
	m := max(b.values.maxAbs(from, k), b.values.maxAbs(k+1, to))
	if next := b.highestBlock(own); next >= 0 {
		m = max(m, b.upper[next])
	}
	return m
}
