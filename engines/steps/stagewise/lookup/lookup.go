package lookup

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// Lookup decides which features an iteration looks at, and finds the one with the largest |c| among them, of lowest rank if
// several tie.
type Lookup interface {
	// Choose gets the position of the previous step, −1 before the first. After ctx is cancelled its result is invalid.
	Choose(ctx context.Context, last int) Choice
	// DistinctSeen is the number of different features looked at so far.
	DistinctSeen() int
}

// FeaturesPerCheck is the number of features looked at between two checks of ctx.
const FeaturesPerCheck = 1 << 8

// Choice is the feature that an iteration moves.
type Choice struct {
	Position int     // position, −1 if there was nothing to look at
	Score    float64 // its score: a correlation, a partial derivative, or an increase with the step's sign
	Looked   int     // features looked at
}

// All looks at every feature, through blocks.
type All struct{ *Blocks }

// Choose finds the feature of largest |c|.
func (a All) Choose(context.Context, int) Choice {
	k := a.argmax()
	if k < 0 {
		return Choice{Position: -1}
	}
	return Choice{k, a.Scores.Value(k), len(a.tieRank)}
}

// DistinctSeen returns the number of features.
func (a All) DistinctSeen() int { return len(a.tieRank) }

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

// Sampled returns a look-up of the features that sample returns, and with carry of the previous step's. Sizes of scores are compared,
// their signs are the steps'; of features that tie, the one of lowest rank wins.
func Sampled(score func(k int) float64, tieRank []int32, sample func() []int32, carry bool) *sampledFeatures {
	return &sampledFeatures{score: score, tieRank: tieRank, sample: sample, carry: carry, wasSeen: make([]bool, len(tieRank))}
}

// DistinctSeen returns the number of different features that the samples had.
func (s *sampledFeatures) DistinctSeen() int { return s.distinct }

// Choose finds the feature of the sample whose score is largest in size.
func (s *sampledFeatures) Choose(ctx context.Context, last int) Choice {
	candidates := s.sample()
	if s.carry && last >= 0 && !slices.Contains(candidates, int32(last)) {
		candidates = append(candidates[:len(candidates):len(candidates)], int32(last))
	}
	s.values = s.values[:0]
	v := 0.0
	for q, k := range candidates {
		if q%FeaturesPerCheck == FeaturesPerCheck-1 && ctx.Err() != nil {
			return Choice{Position: -1}
		}
		c := s.score(int(k))
		s.values = append(s.values, c)
		v = max(v, math.Abs(c))
		if !s.wasSeen[k] {
			s.wasSeen[k] = true
			s.distinct++
		}
	}
	found := Choice{Position: -1, Looked: len(candidates)}
	for q, k := range candidates {
		c := s.values[q]
		if math.Abs(c) >= v*(1-TieTolerance) && (found.Position < 0 || s.tieRank[k] < s.tieRank[found.Position]) {
			found.Position, found.Score = int(k), c
		}
	}
	return found
}

// The samplers below each return a function that returns the positions to look at in the next iteration.

// AllEveryTime samples every feature in every iteration.
func AllEveryTime(all []int32) func() []int32 {
	return func() []int32 { return all }
}

// LongestUnseen cycles through all features, m at a time, so that it returns those not looked at for longest.
func LongestUnseen(all []int32, m int) func() []int32 {
	m = min(m, len(all))
	next, turn := 0, make([]int32, m)
	return func() []int32 {
		for q := range turn {
			turn[q] = all[next]
			next = (next + 1) % len(all)
		}
		return turn
	}
}

// DrawWithoutReplacement draws m distinct features, uniformly (Floyd's algorithm; Bentley & Floyd 1987).
func DrawWithoutReplacement(all []int32, m int, rng *rand.Rand) func() []int32 {
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

// CycleLists goes through the given lists, over and over.
func CycleLists(lists [][]int32) func() []int32 {
	t := -1
	return func() []int32 {
		t++
		return lists[t%len(lists)]
	}
}
