// Package gate decides whether an experiment still reaches what was recorded of it.
package gate

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"tenfold/engines/kind"
	"tenfold/reports/cells"
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
		r.validateTest(),
		kind.OneOf("inconclusive", r.Inconclusive, "fail", "pass"))...)
}

// validateTest refuses a test that the metric cannot have, or that can show nothing at this level.
func (r Rule) validateTest() error {
	switch {
	case r.Test == "" || r.Test == None:
	case cells.OfCell(r.Metric):
		return kind.Errorf("test", "%s is measured on all folds together, so there is no test of it", r.Metric)
	case r.Test == Bootstrap && !paired.RowWise(r.Metric):
		return kind.Errorf("test", "bootstrap resamples rows, and %s is not a mean over them (have %s)", r.Metric, strings.Join(paired.RowWiseMetrics(), ", "))
	case r.blind(1):
		return kind.Errorf("alpha", "%v, but p-values of the bootstrap do not go below %.2g: it could show nothing", r.Alpha, paired.SmallestP/2)
	}
	return nil
}

// blind tells whether the test cannot show that any of n cells is worse, however much they are: p-values of the bootstrap
// end somewhere, and Holm's method multiplies the smallest by n.
func (r Rule) blind(n int) bool {
	return r.Test == Bootstrap && float64(n)*paired.SmallestP/2 > r.Alpha
}

// ValidateFolds refuses a test that a data set of the rule cannot support, parts being the folds of each.
func (r Rule) ValidateFolds(parts map[string]int, predictions bool) error {
	if r.Test == Bootstrap && !predictions {
		return kind.Errorf("test", "bootstrap resamples predictions, which predictions: false does not keep")
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		switch n := parts[name]; {
		case !r.about(name):
		case n < 2 && (r.Test == PairedT || r.Test == NadeauBengio):
			return kind.Errorf("test", "%s needs several folds and data set %s has one; bootstrap resamples its rows", r.Test, name)
		case n > 1 && r.Test == Bootstrap:
			return kind.Errorf("test", "bootstrap resamples the rows of one fold and data set %s has %d; use nadeau-bengio", name, n)
		}
	}
	return nil
}

// ValidateFamilies refuses a test of folds where the rule is about the tasks of a family.
func (r Rule) ValidateFamilies(families, _ []string) error {
	if i := slices.IndexFunc(families, r.about); i >= 0 && (r.Test == NadeauBengio || r.Test == Bootstrap) {
		return kind.Errorf("test", "%s is for folds, and of data set %s, a family, tasks are compared; use %s, in a rule of its own where there are other data sets", r.Test, families[i], PairedT)
	}
	return nil
}

// about tells whether the rule is about a data set, or about a point of its grid.
func (r Rule) about(dataset string) bool {
	return len(r.Datasets) == 0 || slices.ContainsFunc(r.Datasets, func(label string) bool {
		return label == dataset || strings.HasPrefix(label, dataset+" ")
	})
}
