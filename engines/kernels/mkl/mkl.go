// Package mkl learns which kernels of which classes of features a response needs.
package mkl

import (
	"cmp"
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

// MKL is multiple kernel learning: a sum of functions of the spaces of many kernels, with a penalty on the sum of their norms,
// which leaves few of them. Candidates are 13 kernels on the columns of each class of features, and on all columns.
type MKL struct {
	Lambda   float64 `yaml:"lambda" simpler:"larger" doc:"strength of the penalty on the sum of norms, beside half the sum of squared errors, or the sum of logistic losses; every kernel matrix has trace 1; 0: lambda_ratio counts"`
	Ratio    float64 `yaml:"lambda_ratio" simpler:"larger" doc:"lambda as a share of the smallest that uses no kernel, in (0, 1], instead of lambda; 0: lambda counts, and where that is 0 as well, a tenth"`
	Loss     string  `yaml:"loss" doc:"auto (logistic for classes, squared for numbers), squared (classes as 0 and 1), or logistic"`
	Products string  `yaml:"products" doc:"inner products and squared distances on the columns of a class: their sum (as SimpleMKL), or their mean, which makes widths mean the same for classes of any size; on all columns, the sum, or mean, of those of classes"`
	Tol      float64 `yaml:"tol" doc:"stop where the duality gap is at most this share of the loss without features, in (0, 1)"`
	MaxIter  int     `yaml:"max_iter" doc:"Newton steps at most, for each penalty, ≥ 1"`
	Memory   float64 `yaml:"max_memory" key:"-" doc:"refuse a fit whose kernel matrices take more than this, in GiB, > 0"`
}

// Kind is the engine mkl.
var Kind = engines.Define(engines.Kind{
	Name: "mkl",
	Doc:  "multiple kernel learning: 10 Gaussian and 3 polynomial kernels on each class of features and on all, by the dual augmented Lagrangian method, with a duality gap as its certificate",
	Cite: "Rakotomamonjy et al. 2008 (SimpleMKL); Suzuki & Tomioka 2011 (SpicyMKL)",
	Rev:  8,
}, MKL{Loss: response.Auto, Products: bySum, Tol: 1e-6, MaxIter: 1000, Memory: 4})

const (
	bySum  = "sum"
	byMean = "mean"
)

// Validate checks the parameters.
func (e MKL) Validate() error {
	return errors.Join(
		param.Require("lambda", e.Lambda >= 0 && !math.IsInf(e.Lambda, 0), "%v, expected a number above 0, or 0 where lambda_ratio counts", e.Lambda),
		convex.RequireRatio("lambda", e.Lambda, 0, e.Ratio),
		response.CheckLoss("loss", e.Loss),
		param.OneOf("products", e.Products, bySum, byMean),
		param.Require("tol", e.Tol > 0 && e.Tol < 1, "%v, expected a number between 0 and 1", e.Tol),
		param.Require("max_iter", e.MaxIter >= 1, "%v, expected 1 or more", e.MaxIter),
		param.Require("max_memory", e.Memory > 0, "%v, expected a number above 0", e.Memory),
	)
}

// Needs returns what the engine asks of data: one target, a number or a class of two levels. Without classes of features there are the kernels on all columns.
func (e MKL) Needs() engines.Needs {
	return engines.Needs{Target: response.Type(e.Loss), Levels: 2, Keeps: true, Opaque: true}
}

// Footprint returns the memory of a fit: the kernel matrices, their products with vectors, and the columns by class.
func (e MKL) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	classes := max(s.Classes, 1)
	return engines.Footprint{Bytes: filled + kernelBytes(s.Rows, classes) + 8*int64(s.Rows*perBase*countColumnSets(classes)) + 32*s.Entries + s.CenteredBytes(false) + 48*int64(s.Columns)}
}

// Fit minimises the objective.
func (e MKL) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	f, err := e.newFitRun(ctx, run)
	if err != nil {
		return nil, err
	}
	lambda := convex.Path{}.Strength(e.Lambda, e.Ratio, f.lambdaMax)
	f.trace(0, lambda)
	return convex.Fit(ctx, f, lambda)
}

// PathParameters returns lambda_ratio and lambda: as a share of the penalty that uses no kernel, it means the same for any number of rows.
func (MKL) PathParameters() []string { return []string{"lambda_ratio", "lambda"} }

// PathValues returns 10 a decade from 1 to a hundredth at first: kernels have more functions than there are rows.
func (MKL) PathValues(engines.Run) (engines.PathRange, error) {
	return engines.PenaltyPath(1, 0, 1, 10), nil
}

// FitPath fits at each of the points, every one from the one before: the kernels are made once.
func (e MKL) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	f, err := e.newFitRun(ctx, run)
	if err != nil {
		return err
	}
	return convex.Along(ctx, f, "lambda", points, f.lambdaMax, keep)
}

// AtValue returns the engine with another lambda_ratio.
func (e MKL) AtValue(share float64) engines.Engine {
	e.Ratio = share
	return e
}

// fitRun is one fit, or one path (convex.Problem).
type fitRun struct {
	MKL
	run        engines.Run
	responses  *response.Responses
	bases      columnSets
	jointScale float64 // what inner products on all columns are, as a share of the sum of those on the bases
	self       [][]float64
	learner    *learner
	lambdaMax  float64
}

