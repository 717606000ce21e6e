// Package lookup finds the feature that an iteration of forward stagewise regression moves: the one of largest |c|, or of largest
// increase of a concave function, among all features (blocks.go, increase_search.go) or a sample of them (lookup.go). Bounds on blocks of
// features, which those that hold the scores keep as steps change them, leave about one feature in a hundred to look at.
//
// It computes no score and takes no step. Begin with Lookup; All is the usual one.
package lookup

import (
	"fmt"
	"math"
	"tenfold/engines/data"
)

// Affine are what blocks search: a score for every position, affine in one scalar s,
//
//	c_k = γ_k·(a_k − μ_k·s).
//
// For least squares steps change a and s, and μ is constant. For likelihoods a = N is constant, μ = S changes, and s is t
// (package likelihood).
type Affine interface {
	Value(k int) float64                              // c
	Offset() float64                                  // s
	MaxAbs(from, to int) float64                      // the largest |c| of the positions from, …, to − 1, all of one block
	LowestIndexAbove(from, to int, v float64) (k int) // of these, the one of lowest rank (Blocks) with |c| ≥ v, or −1
}

// Blocks finds the largest |c| of all features, and looks at few of them. Positions are cut into
// blocks; each has a reference s_b and a bound M_b such that always, for every feature k of the block,
//
//	γ_k·|a_k − μ_k·s_b| ≤ M_b,   hence   |c_k| ≤ U_b = M_b + Q_b·|s − s_b|   with Q_b ≥ γ_k·|μ_k|.
//
// The largest of the U_b is found through groups of blocks, and only blocks that could hold the maximum are looked into.
type Blocks struct {
	Scores      Affine
	tieRank     []int32 // by position: of features that tie, the one of lowest rank wins
	Shift       uint    // a block has 1<<shift positions
	List        []Block
	Widths      []float64 // Q_b
	scannedIn   []int64   // the last query that scanned a block; in that query U_b is its exact maximum
	Upper       []float64 // U_b of the present query
	groupUppers []float64 // the largest U_b of each group of blocks
	query       int64     // number of the present query
	sMax        float64   // largest |s| so far, for the rounding allowance

	scans int64
}

// Block holds the bound of a block, and the scale that its features share.
type Block struct {
	Ref, Bound float64 // s_b and M_b
	// For least squares, in a block whose features all have the same μ and γ: these. Otherwise γ is 0. Most blocks of rare
	// features have one scale, since positions are in order of μ.
	Mu, Gamma float64
}

const (
	TieTolerance = 1e-9  // two |c| closer than this, relatively, count as equal
	inflation    = 1e-12 // relative allowance for rounding in U_b
	rounding     = 1e-15 // relative allowance for rounding in μ·s, which a nearly cancels
	groupShift   = 5     // a group has 32 blocks
)

// NewBlocks has blocks of 1<<bits positions without bounds. The caller sets their widths.
func NewBlocks(scores Affine, tieRank []int32, bits uint) *Blocks {
	b := &Blocks{Scores: scores, tieRank: tieRank, Shift: bits}
	b.List = make([]Block, (len(tieRank)+1<<b.Shift-1)>>b.Shift)
	b.Upper = make([]float64, len(b.List))
	b.groupUppers = make([]float64, (len(b.List)+1<<groupShift-1)>>groupShift)
	b.Widths, b.scannedIn = make([]float64, len(b.List)), make([]int64, len(b.List))
	b.ResetBounds()
	return b
}

// Positions returns the bounds of block i: it has the positions from, …, to − 1.
func (b *Blocks) Positions(i int) (from, to int) {
	from = i << b.Shift
	return from, min(from+1<<b.Shift, len(b.tieRank))
}

// ResetBounds forgets all bounds: the values were recomputed.
func (b *Blocks) ResetBounds() {
	for i := range b.List {
		b.List[i].Bound, b.scannedIn[i] = math.Inf(1), 0
	}
}

