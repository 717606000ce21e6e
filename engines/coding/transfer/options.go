package transfer

import (
	"errors"

	"tenfold/engines"
	"tenfold/engines/coding/cluster"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/mdl"
	"tenfold/engines/filters/univariate"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Options of the transfer, as the section transfer of an algorithm has them.
type Options struct {
	codes.Transfer `yaml:",inline"`
	Clustering     cluster.Options `yaml:",inline"`
	Clusters       int             `yaml:"clusters" doc:"clusters to aim at: the similarity is tuned to that number, on the other tasks alone; 0: the similarity as it is given"`
	Donors         string          `yaml:"donors" doc:"levels of other tasks, in the cluster of a level, that it learns from: all, or larger (those that more rows have)"`
	Count          string          `yaml:"count" doc:"features of a donor that count: positive (selected, with a weight above 0), any (selected), simes (those that it is compared by)"`
	Test           string          `yaml:"test" doc:"p-values of the features that a level is compared by, as of engine simes: correlation, hypergeometric"`
	Alpha          float64         `yaml:"alpha" doc:"level of Simes' step-up procedure on these p-values, in (0, 1)"`
}

// Words of the parameters.
const (
	allDonors    = "all"
	largerDonors = "larger"

	countPositive = "positive"
	countAny      = "any"
	countSimes    = "simes"
)

// simesDefaults are those of engine simes.
var simesDefaults = univariate.SimesKind.Defaults().(univariate.Simes)

// Kind of the options: their defaults, and the revision that is part of keys.
var Kind = registry.Define[param.Validator](registry.Kind[param.Validator]{
	Name: "transfer",
	Doc:  "how it learns from other tasks of a family",
	Cite: "Dhillon 2009, chapter 7; Dhillon, Foster & Ungar 2011; clusters in the manner of Kandylas, Upham & Ungar 2008",
	Rev:  1,
}, Options{
	Transfer: codes.DefaultTransfer(), Clustering: cluster.Defaults(), Donors: allDonors, Count: countPositive,
	Test: simesDefaults.Test, Alpha: simesDefaults.Alpha,
})

// Validate checks the options by themselves.
func (o Options) Validate() error {
	return errors.Join(
		o.Transfer.Validate(),
		o.Clustering.Validate(),
		param.Require("clusters", o.Clusters >= 0, "%d, expected 0 or more", o.Clusters),
		param.OneOf("donors", o.Donors, allDonors, largerDonors),
		param.OneOf("count", o.Count, countPositive, countAny, countSimes),
		o.simes().Validate(),
	)
}

// simes returns the selector of features that levels are compared by.
func (o Options) simes() univariate.Simes {
	s := simesDefaults
	s.Test, s.Alpha = o.Test, o.Alpha
	return s
}

// Wrapper makes engine mdl learn from other tasks.
var Wrapper = engines.Wrapper{
	Kind:    Kind,
	Accepts: func(inner engines.Engine) bool { _, ok := inner.(mdl.MDL); return ok },
	Lacks:   "does not learn from other tasks",
	When:    engines.Setting{Parameter: "code", Word: codes.TransferTPC},
	Apart:   true,
	Wrap: func(inner engines.Engine, options param.Validator) engines.Engine {
		return Engine{MDL: inner.(mdl.MDL), Options: options.(Options)}
	},
}