func (e MKL) newFitRun(ctx context.Context, run engines.Run) (*fitRun, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r, err := response.Read(run.Train, e.Loss)
	if err != nil {
		return nil, err
	}
	f := &fitRun{MKL: e, run: run, responses: r, jointScale: 1}
	if err := f.checkMemory(); err != nil {
		return nil, err
	}
	weight := r.Train.Weights()
	centred, err := scaled.Center(ctx, r.Train.FilledMatrix(), weight, scaled.Mean, false)
	if err != nil {
		return nil, err
	}
	scaled, err := scaled.Standardize(centred.X, weight, "sd")
	if err != nil {
		return nil, err
	}
	f.bases = splitByClass(run.Train.Features(), scaled, centred.Center)
	if e.Products == byMean {
		f.averageInnerProducts()
	}
	kernels, self, err := f.bases.candidates(ctx, r.Train.Len(), weight, run.Workers, f.jointScale)
	if err != nil {
		return nil, err
	}
	f.self = self
	side := rows{y: r.Each[0].Y, weight: weight}
	var l loss = squaredLoss{side}
	if r.Loss == response.Logistic {
		l = logisticLoss{side}
	}
	f.learner = newLearner(l, kernels, run.Workers)
	f.lambdaMax = f.learner.lambdaMax()
	return f, nil
}

// checkMemory refuses kernels that would take too much memory, before any is made.
func (f *fitRun) checkMemory() error {
	features := f.run.Train.Features()
	used := map[int]bool{}
	for j := range features.Len() {
		used[features.Class(j)] = true
	}
	n := f.responses.Train.Len()
	if need, most := float64(kernelBytes(n, len(used))), f.Memory*(1<<30); need > most {
		return fmt.Errorf("%d kernel matrices of %d × %d (%d kernels on each of %d classes of features and on all columns) take %.3g GiB, max_memory is %.3g", perBase*countColumnSets(len(used)), n, n, perBase, len(used), need/(1<<30), f.Memory)
	}
	if features.Len() == 0 {
		return fmt.Errorf("there is no column to make a kernel of")
	}
	return nil
}

// averageInnerProducts makes inner products means over the columns of the class that vary; on all columns, the mean of those of classes.
func (f *fitRun) averageInnerProducts() {
	f.jointScale = 1 / float64(len(f.bases))
	for _, b := range f.bases {
		n := 0
		for _, s := range b.scale {
			if s > 0 {
				n++
			}
		}
		b.share = 1 / float64(max(1, n))
	}
}

// Loss returns the loss of the present scores.
func (f *fitRun) Loss() float64 { return f.learner.value }

// Solve solves the problem for λ.
func (f *fitRun) Solve(ctx context.Context, lambda, _ float64) (convex.Outcome, error) {
	return f.learner.minimize(ctx, convex.Goal{
		Lambda: lambda, Criterion: convex.Criterion{Tol: f.Tol, MaxIter: f.MaxIter, Null: f.learner.start},
		Trace: func(iter int) { f.trace(iter, lambda) },
	})
}

func (f *fitRun) trace(iter int, lambda float64) {
	if f.run.Trace == nil {
		return
	}
	n, active := 0.0, 0
	for i := range f.learner.rho {
		n += f.learner.loss.weightOf(i)
	}
	for _, a := range f.learner.alpha {
		if a != nil {
			active++
		}
	}
	loss := f.learner.value / n
	if f.responses.Loss == response.Squared {
		loss *= 2
	}
	f.run.Trace(convex.Step(iter, loss, active, "lambda", lambda))
}

// weightedKernel is a kernel in use with its share of the norms.
type weightedKernel struct {
	number int
	weight float64
}

// usedKernels returns the kernels with a weight, largest first.
func (f *fitRun) usedKernels() (out []weightedKernel) {
	sum := 0.0
	for m, a := range f.learner.alpha {
		if size := f.learner.functionNorm(m); a != nil && size > 0 {
			out = append(out, weightedKernel{m, size})
			sum += size
		}
	}
	for k := range out {
		out[k].weight /= sum
	}
	slices.SortStableFunc(out, func(a, b weightedKernel) int { return cmp.Compare(b.weight, a.weight) })
	return out
}

// Model returns the model of the kernels in use.
func (f *fitRun) Model(lambda float64, out convex.Outcome) engines.Model {
	used := f.usedKernels()
	out.Facts = []data.Fact{convex.StrengthFact("lambda", lambda, f.lambdaMax)}
	out.AddFact("kernels in use", "%d of %d", len(used), len(f.learner.kernels))
	m := newModel(f, used)
	out.AddFact("classes in use", "%s", m.classesInUse(f))
	const few = 20
	for _, w := range used[:min(few, len(used))] {
		k := f.learner.kernels[w.number]
		out.AddFact(fmt.Sprintf("weight of %v on %s", k.kernelShape, f.baseName(k.base)), "%.4f", w.weight)
	}
	if len(used) > few {
		out.AddFact("weight of further kernels", "%.4f", sumWeights(used[few:]))
	}
	m.fitted = out.Fitted()
	m.fitted.Probabilities = f.responses.Loss == response.Logistic
	return m
}

func sumWeights(list []weightedKernel) (s float64) {
	for _, w := range list {
		s += w.weight
	}
	return s
}

func (f *fitRun) baseName(number int) string {
	if number < 0 {
		return "all columns"
	}
	return f.bases[number].name
}
