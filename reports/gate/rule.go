// Package gate decides whether an experiment still reaches what was recorded of it.
package gate

import (
	"errors"

	"tenfold/engines/kind"
	"tenfold/reports/paired"
	"tenfold/reports/table"
)

// Rule is one condition under which tenfold check passes: an entry of the gate: section.
type Rule struct {
	Metric       string        `yaml:"metric,required" ref:"metric" doc:"what is compared"`
	Margin       paired.Margin `yaml:"margin" json:",omitzero" doc:"how much worse still counts as equal (default 1e-9 relative)"`
	Test         string        `yaml:"test" json:",omitempty" doc:"bootstrap (one fold), paired-t, nadeau-bengio, none (default)"`
	Alpha        float64       `yaml:"alpha" doc:"one-sided level of the test, in (0, 1)"`
	Datasets     []string      `yaml:"datasets" json:",omitempty" ref:"dataset-label" doc:"names, with or without a grid point; all by default"`
	Algorithms   []string      `yaml:"algorithms" json:",omitempty" ref:"algorithm-label" doc:"names, with or without a grid point; all by default"`
	Against      string        `yaml:"against" json:",omitempty" ref:"algorithm-label" doc:"compare with this algorithm, with or without a grid point, instead of the baseline"`
	Min          *float64      `yaml:"min" json:",omitempty" doc:"the metric's mean must reach this"`
	Max          *float64      `yaml:"max" json:",omitempty" doc:"the metric's mean must not exceed this"`
	Inconclusive string        `yaml:"inconclusive" doc:"what is neither shown worse nor shown non-inferior: fail, pass"`
}

// Names of the tests: some of those of tables.
const (
	Bootstrap    = table.Bootstrap
	PairedT      = table.PairedT
	NadeauBengio = table.NadeauBengio
	None         = table.None
)

// SetDefaults fills what a rule need not say.
func (r *Rule) SetDefaults() { r.Alpha, r.Inconclusive = 0.05, "fail" }

// Validate checks the rule by itself.
func (r Rule) Validate() error {
	errs := []error{r.Margin.Validate("margin")}
	if !(r.Alpha > 0 && r.Alpha < 1) {
		errs = append(errs, kind.Errorf("alpha", "%v, expected a number between 0 and 1", r.Alpha))
	}
	if r.Min != nil && r.Max != nil && *r.Min > *r.Max {
		errs = append(errs, kind.Errorf("min", "%v is above max %v", *r.Min, *r.Max))
	}
	return errors.Join(append(errs,
		kind.OneOf("test", r.Test, "", Bootstrap, PairedT, NadeauBengio, None),
		kind.OneOf("inconclusive", r.Inconclusive, "fail", "pass"))...)
}

// ValidateFolds refuses a test that this many test parts cannot support.
func (r Rule) ValidateFolds(parts int) error {
	switch {
	case parts < 2 && (r.Test == PairedT || r.Test == NadeauBengio):
		return kind.Errorf("test", "%s needs several folds and there is one; bootstrap resamples its rows", r.Test)
	case parts > 1 && r.Test == Bootstrap:
		return kind.Errorf("test", "bootstrap resamples the rows of one fold and there are %d; use nadeau-bengio", parts)
	}
	return nil
}
