package source

import (
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/probes"
)

// Probes holds the options of probes, columns drawn beside those of the data. Every format has them, under features.
type Probes struct {
	Kind  string   `yaml:"kind" key:"-" doc:"columns drawn beside those of the data, for each fold, so that their selection is known to be wrong: permuted (the values of a column in random order), gaussian (normal, with its mean and standard deviation), second-order (a knockoff: normal, with its covariances with all columns, too), corrupted (half of a column, and as much noise), product (of a column and another one; both tell what their columns tell), none"`
	Share *float64 `yaml:"share" key:"-" doc:"probes as a share of the columns that vary in the training rows, above 0 and at most 1; by default 1"`
	Joint bool     `yaml:"joint" key:"-" doc:"of permuted ones: all in one order of the rows, which keeps their correlations, instead of each in its own"`
	Seed  int64    `yaml:"seed" key:"-" doc:"of the draws; by default the file's"`
}

const noProbes = "none"

// Validate checks the options without the data.
func (p Probes) Validate() error {
	if p.Kind == "" || p.Kind == noProbes {
		if p.Kind == "" && (p.Share != nil || p.Joint || p.Seed != 0) {
			return param.Errorf("features.probes.kind", "it is missing: permuted, gaussian, second-order, corrupted, product or none")
		}
		return nil
	}
	if p.Share != nil && !(*p.Share > 0 && *p.Share <= 1) {
		return param.Errorf("features.probes.share", "%v, expected a share above 0, at most 1", *p.Share)
	}
	if p.Joint && p.Kind != probes.Permuted {
		return param.Errorf("features.probes.joint", "%s probes have no order; it is for permuted ones", p.Kind)
	}
	return param.OneOf("features.probes.kind", p.Kind, probes.Permuted, probes.Gaussian, probes.SecondOrder, probes.Corrupted, probes.Product, noProbes)
}

// Into adds the options to a recipe.
func (p Probes) Into(r prepare.Recipe) prepare.Recipe {
	if p.Kind == "" || p.Kind == noProbes {
		return r
	}
	r.Probes = probes.Rule{Kind: p.Kind, Share: 1, Joint: p.Joint, Seed: p.Seed}
	if p.Share != nil {
		r.Probes.Share = *p.Share
	}
	return r
}
