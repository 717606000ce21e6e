package mkl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/dense"
)

// TestConjugateGradients: they find the direction that a factor gives, as far as they say, and give up where too few steps are allowed.
func TestConjugateGradients(t *testing.T) {
	t.Parallel()
	const n = 60
	rng := rand.New(rand.NewPCG(3, 4))
	gradient, h := make([]float64, n), dense.NewTriangle(n)
	of := make([][]float64, n)
	for i := range of {
		gradient[i], of[i] = rng.NormFloat64(), make([]float64, n)
		for j := range of[i] {
			of[i][j] = rng.NormFloat64() / (1 + float64(j*j)) // few directions are large
		}
		for j := range h.Row(i) {
			h.Row(i)[j] = dense.DotInOrder(of[i], of[j])
		}
		h.Row(i)[i] += 1 + rng.Float64()
	}
	d, ok := conjugateGradients(t.Context(), h, gradient, n)
	if !ok || !(math.Abs(dense.Sum(d)) <= 1e-12) {
		t.Fatalf("found: %v, with the sum %v", ok, dense.Sum(d))
	}
	if _, ok := conjugateGradients(t.Context(), h, gradient, 2); ok {
		t.Error("two steps were enough")
	}
	want := newtonDirection(t.Context(), slices.Clone(h), gradient)
	value := func(d []float64) float64 {
		hd := make([]float64, n)
		h.Product(hd, d)
		return dense.DotInOrder(gradient, d) + dense.DotInOrder(d, hd)/2
	}
	if got, least := value(d), value(want); got < least-1e-9 || got > 0.999*least {
		t.Errorf("the model falls to %v, at Newton's direction to %v", got, least)
	}
}

// TestManyRows: beyond the rows of direct factors the certificate is as small, a share of the loss without features, which is the
// objective where nothing is selected.
func TestManyRows(t *testing.T) {
	t.Parallel()
	for _, classes := range []bool{false, true} {
		run := engines.Run{Train: enginetest.View(curved(directRows+40, classes, false), nil), Workers: 1}
		var fits [2]engines.Fitted
		for i, ratio := range []float64{1, 0.1} {
			m, err := with(func(e *MKL) { e.Ratio = ratio }).Fit(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			fits[i] = m.(engines.Reporter).Fitted()
		}
		null, fit := fits[0].Certificate.Objective, fits[1]
		if gap := fit.Certificate.Gap(); fit.Stop != "gap" || gap > 1e-6*null {
			t.Errorf("classes %v: stop %s, gap %v, loss without features %v", classes, fit.Stop, gap, null)
		}
	}
}
