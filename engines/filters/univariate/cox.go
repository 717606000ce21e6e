package univariate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/numeric/tails"
	"tenfold/engines/param"
)

// CoxFilter keeps the columns that times until an event depend on most, each alone in Cox's model.
type CoxFilter struct {
	Test  string `yaml:"test" doc:"score (that of Cox's model without the column: no fit), wald (the estimate squared over its variance), or likelihood (twice the logarithm of the likelihood ratio)"`
	Ties  string `yaml:"ties" doc:"events at one time in the tests: efron, or breslow"`
	Keep  `yaml:",inline"`
	Ridge float64 `yaml:"ridge" doc:"weight of half the sum of squared coefficients in Cox's regression on the columns kept, which are divided by their standard deviation for it; 0: a tenth of their number, at least 1"`
}

// Words of the parameters.
const (
	byScore      = "score"
	byWald       = "wald"
	byLikelihood = "likelihood"

	efron   = "efron"
	breslow = "breslow"
)

// CoxFilterKind is the engine cox-filter.
var CoxFilterKind = engines.Define(engines.Kind{
	Name: "cox-filter",
	Doc:  "Cox regression on the columns with the largest statistic of a test in a proportional hazards model of their own",
	Cite: "Cox 1972",
	Rev:  6,
}, CoxFilter{Test: byScore, Ties: efron, Keep: usual})

// Validate checks the parameters.
func (e CoxFilter) Validate() error {
	return errors.Join(
		param.OneOf("test", e.Test, byScore, byWald, byLikelihood),
		param.OneOf("ties", e.Ties, efron, breslow),
		e.Keep.validateKeep(), subset.Ridge{Ridge: e.Ridge}.Validate(),
	)
}

// Needs returns what the engine asks of data: a survival target.
func (CoxFilter) Needs() engines.Needs {
	return engines.Needs{Target: data.Survival, Sizes: engines.Sizes{Limit: "features"}, Keeps: true}
}

// Footprint returns the memory of a fit: the rows in order of time, and what filters take.
func (CoxFilter) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: 2*memoryOf(s) + 100*int64(s.Rows)}
}

// Fit ranks, keeps and fits. O(nnz + columns · log columns) by score, by the others O(columns · rows) a Newton step; and Cox's model.
func (e CoxFilter) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose ranks and keeps.
func (e CoxFilter) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

func (e CoxFilter) filter() ranking.Filter {
	return ranking.Filter{Rank: ranking.Tests{Columns: e.onTimes, Weighted: true}.Rank, Count: e.Keep.countKept, Ridge: e.Ridge}
}

// onTimes returns the test against a survival target, of columns whose rows are in the likelihood's order.
func (e CoxFilter) onTimes(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	rows, times := v.Defined(0)
	weight, _ := rows.TestWeights()
	l, err := survival.NewLikelihood(times, v.Events(0), weight, e.Ties == efron)
	if err != nil {
		return nil, nil, err
	}
	h := hazardTests{Univariate: survival.NewUnivariate(l), order: l.Order(), test: e.Test, values: make([]float64, len(times)), all: data.Numbers(len(times))}
	h.late = l.AtRisk()
	return rows.Matrix().Pick(l.Order()), h.ofColumn, nil
}

// hazardTests are tests of columns in the likelihood's order.
type hazardTests struct {
	*survival.Univariate
	order  []int32
	late   int // so many places are at risk at the first event
	test   string
	values []float64 // scratch, by place
	all    []int32   // every place
}

// ofColumn tests one. Where most values are stored they are centred by their mean at the first event, else zeros are skipped. Values are taken in a
// unit of their own, a power of two, which changes no statistic and keeps squares finite.
func (h *hazardTests) ofColumn(col sparse.Vec) (ranking.Result, error) {
	largest := 1.0
	if col.Val != nil {
		largest = 0
	}
	for k, v := range col.Val {
		if !elementary.IsFinite(v) {
			return ranking.Nothing, fmt.Errorf("row %d: value %v, expected a finite number", h.order[col.Idx[k]], v)
		}
		largest = max(largest, math.Abs(v))
	}
	if ranking.IsConstant(col, len(h.values)) {
		return ranking.Nothing, nil
	}
	_, exponent := math.Frexp(largest)
	unit := math.Ldexp(1, -max(exponent, -1000))
	if h.test == byScore && 2*col.Len() < len(h.values) {
		return chiSquared(h.Score(col.Idx, func(k int) float64 { return float64(col.At(k) * unit) })), nil
	}
	clear(h.values)
	col.AddTo(h.values, unit)
	if 2*col.Len() >= len(h.values) {
		mean := 0.0
		for _, v := range h.values[:h.late] {
			mean += v / float64(h.late)
		}
		for k := range h.values {
			h.values[k] -= mean
		}
	}
	score := h.Score(h.all, func(k int) float64 { return h.values[k] })
	if h.test == byScore || score == 0 {
		return chiSquared(score), nil
	}
	s := h.Estimate(h.values)
	if h.test == byLikelihood {
		return chiSquared(2 * max(0, s.Gain)), nil
	}
	t := chiSquared(s.Wald())
	t.Infinite = math.IsInf(s.Coef, 0)
	return t, nil
}

// chiSquared returns the tail of χ² with one degree of freedom.
func chiSquared(statistic float64) ranking.Result {
	return ranking.Result{Score: statistic, P: tails.Chi2(statistic, 1)}
}
