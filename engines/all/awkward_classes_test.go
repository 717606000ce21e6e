package all

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/ridge/linear"
	"tenfold/engines/ridge/logistic"
)

// Linear classifiers on rows that say little: classes of one row, constant columns, no columns at all. Each ends at its certificate, or says why
// it cannot begin.
func TestAwkwardClasses(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	noise := func(columns int) [][]float64 {
		x := make([][]float64, 40)
		for i := range x {
			x[i] = make([]float64, columns)
			for j := range x[i] {
				x[i][j] = rng.NormFloat64()
			}
		}
		return x
	}
	label := func(of func(i int) float64) (y []float64) {
		for i := range 40 {
			y = append(y, of(i))
		}
		return y
	}
	constant := noise(3)
	for _, row := range constant {
		row[0], row[1], row[2] = 1, 2, 0
	}
	half := label(func(i int) float64 { return float64(i % 2) })
	data := map[string]struct {
		x      [][]float64
		y      []float64
		levels int
	}{
		"a class of one row":   {noise(3), label(func(i int) float64 { return float64(max(i%2, 2*(i/39))) }), 3},
		"classes of one row":   {noise(3), label(func(i int) float64 { return float64(i) }), 40},
		"a class without rows": {noise(3), half, 3},
		"constant columns":     {constant, half, 2},
		"no columns":           {make([][]float64, 40), label(func(i int) float64 { return float64(min(i%3, 1)) }), 2},
	}
	svm := linear.Kind.Defaults().(linear.SVM)
	squared, together, free := svm, svm, svm
	squared.Loss, together.Scheme, free.Bias = "squared-hinge", "crammer-singer", "free"
	logistic := logistic.Kind.Defaults().(logistic.Logistic)
	penalized := logistic
	penalized.Bias = "penalized"
	for name, d := range data {
		view := enginetest.View(enginetest.Dataset(enginetest.Matrix(d.x...), enginetest.Class("y", d.levels, d.y...)), nil)
		for kind, e := range map[string]engines.Engine{
			"linear-svm": svm, "squared hinge": squared, "Crammer and Singer": together, "free bias": free,
			"l1": l1.L1Kind.Defaults().(l1.L1), "logistic": logistic, "logistic, penalised bias": penalized,
		} {
			if err := e.(interface{ Validate() error }).Validate(); err != nil {
				t.Fatal(kind, err)
			}
			m, err := e.Fit(t.Context(), engines.Run{Train: view, Workers: 1, Rand: rand.New(rand.NewPCG(1, 2))})
			if err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
				continue
			}
			f := m.(engines.Reporter).Fitted()
			if c := f.Certificate; c == nil || !(c.Relative() <= 1e-4) || math.IsNaN(c.Objective) {
				t.Errorf("%s, %s: %+v, stop %s", name, kind, c, f.Stop)
			}
			for _, c := range m.Coefs() {
				if math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
					t.Errorf("%s, %s: coefficient %+v", name, kind, c)
				}
			}
		}
	}
}
