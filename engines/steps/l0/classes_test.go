package l0

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/scaled"
)

// classesOf a problem: whether its response is above 0.
func classesOf(v *data.View) *data.View {
	_, y := v.Target(0)
	labels := make([]float64, len(y))
	for i, value := range y {
		if value > 0 {
			labels[i] = 1
		}
	}
	return enginetest.View(enginetest.Dataset(v.Matrix(), enginetest.Class("y", 2, labels...)), nil)
}

func TestClassesSuite(t *testing.T) {
	t.Parallel()
	e, priced := Kind.Defaults().(L0), Kind.Defaults().(L0)
	e.Loss, e.Lambda2, e.Features = "logistic", 0.1, 4
	priced.Loss, priced.Lambda2, priced.Lambda, priced.Swaps = "logistic", 1, 0.05, false
	t.Run("swaps", func(t *testing.T) { t.Parallel(); enginetest.Suite(t, e) })
	t.Run("a price", func(t *testing.T) { t.Parallel(); enginetest.Suite(t, priced) })
}

// Of classes, no column alone is worth its price by the bound of the curvature, and with swaps none at its optimum in the place of another one makes a
// model of the path better; coefficients and intercept are at their optimum.
func TestNothingBetterForClasses(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		e := Kind.Defaults().(L0)
		e.Loss, e.Lambda2 = "logistic", 0.05
		p, err := e.newPath(t.Context(), engines.Run{Train: classesOf(problem(seed, 60, 40, 0.5, 5, 20, 30)), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		m := p.m.(*classes)
		for range 6 {
			lambda := below * m.entry()
			if err := p.solve(t.Context(), lambda); err != nil {
				t.Fatal(err)
			}
			if !(math.Abs(m.sum) <= 1e-7) {
				t.Errorf("the residuals sum to %v", m.sum)
			}
			for _, j := range m.support {
				if d := m.c[j] - m.lambda2*m.b[j]; !(math.Abs(d) <= 1e-7) {
					t.Errorf("column %d: the derivative is %v", j, d)
				}
			}
			curve := m.curve + m.lambda2
			for j, b := range m.b {
				if least := math.Sqrt(2 * lambda / curve); b != 0 && math.Abs(b) < least*(1-1e-6) || b == 0 && math.Abs(m.c[j])/curve > least*(1+1e-6) {
					t.Errorf("column %d: coefficient %v, gradient %v, where %v is worth the price", j, b, m.c[j], least)
				}
			}
			if _, _, some := m.swap(t.Context(), lambda); some {
				t.Error("a swap is better")
			}
		}
	}
}

// The best columns of a few are found, as by trying all subsets; classes without an L2 penalty are refused in words.
func TestBestSubsetsOfClasses(t *testing.T) {
	t.Parallel()
	missed := 0
	for seed := range uint64(6) {
		v := classesOf(problem(seed, 80, 9, 0.7, 1, 4, 7))
		e := Kind.Defaults().(L0)
		e.Loss, e.Lambda2 = "logistic", 0.01
		x, err := scaled.Standardize(v.Matrix(), nil, "unit")
		if err != nil {
			t.Fatal(err)
		}
		_, y := v.Target(0)
		for size := 1; size <= 3; size++ {
			least, best := math.Inf(1), []int32(nil)
			for set := uint(0); set < 1<<9; set++ {
				if bits.OnesCount(set) != size {
					continue
				}
				m := newClasses(x, y, e.Lambda2, 1)
				for j := range int32(9) {
					if set>>j&1 == 1 {
						m.move(j, 1e-3)
					}
				}
				if m.optimizeSupport(t.Context()); m.now < least {
					least, best = m.now, m.support
				}
			}
			e.Features = size
			fit, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if got := engines.ColumnsOf(fit, 9); !slices.Equal(got, best) {
				missed++
				t.Logf("seed %d: the best %d columns are %v, found %v", seed, size, best, got)
			}
		}
	}
	if missed > 4 {
		t.Errorf("%d of 18 best subsets were missed", missed)
	}
	e := Kind.Defaults().(L0)
	if e.Loss = "logistic"; enginetest.Fields(e.Validate()) != "lambda2" {
		t.Errorf("%v", e.Validate())
	}
}
