package stagewise

import (
	"context"
	"math"
)

// increaseSearch chooses the step that raises the log-likelihood most (select: explicit): of the moves of every feature
// by +ε and −ε, the one with the largest ΔL.
//
// L is concave, so no step gains more than its size times the partial derivative: ΔL ≤ ε·|c|, and a step against its sign gains
// nothing. Blocks are therefore visited by falling bound on |c|, and only until ε times it cannot reach the best gain.
type increaseSearch struct {
	l         likelihood
	epsilon   float64
	gamma     []float64
	blocks    *blocks
	tolerance func() float64 // gains up to this one count as none

	candidates []candidate
	evaluated  int64
}

type candidate struct {
	k        int
	increase float64
}

// signedIncrease is ΔL of the step of feature k along its partial derivative, with its sign; 0 where nothing is gained.
func (t *increaseSearch) signedIncrease(k int) float64 {
	t.evaluated++
	c := t.l.value(k)
	gain := t.l.increase(k, math.Copysign(t.epsilon*t.gamma[k], c))
	if !(gain > 0) {
		return 0
	}
	return math.Copysign(gain, c)
}

func (t *increaseSearch) distinctSeen() int { return len(t.gamma) }

// roundingSlack widens ε·|c| by what rounding may have taken off c.
const roundingSlack = 1 + 1e-9

func (t *increaseSearch) choose(ctx context.Context, _ int) choice {
	b, best, floor := t.blocks, 0.0, t.tolerance()
	t.candidates = t.candidates[:0]
	b.computeUpperBounds()
	for {
		enough := max(best*(1-tie), floor)
		top := b.highestBlock(-1)
		if top < 0 || roundingSlack*t.epsilon*b.upper[top] < enough || ctx.Err() != nil {
			break
		}
		if b.scannedIn[top] != b.query {
			b.scan(top)
			continue
		}
		from, to := b.positions(top)
		for k := from; k < to; k++ {
			if roundingSlack*t.epsilon*math.Abs(t.l.value(k)) < enough {
				continue
			}
			if gain := math.Abs(t.signedIncrease(k)); gain >= best*(1-tie) {
				t.candidates = append(t.candidates, candidate{k, gain})
				best = max(best, gain)
				enough = max(best*(1-tie), floor)
			}
		}
		b.exclude(top)
	}
	return t.lowestIndexOfBest(best)
}

// lowestIndexOfBest is the feature of lowest index among those that tie with the best.
func (t *increaseSearch) lowestIndexOfBest(best float64) choice {
	out := choice{k: -1, looked: len(t.gamma)}
	for _, f := range t.candidates {
		if f.increase >= best*(1-tie) && (out.k < 0 || t.blocks.index[f.k] < t.blocks.index[out.k]) {
			out.k, out.c = f.k, math.Copysign(f.increase, t.l.value(f.k))
		}
	}
	return out
}
