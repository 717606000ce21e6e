// Package all lists the engines. Adding one is a line here.
package all

import (
	"tenfold/engines"
	"tenfold/engines/baseline"
	"tenfold/engines/bayes"
	"tenfold/engines/kind"
	"tenfold/engines/l1"
	"tenfold/engines/maxent"
	"tenfold/engines/mdl"
	"tenfold/engines/penalized"
	"tenfold/engines/stagewise"
	"tenfold/engines/univariate"
)

// Engines by name.
func Engines() (engines.Set, error) {
	return kind.NewSet(
		stagewise.Kind,
		penalized.OLSKind,
		penalized.RidgeKind,
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
		univariate.Kind,
		baseline.MeanKind,
		baseline.MajorityKind,
		baseline.OracleKind,
	)
}
