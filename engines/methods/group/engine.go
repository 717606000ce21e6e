package group

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/core/response"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/engines/param"
)

// Parameters of both engines.
type Parameters struct {
	Lambda      float64 `yaml:"lambda" doc:"strength of the penalty, beside half the sum (not the mean) of squared errors, or the sum of logistic losses, > 0: the lambda of gglasso, or of glmnet's mgaussian, or the alpha of scikit-learn's MultiTaskLasso, times the rows (their weights)"`
	Ratio       float64 `yaml:"lambda_ratio" doc:"lambda as a share of the smallest that selects nothing, in (0, 1], instead of lambda; 0: lambda counts"`
	Loss        string  `yaml:"loss" doc:"auto (logistic for classes, squared for numbers), squared (classes as 0 and 1), or logistic"`
	Standardize bool    `yaml:"standardize" doc:"penalise the coefficients of columns divided by their standard deviation; coefficients are reported on the scale of the data all the same"`
	Tol         float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of the loss without features, in (0, 1)"`
	MaxIter     int     `yaml:"max_iter" doc:"rounds of block descent at most, for each penalty, ≥ 1"`
}

var defaults = Parameters{Lambda: 1, Loss: response.Auto, Tol: 1e-6, MaxIter: 10_000}

func (e Parameters) validateParameters() error {
	require := func(field string, ok bool, expected string, value any) error {
		if ok {
			return nil
		}
		return param.Errorf(field, "%v, expected %s", value, expected)
	}
	return errors.Join(
		require("lambda", e.Lambda > 0 && !math.IsInf(e.Lambda, 0), "a number above 0", e.Lambda),
		require("lambda_ratio", e.Ratio >= 0 && e.Ratio <= 1, "a share above 0, at most 1, or 0 where lambda counts", e.Ratio),
		response.CheckLoss("loss", e.Loss),
		require("tol", e.Tol > 0 && e.Tol < 1, "a number between 0 and 1", e.Tol),
		require("max_iter", e.MaxIter >= 1, "1 or more", e.MaxIter),
	)
}

// bytes of a fit: the columns centred and laid out, moments and coefficients of columns, scores and slopes of rows, and the last
// iterates of a descent.
func bytes(s engines.Shape) int64 {
	return 12*s.Entries + s.CenteredBytes(false) + 120*int64(s.Columns) + 200*int64(s.Rows)
}

// parts of a fit that the two engines make differently.
type parts struct {
	columns [][]int32 // of the blocks
	weight  []float64
	notes   []string
	name    func(block int) string
	names   string // what blocks are
}

// fitting is a fit, or a path of them.
type fitting struct {
	Parameters
	run       engines.Run
	responses *response.Responses
	parts     parts
	center    []float64 // what columns of the problem are less than the data's; nil for nothing
	p         *Problem
	pt        *Point
	largest   float64
	rounds    int
}

func (e Parameters) read(ctx context.Context, run engines.Run, divide func(*data.View) (parts, error)) (*fitting, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r, err := response.Read(run.Train, e.Loss)
	if err != nil {
		return nil, err
	}
	f := &fitting{Parameters: e, run: run, responses: r}
	if f.parts, err = divide(run.Train); err != nil {
		return nil, err
	}
	scale := "none"
	if e.Standardize {
		scale = "sd"
	}
	centred, err := sparse.Center(ctx, r.Train.Matrix(), r.Train.Weights(), true, false)
	if err != nil {
		return nil, err
	}
	scaled, err := sparse.Standardize(centred.X, r.Train.Weights(), scale)
	if err != nil {
		return nil, err
	}
	f.center = centred.Center
	f.p = New(scaled, r.ByRow(), len(r.Each), r.Loss == response.Logistic, f.parts.columns, f.parts.weight)
	if f.pt, err = f.p.NewPoint(ctx, run.Workers); err != nil {
		return nil, err
	}
	f.largest = f.pt.Largest()
	return f, nil
}

