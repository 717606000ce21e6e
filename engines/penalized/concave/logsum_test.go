package concave

import (
	"context"
	"errors"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/penalized/targets"
)

// The example of CONTRIBUTING.md.

// begin logsum

// LogSum is least squares or two-class logistic regression with the penalty λε·log(1 + |b|/ε) (Candès, Wakin & Boyd 2008).
type LogSum struct {
	Epsilon     float64 `yaml:"epsilon" doc:"coefficient of a column of standard deviation 1 at which the penalty's derivative has fallen to half of lambda, > 0"`
	Ratio       float64 `yaml:"lambda_ratio" simpler:"larger" doc:"lambda as a share of the smallest that selects nothing, in (0, 1]"`
	convex.Path `yaml:",inline"`
}

// Value returns the penalty of a coefficient.
func (e LogSum) Value(t, lambda float64) float64 {
	return float64(lambda * e.Epsilon * elementary.Log1p(t/e.Epsilon))
}

// Derivative returns λε/(ε + t).
func (e LogSum) Derivative(t, lambda float64) float64 { return lambda * e.Epsilon / (e.Epsilon + t) }

// Concavity returns λ/ε, how fast the derivative falls at 0.
func (e LogSum) Concavity(lambda float64) float64 { return lambda / e.Epsilon }

// Validate checks the parameters.
func (e LogSum) Validate() error {
	return errors.Join(
		param.Require("epsilon", e.Epsilon > 0 && elementary.IsFinite(e.Epsilon), "%v, expected a number above 0", e.Epsilon),
		param.Require("lambda_ratio", e.Ratio > 0 && e.Ratio <= 1, "%v, expected a number above 0, at most 1", e.Ratio),
		e.ValidatePath(),
	)
}

// Needs returns that of the lasso on columns of standard deviation 1.
func (LogSum) Needs() engines.Needs {
	return engines.Needs{Levels: 2, Sizes: engines.Sizes{Limit: "features"}, Keeps: true, Factors: true}
}

// Fit goes down from the largest penalty, by lassos whose factors are the penalty's derivatives.
func (e LogSum) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	read := func(ctx context.Context, train *data.View, target, workers int) (targets.Problem, error) {
		p, err := lasso.Begin(ctx, train, target, 10_000, workers)
		if err != nil {
			return nil, err
		}
		return Approximate(p, e, 1, 1e-4), nil
	}
	return targets.Fit(ctx, run, targets.Penalties{Alpha: 1, Ratio: e.Ratio, Path: e.Path}, read)
}

// end

// TestLogSum: the derivative is the value's, all laws of engines hold, and what is found of numbers is stationary.
func TestLogSum(t *testing.T) {
	e := LogSum{Epsilon: 0.5, Ratio: 0.3}
	checkPenalty(t, "log-sum", e)
	enginetest.Suite(t, e)
	s := draw(1, 60, 10, false, false)
	m, err := e.Fit(t.Context(), engines.Run{Train: s.view(), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	b := make([]float64, 10)
	for _, c := range m.Coefs() {
		b[c.Feature] = c.Value
	}
	z, _, sd, n := s.standardized()
	gradient := func(j int, b []float64) (g float64) { // negative, of half the mean squared error, in the standardised column
		for i, row := range s.x {
			fit := 0.0
			for k, x := range row {
				fit += b[k] * x
			}
			g += z[i][j] * (s.y[i] - fit) / n
		}
		return g
	}
	lambda := 0.0
	for j := range b {
		lambda = max(lambda, e.Ratio*math.Abs(gradient(j, make([]float64, len(b)))))
	}
	for j := range b {
		if off := violation(e, b[j]*sd[j], gradient(j, b), lambda, 0); !(off <= 1e-3*lambda) {
			t.Errorf("column %d with coefficient %v: stationarity is missed by %v of %v", j, b[j], off, lambda)
		}
	}
	if k := len(m.Coefs()); k < 2 || k > 8 {
		t.Errorf("%d columns are selected", k)
	}
}
