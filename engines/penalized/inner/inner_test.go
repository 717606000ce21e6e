package inner

import (
	"context"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// stepped is an engine whose models predict the same number for all rows, which depends on the penalty. The response is −1 or 1.
type stepped struct {
	predict func(share float64) float64
	last    float64  // the path ends below this share
	tried   *float64 // the smallest share that was asked for
}

func (stepped) Validate() error                                           { return nil }
func (stepped) Needs() engines.Needs                                      { return engines.Needs{Target: data.Real} }
func (stepped) PathParameters() []string                                  { return []string{"lambda_ratio"} }
func (e stepped) AtValue(float64) engines.Engine                          { return e }
func (e stepped) Fit(context.Context, engines.Run) (engines.Model, error) { return nil, nil }
func (stepped) PathValues(run engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 25), nil
}

func (e stepped) FitPath(_ context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	for i, share := range points.Values {
		*e.tried = min(*e.tried, share)
		if share < e.last {
			break
		}
		keep(i, engines.NewLinear(run.Train.Columns(), []float64{e.predict(share)}, nil, engines.Fitted{Best: -1}))
	}
	return nil
}

// The path goes on as long as no loss is better than that at its end, however long losses stand still, unless it has ended; of equal
// losses that of the largest share wins.
func TestShare(t *testing.T) {
	t.Parallel()
	y := make([]float64, 40)
	for i := range y {
		y[i] = float64(1 - i%2*2)
	}
	view := enginetest.View(enginetest.Dataset(enginetest.Random(1, 40, 5, 1, false), enginetest.Real("y", y...)), nil)
	better := func(below float64) func(share float64) float64 {
		return func(share float64) float64 {
			if share < below {
				return 0
			}
			return 1
		}
	}
	for name, c := range map[string]struct {
		predict           func(share float64) float64
		last, want, tried float64
	}{
		"better after three decades of the same": {better(1e-3), 0, 1e-3, 1e-6},
		"always the same":                        {better(0), 0, 1, 1e-6},
		"the same where the path has ended":      {better(0.1), 0.05, 0.1, 0.01},
		"worse at the end":                       {func(share float64) float64 { return math.Abs(math.Log10(share)+0.5) / 9 }, 0, 0.4, 0.01},
	} {
		tried := 1.0
		share, err := Share(t.Context(), engines.Run{Train: view, Workers: 1}, stepped{c.predict, c.last, &tried})
		if err != nil || !(share <= c.want && share > c.want/2) || !(tried >= c.tried*0.99 && tried < 10*c.tried) {
			t.Errorf("%s: a share of %.3g (%v), down to %.3g; want %v, down to %v", name, share, err, tried, c.want, c.tried)
		}
	}
}
