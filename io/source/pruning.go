package source

import (
	"errors"

	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/pruning"
)

// Pruning holds the options of columns that leave before any selector sees them.
type Pruning struct {
	NearZero   NearZero   `yaml:"near_zero"`
	Correlated Correlated `yaml:"correlated"`
}

// NearZero holds the options of columns that hardly vary.
type NearZero struct {
	Rule          string   `yaml:"rule" read:"scalar" key:"-" doc:"columns that hardly vary in the training rows leave: none do by default; caret: constant ones, and those whose commonest value is more than freq_ratio times as frequent as the next while at most percent_unique percent of the values differ; share: constant ones, and those of which more than a share of the rows have one value"`
	FreqRatio     *float64 `yaml:"freq_ratio" key:"-" doc:"of rule caret, at least 1; by default 19"`
	PercentUnique *float64 `yaml:"percent_unique" key:"-" doc:"of rule caret, 0 to 100; by default 10"`
	Share         *float64 `yaml:"share" key:"-" doc:"of rule share, above 0 and below 1; by default 0.95. Of columns that are mostly 0, such as words, it leaves few"`
}

// Correlated holds the options of columns that say the same as others.
type Correlated struct {
	Cutoff *float64 `yaml:"cutoff" read:"scalar" key:"-" doc:"of two columns whose correlation in the training rows exceeds this in size, one leaves; above 0 and at most 1; by default none does. At most 20,000 columns are compared"`
	Rule   string   `yaml:"rule" key:"-" doc:"which of the two leaves: mean (by default; the one that is more correlated with the others, as findCorrelation of R's caret), first (the later one)"`
}

// orDefault returns the value of a pointer, or a default for nil.
func orDefault(p *float64, otherwise float64) float64 {
	if p == nil {
		return otherwise
	}
	return *p
}

// Validate checks the options without the data.
func (p Pruning) Validate() error { return errors.Join(p.NearZero.validate(), p.Correlated.validate()) }

func (z NearZero) validate() error {
	byRule := func(field string, value *float64, rule string) error {
		return param.Require("prepare.near_zero."+field, value == nil || z.Rule == rule, "it is for rule: %s", rule)
	}
	ratio, unique, share := orDefault(z.FreqRatio, 19), orDefault(z.PercentUnique, 10), orDefault(z.Share, 0.95)
	return errors.Join(
		param.OneOf("prepare.near_zero.rule", z.Rule, "", noPruning, pruning.Caret, pruning.Share),
		byRule("freq_ratio", z.FreqRatio, pruning.Caret), byRule("percent_unique", z.PercentUnique, pruning.Caret), byRule("share", z.Share, pruning.Share),
		param.Require("prepare.near_zero.freq_ratio", ratio >= 1, "%v, expected at least 1", ratio),
		param.Require("prepare.near_zero.percent_unique", unique >= 0 && unique <= 100, "%v, expected 0 to 100", unique),
		param.Require("prepare.near_zero.share", share > 0 && share < 1, "%v, expected a share above 0 and below 1", share))
}

func (c Correlated) validate() error {
	if c.Cutoff == nil {
		return param.Require("prepare.correlated.rule", c.Rule == "", "without a cutoff it means nothing; add cutoff: 0.95")
	}
	return errors.Join(
		param.Require("prepare.correlated.cutoff", *c.Cutoff > 0 && *c.Cutoff <= 1, "%v, expected a correlation above 0, at most 1", *c.Cutoff),
		param.OneOf("prepare.correlated.rule", c.Rule, "", pruning.Mean, pruning.First))
}

// noPruning is the word for what is also the default.
const noPruning = "none"

// into adds the options to a recipe.
func (p Pruning) into(r *prepare.Recipe) {
	switch p.NearZero.Rule {
	case pruning.Caret:
		r.NearZero = pruning.NearZero{Rule: pruning.Caret, FreqRatio: orDefault(p.NearZero.FreqRatio, 19), PercentUnique: orDefault(p.NearZero.PercentUnique, 10)}
	case pruning.Share:
		r.NearZero = pruning.NearZero{Rule: pruning.Share, Share: orDefault(p.NearZero.Share, 0.95)}
	}
	if p.Correlated.Cutoff != nil {
		r.Correlated = pruning.Correlated{Cutoff: *p.Correlated.Cutoff, Rule: pruning.Mean}
		if p.Correlated.Rule != "" {
			r.Correlated.Rule = p.Correlated.Rule
		}
	}
}
