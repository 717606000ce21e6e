package maxent

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/loglinear"
)

// gainHeap is the candidates not yet taken, by known gain falling, then by index: a binary heap.
type gainHeap struct {
	s           *selection
	lim         loglinear.Limits
	heap        []int32
	alpha, gain []float64 // by candidate, as last computed
	computed    []int32   // by candidate, the stage at which
	stage       int32     // gains computed at an earlier one are stale
	place       []int32   // by candidate, its position in the heap
	buf         loglinear.Buffer
	count       int64

	stale   []int32 // of the candidates tied for the head, those to be computed anew
	holders int     // candidates that have the largest gain
	walk    []int   // work space of staleAmongTied
}

// newGainHeap knows the gains at the model without features, which take a formula each: they do not count as computed. When ctx
// ends it is left incomplete.
func newGainHeap(ctx context.Context, s *selection, lim loglinear.Limits) *gainHeap {
	n := len(s.cands)
	l := &gainHeap{s: s, lim: lim, heap: make([]int32, n), alpha: make([]float64, n), gain: make([]float64, n), computed: make([]int32, n),
		place: make([]int32, n)}
	for k, c := range s.cands {
		if k%4096 == 0 && ctx.Err() != nil {
			break
		}
		l.heap[k] = int32(k)
		l.alpha[k], l.gain[k] = s.p.FirstGain(c, lim)
	}
	l.heapify()
	return l
}

func (l *gainHeap) evaluated() int64 { return l.count }

func (l *gainHeap) isFresh(k int32) bool { return l.computed[k] == l.stage }

// computeGain computes the gain of a candidate at the present stage.
func (l *gainHeap) computeGain(k int32) {
	l.alpha[k], l.gain[k] = l.s.state.Gain(l.s.cands[k], l.lim, &l.buf)
	l.computed[k] = l.stage
	l.count++
}

// freshestHead takes the first of the list, after computing anew whatever is stale among the candidates tied for it, the lowest
// first (Zhou, Weng, Wu & Schmidt 2003, Figure 2). Candidates that hold on the same rows are tied exactly, thousands of them in places, so the tied ones
// are looked up once for as long as one of them keeps the largest gain.
func (l *gainHeap) freshestHead(ctx context.Context) (scoredCandidate, error) {
	for len(l.heap) > 0 {
		fresh := l.staleAmongTied()
		if l.holders == 0 { // not a number, which no gain should be: it is never taken
			l.removeAt(0)
			continue
		}
		high, left := l.gain[l.heap[0]], l.stale
		for len(left) > 0 && l.holders > 0 && l.gain[l.heap[0]] == high {
			if ctx.Err() != nil {
				return scoredCandidate{}, context.Cause(ctx)
			}
			k := left[0]
			left = left[1:]
			if l.gain[k] == high {
				l.holders--
			}
			l.computeGain(k)
			l.restoreOrder(int(l.place[k]))
			if l.gain[k] == high {
				l.holders++
			}
			if isTied(l.gain[k], high) && (fresh < 0 || k < fresh) {
				fresh = k
			}
		}
		if len(left) == 0 && l.holders > 0 && l.gain[l.heap[0]] == high {
			l.removeAt(int(l.place[fresh]))
			return scoredCandidate{int(fresh), l.alpha[fresh], l.gain[fresh]}, nil
		}
	}
	return scoredCandidate{k: -1}, nil
}

// staleAmongTied visits the top of the heap, down to gains that are no tie with the largest: it lists the stale candidates there by
// index, counts those whose gain is the largest, and returns the lowest fresh one, -1 where there is none. O(candidates
// tied, sorted).
func (l *gainHeap) staleAmongTied() (fresh int32) {
	high := l.gain[l.heap[0]]
	l.stale, l.holders, fresh = l.stale[:0], 0, -1
	l.walk = append(l.walk[:0], 0)
	for len(l.walk) > 0 {
		node := l.walk[len(l.walk)-1]
		l.walk = l.walk[:len(l.walk)-1]
		if node >= len(l.heap) || !isTied(l.gain[l.heap[node]], high) {
			continue
		}
		k := l.heap[node]
		if l.gain[k] == high {
			l.holders++
		}
		switch {
		case !l.isFresh(k):
			l.stale = append(l.stale, k)
		case fresh < 0 || k < fresh:
			fresh = k
		}
		l.walk = append(l.walk, 2*node+1, 2*node+2)
	}
	slices.Sort(l.stale)
	return fresh
}

// isTied reports whether a gain is a tie with the largest.
func isTied(gain, high float64) bool { return gain >= high-float64(tie*math.Abs(high)) }

func (l *gainHeap) less(a, b int32) bool {
	return l.gain[a] > l.gain[b] || l.gain[a] == l.gain[b] && a < b
}

// heapify makes a heap of any order. O(candidates).
func (l *gainHeap) heapify() {
	for node, k := range l.heap {
		l.place[k] = int32(node)
	}
	for node := len(l.heap)/2 - 1; node >= 0; node-- {
		l.siftDown(node)
	}
}

// restoreOrder puts the candidate at a position where it belongs after its gain changed.
func (l *gainHeap) restoreOrder(node int) {
	for node > 0 && l.less(l.heap[node], l.heap[(node-1)/2]) {
		l.swapAt(node, (node-1)/2)
		node = (node - 1) / 2
	}
	l.siftDown(node)
}

func (l *gainHeap) siftDown(node int) {
	for {
		child := 2*node + 1
		if child >= len(l.heap) {
			return
		}
		if child+1 < len(l.heap) && l.less(l.heap[child+1], l.heap[child]) {
			child++
		}
		if !l.less(l.heap[child], l.heap[node]) {
			return
		}
		l.swapAt(node, child)
		node = child
	}
}

func (l *gainHeap) swapAt(a, b int) {
	l.heap[a], l.heap[b] = l.heap[b], l.heap[a]
	l.place[l.heap[a]], l.place[l.heap[b]] = int32(a), int32(b)
}

func (l *gainHeap) insertCandidate(k int32) {
	l.heap = append(l.heap, k)
	l.place[k] = int32(len(l.heap) - 1)
	l.restoreOrder(len(l.heap) - 1)
}

// removeAt removes the candidate at a position.
func (l *gainHeap) removeAt(node int) int32 {
	k, last := l.heap[node], len(l.heap)-1
	l.heap[node] = l.heap[last]
	l.place[l.heap[node]] = int32(node)
	l.heap = l.heap[:last]
	if node < last {
		l.restoreOrder(node)
	}
	return k
}
