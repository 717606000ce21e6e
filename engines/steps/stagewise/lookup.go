package stagewise

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// lookup decides which features an iteration looks at, and finds the one with the largest |c| among them, of lowest rank if
// several tie.
type lookup interface {
	// choose gets the position of the previous step, −1 before the first. After ctx is cancelled its result is invalid.
	choose(ctx context.Context, last int) choice
	// distinctSeen is the number of different features looked at so far.
	distinctSeen() int
}

// featuresPerCheck is the number of features looked at between two checks of ctx.
const featuresPerCheck = 1 << 8

// choice is the feature that an iteration moves.
type choice struct {
	k      int     // position, −1 if there was nothing to look at
	c      float64 // its score: a correlation, a partial derivative, or an increase with the step's sign
	looked int     // features looked at
}

// allFeatures looks at every feature, through blocks.
type allFeatures struct{ *blocks }

func (a allFeatures) choose(context.Context, int) choice {
	k := a.argmax()
	if k < 0 {
		return choice{k: -1}
	}
	return choice{k, a.scores.value(k), len(a.tieRank)}
}

func (a allFeatures) distinctSeen() int { return len(a.tieRank) }

// sampledFeatures looks at the features that sample returns, and with carry at the previous step's.
type sampledFeatures struct {
	score   func(k int) float64 // its size is compared, its sign is the step's
	tieRank []int32             // by position: of features that tie, the one of lowest rank wins
	sample  func() []int32      // positions for this iteration
	carry   bool

	values   []float64
	wasSeen  []bool
	distinct int
}

func newSampledFeatures(score func(k int) float64, tieRank []int32, sample func() []int32, carry bool) *sampledFeatures {
	return &sampledFeatures{score: score, tieRank: tieRank, sample: sample, carry: carry, wasSeen: make([]bool, len(tieRank))}
}

func (s *sampledFeatures) distinctSeen() int { return s.distinct }

func (s *sampledFeatures) choose(ctx context.Context, last int) choice {
	candidates := s.sample()
	if s.carry && last >= 0 && !slices.Contains(candidates, int32(last)) {
		candidates = append(candidates[:len(candidates):len(candidates)], int32(last))
	}
	s.values = s.values[:0]
	v := 0.0
	for q, k := range candidates {
		if q%featuresPerCheck == featuresPerCheck-1 && ctx.Err() != nil {
			return choice{k: -1}
		}
		c := s.score(int(k))
		s.values = append(s.values, c)
		v = max(v, math.Abs(c))
		if !s.wasSeen[k] {
			s.wasSeen[k] = true
			s.distinct++
		}
	}
	found := choice{k: -1, looked: len(candidates)}
	for q, k := range candidates {
		c := s.values[q]
		if math.Abs(c) >= v*(1-tieTolerance) && (found.k < 0 || s.tieRank[k] < s.tieRank[found.k]) {
			found.k, found.c = int(k), c
		}
	}
	return found
}

// The samplers below each return a function that returns the positions to look at in the next iteration.

// allEveryTime samples every feature in every iteration.
func allEveryTime(all []int32) func() []int32 {
	return func() []int32 { return all }
}

// longestUnseen cycles through all features, m at a time, so that it returns those not looked at for longest.
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
