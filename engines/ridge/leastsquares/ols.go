// Package leastsquares holds ordinary least squares and ridge regression, both by conjugate gradients.
package leastsquares

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/param"
)

// OLS is ordinary least squares. Where columns are dependent, as those of one template always are, it is the solution of
// minimum norm in scaled coefficients: fitted values are unique, coefficients are not.
type OLS struct {
	Scale   string  `yaml:"scale" doc:"scale of the columns inside the fit: sd, unit, none; it decides which solution is the shortest"`
	Tol     float64 `yaml:"tol" doc:"stop when the gradient's norm has fallen to this share of its start, in (0, 1)"`
	MaxIter int     `yaml:"max_iter" doc:"at most this many iterations; 0 means twice the columns, at most 10000"`
}

// OLSKind is ordinary least squares.
var OLSKind = engines.Define(engines.Kind{
	Name: "ols",
	Doc:  "ordinary least squares by conjugate gradients; the shortest solution where columns are dependent",
	Cite: "Hooker & Weng 2004, section 3",
	Rev:  2,
}, OLS{Scale: "sd", Tol: 1e-6})

// Ridge is least squares with a penalty λ‖β‖² on the scaled coefficients.
type Ridge struct {
	Lambda  float64 `yaml:"lambda" simpler:"larger" rows:"times" doc:"weight of the penalty beside the sum of squared errors, or of the deviances of counts, > 0 (on scaled coefficients); −1: the sum of the variances of the scaled columns, with scale sd their number, which stands for columns that explain half of the variance"`
	Scale   string  `yaml:"scale" doc:"scale of the columns that the penalty sees: sd, unit, none"`
	Tol     float64 `yaml:"tol" doc:"stop when the gradient's norm has fallen to this share of its start, of counts when the duality gap is at most this share of the deviance without columns, in (0, 1)"`
	MaxIter int     `yaml:"max_iter" doc:"at most this many iterations; 0 means twice the columns, at most 10000"`
}

// byVariances stands for a penalty that goes by the columns: the sum of their variances, as they are scaled.
const byVariances = -1

// variances returns the sum of the variances of scaled columns, 1 if none varies.
func variances(g *scaled.Matrix) (total float64, err error) {
	_, squares, n, err := scaled.Moments(g.X, g.Weight)
	for j, s := range squares {
		total += float64(g.Scale[j]*g.Scale[j]) * s / n
	}
	if !(total > 0) {
		total = 1
	}
	return total, err
}

// RidgeKind is ridge regression.
var RidgeKind = engines.Define(engines.Kind{
	Name: "ridge",
	Doc:  "least squares (of counts: Poisson regression) with a squared penalty on scaled coefficients, by conjugate gradients",
	Cite: "Hooker & Weng 2004, section 3",
	Rev:  3,
}, Ridge{Lambda: byVariances, Scale: "sd", Tol: 1e-6})

// Validate checks the parameters.
func (e OLS) Validate() error {
	var tol, iter error
	if !(e.Tol > 0 && e.Tol < 1) {
		tol = param.Errorf("tol", "%v, expected a number between 0 and 1", e.Tol)
	}
	if e.MaxIter < 0 {
		iter = param.Errorf("max_iter", "%d, expected 0 or more", e.MaxIter)
	}
	return errors.Join(param.OneOf("scale", e.Scale, scaled.Scales...), tol, iter)
}

// Validate checks the parameters.
func (e Ridge) Validate() error {
	var lambda error
	if !(e.Lambda > 0 || e.Lambda == byVariances) || math.IsInf(e.Lambda, 0) {
		lambda = param.Errorf("lambda", "%v, expected a number above 0, or −1 for the default (engine ols is the fit without penalty)", e.Lambda)
	}
	return errors.Join(lambda, e.squares().Validate())
}

// Needs returns what the engine asks of data: real targets.
func (e OLS) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Tasks: true, Keeps: true}
}

// Needs returns what the engine asks of data: numbers or counts.
func (e Ridge) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Rates: true, Tasks: true, Keeps: true, Factors: true}
}

// Footprint returns the memory of a fit: the centred response, and some twenty vectors of columns (up to eight of them sums over blocks
// of rows).
func (e OLS) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: 16*int64(s.Rows) + 200*int64(s.Columns)}
}

// Footprint returns the memory of a fit, that of OLS.
func (e Ridge) Footprint(s engines.Shape) engines.Footprint {
	return e.squares().Footprint(s)
}

// Fit minimises ‖ỹ − Gβ‖².
func (e OLS) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.fit(ctx, run, 0)
}

// Fit minimises ‖ỹ − Gβ‖² + λ‖β‖², or of counts the same with the sum of deviances.
func (e Ridge) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if run.Train.TargetInfo(0).Type == data.Count {
		return e.fitCounts(ctx, run)
	}
	return e.squares().fit(ctx, run, e.Lambda)
}

func (e Ridge) squares() OLS { return OLS{Scale: e.Scale, Tol: e.Tol, MaxIter: e.MaxIter} }

