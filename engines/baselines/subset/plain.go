// Package subset fits a plain model to columns that were chosen beforehand: known ones (oracle), columns drawn at random, or those
// that a filter keeps. So selections differ in what they select alone.
package subset

import (
	"cmp"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/constant"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/param"
	"tenfold/engines/penalized/hazards"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
)

// For returns the engine for a view's only target once its columns have been chosen: logistic regression for classes, with
// ½·ridge·‖w‖² on the slopes, least squares for numbers, Cox's for times until an event and Poisson's for counts, with ½·ridge·‖w‖² on
// columns of standard deviation 1; the shares or the mean where there is no column, or one class alone. A ridge of 0 is a tenth of the number of columns,
// on columns of standard deviation 1; of times and counts, at least 1.
func For(v *data.View, ridge float64) engines.Engine {
	if v.TargetInfo(0).Type == data.Survival {
		cox := hazards.CoxKind.Defaults().(hazards.Cox)
		cox.Lambda, cox.Lambda2 = 0, cmp.Or(ridge, max(1, float64(v.Columns())/10))
		return cox
	}
	class := v.TargetInfo(0).Type == data.Class
	_, y := v.Target(0)
	varies := slices.ContainsFunc(y, func(v float64) bool { return v != y[0] })
	switch {
	case class && (v.Columns() == 0 || !varies):
		return constant.Majority{}
	case class:
		if ridge == 0 {
			ridge = logistic.ByColumns
		}
		return logistic.Logistic{C2: ridge, Bias: string(logits.FreeBias), Stopping: logits.Stopping{Tol: 1e-8, MaxIter: 10_000}}
	case v.Columns() == 0:
		return constant.Mean{}
	case v.TargetInfo(0).Type == data.Count:
		return leastsquares.Ridge{Lambda: cmp.Or(ridge, max(1, float64(v.Columns())/10)), Scale: "sd", Tol: 1e-8}
	}
	return leastsquares.OLS{Scale: "sd", Tol: 1e-10}
}

// checkRidge checks the parameter of the logistic regression.
func checkRidge(ridge float64) error {
	return param.Require("ridge", ridge >= 0 && ridge-ridge == 0, "%v, expected a number above 0, or 0 for the default", ridge)
}
