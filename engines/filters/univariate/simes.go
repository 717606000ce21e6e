package univariate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// Simes selects the columns that go with one class, each by its own test, and fits a logistic regression on them.
type Simes struct {
	Test  string  `yaml:"test" doc:"p-values of columns: correlation (Student's t of a positive correlation with the positive class), or hypergeometric (columns of 0 and 1: of a chance overlap as large)"`
	Alpha float64 `yaml:"alpha" doc:"level of Simes' step-up procedure: the share of wrong columns among those selected, in (0, 1)"`
	Ridge `yaml:",inline"`
}

// Words of the parameters.
const (
	byCorrelation    = "correlation"
	byHypergeometric = "hypergeometric"
)

// SimesKind is the engine simes.
var SimesKind = engines.Define(engines.Kind{
	Name: "simes",
	Doc:  "logistic regression on the columns that go with the positive class, selected one by one at a rate of false discoveries",
	Cite: "Simes 1986; Benjamini & Hochberg 1995",
	Rev:  6,
}, Simes{Test: byCorrelation, Alpha: 0.05})

// Validate checks the parameters.
func (e Simes) Validate() error {
	return errors.Join(
		param.OneOf("test", e.Test, byCorrelation, byHypergeometric),
		param.Require("alpha", e.Alpha > 0 && e.Alpha < 1, "%v, expected a number between 0 and 1", e.Alpha),
		e.Ridge.Validate(),
	)
}

// Needs returns what the engine asks of data: a class of two levels; columns of 0 and 1 for the hypergeometric test.
func (e Simes) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Levels: 2, Binary: e.Test == byHypergeometric, Keeps: true, Unweighted: e.Test == byHypergeometric}
}

// Footprint returns the memory of a fit.
func (Simes) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: memoryOf(s)}
}

// Fit tests, selects and estimates. Coefficients are scored by their p-values, and ranked by them.
func (e Simes) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	chosen, fitted, err := e.Choose(ctx, run)
	if err != nil {
		return nil, err
	}
	if len(chosen) == 0 {
		positive := run.Train.TargetInfo(0).Positive
		_, y := Task(run.Train, 0, positive)
		return constantModel(positive, y, run.Train, fitted), nil
	}
	return subset.Plain(ctx, run, chosen, e.Ridge.Ridge, fitted)
}

// Choose tests and selects.
func (e Simes) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	target := run.Train.TargetInfo(0)
	fitted := engines.Fitted{Stop: "selected", Best: -1, Probabilities: true}
	if e.Needs().Unweighted && run.Train.Weights() != nil {
		return nil, fitted, fmt.Errorf("test: %s counts every row once, but the rows have weights; expected %s", e.Test, byCorrelation)
	}
	if len(target.Levels) != 2 {
		return nil, fitted, fmt.Errorf("target %s has %d levels; engine simes takes classes of two", target.Name, len(target.Levels))
	}
	x, y := Task(run.Train, 0, target.Positive)
	rows, _ := run.Train.Defined(0)
	weight, n := rows.TestWeights()
	p, err := e.test(ctx, x, y, weight, n)
	switch {
	case ctx.Err() != nil:
		return nil, fitted, context.Cause(ctx)
	case err != nil:
		return nil, fitted, fmt.Errorf("target %s: %w", target.Name, err)
	}
	r := ranking.Ranking{P: p, Kept: run.Train.Kept()}
	tested, columns := r.TestedP()
	selected := data.ValuesAt(columns, stepUp(tested, e.Alpha))
	fitted.Evaluated = int64(len(tested))
	fitted.Facts = []data.Fact{{Name: "p-value of all columns together (Simes)", Value: fmt.Sprintf("%.4g", simesP(tested))}}
	if len(selected) == 0 {
		fitted.Stop = "none_selected"
	}
	slices.SortStableFunc(selected, func(a, b int32) int { return cmp.Compare(p[a], p[b]) })
	return engines.Ranked(slices.Concat(r.Kept, selected), func(_ int, j int32) float64 { return p[j] }), fitted, nil
}

// Select returns the columns that go with a response, rising, and the p-values of all columns.
func (e Simes) Select(ctx context.Context, x *sparse.Matrix, y []float64) (selected []int32, p []float64, err error) {
	if p, err = e.test(ctx, x, y, nil, float64(len(y))); err != nil {
		return nil, nil, err
	}
	return stepUp(p, e.Alpha), p, nil
}

func (e Simes) test(ctx context.Context, x *sparse.Matrix, y []float64, weight data.Weights, n float64) ([]float64, error) {
	r, err := newResponse(x, y, weight, n)
	switch {
	case err != nil:
		return nil, err
	case e.Test == byHypergeometric:
		return overlapP(ctx, x, r)
	}
	return positiveP(ctx, x, r)
}

// constantModel returns the model without columns: the classes' shares of the rows' weight.
func constantModel(level int, y []float64, rows *data.View, fitted engines.Fitted) engines.Model {
	rows, _ = rows.Defined(0)
	weight, n := rows.TestWeights()
	ones := 0.0
	for i, v := range y {
		ones += float64(weight.Of(i) * v)
	}
	share := make([]float64, 2)
	share[level] = ones / n
	share[1-level] = 1 - share[level]
	return engines.NewShares(share, fitted)
}
