package gate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// Rule is one condition under which tenfold check passes: an entry of the gate: section.
type Rule struct {
	Metric       string        `yaml:"metric" read:"required" ref:"metric" doc:"what is compared"`
	Margin       paired.Margin `yaml:"margin,flow,omitempty" json:",omitzero" doc:"how much worse still counts as equal (default 1e-9 relative)"`
	Test         string        `yaml:"test,omitempty" json:",omitempty"`
	Alpha        float64       `yaml:"alpha" doc:"one-sided level of the test, in (0, 1)"`
	Datasets     []string      `yaml:"datasets,flow,omitempty" json:",omitempty" ref:"dataset-label" doc:"names, with or without a grid point; all by default"`
	Algorithms   []string      `yaml:"algorithms,flow,omitempty" json:",omitempty" ref:"algorithm-label" doc:"names, with or without a grid point; all by default"`
	Against      string        `yaml:"against,omitempty" json:",omitempty" ref:"algorithm-label" doc:"compare with this algorithm, with or without a grid point, instead of the baseline"`
	Min          *float64      `yaml:"min,omitempty" json:",omitempty" doc:"the metric's mean must reach this"`
	Max          *float64      `yaml:"max,omitempty" json:",omitempty" doc:"the metric's mean must not exceed this"`
	Inconclusive string        `yaml:"inconclusive" doc:"what is neither shown worse nor shown non-inferior: fail, pass"`
}

// SetDefaults sets the values of fields that a file may leave out.
func (r *Rule) SetDefaults() { r.Alpha, r.Inconclusive = 0.05, "fail" }

// KeyDoc documents the key test, whose values depend on package paired.
func (Rule) KeyDoc(key string) string {
	if key != "test" {
		return ""
	}
	plain := func(*paired.Test) string { return "" }
	return fmt.Sprintf("over several folds: %s (over tasks of a family: %s); on the rows of a single fold: %s; none (default)",
		paired.Words(func(t *paired.Test) bool { return t.Folds != nil }, plain), paired.Words(func(t *paired.Test) bool { return t.Across }, plain),
		paired.Words(func(t *paired.Test) bool { return t.Rows != nil }, func(t *paired.Test) string {
			if t.Single {
				return "with against"
			}
			return ""
		}))
}

// Validate checks the rule by itself.
func (r Rule) Validate() error {
	errs := []error{r.Margin.Validate("margin")}
	if !(r.Alpha > 0 && r.Alpha < 1) {
		errs = append(errs, param.Errorf("alpha", "%v, expected a number between 0 and 1", r.Alpha))
	}
	if r.Min != nil && r.Max != nil && *r.Min > *r.Max {
		errs = append(errs, param.Errorf("min", "%v is above max %v", *r.Min, *r.Max))
	}
	return errors.Join(append(errs,
		param.OneOf("test", r.Test, append(paired.TestNames(), "")...),
		r.validateTest(),
		param.OneOf("inconclusive", r.Inconclusive, "fail", "pass"))...)
}

// validateTest refuses a test that the metric cannot have, or that can show nothing at this level.
func (r Rule) validateTest() error {
	t := paired.TestNamed(r.Test)
	switch {
	case t == nil:
	case cells.OfCell(r.Metric):
		return param.Errorf("test", "%s is measured on all folds together, so there is no test of it", r.Metric)
	case t.Single && r.Against == "":
		return param.Errorf("test", "%s works on single rows, of which the baseline has sums alone: compare with an algorithm (against), or use %s", t.Name, paired.NameBootstrap)
	case t.Rows != nil && smallestP(t, math.MaxInt32) > r.Alpha:
		return param.Errorf("alpha", "%v, but p-values of %s do not go below %.2g: it could show nothing", r.Alpha, t.Name, smallestP(t, math.MaxInt32))
	}
	return nil
}

// ValidateIn refuses what does not go together with the rest of the file.
func (r Rule) ValidateIn(file planfile.Planned) error {
	var errs []error
	if file.Metrics != nil {
		errs = append(errs, r.ValidateMetrics(file.Metrics))
	}
	if len(file.Parts) > 0 {
		errs = append(errs, r.ValidateFolds(file.Parts, file.Predictions))
	}
	if len(file.Families) > 0 {
		errs = append(errs, r.ValidateFamilies(file.Families, file.Others))
	}
	if err := errors.Join(errs...); err != nil || file.Cells == nil {
		return err
	}
	return r.ValidateCells(file.Cells)
}

