package stagewise

import (
	"context"
	"math"
	"math/rand/v2"
)

// lookup decides which features an iteration looks at and finds the one with the largest |c| among them: the lowest column
// where several tie.
type lookup interface {
	// choose gets the feature of the previous step, −1 before the first. Where ctx ends, what it returns means nothing.
	choose(ctx context.Context, last int) choice
	// seen is how many different features were looked at so far.
	distinctSeen() int
}

// featuresPerCheck is how many features are looked at between two looks at a context.
const featuresPerCheck = 1 << 8

// choice is the feature that an iteration moves.
type choice struct {
	k      int // position, −1 where there was nothing to look at
	c      float64
	looked int // features looked at
}

// allFeatures looks at every feature, through blocks.
type allFeatures struct{ *blocks }

func (e allFeatures) choose(context.Context, int) choice {
	k := e.argmax()
	if k < 0 {
		return choice{k: -1}
	}
	return choice{k, e.values.value(k), len(e.index)}
}

func (e allFeatures) distinctSeen() int { return len(e.index) }

// sampledFeatures looks at the features that next names, and at the previous step's where carry is set.
type sampledFeatures struct {
	score  func(k int) float64 // what is compared, by size; its sign is the step's
	index  []int32             // position → the number by which the lowest of several equals wins
	sample func() []int32      // positions for this iteration
	carry  bool

	values   []float64
	wasSeen  []bool
	distinct int
}

func newSampledFeatures(score func(k int) float64, index []int32, next func() []int32, carry bool) *sampledFeatures {
	return &sampledFeatures{score: score, index: index, sample: next, carry: carry, wasSeen: make([]bool, len(index))}
}

func (l *sampledFeatures) distinctSeen() int { return l.distinct }

func (l *sampledFeatures) choose(ctx context.Context, last int) choice {
	candidates := l.sample()
	if l.carry && last >= 0 && !contains(candidates, int32(last)) {
		candidates = append(candidates[:len(candidates):len(candidates)], int32(last))
	}
	l.values = l.values[:0]
	v := 0.0
	for q, k := range candidates {
		if q%featuresPerCheck == featuresPerCheck-1 && ctx.Err() != nil {
			return choice{k: -1}
		}
		c := l.score(int(k))
		l.values = append(l.values, c)
		v = max(v, math.Abs(c))
		if !l.wasSeen[k] {
			l.wasSeen[k] = true
			l.distinct++
		}
	}
	found := choice{k: -1, looked: len(candidates)}
	for q, k := range candidates {
		c := l.values[q]
		if math.Abs(c) >= v*(1-tie) && (found.k < 0 || l.index[k] < l.index[found.k]) {
			found.k, found.c = int(k), c
		}
	}
	return found
}

func contains(list []int32, k int32) bool {
	for _, v := range list {
		if v == k {
			return true
		}
	}
	return false
}

// positionsByColumn is all positions in order of column.
func (d *design) positionsByColumn() []int32 {
	all := make([]int32, 0, len(d.column))
	for _, k := range d.position {
		if k >= 0 {
			all = append(all, k)
		}
	}
	return all
}

// allEveryTime samples every feature in every iteration.
func allEveryTime(all []int32) func() []int32 {
	return func() []int32 { return all }
}

// longestUnseen goes round all features, m at a time: those taken go to the end, so the first m are always those not looked at
// for longest.
func longestUnseen(all []int32, m int) func() []int32 {
	m = min(m, len(all))
	at, turn := 0, make([]int32, m)
	return func() []int32 {
		for q := range turn {
			turn[q] = all[at]
			at = (at + 1) % len(all)
		}
		return turn
	}
}

// drawWithoutReplacement draws m distinct features, uniformly (Floyd's algorithm; Bentley & Floyd 1987).
func drawWithoutReplacement(all []int32, m int, rng *rand.Rand) func() []int32 {
	p := len(all)
	m = min(m, p)
	turn := make([]int32, 0, m)
	drawn := make(map[int]bool, m)
	return func() []int32 {
		turn = turn[:0]
		clear(drawn)
		for i := p - m; i < p; i++ {
			k := rng.IntN(i + 1)
			if drawn[k] {
				k = i
			}
			drawn[k] = true
			turn = append(turn, all[k])
		}
		return turn
	}
}

// cycleLists goes through the given lists, over and over.
func cycleLists(lists [][]int32) func() []int32 {
	t := -1
	return func() []int32 {
		t++
		return lists[t%len(lists)]
	}
}
