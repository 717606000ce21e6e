package maxent

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/loglinear"
)

// list is the candidates not yet taken, by known gain falling, then by index: a binary heap.
type list struct {
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
	walk    []int   // work space of tied
}

// newList knows the gains at the model without features, which take a formula each: they do not count as computed. When ctx
// ends it is left incomplete.
func newList(ctx context.Context, s *selection, lim loglinear.Limits) *list {
	n := len(s.cands)
	l := &list{s: s, lim: lim, heap: make([]int32, n), alpha: make([]float64, n), gain: make([]float64, n), computed: make([]int32, n),
		place: make([]int32, n)}
	for k, c := range s.cands {
		if k%4096 == 0 && ctx.Err() != nil {
			break
		}
		l.heap[k] = int32(k)
		l.alpha[k], l.gain[k] = s.p.FirstGain(c, lim)
	}
	l.order()
	return l
}

func (l *list) evaluated() int64 { return l.count }

func (l *list) fresh(k int32) bool { return l.computed[k] == l.stage }

// compute the gain of a candidate at the present stage.
func (l *list) compute(k int32) {
	l.alpha[k], l.gain[k] = l.s.state.Gain(l.s.cands[k], l.lim, &l.buf)
	l.computed[k] = l.stage
	l.count++
}

// head takes the first of the list, after computing anew whatever is stale among the candidates tied for it, the lowest
// first (Zhou, Weng, Wu & Schmidt 2003, Figure 2). Candidates that hold on the same rows are tied exactly, thousands of them in places, so the tied ones
// are looked up once for as long as one of them keeps the largest gain.
func (l *list) head(ctx context.Context) (pick, error) {
	for len(l.heap) > 0 {
		fresh := l.tied()
		if l.holders == 0 { // not a number, which no gain should be: it is never taken
			l.remove(0)
			continue
		}
		high, left := l.gain[l.heap[0]], l.stale
		for len(left) > 0 && l.holders > 0 && l.gain[l.heap[0]] == high {
			if ctx.Err() != nil {
				return pick{}, context.Cause(ctx)
			}
			k := left[0]
			left = left[1:]
			if l.gain[k] == high {
				l.holders--
			}
			l.compute(k)
			l.fix(int(l.place[k]))
			if l.gain[k] == high {
				l.holders++
			}
			if level(l.gain[k], high) && (fresh < 0 || k < fresh) {
				fresh = k
			}
		}
		if len(left) == 0 && l.holders > 0 && l.gain[l.heap[0]] == high {
			l.remove(int(l.place[fresh]))
			return pick{int(fresh), l.alpha[fresh], l.gain[fresh]}, nil
		}
	}
	return pick{k: -1}, nil
}

// tied walks the top of the heap, down to gains that are no tie with the largest: it lists the stale candidates there by
// index, counts those whose gain is the largest, and returns the lowest fresh one, -1 where there is none. O(candidates
// tied, sorted).
func (l *list) tied() (fresh int32) {
	high := l.gain[l.heap[0]]
	l.stale, l.holders, fresh = l.stale[:0], 0, -1
	l.walk = append(l.walk[:0], 0)
	for len(l.walk) > 0 {
		at := l.walk[len(l.walk)-1]
		l.walk = l.walk[:len(l.walk)-1]
		if at >= len(l.heap) || !level(l.gain[l.heap[at]], high) {
			continue
		}
		k := l.heap[at]
		if l.gain[k] == high {
			l.holders++
		}
		switch {
		case !l.fresh(k):
			l.stale = append(l.stale, k)
		case fresh < 0 || k < fresh:
			fresh = k
		}
		l.walk = append(l.walk, 2*at+1, 2*at+2)
	}
	slices.Sort(l.stale)
	return fresh
}

// level tells whether a gain is a tie with the largest.
func level(gain, high float64) bool { return gain >= high-float64(tie*math.Abs(high)) }

func (l *list) before(a, b int32) bool {
	return l.gain[a] > l.gain[b] || l.gain[a] == l.gain[b] && a < b
}

// order makes a heap of any order. O(candidates).
func (l *list) order() {
	for at, k := range l.heap {
		l.place[k] = int32(at)
	}
	for at := len(l.heap)/2 - 1; at >= 0; at-- {
		l.down(at)
	}
}

// fix puts the candidate at a position where it belongs after its gain changed.
func (l *list) fix(at int) {
	for at > 0 && l.before(l.heap[at], l.heap[(at-1)/2]) {
		l.swap(at, (at-1)/2)
		at = (at - 1) / 2
	}
	l.down(at)
}

func (l *list) down(at int) {
	for {
		child := 2*at + 1
		if child >= len(l.heap) {
			return
		}
		if child+1 < len(l.heap) && l.before(l.heap[child+1], l.heap[child]) {
			child++
		}
		if !l.before(l.heap[child], l.heap[at]) {
			return
		}
		l.swap(at, child)
		at = child
	}
}

func (l *list) swap(a, b int) {
	l.heap[a], l.heap[b] = l.heap[b], l.heap[a]
	l.place[l.heap[a]], l.place[l.heap[b]] = int32(a), int32(b)
}

func (l *list) insert(k int32) {
	l.heap = append(l.heap, k)
	l.place[k] = int32(len(l.heap) - 1)
	l.fix(len(l.heap) - 1)
}

// remove the candidate at a position.
func (l *list) remove(at int) int32 {
	k, last := l.heap[at], len(l.heap)-1
	l.heap[at] = l.heap[last]
	l.place[l.heap[at]] = int32(at)
	l.heap = l.heap[:last]
	if at < last {
		l.fix(at)
	}
	return k
}
