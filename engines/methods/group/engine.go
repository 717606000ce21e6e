package group

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/core/convex"
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
	return errors.Join(
		param.Require("lambda", e.Lambda > 0 && !math.IsInf(e.Lambda, 0), "%v, expected a number above 0", e.Lambda),
		convex.RequireRatio("lambda", e.Ratio),
		response.CheckLoss("loss", e.Loss),
		param.Require("tol", e.Tol > 0 && e.Tol < 1, "%v, expected a number between 0 and 1", e.Tol),
		param.Require("max_iter", e.MaxIter >= 1, "%v, expected 1 or more", e.MaxIter),
	)
}

// bytes of a fit: the columns centred and laid out, moments and coefficients of columns, scores and gradients of rows, and the last
// iterates of a descent.
func bytes(s engines.Shape) int64 {
	s, filled := s.Filled()
	return filled + 12*s.Entries + s.CenteredBytes(false) + 120*int64(s.Columns) + 200*int64(s.Rows)
}

// parts of a fit that the two engines make differently.
type parts struct {
	columns [][]int32 // of the blocks
	weight  []float64
	notes   []string
	name    func(block int) string
	names   string // what blocks are
}

// fitting is a fit, or a path of them (convex.Problem).
type fitting struct {
	Parameters
	run       engines.Run
	responses *response.Responses
	parts     parts
	center    []float64 // what columns of the problem are less than the data's; nil for nothing
	p         *Problem
	pt        *Point
	lambdaMax float64
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
	centred, err := sparse.Center(ctx, r.Train.FilledMatrix(), r.Train.Weights(), true, false)
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
	f.lambdaMax = f.pt.LambdaMax()
	return f, nil
}

// fit for the one penalty of the parameters.
func (e Parameters) fit(ctx context.Context, run engines.Run, divide func(*data.View) (parts, error)) (engines.Model, error) {
	f, err := e.read(ctx, run, divide)
	if err != nil {
		return nil, err
	}
	lambda, err := convex.Strength("lambda", e.Lambda, e.Ratio, f.lambdaMax)
	if err != nil {
		return nil, err
	}
	f.trace(0, lambda)
	return convex.Fit(ctx, f, lambda)
}

// along a path from each penalty to the next.
func (f *fitting) along(ctx context.Context, points engines.PathPoints, keep func(int, engines.Model)) error {
	return convex.Along(ctx, f, "lambda", points, f.lambdaMax, keep)
}

// values of a usual path, 25 a decade.
func (f *fitting) values() engines.PathRange {
	rows, columns := f.p.dims()
	return engines.PenaltyPath(f.lambdaMax, rows, columns, 25)
}

// Loss at the point.
func (f *fitting) Loss() float64 { return f.pt.value }

// Solve for λ.
func (f *fitting) Solve(ctx context.Context, lambda, _ float64) (convex.Outcome, error) {
	return f.pt.Search(ctx, convex.Goal{
		Lambda: lambda, Criterion: convex.Criterion{Tol: f.Tol, MaxIter: f.MaxIter, Null: f.pt.start},
		Trace: func(iter int) { f.trace(iter, lambda) },
	})
}

func (f *fitting) trace(iter int, lambda float64) {
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
	f.run.Trace(convex.Step(iter, loss, active, "lambda", lambda))
}

// Model of the point, on the scale of the data.
func (f *fitting) Model(lambda float64, out convex.Outcome) engines.Model {
	out.Notes = slices.Concat(f.parts.notes, out.Notes)
	out.Facts = []data.Fact{
		convex.StrengthFact("lambda", lambda, f.lambdaMax),
		{Name: f.parts.names + " selected", Value: f.selected()},
	}
	var coefs []engines.Coef
	bias := make([]float64, f.p.tasks)
	for t := range bias {
		bias[t] = f.pt.bias[t] + f.p.mean[t]
	}
	for t := range bias { // in the order of models
		for _, j := range f.pt.selected {
			w := f.pt.coefficientsOf(j)[t] * f.p.x.Scale[j]
			if w == 0 {
				continue
			}
			if f.center != nil {
				bias[t] -= float64(w * f.center[j])
			}
			coefs = append(coefs, engines.Coef{Feature: int(j), Output: t, Value: w, Rank: -1})
		}
	}
	return f.responses.Model(bias, coefs, out.Fitted())
}

// selected tells how many blocks have coefficients, and which if they are few.
func (f *fitting) selected() string {
	const few = 20
	n, names := 0, ""
	for g := range f.p.blocks {
		if f.pt.norm[g] == 0 {
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
