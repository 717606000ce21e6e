package lookup

import (
	"context"
	"math"
)

// Increases chooses the step that raises the log-likelihood most (select: explicit): of the moves of every feature
// by +ε and −ε, the one with the largest ΔL.
//
// L is concave, so that ΔL ≤ ε·|c|, and a step against the sign of c gains nothing. Blocks are therefore visited by falling
// bound on |c|, until ε times the bound is below the best gain.
type Increases struct {
	Likelihood concave
	Epsilon    float64
	Gamma      []float64
	Blocks     *Blocks
	Tolerance  func() float64 // the largest gain that counts as zero

	candidates []candidate
	Evaluated  int64
}

// concave is a concave function of the coefficients: a log-likelihood.
type concave interface {
	Value(k int) float64               // the partial derivative c
	Increase(k int, h float64) float64 // by how much a move of coefficient k by h raises it
}

type candidate struct {
	k        int
	increase float64
}

// SignedIncrease returns ΔL of the step of feature k along its partial derivative, with the sign of the step; 0 if L does not rise.
func (s *Increases) SignedIncrease(k int) float64 {
	s.Evaluated++
	c := s.Likelihood.Value(k)
	gain := s.Likelihood.Increase(k, math.Copysign(s.Epsilon*s.Gamma[k], c))
	if !(gain > 0) {
		return 0
	}
	return math.Copysign(gain, c)
}

// DistinctSeen returns the number of features: all are looked at.
func (s *Increases) DistinctSeen() int { return len(s.Gamma) }

// roundingSlack raises the bound ε·|c| to allow for rounding in c.
const roundingSlack = 1 + 1e-9

// Choose finds the step of largest ΔL.
func (s *Increases) Choose(ctx context.Context, _ int) Choice {
	b, best, floor := s.Blocks, 0.0, s.Tolerance()
	s.candidates = s.candidates[:0]
	b.ComputeUpperBounds()
	for {
		enough := max(best*(1-TieTolerance), floor)
		top := b.highestBlock(-1)
		if top < 0 || roundingSlack*s.Epsilon*b.Upper[top] < enough || ctx.Err() != nil {
			break
		}
		if b.scannedIn[top] != b.query {
			b.scan(top)
			continue
		}
		from, to := b.Positions(top)
		for k := from; k < to; k++ {
			if roundingSlack*s.Epsilon*math.Abs(s.Likelihood.Value(k)) < enough {
				continue
			}
			if gain := math.Abs(s.SignedIncrease(k)); gain >= best*(1-TieTolerance) {
				s.candidates = append(s.candidates, candidate{k, gain})
				best = max(best, gain)
				enough = max(best*(1-TieTolerance), floor)
			}
		}
		b.exclude(top)
	}
	return s.lowestIndexOfBest(best)
}

// lowestIndexOfBest returns the candidate of lowest rank among those that tie with the best.
func (s *Increases) lowestIndexOfBest(best float64) Choice {
	out := Choice{Position: -1, Looked: len(s.Gamma)}
	for _, f := range s.candidates {
		if f.increase >= best*(1-TieTolerance) && (out.Position < 0 || s.Blocks.tieRank[f.k] < s.Blocks.tieRank[out.Position]) {
			out.Position, out.Score = f.k, math.Copysign(f.increase, s.Likelihood.Value(f.k))
		}
	}
	return out
}
