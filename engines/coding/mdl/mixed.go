package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/numeric/dense"
)

// mixedSearch adds features until patience runs out, then removes them one by one, and keeps the set of the shortest description
// on the way. Its lengths do not depend on the order of entry: the noise is the model's own, and the set is priced as a whole.
// Ties go to the smaller set, then to the earlier one.
func mixedSearch(ctx context.Context, s *selection) error {
	s.coder = &codes.Marginal{Coder: s.coder}
	seen := bestSeen{best: s.empty}
	worse := 0
	for s.stop = s.stopReason(); s.stop == ""; s.stop = s.stopReason() {
		c, t, err := s.bestCandidate(ctx)
		if err != nil {
			return err
		}
		if c.column < 0 {
			s.stop = "exhausted"
			break
		}
		if err := s.addFeature(ctx, c, t); err != nil {
			return err
		}
		worse++
		if seen.update(dense.Sum(s.like.Bits())+s.setBits(s.picks), s.picks) {
			worse = 0
		}
		if worse == s.engine.Patience {
			s.stop = "patience"
			break
		}
	}
	s.grown = len(s.picks)
	if err := s.removeBackward(ctx, &seen); err != nil {
		return err
	}
	s.visited = seen.visited + 1
	return s.restartWith(ctx, seen.picks)
}

// bestSeen is the best of the sets that a search passes.
type bestSeen struct {
	visited int // beside the empty set
	best    float64
	picks   []selectedFeature
}

// update compares a set with the best so far, and reports whether it is the new best.
func (v *bestSeen) update(length float64, picks []selectedFeature) (shorter bool) {
	v.visited++
	shorter = length < v.best-likelihood.TieBits
	if shorter || length <= v.best+likelihood.TieBits && len(picks) < len(v.picks) {
		v.best, v.picks = length, slices.Clone(picks)
	}
	return shorter
}

// setBits returns the price of a set described at once.
func (s *selection) setBits(set []selectedFeature) float64 {
	total := 0.0
	for _, p := range s.setPrices(set) {
		total += p.Paid()
	}
	return total
}

// setPrices returns the shares of its features.
func (s *selection) setPrices(set []selectedFeature) []engines.Price {
	entries, price := make([]codes.Entry, len(set)), make([]engines.Price, len(set))
	for i, p := range set {
		entries[i] = p.entry()
	}
	s.coder.PriceSet(price, entries)
	return price
}

// removeBackward removes the feature without which the description is shortest, until none is left.
func (s *selection) removeBackward(ctx context.Context, seen *bestSeen) error {
	rest, model := slices.Clone(s.picks), s.like.NewRemover()
	for len(rest) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		out, shortest := -1, math.Inf(1)
		for _, i := range byColumn(rest) {
			others := slices.Delete(slices.Clone(rest), i, i+1)
			length := model.BitsWithout(ctx, rest[i].column) + s.setBits(others)
			if length < shortest-likelihood.TieBits {
				out, shortest = i, length
			}
		}
		model.Remove(ctx, rest[out].column)
		rest = slices.Delete(rest, out, out+1)
		seen.update(shortest, rest)
	}
	return nil
}

// byColumn lists the indices of a set in the order of their columns.
func byColumn(set []selectedFeature) []int {
	places := make([]int, len(set))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return int(set[a].column - set[b].column) })
	return places
}

// restartWith rebuilds the model from the given features, in their order of entry, each at its share of the set's price.
func (s *selection) restartWith(ctx context.Context, set []selectedFeature) error {
	again, err := s.problem.newSelection(ctx)
	if err != nil {
		return err
	}
	again.trace = func(*selection, engines.Coef) {}
	price := s.setPrices(set)
	for i, p := range set {
		t := again.like.Evaluate(ctx, p.column, p.tasks)
		if err := again.addFeature(ctx, candidate{column: p.column, tasks: p.tasks, saved: t.TotalSaved(), price: price[i]}, t); err != nil {
			return err
		}
	}
	s.like, s.picks = again.like, again.picks
	return nil
}
