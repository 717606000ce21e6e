package stagewise

import (
	"context"
	"math"
)

// increaseSearch chooses the step that raises the log-likelihood most (select: explicit): of the moves of every feature
// by +ε and −ε, the one with the largest ΔL.
//
// L is concave, so that ΔL ≤ ε·|c|, and a step against the sign of c gains nothing. Blocks are therefore visited by falling
// bound on |c|, until ε times the bound is below the best gain.
type increaseSearch struct {
	l         concave
	epsilon   float64
	gamma     []float64
	blocks    *blocks
	tolerance func() float64 // the largest gain that counts as zero

	candidates []candidate
	evaluated  int64
}

// concave is a concave function of the coefficients: a log-likelihood.
type concave interface {
	value(k int) float64               // the partial derivative c
	increase(k int, h float64) float64 // by how much a move of coefficient k by h raises it
}

type candidate struct {
	k        int
	increase float64
}

// signedIncrease is ΔL of the step of feature k along its partial derivative, with the sign of the step; 0 if L does not rise.
func (s *increaseSearch) signedIncrease(k int) float64 {
	s.evaluated++
	c := s.l.value(k)
	gain := s.l.increase(k, math.Copysign(s.epsilon*s.gamma[k], c))
	if !(gain > 0) {
		return 0
	}
	return math.Copysign(gain, c)
}

func (s *increaseSearch) distinctSeen() int { return len(s.gamma) }

// roundingSlack raises the bound ε·|c| to allow for rounding in c.
const roundingSlack = 1 + 1e-9

func (s *increaseSearch) choose(ctx context.Context, _ int) choice {
	b, best, floor := s.blocks, 0.0, s.tolerance()
	s.candidates = s.candidates[:0]
	b.computeUpperBounds()
	for {
		enough := max(best*(1-tieTolerance), floor)
		top := b.highestBlock(-1)
		if top < 0 || roundingSlack*s.epsilon*b.upper[top] < enough || ctx.Err() != nil {
			break
		}
		if b.scannedIn[top] != b.query {
			b.scan(top)
			continue
		}
		from, to := b.positions(top)
		for k := from; k < to; k++ {
			if roundingSlack*s.epsilon*math.Abs(s.l.value(k)) < enough {
				continue
			}
			if gain := math.Abs(s.signedIncrease(k)); gain >= best*(1-tieTolerance) {
				s.candidates = append(s.candidates, candidate{k, gain})
				best = max(best, gain)
				enough = max(best*(1-tieTolerance), floor)
			}
		}
		b.exclude(top)
	}
	return s.lowestIndexOfBest(best)
}

// lowestIndexOfBest is the candidate of lowest rank among those that tie with the best.
func (s *increaseSearch) lowestIndexOfBest(best float64) choice {
	out := choice{k: -1, looked: len(s.gamma)}
	for _, f := range s.candidates {
		if f.increase >= best*(1-tieTolerance) && (out.k < 0 || s.blocks.tieRank[f.k] < s.blocks.tieRank[out.k]) {
			out.k, out.c = f.k, math.Copysign(f.increase, s.l.value(f.k))
		}
	}
	return out
}