// fit for the one penalty of the parameters.
func (e Parameters) fit(ctx context.Context, run engines.Run, divide func(*data.View) (parts, error)) (engines.Model, error) {
	f, err := e.read(ctx, run, divide)
	if err != nil {
		return nil, err
	}
	lambda := e.Lambda
	if e.Ratio > 0 {
		lambda = e.Ratio * f.largest
	}
	if lambda == 0 {
		return nil, fmt.Errorf("lambda_ratio %v: no column goes with any target, so every penalty selects nothing; give lambda", e.Ratio)
	}
	f.trace(lambda)
	return f.solve(ctx, lambda)
}

// values of a usual path, 25 a decade.
func (f *fitting) values() engines.PathRange {
	rows, columns := f.p.dims()
	return engines.PenaltyPath(f.largest, rows, columns, 25)
}

// along fits for each of the values, every one from the one before, until a model is saturated.
func (f *fitting) along(ctx context.Context, values []float64, keep func(int, engines.Model)) error {
	for k, lambda := range values {
		f.rounds = 0
		m, err := f.solve(ctx, lambda)
		if err != nil {
			return err
		}
		if keep(k, m); engines.Saturated(f.pt.value, f.pt.start) {
			break
		}
	}
	return nil
}

func (f *fitting) solve(ctx context.Context, lambda float64) (engines.Model, error) {
	goal := Goal{Lambda: lambda, Tol: f.Tol, MaxIter: f.MaxIter, Workers: f.run.Workers}
	if f.run.Trace != nil {
		goal.Trace = func(iter int) {
			f.rounds = iter
			f.trace(lambda)
		}
	}
	out, err := f.pt.Search(ctx, goal)
	if err != nil {
		return nil, err
	}
	return f.model(lambda, out), nil
}

func (f *fitting) trace(lambda float64) {
	if f.run.Trace == nil {
		return
	}
	active := 0
	for _, v := range f.pt.b {
		if v != 0 {
			active++
		}
	}
	loss := f.pt.value / (f.p.x.N * float64(f.p.tasks))
	if f.responses.Loss == response.Squared {
		loss *= 2
	}
	f.run.Trace(engines.Step{
		Iter: f.rounds, TrainError: loss, Active: active, Whole: true, Changed: engines.Coef{Feature: -1},
		Parameter: "lambda", ParameterValue: lambda,
	})
}

// model of the point, on the scale of the data.
func (f *fitting) model(lambda float64, out Outcome) engines.Model {
	fitted := engines.Fitted{Stop: out.Stop, Iterations: out.Iterations, Evaluated: out.Evaluated, Best: -1, Certificate: &out.Certificate}
	fitted.Notes = append(fitted.Notes, f.parts.notes...)
	if gap := out.Gap(); out.Stop != "gap" && gap > f.Tol*f.pt.start {
		fitted.Notes = append(fitted.Notes, fmt.Sprintf(engines.NotConverged+": after %d rounds the duality gap is %.3g of the loss without features, tol is %.3g", out.Iterations, gap/f.pt.start, f.Tol))
	}
	fitted.Facts = []data.Fact{
		{Name: "lambda", Value: fmt.Sprintf("%.6g (selects nothing from %.6g on)", lambda, f.largest)},
		{Name: f.parts.names + " selected", Value: f.selected()},
	}
	var coefs []engines.Coef
	bias := make([]float64, f.p.tasks)
	for t := range bias {
		bias[t] = f.pt.bias[t] + f.p.mean[t]
	}
	for k, v := range f.pt.b {
		j, t := k/f.p.tasks, k%f.p.tasks
		if v == 0 {
			continue
		}
		w := v * f.p.x.Scale[j]
		if f.center != nil {
			bias[t] -= float64(w * f.center[j])
		}
		coefs = append(coefs, engines.Coef{Feature: j, Output: t, Value: w, Rank: -1})
	}
	return f.responses.Model(bias, coefs, fitted)
}

// selected tells how many blocks have coefficients, and which if they are few.
func (f *fitting) selected() string {
	const few = 20
	n, names := 0, ""
	for g := range f.p.blocks {
		if f.pt.blockNorm(&f.p.blocks[g]) == 0 {
			continue
		}
		if n++; n <= few && f.parts.name != nil {
			names += ", " + f.parts.name(g)
		}
	}
	text := fmt.Sprintf("%d of %d", n, len(f.p.blocks))
	switch {
	case names == "":
		return text
	case n > few:
		return text + ": " + names[2:] + ", …"
	}
	return text + ": " + names[2:]
}
