package cells

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/results/stability"
)

// stabilityOfTasks returns the mean over the tasks of an average that have a value.
func stabilityOfTasks(src Source, c *Cell, metric string) (stability.Estimate, error) {
	var found []stability.Estimate
	why := fmt.Errorf("%w: what is selected along a path is not kept", stability.ErrUndefined)
	for _, t := range c.Tasks {
		s, err := StabilityOf(src, t, metric)
		switch {
		case err == nil:
			found = append(found, s)
		case !errors.Is(err, stability.ErrUndefined):
			return stability.Estimate{}, err
		default:
			why = err
		}
	}
	if len(found) == 0 {
		return stability.Estimate{}, why
	}
	s := results.StabilityOfTasks(found)
	return stability.Estimate{Folds: s.N, Columns: found[0].Columns, Mean: s.Mean, SE: s.SE, Low: s.Low, High: s.High}, nil
}

// StabilityOf measures, by one of results.CellMetrics, the selections of the cell's folds that ended well, as sets of features:
// with several outputs, what is selected for any of them. The candidates are the columns of the fold that has most. The error is
// stability.ErrUndefined if there is nothing to measure (too few folds, nothing or everything selected on each), ErrNotKept, or a
// failure to read. For an average it is the mean over tasks. At a size along a path the selections are the first columns that
// entered, up to the size; folds that end before have all of theirs.
func StabilityOf(src Source, c *Cell, metric string) (stability.Estimate, error) {
	switch {
	case c.Averaged:
		return stabilityOfTasks(src, c, metric)
	case c.final != nil:
		return c.stabilityAtSize(src, metric)
	}
	var sets results.Sets
	dense := c.Dense()
	for _, r := range c.Finished() {
		var selected []results.Selected
		if !dense { // dense ones need not be read
			var err error
			if selected, err = Selection(src, r); err != nil {
				return stability.Estimate{}, err
			}
		}
		sets.Add(&r.Outcome, selected)
	}
	return c.measure(src, &sets, metric)
}

// stabilityAtSize measures the columns of rank below the size on each fold. It is undefined if those are not the columns of the
// model of that size, since columns have left later, or if there are no ranks.
func (c *Cell) stabilityAtSize(src Source, metric string) (stability.Estimate, error) {
	var sets results.Sets
	for i, r := range c.final.Rows {
		if r.Status != results.OK {
			continue
		}
		selected, err := Selection(src, r)
		if err != nil {
			return stability.Estimate{}, err
		}
		outcome := results.Outcome{Columns: r.Columns, Features: r.Features, Scores: r.Scores}
		if had, reached := c.Rows[i].Metric("selected"); reached {
			selected = slices.DeleteFunc(slices.Clone(selected), func(s results.Selected) bool { return s.Rank < 0 || s.Rank >= c.size })
			if outcome.Features = countDistinct(selected); float64(outcome.Features) != had {
				return stability.Estimate{}, fmt.Errorf("%w: the order of entry does not tell the columns at this size", stability.ErrUndefined)
			}
		}
		sets.Add(&outcome, selected)
	}
	return c.final.measure(src, &sets, metric)
}

func countDistinct(selected []results.Selected) int32 {
	names := map[string]bool{}
	for _, s := range selected {
		names[s.Feature] = true
	}
	return int32(len(names))
}

// ErrNotKept is the error of a fit that selected features that the result files do not have.
var ErrNotKept = errors.New("the selected features were not kept")

// WhyNot returns the reason in an error of StabilityOf or Selection, in a few words.
func WhyNot(err error) string {
	if errors.Is(err, ErrNotKept) {
		return ErrNotKept.Error()
	}
	return strings.TrimPrefix(err.Error(), stability.ErrUndefined.Error()+": ")
}

// Selection returns what a row selected, without probes and kept columns; an error if it selected something that was not kept.
func Selection(src Source, r *results.Row) ([]results.Selected, error) {
	if r.Imported() && r.SelectedSum == "" {
		return nil, fmt.Errorf("%w: none were imported for %s", ErrNotKept, r.Algorithm)
	}
	selected, err := src.Selected(r)
	if err == nil && len(selected) == 0 && r.Features > 0 {
		err = notKept(r)
	}
	return r.Chosen(selected), err
}

// EachSelected calls do for what Selection returns, in order, without holding all of it where the source can do without.
func EachSelected(src Source, r *results.Row, do func(results.Selected)) error {
	s, ok := src.(streamer)
	if !ok || r.Imported() {
		selected, err := Selection(src, r)
		for _, one := range selected {
			do(one)
		}
		return err
	}
	some, other := false, r.Other()
	err := s.EachSelected(r, func(one results.Selected) {
		some = true
		if !other(one) {
			do(one)
		}
	})
	if err == nil && !some && r.Features > 0 {
		err = notKept(r)
	}
	return err
}

// notKept returns the error of a fit that selected features of which none were kept.
func notKept(r *results.Row) error {
	return fmt.Errorf("%w: of %s, repeat %d, fold %d", ErrNotKept, r.Algorithm, r.Repeat, r.Fold)
}

// Dense reports whether every fold that ended well, and there are some, selected all of its columns.
func (c *Cell) Dense() bool {
	rows := c.Fits()
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(r *results.Row) bool { return !r.SelectedAll() })
}
