// Package relief selects the columns in which rows of other classes, near by all columns together, differ more than rows of the same
// class (Kononenko 1994; Robnik-Šikonja & Kononenko 2003, Theoretical and empirical analysis of ReliefF and RReliefF, Machine
// Learning 53; Urbanowicz et al. 2018, Benchmarking relief-based feature selection methods, Journal of Biomedical Informatics 85).
//
// relief.go has the engine, scores.go what each kind makes of neighbours, neighbours.go which rows these are, table.go the distances of
// rows, and gaps.go differences where values are missing.
package relief

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// Relief is the parameters of the engine relieff.
type Relief struct {
	Variant      string  `yaml:"kind" doc:"relieff (the nearest rows of each class, or for a number the nearest rows: RReliefF), or multisurf (all rows nearer than the mean distance less half its standard deviation)"`
	Neighbours   int     `yaml:"neighbours" doc:"of kind relieff: nearest rows of each class, or for a number of all rows, at least 1"`
	Sigma        float64 `yaml:"sigma" doc:"of kind relieff: the neighbour of rank r counts exp(−(r/sigma)²), > 0; 0: all neighbours count the same"`
	Centres      int     `yaml:"centres" doc:"rows whose neighbours are compared, drawn where there are more; 0: all rows"`
	Features     int     `yaml:"features" simpler:"smaller,0 last" doc:"columns at most, of those that score above 0; 0: no limit; −1: a hundred, at most half of the columns, and of numbers at most the root of the training rows"`
	subset.Ridge `yaml:",inline"`
}

// Words of parameter kind.
const (
	kindReliefF   = "relieff"
	kindMultiSURF = "multisurf"
)

const (
	defaultNeighbours = 10
	defaultCentres    = 2000
)

// Kind is the engine relieff.
var Kind = engines.Define(engines.Kind{
	Name: "relieff",
	Doc:  "logistic regression, or least squares, on the columns in which near rows of other classes differ more than near rows of the same class: interactions count",
	Cite: "Kononenko 1994; Robnik-Šikonja & Kononenko 2003; Urbanowicz et al. 2018",
	Rev:  1,
}, Relief{Variant: kindReliefF, Neighbours: defaultNeighbours, Centres: defaultCentres, Features: subset.ByDefault})

// Validate checks the parameters.
func (e Relief) Validate() error {
	surf := e.Variant == kindMultiSURF
	return errors.Join(
		param.OneOf("kind", e.Variant, kindReliefF, kindMultiSURF),
		param.Require("neighbours", e.Neighbours >= 1, "%d, expected at least 1", e.Neighbours),
		param.Idle("neighbours", e.Neighbours, defaultNeighbours, !surf, "with kind: multisurf distances decide how many rows are near"),
		param.Require("sigma", e.Sigma >= 0 && elementary.IsFinite(e.Sigma), "%v, expected a number above 0, or 0 for none", e.Sigma),
		param.Idle("sigma", e.Sigma, 0, !surf, "with kind: multisurf all near rows count the same"),
		param.Require("centres", e.Centres >= 0, "%d, expected 0 or more", e.Centres),
		subset.CheckSize(e.Features),
		e.Ridge.Validate(),
	)
}

// Needs returns what the engine asks of data: one target, a class or a number.
func (Relief) Needs() engines.Needs {
	return engines.Needs{Sizes: engines.Sizes{Limit: "features", Ranked: true}, Keeps: true, Together: true, Unweighted: true, ChoosesMissing: true}
}

// Footprint returns the memory of a fit: the scaled rows, by row and by column, and for each worker distances and scores of a block of
// centres.
func (Relief) Footprint(s engines.Shape) engines.Footprint {
	entries := 24 * s.Entries
	if cells := int64(s.Rows) * int64(s.Columns); isDense(s.Entries, cells) {
		entries = 8 * cells
	}
	return engines.Footprint{Bytes: entries + 64*int64(s.Columns) + (64+8*blockCentres)*int64(s.Rows)}
}

// Fit ranks, keeps and fits. O(centres · rows · columns), of sparse rows O(centres · stored pairs), and the plain model.
func (e Relief) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps.
func (e Relief) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e Relief) filter() ranking.Filter {
	return ranking.Filter{Rank: e.rank, Count: ranking.CountUpTo(e.Features), Ridge: e.Ridge.Ridge}
}

// floor is what a score must be above: less is rounding.
const floor = 1e-12

// rank scores the columns of the training rows, or their units where these are selected together.
func (e Relief) rank(ctx context.Context, run engines.Run) (*ranking.Ranking, error) {
	target := run.Train.TargetInfo(0)
	if run.Train.Weights() != nil {
		return nil, fmt.Errorf("neighbours count every row once, but the rows have weights")
	}
	view, y := run.Train.Defined(0)
	if len(y) == 0 {
		return nil, fmt.Errorf("target %s has no training row", target.Name)
	}
	if least, most := slices.Min(y), slices.Max(y); least == most {
		if target.Type == data.Class {
			return nil, fmt.Errorf("target %s is %q in all %d training rows: no row of another class is near", target.Name, target.Levels[int(least)], len(y))
		}
		return nil, fmt.Errorf("target %s is constant (%v in all %d training rows): nothing can be learned about it", target.Name, least, len(y))
	}
	resp := newResponse(target.Type == data.Class, y)
	t, err := readTable(ctx, view, resp)
	if err != nil {
		return nil, err
	}
	centres := e.drawCentres(run, len(y))
	s := scorer{table: t, response: resp, params: e, workers: run.Workers}
	score, err := s.scoreItems(ctx, centres)
	if err != nil {
		return nil, err
	}
	r := &ranking.Ranking{Score: score, Members: t.members}
	if len(centres) < len(y) {
		r.Facts = []data.Fact{{Name: "centres", Value: fmt.Sprintf("%d of %d rows, drawn", len(centres), len(y))}}
	}
	if e.Variant == kindReliefF && e.Neighbours >= len(y) {
		r.Notes = append(r.Notes, fmt.Sprintf("neighbours: %d, but there are %d training rows: all others are neighbours", e.Neighbours, len(y)))
	}
	if e.Variant == kindMultiSURF && !slices.ContainsFunc(score, func(v float64) bool { return v != 0 }) {
		r.Notes = append(r.Notes, "no row is near another one (kind: multisurf), so that all scores are 0: take kind: relieff")
	}
	r.SetOrder(run.Train, floor)
	return r, nil
}

// drawCentres returns the rows that are centres, rising: all, or a sample without replacement.
func (e Relief) drawCentres(run engines.Run, rows int) []int32 {
	all := data.Numbers(rows)
	if e.Centres == 0 || rows <= e.Centres {
		return all
	}
	run.Rand.Shuffle(rows, func(i, k int) { all[i], all[k] = all[k], all[i] })
	drawn := all[:e.Centres]
	slices.Sort(drawn)
	return drawn
}
