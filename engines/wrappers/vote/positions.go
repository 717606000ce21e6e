package vote

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/ties"
)

// scoresBy returns a score for each column by what a selector selects, larger for those that come first, NaN for those left out. That
// is the selector's own score where its scores fall from rank to rank, else the rank; of models that tell neither, the size of the
// coefficient times the deviation of the column, or nothing but that it is selected.
func scoresBy(ctx context.Context, s engines.Engine, run engines.Run) ([]float64, error) {
	columns := run.Train.Columns()
	scores := slices.Repeat([]float64{math.NaN()}, columns)
	entries, selected, err := selectBy(ctx, s, run)
	if err != nil {
		return nil, err
	}
	for _, j := range selected { // behind those of which more is told
		scores[j] = -math.MaxFloat64
	}
	entries = slices.DeleteFunc(slices.Clone(entries), func(c engines.Coef) bool { return c.Feature >= columns })
	if !slices.ContainsFunc(entries, func(c engines.Coef) bool { return c.Rank >= 0 }) {
		_, squares, n, err := scaled.Moments(run.Train.Matrix(), run.Train.Weights())
		if err != nil {
			return nil, err
		}
		for _, c := range entries {
			scores[c.Feature] = max(scores[c.Feature], math.Abs(c.Value)*math.Sqrt(squares[c.Feature]/n))
		}
		return scores, nil
	}
	slices.SortStableFunc(entries, func(a, b engines.Coef) int { return cmp.Compare(a.Rank, b.Rank) })
	falling := slices.IsSortedFunc(entries, func(a, b engines.Coef) int { return cmp.Compare(b.Score, a.Score) }) &&
		len(entries) > 0 && entries[0].Score != entries[len(entries)-1].Score
	for k, c := range entries {
		score := float64(len(entries) - k)
		if falling {
			score = c.Score
		}
		if !(scores[c.Feature] > score) { // of several outputs, the first that it enters
			scores[c.Feature] = score
		}
	}
	return scores, nil
}

// selectBy returns what a selector tells of the columns that it selects, and these.
func selectBy(ctx context.Context, s engines.Engine, run engines.Run) (entries []engines.Coef, selected []int32, err error) {
	if c, ok := s.(engines.Chooser); ok {
		entries, _, err = c.Choose(ctx, run)
		return entries, nil, err
	}
	m, err := s.Fit(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	defer engines.Close(m)
	return engines.Entries(m), engines.ColumnsOf(m, run.Train.Columns()), nil
}

// positions says where a selector puts each column: 1 is first. Columns with equal scores share the mean of their places, and those
// left out the mean of the places left.
type positions struct {
	place    []float64
	ranked   int    // how many columns it selects
	selected []bool // whether a column is one of them
}

// place returns the positions of columns with these scores, NaN for those left out. O(columns · log columns).
func place(scores []float64) positions {
	p := positions{place: make([]float64, len(scores)), selected: make([]bool, len(scores))}
	var order []int32
	for j, s := range scores {
		if p.selected[j] = s == s; p.selected[j] {
			order = append(order, int32(j))
		}
	}
	p.ranked = len(order)
	for first, tied := range ties.Groups(order, scores) {
		for _, j := range tied {
			p.place[j] = float64(2*first+1+len(tied)) / 2
		}
	}
	for j, is := range p.selected {
		if !is {
			p.place[j] = float64(p.ranked+1+len(scores)) / 2
		}
	}
	return p
}
