// Package all lists the engines, what wraps them, and the kinds of models that they make. Adding one is a line here.
package all

import (
	"tenfold/engines"
	"tenfold/engines/aso"
	"tenfold/engines/baseline"
	"tenfold/engines/bayes"
	"tenfold/engines/combine"
	"tenfold/engines/group"
	"tenfold/engines/kind"
	"tenfold/engines/l1"
	"tenfold/engines/lars"
	"tenfold/engines/lasso"
	"tenfold/engines/leastsquares"
	"tenfold/engines/loglinear"
	"tenfold/engines/maxent"
	"tenfold/engines/mdl"
	"tenfold/engines/mkl"
	"tenfold/engines/naivebayes"
	"tenfold/engines/onevsrest"
	"tenfold/engines/plain"
	"tenfold/engines/refit"
	"tenfold/engines/stagewise"
	"tenfold/engines/svm"
	"tenfold/engines/transfer"
	"tenfold/engines/univariate"
)

// Engines by name.
func Engines() (engines.Set, error) {
	return kind.NewSet(
		stagewise.Kind,
		leastsquares.OLSKind,
		leastsquares.RidgeKind,
		lasso.LassoKind,
		lasso.ElasticNetKind,
		group.LassoKind,
		group.MultiTaskKind,
		mkl.Kind,
		aso.Kind,
		maxent.IFSKind,
		maxent.SGCKind,
		maxent.CountKind,
		maxent.MaxEntKind,
		bayes.Kind,
		l1.L1Kind,
		l1.OWLQNKind,
		l1.DualKind,
		l1.LogisticKind,
		mdl.Kind,
		mdl.StepwiseKind,
		lars.Kind,
		naivebayes.Kind,
		svm.Kind,
		univariate.SimesKind,
		univariate.Chi2Kind,
		univariate.MutualInformationKind,
		univariate.AnovaKind,
		univariate.FDRKind,
		baseline.MeanKind,
		baseline.MajorityKind,
		plain.OracleKind,
		plain.RandomKind,
	)
}

// Wrappers make engines of engines, the inner ones first.
func Wrappers() engines.Wrappers {
	return engines.Wrappers{
		Around: []engines.Wrapper{
			combine.Wrapper,
			transfer.Wrapper,
			onevsrest.Wrapper,
		},
		Pair: refit.Pair,
	}
}

// Models is how each kind of model is restored, by its name.
func Models() engines.Models {
	return engines.Models{
		engines.LinearKind: engines.RestoreLinear,
		engines.LinkedKind: engines.RestoreLinked,
		loglinear.SavedAs:  loglinear.Restore,
		naivebayes.SavedAs: naivebayes.Restore,
		combine.SavedAs:    combine.Restore,
		lasso.SavedAs:      lasso.Restore,
		plain.SavedAs:      plain.Restore,
		svm.SavedAs:        svm.Restore,
		mkl.SavedAs:        mkl.Restore,
		onevsrest.SavedAs:  onevsrest.Restore,
		refit.SavedAs:      refit.Restore,
	}
}
