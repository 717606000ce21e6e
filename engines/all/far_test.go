package all

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/kernels/svm"
)

// feelOffsets are engines whose models have no free intercept, and those that take counts, or ones, only.
var feelOffsets = []string{"bayes-factor", "chi2", "count", "ifs", "l1-dual", "maxent", "mutual-information", "naive-bayes", "oracle", "sgc"}

// TestColumnsFarFromZero: 2^27 added to every column, which these bear without rounding, changes no prediction of any other engine beyond
// what the stopping rules leave.
func TestColumnsFarFromZero(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	fits := map[string]engines.Engine{}
	for name, kind := range set {
		if !slices.Contains(feelOffsets, name) {
			fits[name] = kind.Defaults()
		}
	}
	linear := set["svm"].Defaults().(svm.SVM)
	linear.Kernel = "linear"
	fits["svm, kernel linear"] = linear
	const rows, columns, far = 40, 5, 1 << 27
	rng := rand.New(rand.NewPCG(5, 5))
	near, moved, y := make([][]float64, rows), make([][]float64, rows), make([]float64, rows)
	for i := range near {
		near[i], moved[i] = make([]float64, columns), make([]float64, columns)
		for j := range near[i] {
			near[i][j] = math.Round(rng.NormFloat64()*1024) / 1024
			moved[i][j] = near[i][j] + far
		}
		y[i] = near[i][0] - near[i][1] + rng.NormFloat64()
	}
	level, times := make([]float64, rows), make([]float64, rows)
	for i, v := range y {
		if v > 0 {
			level[i] = 1
		}
		times[i] = math.Exp(-v)
	}
	targets := []data.Target{enginetest.Real("y", y...), enginetest.Class("y", 2, level...), enginetest.Survival("y", times...)}
	scores := func(e engines.Engine, x [][]float64, target data.Target) ([]float64, error) {
		set := enginetest.Dataset(enginetest.Matrix(x...), target)
		set.Features = set.Features.WithClasses([]int32{0, 0, 1, 1, 2}, []string{"A", "B", "C"})
		v := enginetest.View(set, nil)
		m, err := e.Fit(t.Context(), engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1})
		if err != nil {
			return nil, err
		}
		out := make([]float64, rows*m.Outputs())
		m.Predict(out, v.Inputs())
		return out, nil
	}
	for name, e := range fits {
		for _, target := range targets {
			if !e.Needs().Takes(target.Type) {
				continue
			}
			want, err := scores(e, near, target)
			if err != nil {
				t.Errorf("%s of %s: %v", name, target.Type, err)
				continue
			}
			got, err := scores(e, moved, target)
			if err != nil {
				t.Errorf("%s of %s, far from zero: %v", name, target.Type, err)
				continue
			}
			mean := 0.0
			if target.Type == data.Survival { // scores have a baseline of their own
				for i := range want {
					mean += (got[i] - want[i]) / float64(len(want))
				}
			}
			worst, size := 0.0, slices.Max(want)-slices.Min(want)
			for i := range want {
				if got[i] != want[i] { // infinite logarithms, too
					worst = max(worst, math.Abs(got[i]-want[i]-mean))
				}
			}
			if !(worst <= 1e-4*size) {
				t.Errorf("%s of %s: scores differ by up to %.3g, of %.3g", name, target.Type, worst, size)
			}
		}
	}
}
