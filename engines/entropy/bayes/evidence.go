package bayes

import (
	"math"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/loglinear"
)

// evidence is what a pair's own terms add to the logarithm of the evidence.
type evidence struct {
	variance  float64 // σ²
	precision float64 // what the prior adds to the curvature
	laplace   float64 // factor of log(a + precision)
	fixed     float64 // −½ log σ², and the logarithm of the model prior's odds
}

func (e Bayes) evidence() evidence {
	v := evidence{variance: e.PriorVariance, precision: 1 / e.PriorVariance, laplace: -0.5, fixed: float64(-0.5 * elementary.Log(e.PriorVariance))}
	if e.ModelPrior == geometric {
		v.fixed += elementary.Log(e.Odds)
	}
	if e.asPrinted(e.CurvaturePrior) { // without 1/σ²
		v.precision = 0
	}
	if e.asPrinted(e.LaplaceSign) { // Eqs. 12 and 14 add it
		v.laplace = 0.5
	}
	return v
}

// laplaceTerms is a pair's approximation around a weight.
type laplaceTerms struct {
	mu    float64
	a     float64 // curvature
	value float64 // log-likelihood gained
	score float64 // β_g less what does not depend on the pair
}

// maximize finds the weight that is best with all others fixed, and the terms there.
func (v evidence) maximize(l loglinear.Line) laplaceTerms {
	mu, _ := l.Maximise(loglinear.Limits{Bound: math.Inf(1), Variance: v.variance})
	return v.laplaceAt(l, mu)
}

// laplaceAt returns the approximation at a given weight. The factors √2π of the prior and of Laplace's formula cancel. Where the likelihood has no curvature
// and the prior is left out, there is no evidence.
func (v evidence) laplaceAt(l loglinear.Line, mu float64) laplaceTerms {
	_, a := l.Derivatives(mu)
	t := laplaceTerms{mu: mu, a: a + v.precision, value: l.Value(mu), score: math.Inf(-1)}
	if t.a > 0 {
		t.score = t.value - mu*mu/(2*v.variance) + v.fixed + float64(v.laplace*elementary.Log(t.a))
	}
	return t
}
