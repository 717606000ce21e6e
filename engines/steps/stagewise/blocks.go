package stagewise

import (
	"fmt"
	"math"
	"tenfold/engines/data"
)

// affineScores are what blocks search: a score for every position, affine in one scalar s,
//
//	c_k = γ_k·(a_k − μ_k·s).
//
// For least squares steps change a and s, and μ is constant. For likelihoods a = N is constant, μ = S changes, and s is t
// (gradient.go).
type affineScores interface {
	value(k int) float64                              // c
	offset() float64                                  // s
	maxAbs(from, to int) float64                      // the largest |c| of the positions from, …, to − 1, all of one block
	lowestIndexAbove(from, to int, v float64) (k int) // of these, the one of lowest rank (blocks.tieRank) with |c| ≥ v, or −1
}

// blocks finds the largest |c| of all features, and looks at few of them. Positions are cut into
// blocks; each has a reference s_b and a bound M_b such that always, for every feature k of the block,
//
//	γ_k·|a_k − μ_k·s_b| ≤ M_b,   hence   |c_k| ≤ U_b = M_b + Q_b·|s − s_b|   with Q_b ≥ γ_k·|μ_k|.
//
// The largest of the U_b is found through groups of blocks, and only blocks that could hold the maximum are looked into.
type blocks struct {
	scores      affineScores
	tieRank     []int32 // by position: of features that tie, the one of lowest rank wins
	shift       uint    // a block has 1<<shift positions
	blocks      []block
	widths      []float64 // Q_b
	scannedIn   []int64   // the last query that scanned a block; in that query U_b is its exact maximum
	upper       []float64 // U_b of the present query
	groupUppers []float64 // the largest U_b of each group of blocks
	query       int64     // number of the present query
	sMax        float64   // largest |s| so far, for the rounding allowance

	scans int64
}

// block holds the bound of a block, and the scale that its features share.
type block struct {
	ref, bound float64 // s_b and M_b
	// For least squares, in a block whose features all have the same μ and γ: these. Otherwise γ is 0. Most blocks of rare
	// features have one scale, since positions are in order of μ.
	mu, gamma float64
}

const (
	tieTolerance = 1e-9  // two |c| closer than this, relatively, count as equal
	inflation    = 1e-12 // relative allowance for rounding in U_b
	rounding     = 1e-15 // relative allowance for rounding in μ·s, which a nearly cancels
	groupShift   = 5     // a group has 32 blocks
)

// newBlocks has blocks of 1<<bits positions without bounds. The caller sets their widths.
func newBlocks(scores affineScores, tieRank []int32, bits uint) *blocks {
	b := &blocks{scores: scores, tieRank: tieRank, shift: bits}
	b.blocks = make([]block, (len(tieRank)+1<<b.shift-1)>>b.shift)
	b.upper = make([]float64, len(b.blocks))
	b.groupUppers = make([]float64, (len(b.blocks)+1<<groupShift-1)>>groupShift)
	b.widths, b.scannedIn = make([]float64, len(b.blocks)), make([]int64, len(b.blocks))
	b.resetBounds()
	return b
}

// positions of block i are from, …, to − 1.
func (b *blocks) positions(i int) (from, to int) {
	from = i << b.shift
	return from, min(from+1<<b.shift, len(b.tieRank))
}

// resetBounds forgets all bounds: the values were recomputed.
func (b *blocks) resetBounds() {
	for i := range b.blocks {
		b.blocks[i].bound, b.scannedIn[i] = math.Inf(1), 0
	}
}

// argmax is the position with the largest |c|, of lowest rank among those that tie; −1 if there is no feature.
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
	return b.lowestIndex(b.upper[top] * (1 - tieTolerance))
}

// computeUpperBounds computes every U_b at the present s.
func (b *blocks) computeUpperBounds() {
	b.query++
	s := b.scores.offset()
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
	m := b.scores.maxAbs(b.positions(i))
	b.blocks[i].ref, b.blocks[i].bound = b.scores.offset(), m
	b.scannedIn[i], b.upper[i] = b.query, m
	b.updateGroup(i >> groupShift)
}

// exclude removes block i from the present query.
func (b *blocks) exclude(i int) {
	b.upper[i] = math.Inf(-1)
	b.updateGroup(i >> groupShift)
}

// highestBlock is the block of largest U_b, except the given one; −1 if all are excluded.
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

// lowestIndex is the position of lowest rank among those with |c| ≥ v.
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
			if k := b.scores.lowestIndexAbove(from, to, v); k >= 0 && (best < 0 || b.tieRank[k] < b.tieRank[best]) {
				best = k
			}
		}
	}
	return best
}

// maxAbsOfOthers bounds |c| of every feature except the one at position k, after argmax returned k.
func (b *blocks) maxAbsOfOthers(k int) float64 {
	own := k >> b.shift
	from, to := b.positions(own)
	m := max(b.scores.maxAbs(from, k), b.scores.maxAbs(k+1, to))
	if next := b.highestBlock(own); next >= 0 {
		m = max(m, b.upper[next])
	}
	return m
}

// facts of the block search; none if it was not used.
func (b *blocks) facts() []data.Fact {
	if b == nil || b.query == 0 {
		return nil
	}
	return []data.Fact{{Name: "blocks looked into per turn", Value: fmt.Sprintf("%.2f of %d", float64(b.scans)/float64(b.query), len(b.blocks))}}
}
