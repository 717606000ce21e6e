package bayes

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// bestProposal returns the proposal of largest β = base + score, the lowest where they tie; nil when none is left. looked is how many
// were looked at again.
//
// A score is that of the last look. Since then only the pairs added have changed it, in the rows they share, and the slack of
// its column bounds by how much it rose. So only proposals whose bounds reach the best score are looked at again, and the
// answer is that of looking at all.
func (r *proposals) bestProposal(ctx context.Context, base float64) (best *proposal, looked int64, err error) {
	high := math.Inf(-1)
	near := func() float64 { return high - float64(tie*math.Abs(base+high)) }
	var order []int32 // columns that may hold the best
	look := func(j int32) {
		looked += r.rescore(ctx, &r.columns[j], near())
		high = max(high, r.largestKnown(&r.columns[j]))
	}
	if first := r.highestBound(); first >= 0 {
		look(first)
	}
	for j := range r.columns {
		if c := &r.columns[j]; c.top+c.slack >= near() {
			order = append(order, int32(j))
		}
	}
	bound := func(j int32) float64 { return r.columns[j].top + r.columns[j].slack }
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(bound(b), bound(a)) })
	for n, j := range order {
		if bound(j) < near() {
			order = order[:n]
			break
		}
		look(j)
	}
	if ctx.Err() != nil {
		return nil, looked, context.Cause(ctx)
	}
	slices.Sort(order)
	return r.lowestTied(order, near()), looked, nil
}

// lowestTied returns the lowest of the proposals of some columns whose score is known for sure, and finite, and no less than given.
func (r *proposals) lowestTied(columns []int32, minScore float64) *proposal {
	for _, j := range columns {
		c := &r.columns[j]
		for k := c.first; k < c.last; k++ {
			if t := &r.list[k]; !t.taken && t.known == c.slack && t.score >= minScore && t.score > math.Inf(-1) {
				return t
			}
		}
	}
	return nil
}

// highestBound returns the column of the largest bound, -1 where no score is finite.
func (r *proposals) highestBound() int32 {
	best, high := int32(-1), math.Inf(-1)
	for j := range r.columns {
		if b := r.columns[j].top + r.columns[j].slack; b > high {
			best, high = int32(j), b
		}
	}
	return best
}

// rescore computes the scores of those of a column's proposals that may reach least.
func (r *proposals) rescore(ctx context.Context, c *columnProposals, minScore float64) (looked int64) {
	buf := &r.buffers[0]
	for k := c.first; k < c.last; k++ {
		t := &r.list[k]
		if t.taken || t.known == c.slack || t.score+(c.slack-t.known) < minScore {
			continue
		}
		if ctx.Err() != nil {
			return looked
		}
		if looked == 0 {
			buf.setTerms(r, c.column)
		}
		t.laplaceTerms, t.known = r.ev.laplaceAt(buf.lineOf(r.groups, t.Candidate), t.mu), c.slack
		looked++
	}
	r.rankColumn(c)
	return looked
}

// rankColumn finds the top of a column.
func (r *proposals) rankColumn(c *columnProposals) {
	c.top = math.Inf(-1)
	for k := c.first; k < c.last; k++ {
		if t := &r.list[k]; !t.taken {
			c.top = max(c.top, t.score-t.known)
		}
	}
}

// largestKnown returns the largest score of a column that is known for sure.
func (r *proposals) largestKnown(c *columnProposals) float64 {
	high := math.Inf(-1)
	for k := c.first; k < c.last; k++ {
		if t := &r.list[k]; !t.taken && t.known == c.slack {
			high = max(high, t.score)
		}
	}
	return high
}

// addToModel adds the chosen proposal to the model, and what it may have given to others to their columns' slack. For a pair (g, c)
// that is Σ m·rise over the rows shared, and half of how far log-odds moved, since q(1 − q) changes by no larger factor.
// O(rows of the column · what fires in them).
func (r *proposals) addToModel(ctx context.Context, chosen *proposal) error {
	chosen.taken = true
	r.rankColumn(&r.columns[r.place[chosen.Column]])
	col := r.p.Col(chosen.Column)
	parts, part := r.groups.addWeight(ctx, col, chosen.Class, chosen.mu)
	far := oddsShift{}
	for _, t := range parts {
		far.class, far.others = max(far.class, math.Abs(t.shift.class)), max(far.others, math.Abs(t.shift.others))
	}
	same, others := make([]float64, len(r.columns)), make([]float64, len(r.columns))
	var touched []int32
	for q, i := range col.Idx {
		if q%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s, m := parts[part[q]].shift, r.p.Mult(int(i))
		forSame, forOthers := float64(m*s.riseBound(s.class)), float64(m*s.riseBound(s.others))
		if forSame == 0 && forOthers == 0 {
			continue
		}
		for _, j := range r.p.X.Row(int(i)).Idx {
			c := r.place[j]
			if c < 0 {
				continue
			}
			if others[c] == 0 && same[c] == 0 {
				touched = append(touched, c)
			}
			same[c] += forSame
			others[c] += forOthers
		}
	}
	for _, n := range touched {
		c := &r.columns[n]
		rise := others[n] + float64(0.5*far.others)
		c.slack += rise
		r.raiseBound(c, chosen.Class, same[n]+float64(0.5*far.class)-rise)
	}
	return nil
}

// raiseBound raises the bound of a column's pair with a class above that of its others.
func (r *proposals) raiseBound(c *columnProposals, class int32, by float64) {
	list := r.list[c.first:c.last]
	k, ok := slices.BinarySearchFunc(list, class, func(t proposal, class int32) int { return int(t.Class - class) })
	if ok && !list[k].taken && by > 0 {
		list[k].known -= by
		c.top = max(c.top, list[k].score-list[k].known)
	}
}
