// Package svm fits support vector machines: for classes ±1 and rows x with bounds C_i, the minimum of
//
//	½‖w‖² + Σ_i C_i·max(0, 1 − y_i·(w·φ(x_i) + b))
//
// in the space of a kernel K(x, z) = φ(x)·φ(z), by sequential minimal optimisation of the dual, with a working set chosen by
// second-order information (Fan, Chen & Lin 2005; Chang & Lin, LIBSVM, 2011). More classes than two are problems of two.
package svm

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// SVM is a C-support vector classifier.
type SVM struct {
	Kernel  string  `yaml:"kernel" doc:"rbf: exp(−gamma·‖x−z‖²); linear: x·z; polynomial: (gamma·x·z + coef0)^degree"`
	C       float64 `yaml:"c" simpler:"smaller" rows:"over" doc:"weight of the sum (not the mean) of hinge losses, > 0"`
	Gamma   float64 `yaml:"gamma" doc:"of kernels rbf and polynomial, > 0; 0: as width says"`
	Width   string  `yaml:"width" doc:"gamma where it is 0: scale, 1 / (columns · variance of all entries of the training rows, once scaled), the \"scale\" of scikit-learn; or columns, 1 / columns, as LIBSVM has it"`
	Coef0   float64 `yaml:"coef0" doc:"of kernel polynomial, ≥ 0"`
	Degree  int     `yaml:"degree" simpler:"smaller" doc:"of kernel polynomial, 1 to 20"`
	Scale   string  `yaml:"scale" doc:"sd: each column less its mean, divided by its standard deviation; unit: each column goes from 0 to 1; both as on the training rows, and columns that are constant there are left out; or none"`
	Scheme  string  `yaml:"scheme" doc:"of more than two levels: one-vs-one (the most votes of all pairs, then the first level), or one-vs-rest (the largest decision value)"`
	Tol     float64 `yaml:"tol" doc:"stop where the optimality conditions are violated by at most this, in units of decision values, > 0"`
	MaxIter int     `yaml:"max_iter" doc:"steps at most, in each problem of two sides"`
	Cache   int64   `yaml:"cache" key:"-" doc:"bytes that rows of the kernel matrix are kept in, ≥ 0; two of them always are"`
}

// Kind is the engine svm.
var Kind = engines.Define(engines.Kind{
	Name: "svm",
	Doc:  "support vector classifier with an RBF, linear or polynomial kernel, by sequential minimal optimisation",
	Cite: "Fan, Chen & Lin 2005",
	Rev:  5,
}, SVM{
	Kernel: string(rbf), C: 1, Width: byVariance, Degree: defaultDegree, Scale: toDeviation, Scheme: oneVsOne,
	Tol: 1e-3, MaxIter: 10_000_000, Cache: 256 << 20,
})

const defaultDegree = 3

// Words of the parameters.
const (
	unscaled    = "none"
	toUnit      = "unit"
	toDeviation = "sd"
	byVariance  = "scale"
	byColumns   = "columns"
	oneVsOne    = "one-vs-one"
	oneVsRest   = "one-vs-rest"
)

// Validate checks the parameters.
func (e SVM) Validate() error {
	err := errors.Join(
		e.checkKernel(),
		param.Require("c", e.C > 0 && elementary.IsFinite(e.C), "%v, expected a number above 0", e.C),
		param.OneOf("width", e.Width, byVariance, byColumns),
		param.OneOf("scale", e.Scale, toDeviation, toUnit, unscaled),
		param.OneOf("scheme", e.Scheme, oneVsOne, oneVsRest),
		param.Require("tol", e.Tol > 0 && elementary.IsFinite(e.Tol), "%v, expected a number above 0", e.Tol),
		param.Require("max_iter", e.MaxIter > 0, "%v, expected 1 or more", e.MaxIter),
		param.Require("cache", e.Cache >= 0, "%v, expected 0 or more", e.Cache),
	)
	if err != nil {
		return err
	}
	return errors.Join(
		param.Idle("width", e.Width, byVariance, e.hasWidth() && e.Gamma == 0, "it is for kernels rbf and polynomial where gamma is 0"),
		param.Idle("gamma", e.Gamma, 0, e.hasWidth(), "it is for kernels rbf and polynomial"),
		param.Idle("coef0", e.Coef0, 0, e.Kernel == string(polynomial), "it is for kernel polynomial"),
		param.Idle("degree", e.Degree, defaultDegree, e.Kernel == string(polynomial), "it is for kernel polynomial"),
	)
}

// hasWidth reports whether the kernel has a gamma.
func (e SVM) hasWidth() bool { return e.Kernel != string(linear) }

// checkKernel checks the parameters of the kernel.
func (e SVM) checkKernel() error {
	return errors.Join(
		param.OneOf("kernel", e.Kernel, string(rbf), string(linear), string(polynomial)),
		param.Require("gamma", e.Gamma >= 0 && elementary.IsFinite(e.Gamma), "%v, expected a number above 0, or 0 for what width says", e.Gamma),
		param.Require("coef0", e.Coef0 >= 0 && elementary.IsFinite(e.Coef0), "%v, expected 0 or more: below, the problem is not convex", e.Coef0),
		param.Require("degree", e.Degree >= 1 && e.Degree <= 20, "%v, expected 1 to 20", e.Degree),
	)
}

// Needs returns what the engine asks of data: one class target.
func (e SVM) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Keeps: true, Opaque: e.Kernel != string(linear)}
}

// Footprint returns the memory of a fit: kept rows of the kernel matrix, six layouts of the entries (scaled rows, their columns or, as large as
// two of these, the rows with their zeros, and likewise of the rows that are still worked on), and vectors of rows and columns.
func (e SVM) Footprint(s engines.Shape) engines.Footprint {
	n := int64(s.Rows)
	kernel := max(e.Cache, 16*n)
	if n < 1<<28 { // no overflow
		kernel = min(kernel, max(8*n*n, 16*n))
	}
	return engines.Footprint{Bytes: kernel + 6*12*s.Entries + 160*n + 64*int64(s.Columns)}
}

// Fit trains a machine for every problem of two sides, on up to run.Workers goroutines, which share the cache.
func (e SVM) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	set, err := e.readTrainingSet(run.Train)
	if err != nil {
		return nil, err
	}
	problems := e.binaryProblems(set)
	machines, err := e.trainMachines(ctx, set, problems, run.Workers)
	if err != nil {
		return nil, err
	}
	return e.newModel(set, machines), nil
}
