package redundancy

import (
	"context"
	"math"

	"tenfold/engines"
)

// Measure says how much columns go with the target, and with each other.
type Measure struct {
	measure
	withTarget []float64
}

// Relevance returns how much each column goes with the target.
func (m Measure) Relevance() []float64 { return m.withTarget }

// With returns how much each open column (nil: every one) goes with column s; good until the next call. O(entries).
func (m Measure) With(ctx context.Context, s int, open []bool) ([]float64, error) {
	return m.with(ctx, s, open)
}

// uncertainty returns 2·I(X;S)/(H(X) + H(S)), 0 if both are constant.
func (t entropies) uncertainty() float64 {
	if t.x+t.s == 0 {
		return 0
	}
	return 2 * t.redundancy() / (t.x + t.s)
}

// NewUncertainty returns the measure of symmetric uncertainty, 2·I/(H + H), of levels and the class; cut is how many columns auto cut.
// O(entries · log rows).
func NewUncertainty(ctx context.Context, run engines.Run, l Levels) (m Measure, cut int, err error) {
	view, y, err := run.Train.LevelsOf(0)
	if err != nil {
		return m, 0, err
	}
	columns, cut, err := l.read(ctx, view, run.Workers)
	if err != nil {
		return m, 0, err
	}
	weight, _ := view.TestWeights()
	class, err := newInformation(ctx, newTables(columns, y, len(run.Train.TargetInfo(0).Levels), weight, run.Workers), nil)
	if err != nil {
		return m, 0, err
	}
	m.withTarget = make([]float64, len(columns))
	for j, tells := range class.tells {
		if tells > nothing {
			m.withTarget[j] = 2 * tells / (class.entropies[j] + class.y)
		}
	}
	m.measure, err = newInformation(ctx, newTables(columns, make([]int32, len(y)), 1, weight, run.Workers), entropies.uncertainty)
	return m, cut, err
}

// NewCorrelation returns the measure of |r|, of numbers; that of the target is from F = r²/(1 − r²)·(n − 2). O(nnz).
func NewCorrelation(ctx context.Context, run engines.Run) (m Measure, err error) {
	c, err := newCorrelations(ctx, run.Train, 0, run.Workers)
	if err != nil {
		return m, err
	}
	m = Measure{measure: c, withTarget: make([]float64, len(c.f))}
	for j, f := range c.f {
		m.withTarget[j] = math.Sqrt(f / (f + c.n - 2))
	}
	return m, nil
}
