// Package all lists the engines, what wraps them, and the kinds of models that they make. Adding one is a line here.
package all

import (
	"tenfold/engines"
	"tenfold/engines/core/loglinear"
	"tenfold/engines/methods/aso"
	"tenfold/engines/methods/baseline"
	"tenfold/engines/methods/bayes"
	"tenfold/engines/methods/boosting"
	"tenfold/engines/methods/forest"
	"tenfold/engines/methods/group"
	"tenfold/engines/methods/l0"
	"tenfold/engines/methods/l1"
	"tenfold/engines/methods/lars"
	"tenfold/engines/methods/lasso"
	"tenfold/engines/methods/leastsquares"
	"tenfold/engines/methods/linear"
	"tenfold/engines/methods/maxent"
	"tenfold/engines/methods/mdl"
	"tenfold/engines/methods/mkl"
	"tenfold/engines/methods/naivebayes"
	"tenfold/engines/methods/nonconvex"
	"tenfold/engines/methods/redundancy"
	"tenfold/engines/methods/slope"
	"tenfold/engines/methods/stagewise"
	"tenfold/engines/methods/subset"
	"tenfold/engines/methods/svm"
	"tenfold/engines/methods/transfer"
	"tenfold/engines/methods/univariate"
	"tenfold/engines/registry"
	"tenfold/engines/wrappers/combine"
	"tenfold/engines/wrappers/knockoffs"
	"tenfold/engines/wrappers/onevsrest"
	"tenfold/engines/wrappers/refit"
	"tenfold/engines/wrappers/rfe"
	"tenfold/engines/wrappers/stability"
)

// Engines by name.
func Engines() (engines.Set, error) {
	return registry.NewSet(
		stagewise.Kind,
		leastsquares.OLSKind,
		leastsquares.RidgeKind,
		lasso.LassoKind,
		lasso.ElasticNetKind,
		lasso.AdaptiveKind,
		lasso.RelaxedKind,
		lasso.CoxKind,
		nonconvex.MCPKind,
		l0.Kind,
		nonconvex.SCADKind,
		slope.Kind,
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
		linear.Kind,
		forest.Kind,
		forest.BorutaKind,
		boosting.Kind,
		univariate.SimesKind,
		univariate.Chi2Kind,
		univariate.MutualInformationKind,
		univariate.AnovaKind,
		univariate.FDRKind,
		univariate.CoxFilterKind,
		redundancy.MIMKind,
		redundancy.MRMRKind,
		redundancy.JMIKind,
		redundancy.JMIMKind,
		redundancy.NJMIMKind,
		redundancy.DISRKind,
		redundancy.CMIMKind,
		redundancy.VarianceKind,
		baseline.MeanKind,
		baseline.MajorityKind,
		subset.OracleKind,
		subset.RandomKind,
	)
}

// Wrappers make engines of engines, the inner ones first.
func Wrappers() engines.Wrappers {
	return engines.Wrappers{
		Around: []engines.Wrapper{
			combine.Wrapper,
			transfer.Wrapper,
			onevsrest.Wrapper,
			rfe.Wrapper,
			stability.Wrapper,
			knockoffs.Wrapper,
		},
		Pair: refit.Pair,
	}
}

// Models is how each kind of model is restored, by its name.
func Models() engines.Models {
	return engines.Models{
		engines.LinearKind: engines.RestoreLinear,
		engines.LinkedKind: engines.RestoreLinked,
		engines.SharesKind: engines.RestoreShares,
		loglinear.SavedAs:  loglinear.Restore,
		naivebayes.SavedAs: naivebayes.Restore,
		combine.SavedAs:    combine.Restore,
		lasso.SavedAs:      lasso.Restore,
		subset.SavedAs:     subset.Restore,
		svm.SavedAs:        svm.Restore,
		mkl.SavedAs:        mkl.Restore,
		forest.SavedAs:     forest.Restore,
		boosting.SavedAs:   boosting.Restore,
		onevsrest.SavedAs:  onevsrest.Restore,
		refit.SavedAs:      refit.Restore,
	}
}
