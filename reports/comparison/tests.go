package comparison

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"tenfold/engines/param"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/judge"
	"tenfold/reports/paired"
)

// KeyDoc documents the key test, with all tests.
func (Config) KeyDoc(key string) string {
	if key != "test" {
		return ""
	}
	aside := func(t *paired.Test) string {
		if t.Default == "" {
			return ""
		}
		return "default for " + t.Default
	}
	return fmt.Sprintf("against the baseline and the best: %s; %s; none", paired.Words(func(t *paired.Test) bool { return t.Folds != nil }, aside),
		paired.Words(func(t *paired.Test) bool { return t.Rows != nil }, aside))
}

// ValidateFolds refuses a test that no data set can support, where parts has the folds of each; if some can, the table says for the
// others why there is no test.
func (c Config) ValidateFolds(parts map[string]int, predictions bool) error {
	t := paired.TestNamed(c.Test)
	if t == nil || len(parts) == 0 || c.Over != "" {
		return nil
	}
	folds := slices.Max(slices.Collect(maps.Values(parts)))
	if t.Folds == nil {
		folds = slices.Min(slices.Collect(maps.Values(parts)))
	}
	switch {
	case t.Folds == nil && !predictions:
		return param.Errorf("test", "%s works on predictions, which predictions: false does not keep", t.Name)
	case folds < 2 && t.Rows == nil:
		return param.Errorf("test", "%s needs several folds and there is one; bootstrap resamples its rows", t.Name)
	case folds > 1 && t.Folds == nil:
		return param.Errorf("test", "%s works on the rows of one fold and there are %d; use nadeau-bengio", t.Name, folds)
	case t.Folds != nil && t.Smallest != nil && t.Smallest(folds) >= c.significanceLevel():
		return param.Errorf("test", "the p-value of %s over %d folds is %.3g or more, whatever the results: never below alpha = %g; take %d folds or nadeau-bengio",
			t.Name, folds, t.Smallest(folds), c.significanceLevel(), t.Enough(c.significanceLevel()))
	}
	return nil
}

// ValidateFamilies refuses a test that no data set can support because all are families, whose tasks take the place of folds, or
// because the table averages over data sets.
func (c Config) ValidateFamilies(_, others []string) error {
	dims := slices.Concat(cells.Split(c.Rows), cells.Split(c.Columns), cells.Split(c.By))
	if t := paired.TestNamed(c.Test); t != nil && (len(others) == 0 && !slices.Contains(dims, results.TaskDim) || c.Over != "") {
		if _, err := (judge.Rules{Test: c.Test}).TestOverTasks(); err != nil {
			return param.Errorf("test", "%v", err)
		}
	}
	return nil
}

// significanceLevel returns alpha or its default.
func (c Config) significanceLevel() float64 { return cmp.Or(c.Alpha, paired.Level) }
