package group

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
	"tenfold/engines/penalized/convex"
)

// Lasso is group lasso with the classes of features as groups, or units of columns that are selected together: a class has coefficients or it has
// none. Groups cannot overlap, because a column is of one class (a data set whose sets of features overlap says how they are divided: overlap in
// its classes); columns without a class are a group of their own, _none. The penalty weighs a group by the root of its columns.
//
// Or it is multi-task lasso, of several responses with the same features (BBLasso, the blockwise boosted lasso of Obozinski et al., goes to the same
// minima by small steps): a column has coefficients for all responses or for none.
type Lasso struct {
	Lambda      float64 `yaml:"lambda" simpler:"larger" rows:"times" doc:"strength of the penalty, beside half the sum (not the mean) of squared errors, or the sum of logistic losses: the lambda of gglasso, or of glmnet's mgaussian, or the alpha of scikit-learn's MultiTaskLasso, times the rows (their weights); 0: lambda_ratio counts"`
	Ratio       float64 `yaml:"lambda_ratio" simpler:"larger" doc:"lambda as a share of the smallest that selects nothing, in (0, 1], instead of lambda; 0: lambda counts, and where that is 0 as well, a tenth"`
	Loss        string  `yaml:"loss" doc:"auto (logistic for classes, squared for numbers), squared (classes as 0 and 1), or logistic"`
	Standardize bool    `yaml:"standardize" doc:"penalise the coefficients of columns divided by their standard deviation; coefficients are reported on the scale of the data all the same"`
	Tol         float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of the loss without features, in (0, 1)"`
	MaxIter     int     `yaml:"max_iter" doc:"rounds of block descent at most, for each penalty, ≥ 1"`
	multitask   bool
}

// LassoKind is the engine group-lasso.
var LassoKind = engines.Define(engines.Kind{
	Name: "group-lasso",
	Doc:  "least squares or logistic regression with a penalty that selects whole classes of features, by block coordinate descent with a duality gap as its certificate",
	Cite: "Yuan & Lin 2006; Meier, van de Geer & Bühlmann 2008",
	Rev:  8,
}, Lasso{Loss: response.Auto, Tol: 1e-6, MaxIter: 10_000})

// MultiTaskKind is the engine multitask-lasso.
var MultiTaskKind = engines.Define(engines.Kind{
	Name: "multitask-lasso",
	Doc:  "least squares or logistic regressions of several targets on the same features, with a penalty on the norm of each feature's coefficients, by block coordinate descent with a duality gap as its certificate",
	Cite: "Obozinski, Taskar & Jordan 2010 (BBLasso)",
	Rev:  8,
}, Lasso{Loss: response.Auto, Tol: 1e-6, MaxIter: 10_000, multitask: true})

// Validate checks the parameters.
func (e Lasso) Validate() error {
	return errors.Join(
		param.Require("lambda", e.Lambda >= 0 && !math.IsInf(e.Lambda, 0), "%v, expected a number above 0, or 0 where lambda_ratio counts", e.Lambda),
		convex.RequireRatio("lambda", e.Lambda, 0, e.Ratio),
		response.CheckLoss("loss", e.Loss),
		param.Require("tol", e.Tol > 0 && e.Tol < 1, "%v, expected a number between 0 and 1", e.Tol),
		param.Require("max_iter", e.MaxIter >= 1, "%v, expected 1 or more", e.MaxIter),
	)
}

// Needs returns what the engine asks of data: one target, a number or a class of two levels, and classes of features; or, of the
// multi-task lasso, targets on the same rows.
func (e Lasso) Needs() engines.Needs {
	return engines.Needs{
		Target: response.Type(e.Loss), Levels: 2, Keeps: true, Factors: true,
		Tasks: e.multitask, FeatureClasses: !e.multitask, Together: !e.multitask,
	}
}

// Footprint returns the memory of a fit: the columns centred and laid out, moments and coefficients of columns, scores and gradients of
// rows, and the last iterates of a descent. Every further target takes about as much again but for the columns laid out.
func (Lasso) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	return engines.Footprint{Bytes: filled + 12*s.Entries + s.CenteredBytes(false) + 120*int64(s.Columns) + 200*int64(s.Rows)}
}

// Fit minimises the objective.
func (e Lasso) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	f, err := e.read(ctx, run)
	if err != nil {
		return nil, err
	}
	lambda := convex.Path{}.Strength(e.Lambda, e.Ratio, f.lambdaMax)
	f.trace(0, lambda)
	return convex.Fit(ctx, f, lambda)
}

// PathParameters returns lambda_ratio and lambda: as a share of the penalty that selects nothing, it means the same for any number of rows.
func (Lasso) PathParameters() []string { return []string{"lambda_ratio", "lambda"} }

// PathValues returns 25 a decade from 1 on, as those of the lasso.
func (Lasso) PathValues(run engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, run.Train.Len(), run.Train.Columns(), 25), nil
}

// FitPath fits at each of the points, every one from the one before.
func (e Lasso) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	f, err := e.read(ctx, run)
	if err != nil {
		return err
	}
	return convex.Along(ctx, f, "lambda", points, f.lambdaMax, keep)
}

// AtValue returns the engine with another lambda_ratio.
func (e Lasso) AtValue(share float64) engines.Engine {
	e.Ratio = share
	return e
}

// fitting is a fit, or a path of them (convex.Problem).
type fitting struct {
	Lasso
	run       engines.Run
	responses *response.Responses
	parts     parts
	center    []float64 // what columns of the problem are less than the data's; nil for nothing
	p         *Problem
	pt        *Point
	lambdaMax float64
}

func (e Lasso) read(ctx context.Context, run engines.Run) (*fitting, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r, err := response.Read(run.Train, e.Loss)
	if err != nil {
		return nil, err
	}
	f := &fitting{Lasso: e, run: run, responses: r}
	divide := classes
	if e.multitask {
		divide = singleColumnBlocks
	}
	if f.parts, err = divide(run.Train); err != nil {
		return nil, err
	}
	scale := "none"
	if e.Standardize {
		scale = "sd"
	}
	centred, err := scaled.Center(ctx, r.Train.FilledMatrix(), r.Train.Weights(), scaled.Mean, false)
	if err != nil {
		return nil, err
	}
	scaled, err := scaled.Standardize(centred.X, r.Train.Weights(), scale)
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

// Loss returns the loss at the point.
func (f *fitting) Loss() float64 { return f.pt.value }

// Solve minimises for a λ, from the point.
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

// Model returns the model of the point, on the scale of the data.
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

// selected says how many blocks have coefficients, and which if they are few.
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
