package stagewise

import (
	"context"
	"math"
)

// trials chooses the step that raises the log-likelihood most (select: explicit): of the moves of every feature
// by +ε and −ε, the one with the largest ΔL.
//
// L is concave, so no move gains more than its size times the slope: ΔL ≤ ε·|c|, and a move against the slope gains
// nothing. Blocks are therefore visited by falling bound on |c|, and only until ε times it cannot reach the best gain.
type trials struct {
	l       likelihood
	epsilon float64
	gamma   []float64
	blocks  *blocks
	nothing func() float64 // gains up to this one count as none

	found []trial
	tried int64
}

type trial struct {
	k    int
	gain float64
}

// score is ΔL of the move of feature k along its slope, with the slope's sign; 0 where nothing is gained.
func (t *trials) score(k int) float64 {
	t.tried++
	c := t.l.at(k)
	gain := t.l.gain(k, math.Copysign(t.epsilon*t.gamma[k], c))
	if !(gain > 0) {
		return 0
	}
	return math.Copysign(gain, c)
}

func (t *trials) seen() int { return len(t.gamma) }

// slack widens ε·|c| by what rounding may have taken off a slope.
const slack = 1 + 1e-9

func (t *trials) choose(ctx context.Context, _ int) choice {
	b, best, floor := t.blocks, 0.0, t.nothing()
	t.found = t.found[:0]
	b.raise()
	for {
		enough := max(best*(1-tie), floor)
		top := b.highest(-1)
		if top < 0 || slack*t.epsilon*b.upper[top] < enough || ctx.Err() != nil {
			break
		}
		if b.exact[top] != b.query {
			b.rescan(top)
			continue
		}
		from, to := b.positions(top)
		for k := from; k < to; k++ {
			if slack*t.epsilon*math.Abs(t.l.at(k)) < enough {
				continue
			}
			if gain := math.Abs(t.score(k)); gain >= best*(1-tie) {
				t.found = append(t.found, trial{k, gain})
				best = max(best, gain)
				enough = max(best*(1-tie), floor)
			}
		}
		b.pass(top)
	}
	return t.lowest(best)
}

// lowest is the feature of lowest index among those that tie with the best.
func (t *trials) lowest(best float64) choice {
	out := choice{k: -1, looked: len(t.gamma)}
	for _, f := range t.found {
		if f.gain >= best*(1-tie) && (out.k < 0 || t.blocks.index[f.k] < t.blocks.index[out.k]) {
			out.k, out.c = f.k, math.Copysign(f.gain, t.l.at(f.k))
		}
	}
	return out
}
