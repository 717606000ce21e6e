package sets

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/redundancy"
	"tenfold/engines/numeric/ties"
	"tenfold/engines/param"
)

// FCBF is the fast correlation-based filter.
type FCBF struct {
	Threshold         float64 `yaml:"threshold" doc:"symmetric uncertainty with the class that a column must exceed, at least 0 and below 1"`
	redundancy.Levels `yaml:",inline"`
	subset.Ridge      `yaml:",inline"`
}

// FCBFKind is the engine fcbf.
var FCBFKind = engines.Define(engines.Kind{
	Name: "fcbf",
	Doc:  "logistic regression on the columns that no better one resembles more than the class does, by symmetric uncertainty",
	Cite: "Yu & Liu 2004",
	Rev:  1,
}, FCBF{Levels: redundancy.DefaultLevels()})

// Validate checks the parameters.
func (e FCBF) Validate() error {
	return errors.Join(
		param.Require("threshold", e.Threshold >= 0 && e.Threshold < 1, "%v, expected a number of at least 0, below 1", e.Threshold),
		e.ValidateLevels(), e.Ridge.Validate(),
	)
}

// Needs returns what the engine asks of data: one class target.
func (FCBF) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Keeps: true}
}

// Footprint returns the memory of a fit.
func (FCBF) Footprint(s engines.Shape) engines.Footprint { return redundancy.TablesFootprint(s) }

// Fit selects and fits. O(entries) for each column that is selected.
func (e FCBF) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return finder(e.find).fit(ctx, run, e.Ridge)
}

// Choose selects.
func (e FCBF) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return finder(e.find).choose(ctx, run)
}

func (e FCBF) find(ctx context.Context, run engines.Run) (*selection, error) {
	m, cut, err := redundancy.NewUncertainty(ctx, run, e.Levels)
	if err != nil {
		return nil, err
	}
	found, _, err := e.selectFrom(ctx, m, run.Train.Kept())
	if err == nil {
		found.addCut(cut)
	}
	return found, err
}

// selectFrom goes down the columns by their uncertainty with the class: each that is left drops all later ones whose uncertainty with it is
// at least that with the class (Yu & Liu 2004, figure 2). dropped has pairs of a column, and the one that drops it.
func (e FCBF) selectFrom(ctx context.Context, m redundancy.Measure, kept []int32) (found *selection, dropped [][2]int32, err error) {
	relevance := m.Relevance()
	left := slices.DeleteFunc(ties.Above(relevance, max(nothing, e.Threshold)), func(j int32) bool { return slices.Contains(kept, j) })
	found = newSelection(relevance, len(left), kept)
	if len(left) == 0 {
		found.notes = []string{fmt.Sprintf("no column has a symmetric uncertainty with the class above %v (threshold)", max(nothing, e.Threshold))}
	}
	open := make([]bool, len(relevance))
	for _, j := range left {
		open[j] = true
	}
	for len(left) > 0 {
		a := left[0]
		left, open[a] = left[1:], false
		found.order = append(found.order, a)
		pairs, err := m.With(ctx, int(a), open)
		if err != nil {
			return nil, nil, err
		}
		found.evaluated += int64(len(left))
		left = slices.DeleteFunc(left, func(b int32) bool {
			drop := pairs[b] >= ties.Threshold(relevance[b])
			if drop {
				open[b] = false
				dropped = append(dropped, [2]int32{b, a})
			}
			return drop
		})
	}
	return found, dropped, nil
}