// argmax returns the position with the largest |c|, of lowest rank among those that tie; −1 if there is no feature.
func (b *Blocks) argmax() (position int) {
	b.ComputeUpperBounds()
	top := b.highestBlock(-1)
	if top < 0 {
		return -1
	}
	for b.scannedIn[top] != b.query {
		b.scan(top)
		top = b.highestBlock(-1)
	}
	return b.lowestIndex(b.Upper[top] * (1 - TieTolerance))
}

// ComputeUpperBounds computes every U_b at the present s.
func (b *Blocks) ComputeUpperBounds() {
	b.query++
	s := b.Scores.Offset()
	b.sMax = max(b.sMax, math.Abs(s))
	slack := float64(rounding * b.sMax)
	for i := range b.List {
		q := &b.List[i]
		b.Upper[i] = (q.Bound + float64(b.Widths[i]*(math.Abs(s-q.Ref)+slack))) * (1 + inflation)
	}
	for t := range b.groupUppers {
		b.updateGroup(t)
	}
}

// updateGroup finds the largest U_b of group t of blocks.
func (b *Blocks) updateGroup(t int) {
	from := t << groupShift
	m := math.Inf(-1)
	for _, u := range b.Upper[from:min(from+1<<groupShift, len(b.Upper))] {
		if u > m {
			m = u
		}
	}
	b.groupUppers[t] = m
}

// scan computes the maximum of block i exactly.
func (b *Blocks) scan(i int) {
	b.scans++
	m := b.Scores.MaxAbs(b.Positions(i))
	b.List[i].Ref, b.List[i].Bound = b.Scores.Offset(), m
	b.scannedIn[i], b.Upper[i] = b.query, m
	b.updateGroup(i >> groupShift)
}

// exclude removes block i from the present query.
func (b *Blocks) exclude(i int) {
	b.Upper[i] = math.Inf(-1)
	b.updateGroup(i >> groupShift)
}

// highestBlock returns the block of largest U_b, except the given one; −1 if all are excluded.
func (b *Blocks) highestBlock(other int) int {
	best, m := -1, math.Inf(-1)
	for t, u := range b.groupUppers {
		if u <= m {
			continue
		}
		from := t << groupShift
		for i, u := range b.Upper[from:min(from+1<<groupShift, len(b.Upper))] {
			if u > m && from+i != other {
				best, m = from+i, u
			}
		}
	}
	return best
}

// lowestIndex returns the position of lowest rank among those with |c| ≥ v.
func (b *Blocks) lowestIndex(v float64) int {
	best := -1
	for t, u := range b.groupUppers {
		if u < v {
			continue
		}
		group := t << groupShift
		for i := group; i < min(group+1<<groupShift, len(b.Upper)); i++ {
			if b.Upper[i] < v {
				continue
			}
			from, to := b.Positions(i)
			if k := b.Scores.LowestIndexAbove(from, to, v); k >= 0 && (best < 0 || b.tieRank[k] < b.tieRank[best]) {
				best = k
			}
		}
	}
	return best
}

// MaxAbsOfOthers bounds |c| of every feature except the one at position k, after argmax returned k.
func (b *Blocks) MaxAbsOfOthers(k int) float64 {
	block := k >> b.Shift
	from, to := b.Positions(block)
	m := max(b.Scores.MaxAbs(from, k), b.Scores.MaxAbs(k+1, to))
	if next := b.highestBlock(block); next >= 0 {
		m = max(m, b.Upper[next])
	}
	return m
}

// Facts returns facts of the search; none if it was not used.
func (b *Blocks) Facts() []data.Fact {
	if b == nil || b.query == 0 {
		return nil
	}
	return []data.Fact{{Name: "blocks looked into per iteration", Value: fmt.Sprintf("%.2f of %d", float64(b.scans)/float64(b.query), len(b.List))}}
}
