package subset

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// Oracle knows which features each response depends on, and estimates their weights: by least squares, or for classes by
// logistic regression. No selection can do better, but by luck.
type Oracle struct {
	Ridge float64 `yaml:"ridge" doc:"weight of half the sum of squared slopes in the logistic regression of classes, > 0: keeps weights finite where classes are separable"`
}

// OracleKind is the baseline from above, for generated data.
var OracleKind = engines.Define(engines.Kind{
	Name: "oracle",
	Doc:  "least squares, logistic regression or Cox regression on the true features, where the data knows them",
	Cite: "Dhillon, Foster & Ungar 2011, Table 2: true model",
	Rev:  5,
}, Oracle{Ridge: 1e-3})

// Validate checks the parameter.
func (e Oracle) Validate() error {
	return param.Require("ridge", e.Ridge > 0 && elementary.IsFinite(e.Ridge), "%v, expected a number above 0", e.Ridge)
}

// Needs returns what the engine asks of data: any targets with a known truth.
func (Oracle) Needs() engines.Needs { return engines.Needs{Survival: true, Tasks: true, Truth: true} }

// Fit fits one regression a target, on its true columns. Those that the preparation of the fold left out are lost.
func (e Oracle) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	truth := run.Train.Truth()
	if truth == nil {
		return nil, fmt.Errorf("the true features are not known")
	}
	m := newJoint()
	lost := 0
	for t := range run.Train.Targets() {
		var columns []int32
		for _, c := range truth {
			switch {
			case int(c.Target) != t:
			case c.Feature < 0:
				lost++
			default:
				columns = append(columns, c.Feature)
			}
		}
		slices.Sort(columns)
		if err := m.add(ctx, run, t, slices.Compact(columns), e.Ridge); err != nil {
			return nil, err
		}
	}
	if lost > 0 {
		m.fitted.Notes = append(m.fitted.Notes, fmt.Sprintf("%d true coefficients are of columns that the fold does not have", lost))
	}
	return m, nil
}
