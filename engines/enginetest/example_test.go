package enginetest_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// The example of CONTRIBUTING.md.

// begin engine

// Best is least squares on the one column of 0 and 1 that tells most about a number.
type Best struct {
	MinRows int `yaml:"min_rows" doc:"rows that have the column, and that lack it, at least, ≥ 1"`
}

// BestKind names it, and has the defaults of its parameters.
var BestKind = engines.Define(engines.Kind{
	Name: "best",
	Doc:  "least squares on the one column that lowers the squared error most",
	Cite: "Nobody 1999, section 2",
	Rev:  1, // raise it when results may change: old ones are then fitted again
}, Best{MinRows: 5})

// Validate checks parameters by themselves.
func (b Best) Validate() error {
	if b.MinRows < 1 {
		return param.Errorf("min_rows", "%d, expected at least 1", b.MinRows)
	}
	return nil
}

// Needs is one number, and columns of 0 and 1.
func (Best) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Binary: true, Unweighted: true}
}

// Fit is O(entries). Of equal columns the first wins.
func (b Best) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	x := run.Train.Matrix()
	_, y := run.Train.Target(0)
	if run.Train.Weights() != nil {
		return nil, fmt.Errorf("row weights are not supported")
	}
	rows, columns := x.Dims()
	total := 0.0
	for _, v := range y {
		total += v
	}
	best, gain := -1, 0.0
	for j := range columns {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		col := x.Col(j)
		n := col.Len()
		if n < b.MinRows || rows-n < b.MinRows {
			continue
		}
		apart := apartBy(col.Dot(y), total, n, rows)
		if g := float64(apart*apart) * float64(n) * float64(rows-n) / float64(rows); g > gain*(1+1e-9) {
			best, gain = j, g
		}
	}
	fitted := engines.Fitted{Stop: "done", Best: -1, Evaluated: int64(columns)}
	if best < 0 {
		return engines.NewLinear(columns, []float64{total / float64(rows)}, nil, fitted), nil
	}
	col := x.Col(best)
	slope := apartBy(col.Dot(y), total, col.Len(), rows)
	bias := total/float64(rows) - float64(slope*float64(col.Len()))/float64(rows)
	return engines.NewLinear(columns, []float64{bias}, []engines.Coef{{Feature: best, Value: slope, Score: gain}}, fitted), nil
}

// apartBy is how far the mean of n rows, which sum to sum, is above that of the others.
func apartBy(sum, total float64, n, rows int) float64 {
	return sum/float64(n) - (total-sum)/float64(rows-n)
}

// end

func TestExampleEngine(t *testing.T) {
	t.Parallel()
	set, err := registry.NewSet(BestKind)
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Suite(t, set["best"].Defaults())
	x := enginetest.Matrix([]float64{1, 0}, []float64{1, 1}, []float64{0, 1}, []float64{0, 0})
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("y", 5, 5, 1, 1)), nil)
	m, err := Best{MinRows: 1}.Fit(t.Context(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, 4)
	m.Predict(scores, view.Inputs())
	if c := m.Coefs(); len(c) != 1 || c[0].Feature != 0 || !(math.Abs(scores[0]-5) <= 1e-12) || !(math.Abs(scores[3]-1) <= 1e-12) {
		t.Errorf("coefficients %v, scores %v", c, scores)
	}
}
