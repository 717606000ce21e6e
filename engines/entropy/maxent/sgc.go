package maxent

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/param"
)

// SGC is selective gain computation: gains computed at earlier stages stand in for the present ones, and only those at
// the head of their list are computed again (Zhou et al. 2003, section 3). They are guesses, since gains rise as well as
// fall; with exact, they are kept as upper bounds, and the features are those of ifs.
type SGC struct {
	Selection `yaml:",inline"`
	Lookahead int  `yaml:"lookahead" doc:"compute this many more gains down the list at every stage, and take the best, ≥ 0"`
	Exact     bool `yaml:"exact" doc:"keep an upper bound of every gain instead of an old value: the same features as ifs (with refit_every, as far as estimations agree to refit_tol)"`
}

// SGCKind is the engine sgc.
var SGCKind = engines.Define(engines.Kind{
	Name: "sgc",
	Doc:  "maximum entropy, features added one at a time: only the most promising gains are computed",
	Cite: "Zhou et al. 2003, section 3",
	Rev:  3, // 3: fits know the squares of columns
}, SGC{Selection: defaults})

// Validate checks the parameters.
func (e SGC) Validate() error {
	return errors.Join(e.Selection.Validate(),
		param.Require("lookahead", e.Lookahead >= 0, "%d, expected 0 or more", e.Lookahead),
		param.Require("lookahead", e.Lookahead == 0 || !e.Exact, "with exact, no candidate further down can be better"))
}

// Fit adds pairs by gains that it computes only where their bounds ask for it. O(candidates + gains computed · rows that have their context).
func (e SGC) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.selectAndEstimate(ctx, run, func(s *selection) chooser {
		l := newGainHeap(ctx, s, e.gainLimits())
		if e.Exact {
			return newGainBounds(l, run.Workers)
		}
		return &selectiveGains{gainHeap: l, lookahead: e.Lookahead}
	})
}

// selectiveGains takes the head of the list of known gains once it is fresh.
type selectiveGains struct {
	*gainHeap
	lookahead int
}

func (c *selectiveGains) nextCandidate(ctx context.Context) (scoredCandidate, error) {
	first, err := c.freshestHead(ctx)
	if err != nil {
		return scoredCandidate{}, err
	}
	near := []scoredCandidate{first}
	for len(near) <= c.lookahead && len(c.heap) > 0 {
		k := c.removeAt(0)
		if !c.isFresh(k) {
			if ctx.Err() != nil {
				return scoredCandidate{}, context.Cause(ctx)
			}
			c.computeGain(k)
		}
		near = append(near, scoredCandidate{int(k), c.alpha[k], c.gain[k]})
	}
	best := near[max(0, largestGain(near))]
	for _, p := range near {
		if p.k != best.k {
			c.insertCandidate(int32(p.k))
		}
	}
	return best, nil
}

// addFeature makes every known gain stale.
func (c *selectiveGains) addFeature(_ context.Context, k int, alpha float64) {
	c.s.add(k, alpha)
	c.stage++
}

// invalidate makes every known gain stale; the values stay as estimates.
func (c *selectiveGains) invalidate(context.Context) error { c.stage++; return nil }
