// Package sets selects sets of columns that go with the target and little with each other, and chooses their size: cfs (cfs.go) searches,
// fcbf (fcbf.go) goes once down the ranking. selection.go has what is reported of a set, and the model on it.
package sets

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
)

// nothing is what a relevance must be above: less is rounding.
const nothing = 1e-12

// selection is the columns of a set, best first.
type selection struct {
	relevance []float64 // by column
	kept      []int32   // columns that every model has, rising
	order     []int32
	evaluated int64
	facts     []data.Fact
	notes     []string
}

// newSelection returns the selection of no column, of so many that say anything of the target.
func newSelection(relevance []float64, candidates int, kept []int32) *selection {
	return &selection{
		relevance: relevance, kept: kept, evaluated: int64(len(relevance)),
		facts: []data.Fact{{Name: "columns that tell nothing by themselves", Value: fmt.Sprint(len(relevance) - len(kept) - candidates)}},
	}
}

// addCut adds the fact that auto cut so many columns.
func (s *selection) addCut(cut int) {
	if cut > 0 {
		s.facts = append(s.facts, data.Fact{Name: "columns cut into levels of equal frequency", Value: fmt.Sprint(cut)})
	}
}

// finder selects.
type finder func(ctx context.Context, run engines.Run) (*selection, error)

// choose returns the columns of Kept and of the set, rising, each with its rank and relevance.
func (f finder) choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	s, err := f(ctx, run)
	if ctx.Err() != nil {
		return nil, engines.Fitted{}, context.Cause(ctx)
	}
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	fitted := engines.Fitted{Stop: "selected", Evaluated: s.evaluated, Best: -1, Notes: s.notes}
	if len(s.order) == 0 {
		fitted.Stop = "none_selected"
	}
	fitted.Facts = append([]data.Fact{{Name: "columns kept", Value: fmt.Sprintf("%d of %d", len(s.order), len(s.relevance)-len(s.kept))}}, s.facts...)
	return engines.Ranked(slices.Concat(s.kept, s.order), func(_ int, j int32) float64 { return s.relevance[j] }), fitted, nil
}

// fit fits the plain model to what is chosen.
func (f finder) fit(ctx context.Context, run engines.Run, ridge subset.Ridge) (engines.Model, error) {
	chosen, fitted, err := f.choose(ctx, run)
	if err != nil {
		return nil, err
	}
	return subset.Plain(ctx, run, chosen, ridge.Ridge, fitted)
}