// fit each target as if it were the only one. Those that are defined on the same rows share the columns as they are scaled there.
func (e OLS) fit(ctx context.Context, run engines.Run, rho float64) (engines.Model, error) {
	var bias []float64
	var coefs []engines.Coef
	var fitted engines.Fitted
	var g *scaled.Matrix
	var rows []int32 // that g is of, nil for all
	var penalty float64
	several := run.Train.Targets() > 1
	for t := range run.Train.Targets() {
		targetRows, y := run.Train.Target(t)
		if len(y) == 0 {
			return nil, fmt.Errorf("target %s has no training row", run.Train.TargetInfo(t).Name)
		}
		if err := response.CheckSquares(run.Train.TargetInfo(t).Name, y); err != nil {
			return nil, err
		}
		if g == nil || (targetRows == nil) != (rows == nil) || !slices.Equal(targetRows, rows) {
			train := run.Train
			if targetRows != nil {
				train = train.Sub(targetRows)
			}
			var err error
			if g, err = scaled.StandardizeFar(ctx, train.Matrix(), train.Weights(), e.Scale); err != nil {
				return nil, err
			}
			rows = targetRows
			if penalty = rho; rho == byVariances {
				if penalty, err = variances(g); err != nil {
					return nil, err
				}
			}
		}
		target, b0, report := e.one(ctx, run, g, y, penalty)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for _, c := range target {
			c.Output = t
			coefs = append(coefs, c)
		}
		bias = append(bias, b0)
		if !several {
			fitted = report
		} else {
			fitted = joined(fitted, report, run.Train.TargetInfo(t).Name)
		}
	}
	return engines.NewLinear(run.Train.Columns(), bias, coefs, fitted), nil
}

// one target, on the rows of g.
func (e OLS) one(ctx context.Context, run engines.Run, g *scaled.Matrix, y []float64, rho float64) (coefs []engines.Coef, bias float64, fitted engines.Fitted) {
	centred, mean, tss := g.Center(y)
	model := line{g: g, mean: mean}
	sol := solver{
		tol: e.Tol, maxIter: e.limit(len(g.Scale)), workers: run.Workers,
		progress: func(iter int, rss float64, beta []float64) {
			if run.Trace != nil && run.Train.Targets() == 1 {
				active, bias := model.count(beta)
				run.Trace(engines.Step{Iter: iter, TrainError: rss / g.N, Active: active, Bias: bias, Changed: engines.Coef{Feature: -1}, Whole: iter > 0})
			}
		},
	}.solve(ctx, problem{g: g, y: centred, rho: rho, factor: run.Train.Factors()})
	coefs, bias = model.raw(sol.beta)
	return coefs, bias, e.report(sol, g, tss, rho)
}

// joined adds the report of one target's fit to that of all targets: facts and notes of each, and one word of why all ended.
func joined(all, one engines.Fitted, target string) engines.Fitted {
	if all.Stop != "max_iter" {
		all.Stop = one.Stop
	}
	all.Best = -1
	all.Iterations += one.Iterations
	for _, note := range one.Notes {
		if !slices.Contains(all.Notes, note) { // what does not depend on the target once
			all.Notes = append(all.Notes, note)
		}
	}
	for _, f := range one.Facts {
		all.Facts = append(all.Facts, data.Fact{Name: "target " + target + ": " + f.Name, Value: f.Value})
	}
	return all
}

// line takes scaled coefficients back to the scale of the data: b_j = γ_j·β_j, and the intercept ȳ − Σ b_j·μ_j.
type line struct {
	g    *scaled.Matrix
	mean float64
}

func (l line) raw(beta []float64) (coefs []engines.Coef, bias float64) {
	active, bias := l.count(beta)
	coefs = make([]engines.Coef, 0, active)
	for j, v := range beta {
		if b := l.g.Scale[j] * v; b != 0 {
			coefs = append(coefs, engines.Coef{Feature: j, Value: b, Rank: -1})
		}
	}
	return coefs, bias
}

// count returns the number of coefficients other than 0, and the intercept: what a trace asks for after every iteration.
func (l line) count(beta []float64) (active int, bias float64) {
	bias = l.mean
	for j, v := range beta {
		if v != 0 && l.g.Unscale(j, v, &bias) != 0 {
			active++
		}
	}
	return active, bias
}

func (e OLS) limit(columns int) int {
	if e.MaxIter > 0 {
		return e.MaxIter
	}
	return min(2*columns, 10000)
}

func (e OLS) report(sol solution, g *scaled.Matrix, tss, rho float64) engines.Fitted {
	f := engines.Fitted{Stop: "tol", Iterations: sol.iterations, Best: -1}
	fact := func(name, format string, value any) {
		f.Facts = append(f.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, value)})
	}
	fact("relative gradient at the end", "%.3g", sol.ratio)
	fact("residual sum of squares", "%.9g", sol.rss)
	if tss > 0 {
		fact("R²", "%.9g", 1-sol.rss/tss)
	}
	if n := len(g.Constant()); n > 0 {
		fact("constant columns", "%d", n)
	}
	if !sol.converged {
		f.Stop = "max_iter"
		f.Notes = append(f.Notes, fmt.Sprintf(engines.NotConverged+": after %d iterations the gradient is at %.3g of its start, tol is %.3g",
			sol.iterations, sol.ratio, e.Tol))
	}
	if rho == 0 {
		f.Notes = append(f.Notes, "where columns are dependent, the coefficients are those of minimum norm on the "+e.Scale+" scale; only the fitted values are unique")
	}
	return f
}
