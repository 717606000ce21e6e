package mdl

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
)

// mixed grows a model beyond its best, then takes features out down to none, and returns the shortest description that it
// has seen. That needs lengths which do not depend on the order of entry: the noise is the model's own, and the
// set is priced as a whole. Ties go to the smaller set, then to the earlier one.
func mixed(ctx context.Context, s *selection) error {
	s.coder = &wholeSet{coder: s.coder}
	seen := tour{best: s.empty}
	worse := 0
	for s.stop = s.full(); s.stop == ""; s.stop = s.full() {
		c, t, err := s.best(ctx)
		if err != nil {
			return err
		}
		if c.column < 0 {
			s.stop = "exhausted"
			break
		}
		if err := s.take(ctx, c, t); err != nil {
			return err
		}
		worse++
		if seen.visit(sum(s.like.bits())+s.paid(s.picks), s.picks) {
			worse = 0
		}
		if worse == s.engine.Patience {
			s.stop = "patience"
			break
		}
	}
	s.grown = len(s.picks)
	if err := s.shrink(ctx, &seen); err != nil {
		return err
	}
	s.visited = seen.visited + 1
	return s.replay(ctx, seen.picks)
}

// tour is the best of the sets that a search passes.
type tour struct {
	visited int // beside the empty set
	best    float64
	picks   []pick
}

// visit a set; it tells whether that is a new minimum.
func (v *tour) visit(length float64, picks []pick) (shorter bool) {
	v.visited++
	shorter = length < v.best-tie
	if shorter || length <= v.best+tie && len(picks) < len(v.picks) {
		v.best, v.picks = length, slices.Clone(picks)
	}
	return shorter
}

// paid is the bits of a set, priced as a whole.
func (s *selection) paid(set []pick) float64 {
	total := 0.0
	for _, p := range s.wholePrice(set) {
		total += p.Paid()
	}
	return total
}

func (s *selection) wholePrice(set []pick) []engines.Price {
	entries, price := make([]entry, len(set)), make([]engines.Price, len(set))
	for i, p := range set {
		entries[i] = p.entry()
	}
	s.coder.whole(price, entries)
	return price
}

// shrink takes the feature out without which the description is shortest, until none is left.
func (s *selection) shrink(ctx context.Context, seen *tour) error {
	rest, model := slices.Clone(s.picks), s.like.shrinker()
	for len(rest) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		out, shortest := -1, math.Inf(1)
		for _, i := range byColumn(rest) {
			others := slices.Delete(slices.Clone(rest), i, i+1)
			length := model.bitsWithout(ctx, rest[i].column) + s.paid(others)
			if length < shortest-tie {
				out, shortest = i, length
			}
		}
		model.remove(ctx, rest[out].column)
		rest = slices.Delete(rest, out, out+1)
		seen.visit(shortest, rest)
	}
	return nil
}

// byColumn is the places of a set in the order of their columns.
func byColumn(set []pick) []int {
	places := make([]int, len(set))
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int { return int(set[a].column - set[b].column) })
	return places
}

// replay starts again with only the given features, in their order of entry, each at its share of the whole price.
func (s *selection) replay(ctx context.Context, set []pick) error {
	again, err := s.problem.begin(ctx)
	if err != nil {
		return err
	}
	again.trace = func(*selection, engines.Coef) {}
	price := s.wholePrice(set)
	for i, p := range set {
		t := again.like.try(ctx, p.column, p.tasks)
		if err := again.take(ctx, candidate{column: p.column, tasks: p.tasks, saved: t.total(), price: price[i]}, t); err != nil {
			return err
		}
	}
	s.like, s.picks = again.like, again.picks
	return nil
}
