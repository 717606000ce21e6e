package loglinear

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines/numeric/optim"
)

// Prior holds the prior of the weights in an estimation: independent Gaussians around zero.
type Prior struct {
	Variance float64 // of a feature's weight
	Bias     float64 // of the weight of a feature of Always; 0: Variance
}

func (p Prior) precisions(fs []Candidate) []float64 {
	out := make([]float64, len(fs))
	for k, f := range fs {
		out[k] = 1 / p.Variance
		if f.Column == Always && p.Bias > 0 {
			out[k] = 1 / p.Bias
		}
	}
	return out
}

// Estimate holds the outcome of an estimation.
type Estimate struct {
	optim.Result
	LogLik float64 // without the prior
}

// Unfinished returns a note on an estimation that did not converge; "" for one that did. It names the limits refit_iter and
// refit_tol, as engines call the arguments of Problem.Estimate.
func (e Estimate) Unfinished() string {
	switch e.Stop {
	case "max_iter":
		return fmt.Sprintf("had "+optim.NotConverged+" after %d iterations: raise refit_iter or refit_tol", e.Iterations)
	case "precision":
		return fmt.Sprintf("had "+optim.NotConverged+" after %d iterations, when no step got further, at a gradient of %.3g: scale columns of large values, or raise refit_tol", e.Iterations, e.Gradient)
	}
	return ""
}

// Memory is the number of pairs that L-BFGS keeps in estimations. On word counts ten pairs, the usual number, take up to half as
// many iterations again (a fifth of the 20 newsgroups: 542 and 1,586 with ten pairs, 440 and 1,038 with forty).
const Memory = 20

// Estimate computes the weights of maximum posterior density of a set of features by L-BFGS from those in w, which it overwrites, or from
// 0 where these are worse.
// It stops when no component of the gradient is above goal = tol·max(1, rows/1000), or when the objective is provably within
// goal²·max(1, objective) of its minimum: since the prior alone has the reciprocal variances as curvature, the distance is at most
// ½ Σ g_f²·variance_f. Large values, such as word counts, make large gradients, and the second rule applies first; if rounding lets
// no step lower the objective any more, a distance of tol·max(1, objective) suffices.
func (p *Problem) Estimate(ctx context.Context, fs []Candidate, w []float64, prior Prior, tol float64, maxIter, workers int) (Estimate, error) {
	precision := prior.precisions(fs)
	o, err := p.Objective(ctx, fs, precision)
	if err != nil {
		return Estimate{}, err
	}
	evaluate, above, goal := o.Func(ctx, workers), 0.0, float64(tol*max(1, p.Weight/1000))
	f := func(grad, w []float64) float64 {
		value := evaluate(grad, w)
		above = 0
		for k, g := range grad {
			above += float64(float64(0.5*g*g) / precision[k])
		}
		return value
	}
	if slices.ContainsFunc(w, func(v float64) bool { return v != 0 }) {
		grad, none := make([]float64, len(w)), make([]float64, len(w))
		if f(grad, none) < f(grad, w) {
			clear(w)
		}
	}
	res, err := optim.LBFGS(ctx, f, w, optim.Options{
		Memory: Memory, Tol: goal, MaxIter: maxIter, Curvature: guessCurvature(fs, precision),
		Each: func(_ int, value float64) string { // of the point that was evaluated last
			if above <= float64(float64(goal*goal)*max(1, value)) {
				return "bound"
			}
			return ""
		},
	})
	if err == nil && res.Stop == "precision" {
		if value := f(make([]float64, len(w)), w); above <= float64(tol*max(1, value)) {
			res.Stop = "bound"
		}
	}
	e := Estimate{Result: res, LogLik: -res.Value}
	for k, v := range w {
		e.LogLik += float64(0.5 * precision[k] * v * v)
	}
	return e, err
}

// guessCurvature estimates the second derivatives Σ m x² p(1−p) + precision: at the optimum Σ m x² p is about the observed sum.
func guessCurvature(fs []Candidate, precision []float64) []float64 {
	c := make([]float64, len(fs))
	for k, f := range fs {
		c[k] = f.Squares + precision[k]
	}
	return c
}