// EachMetric yields nothing: the metric is a key of its own.
func (Rule) EachMetric(func(field, name string)) {}

// ValidateMetrics refuses a test that the metric cannot have.
func (r Rule) ValidateMetrics(known results.Metrics) error {
	t := paired.TestNamed(r.Test)
	if t == nil || t.Of == nil || cells.OfCell(r.Metric) || t.Of(known[r.Metric]) {
		return nil
	}
	return param.Errorf("test", "%s is a test of %s, not of %s", t.Name, strings.Join(known.Having(t.Of), ", "), r.Metric)
}

// smallestP returns the smallest one-sided p-value that a test can have, of n differences other than 0.
func smallestP(t *paired.Test, n int) float64 {
	if t.Smallest == nil {
		return 0
	}
	return t.Smallest(n) / 2
}

// ValidateFolds refuses a test that a data set of the rule cannot support; parts has the number of folds of each.
func (r Rule) ValidateFolds(parts map[string]int, predictions bool) error {
	t := paired.TestNamed(r.Test)
	switch {
	case t == nil:
		return nil
	case t.Rows != nil && !predictions:
		return param.Errorf("test", "%s works on predictions, which predictions: false does not keep", t.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		switch n := parts[name]; {
		case !r.coversDataset(name):
		case n < 2 && t.Folds != nil:
			return param.Errorf("test", "%s needs several folds and data set %s has one; %s resamples its rows", t.Name, name, paired.NameBootstrap)
		case n > 1 && t.Rows != nil:
			return param.Errorf("test", "%s works on the rows of one fold and data set %s has %d; use %s", t.Name, name, n, paired.NameNadeauBengio)
		case n > 1 && smallestP(t, n) > r.Alpha:
			return param.Errorf("test", "p-values of %s over the %d folds of data set %s do not go below %.3g: it could show nothing at alpha = %v; take %d folds or %s",
				t.Name, n, name, smallestP(t, n), r.Alpha, t.Enough(2*r.Alpha), paired.NameNadeauBengio)
		}
	}
	return nil
}

// ValidateFamilies refuses a test of folds if the rule covers the tasks of a family.
func (r Rule) ValidateFamilies(families, _ []string) error {
	t := paired.TestNamed(r.Test)
	if i := slices.IndexFunc(families, r.coversDataset); i >= 0 && t != nil && !t.Across {
		return param.Errorf("test", "%s is for folds, and of data set %s, a family, tasks are compared; use %s, %s or %s, in a rule of its own where there are other data sets",
			t.Name, families[i], paired.NameWilcoxon, paired.NameSign, paired.NamePairedT)
	}
	return nil
}

// ValidateCells refuses a rule that covers none of the cells of the file, or compares some with an algorithm that does not run on their
// data set.
func (r Rule) ValidateCells(planned []results.Label) error {
	all := make([]*cells.Cell, len(planned))
	for i, l := range planned {
		all[i] = cells.Unfitted(l)
	}
	labelled, runs := labelCells(all), map[string]bool{} // data sets with the reference
	for _, p := range labelled {
		runs[p.dataset] = runs[p.dataset] || r.isReference(p)
	}
	some := false
	for _, p := range labelled {
		if !r.covers(p) {
			continue
		}
		if some = true; r.Against != "" && !runs[p.dataset] {
			return param.Errorf("against", "%s does not run on data set %s, on which %s is compared with it; name data sets in the rule (datasets) on which both run", r.Against, p.dataset, p.algorithm)
		}
	}
	if !some {
		field := "metric"
		if len(r.Algorithms) > 0 {
			field = "algorithms"
		}
		return param.Errorf(field, "no algorithm of the rule runs on a data set of the rule")
	}
	return nil
}

// coversDataset reports whether the rule covers a data set, or a point of its grid.
func (r Rule) coversDataset(dataset string) bool {
	return len(r.Datasets) == 0 || slices.ContainsFunc(r.Datasets, func(label string) bool {
		return label == dataset || strings.HasPrefix(label, dataset+" ")
	})
}
