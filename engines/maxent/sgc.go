package maxent

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/kind"
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
	Rev:  1,
}, SGC{Selection: defaults})

// Validate checks the parameters.
func (e SGC) Validate() error {
	return errors.Join(e.Selection.Validate(),
		kind.Require("lookahead", e.Lookahead >= 0, "%d, expected 0 or more", e.Lookahead),
		kind.Require("lookahead", e.Lookahead == 0 || !e.Exact, "with exact, no candidate further down can be better"))
}

// Fit is O(candidates + gains computed · rows that have their context).
func (e SGC) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.fit(ctx, run, func(s *selection) chooser {
		l := newList(ctx, s, e.limits())
		if e.Exact {
			return newProof(l, run.Workers)
		}
		return &selective{list: l, lookahead: e.Lookahead}
	})
}

// selective takes the head of the list of known gains once it is fresh.
type selective struct {
	*list
	lookahead int
}

func (c *selective) next(ctx context.Context) (pick, error) {
	first, err := c.head(ctx)
	if err != nil {
		return pick{}, err
	}
	near := []pick{first}
	for len(near) <= c.lookahead && len(c.heap) > 0 {
		k := c.remove(0)
		if !c.fresh(k) {
			if ctx.Err() != nil {
				return pick{}, context.Cause(ctx)
			}
			c.compute(k)
		}
		near = append(near, pick{int(k), c.alpha[k], c.gain[k]})
	}
	best := near[max(0, lowest(near))]
	for _, p := range near {
		if p.k != best.k {
			c.insert(int32(p.k))
		}
	}
	return best, nil
}

// add makes every gain an old one.
func (c *selective) add(_ context.Context, k int, alpha float64) {
	c.s.add(k, alpha)
	c.stage++
}

// refitted, too, but the old values stay.
func (c *selective) refitted(context.Context) error { c.stage++; return nil }
