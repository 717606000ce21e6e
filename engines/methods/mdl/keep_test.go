package mdl

import (
	"cmp"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// TestOracleKeepForward: kept columns enter first and are not counted; what the case says of RSS, intercept and coefficients.
func TestOracleKeepForward(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"keep_forward": checkKeepForward})
}

func checkKeepForward(t *testing.T, c oracle.Case) {
	var in struct {
		X     [][]float64
		Y     []float64
		Keep  []int
		Units []int32
	}
	var options struct{ Size int }
	var want struct {
		Columns   []int
		RSS       []float64 `json:"rss"`
		Intercept float64
		Coef      []float64
	}
	c.Parts(t, &in, &options, &want)
	if in.Units != nil {
		t.Skip("forward-stepwise refuses units")
	}
	factor := slices.Repeat([]float64{1}, len(in.X[0]))
	for _, j := range in.Keep {
		factor[j] = 0
	}
	view := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...)), data.Treatment{Factor: factor})
	var rss []float64
	m, err := Stepwise{MaxFeatures: options.Size, Choose: chooseDrop, Criterion: criterionNone, Alpha: 0.05}.Fit(t.Context(), engines.Run{
		Train: view, Workers: 1, Trace: func(s engines.Step) { rss = append(rss, s.TrainError*float64(len(in.Y))) },
	})
	if err != nil {
		t.Fatal(err)
	}
	coefs := slices.Clone(m.Coefs())
	slices.SortFunc(coefs, func(a, b engines.Coef) int { return cmp.Compare(a.Rank, b.Rank) })
	var columns []int
	var values []float64
	for _, c := range coefs {
		columns, values = append(columns, c.Feature), append(values, c.Value)
	}
	if !slices.Equal(columns, want.Columns) {
		t.Errorf("columns %v, expected %v", columns, want.Columns)
	}
	oracle.NearAll(t, "coef", values, want.Coef, 1e-8)
	oracle.Near(t, "intercept", engines.Biases(m)[0], want.Intercept, 1e-8)
	oracle.NearAll(t, "rss", rss, want.RSS, 1e-9)
}
