package maxent

import (
	"context"
	"math"

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
	buf         loglinear.Buffer
	count       int64
}

// newList knows the gains at the model without features, which take a formula each: they do not count as computed. When ctx
// ends it is left incomplete.
func newList(ctx context.Context, s *selection, lim loglinear.Limits) *list {
	n := len(s.cands)
	l := &list{s: s, lim: lim, heap: make([]int32, n), alpha: make([]float64, n), gain: make([]float64, n), computed: make([]int32, n)}
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

// head takes the first of the list, after computing anew whatever is stale among the candidates tied for it (spec 7.4).
func (l *list) head(ctx context.Context) (pick, error) {
	for len(l.heap) > 0 {
		if ctx.Err() != nil {
			return pick{}, context.Cause(ctx)
		}
		stale, fresh := l.tied()
		if stale < 0 {
			k := l.remove(fresh)
			return pick{int(k), l.alpha[k], l.gain[k]}, nil
		}
		l.compute(l.heap[stale])
		l.fix(stale)
	}
	return pick{k: -1}, nil
}

// tied walks the top of the heap, down to gains that are no tie with the largest, and returns the positions of the lowest
// stale and the lowest fresh candidate there; -1 where there is none. O(candidates tied).
func (l *list) tied() (stale, fresh int) {
	high := l.gain[l.heap[0]]
	stale, fresh = -1, -1
	var walk func(at int)
	walk = func(at int) {
		if at >= len(l.heap) || !(l.gain[l.heap[at]] >= high-tie*math.Abs(high)) {
			return
		}
		first := &stale
		if l.fresh(l.heap[at]) {
			first = &fresh
		}
		if *first < 0 || l.heap[at] < l.heap[*first] {
			*first = at
		}
		walk(2*at + 1)
		walk(2*at + 2)
	}
	walk(0)
	return stale, fresh
}

func (l *list) before(a, b int32) bool {
	return l.gain[a] > l.gain[b] || l.gain[a] == l.gain[b] && a < b
}

// order makes a heap of any order. O(candidates).
func (l *list) order() {
	for at := len(l.heap)/2 - 1; at >= 0; at-- {
		l.down(at)
	}
}

// fix puts the candidate at a position where it belongs after its gain changed.
func (l *list) fix(at int) {
	for at > 0 && l.before(l.heap[at], l.heap[(at-1)/2]) {
		l.heap[at], l.heap[(at-1)/2] = l.heap[(at-1)/2], l.heap[at]
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
		l.heap[at], l.heap[child] = l.heap[child], l.heap[at]
		at = child
	}
}

func (l *list) insert(k int32) {
	l.heap = append(l.heap, k)
	l.fix(len(l.heap) - 1)
}

// remove the candidate at a position.
func (l *list) remove(at int) int32 {
	k, last := l.heap[at], len(l.heap)-1
	l.heap[at] = l.heap[last]
	l.heap = l.heap[:last]
	if at < last {
		l.fix(at)
	}
	return k
}
