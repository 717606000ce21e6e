// Package all lists the engines, what wraps them, and the kinds of models that they make. Adding one is a line here.
package all

import (
	"tenfold/engines"
	"tenfold/engines/baselines/constant"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/coding/transfer"
	"tenfold/engines/decided"
	"tenfold/engines/entropy/bayes"
	"tenfold/engines/entropy/maxent"
	"tenfold/engines/entropy/naivebayes"
	"tenfold/engines/filters/car"
	"tenfold/engines/filters/redundancy"
	"tenfold/engines/filters/relief"
	"tenfold/engines/filters/scores"
	"tenfold/engines/filters/sets"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/kernels/mkl"
	"tenfold/engines/kernels/svm"
	"tenfold/engines/model/bylevel"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/model/softmax"
	"tenfold/engines/penalized/concave"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/group"
	"tenfold/engines/penalized/hazards"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/penalized/owlqn"
	"tenfold/engines/penalized/slope"
	"tenfold/engines/penalized/targets"
	"tenfold/engines/penalized/twostage"
	"tenfold/engines/registry"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/linear"
	"tenfold/engines/ridge/logistic"
	"tenfold/engines/shared/aso"
	"tenfold/engines/steps/forward"
	"tenfold/engines/steps/l0"
	"tenfold/engines/steps/lars"
	"tenfold/engines/steps/stagewise"
	"tenfold/engines/trees/boosting"
	"tenfold/engines/trees/boruta"
	"tenfold/engines/trees/forest"
	"tenfold/engines/wrappers/byclass"
	"tenfold/engines/wrappers/combine"
	"tenfold/engines/wrappers/decide"
	"tenfold/engines/wrappers/knockoffs"
	"tenfold/engines/wrappers/onevsrest"
	"tenfold/engines/wrappers/permutation"
	"tenfold/engines/wrappers/refit"
	"tenfold/engines/wrappers/rfe"
	"tenfold/engines/wrappers/sequential"
	"tenfold/engines/wrappers/stability"
	"tenfold/engines/wrappers/vote"
)

// Engines returns the engines by name.
func Engines() (engines.Set, error) {
	return registry.NewSet(
		stagewise.Kind,
		leastsquares.OLSKind,
		leastsquares.RidgeKind,
		lasso.LassoKind,
		lasso.ElasticNetKind,
		twostage.AdaptiveKind,
		twostage.RelaxedKind,
		hazards.CoxKind,
		concave.MCPKind,
		l0.Kind,
		concave.SCADKind,
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
		owlqn.OWLQNKind,
		dual.Kind,
		logistic.Kind,
		mdl.Kind,
		forward.Kind,
		lars.Kind,
		naivebayes.Kind,
		svm.Kind,
		linear.Kind,
		forest.Kind,
		boruta.Kind,
		boosting.Kind,
		univariate.SimesKind,
		univariate.Chi2Kind,
		univariate.MutualInformationKind,
		univariate.AnovaKind,
		univariate.FDRKind,
		univariate.CoxFilterKind,
		scores.Kind,
		relief.Kind,
		redundancy.MIMKind,
		redundancy.MRMRKind,
		redundancy.JMIKind,
		redundancy.JMIMKind,
		redundancy.NJMIMKind,
		redundancy.DISRKind,
		redundancy.CMIMKind,
		redundancy.JIMKind,
		car.Kind,
		car.SurvivalKind,
		sets.CFSKind,
		sets.FCBFKind,
		redundancy.VarianceKind,
		constant.MeanKind,
		constant.MajorityKind,
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
			byclass.Wrapper,
			decide.Wrapper,
			rfe.Wrapper,
			permutation.Wrapper,
			sequential.Wrapper,
			stability.Wrapper,
			knockoffs.Wrapper,
		},
		Pair:  refit.Pair,
		Joint: vote.Joint,
	}
}

// Models returns how each kind of model is restored, by the kind's name.
func Models() engines.Models {
	return engines.Models{
		engines.LinearKind: engines.RestoreLinear,
		engines.LinkedKind: engines.RestoreLinked,
		engines.SharesKind: engines.RestoreShares,
		decided.Kind:       decided.Restore,
		softmax.SavedAs:    softmax.Restore,
		naivebayes.SavedAs: naivebayes.Restore,
		combine.SavedAs:    combine.Restore,
		targets.SavedAs:    targets.Restore,
		subset.SavedAs:     subset.Restore,
		svm.SavedAs:        svm.Restore,
		mkl.SavedAs:        mkl.Restore,
		forest.SavedAs:     forest.Restore,
		boosting.SavedAs:   boosting.Restore,
		bylevel.SavedAs:    bylevel.Restore,
		narrowed.SavedAs:   narrowed.Restore,
	}
}
