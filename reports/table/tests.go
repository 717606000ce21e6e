package table

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"tenfold/engines/kind"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// Names of the tests in experiment files.
const (
	PairedT      = "paired-t"
	NadeauBengio = "nadeau-bengio"
	Wilcoxon     = "wilcoxon"
	Sign         = "sign"
	Bootstrap    = "bootstrap"
	McNemar      = "mcnemar"
	None         = "none"
)

// test is a paired test: over several folds, or on the rows of one.
type test struct {
	name   string
	column string // heads its p-values
	legend string // for a test on rows with the number of groups for %d
	folds  func(a, b []paired.Fold) (paired.Result, error)
	rows   func(a, b *paired.Losses) (paired.Result, error)

	// smallest is the least p-value that n folds allow, whatever the differences are; nil where there is no such bound.
	smallest func(n int) float64
}

// tests are all tests, the default of each kind first.
var tests = []test{
	{name: NadeauBengio, column: "corrected t", legend: "corrected t-test of Nadeau and Bengio", folds: paired.Corrected},
	{name: PairedT, column: "paired t", legend: "paired t-test", folds: paired.T},
	{name: Wilcoxon, column: "Wilcoxon", legend: "Wilcoxon's signed-rank test", folds: paired.Wilcoxon, smallest: ofSigns},
	{name: Sign, column: "sign test", legend: "sign test", folds: paired.Sign, smallest: ofSigns},
	{name: Bootstrap, column: "bootstrap", legend: "bootstrap of the test rows of one fold, %d groups", rows: paired.Bootstrap, smallest: ofReplicates},
	{name: McNemar, column: "McNemar", legend: "McNemar's test on the %d test rows of one fold", rows: paired.McNemar},
}

// words name the test of a comparison that was made.
func (c *comparison) words() string {
	if c.test.folds == nil {
		return fmt.Sprintf(c.test.legend, c.result.N)
	}
	return fmt.Sprintf("%s over %d %s", c.test.legend, c.result.N, cells.Over([]*cells.Cell{c.cell}))
}

// ofSigns is the two-sided p-value where all of n signs agree.
func ofSigns(n int) float64 { return math.Ldexp(1, 1-n) }

func ofReplicates(int) float64 { return paired.SmallestP }

// testNames are the values of the key test.
func testNames() []string {
	names := make([]string, len(tests), len(tests)+1)
	for i, t := range tests {
		names[i] = t.name
	}
	return append(names, None)
}

// testNamed is nil for names that are not of a test.
func testNamed(name string) *test {
	if i := slices.IndexFunc(tests, func(t test) bool { return t.name == name }); i >= 0 {
		return &tests[i]
	}
	return nil
}

// overFolds is the test that decides where there are several folds, overTasks that for tasks of a family, onRows where there
// is one fold. The error says why the one that was asked for cannot.
func (l *layout) overFolds() (*test, error) {
	switch t := testNamed(l.Test); {
	case t == nil:
		return testNamed(NadeauBengio), nil
	case t.folds == nil:
		return nil, fmt.Errorf("%s is for one fold", t.name)
	default:
		return t, nil
	}
}

func (l *layout) overTasks() (*test, error) {
	switch t := testNamed(l.Test); {
	case t == nil:
		return testNamed(Wilcoxon), nil
	case t.folds == nil:
		return nil, fmt.Errorf("%s is for one fold, and these are several", t.name)
	case t.name == NadeauBengio:
		return nil, errors.New(notAcross)
	default:
		return t, nil
	}
}

// notAcross says why a test over folds is none over tasks or data sets.
const notAcross = NadeauBengio + " allows for what training parts of folds share, and these are tasks or data sets; use wilcoxon, sign or paired-t"

func (l *layout) onRows() (*test, error) {
	switch t := testNamed(l.Test); {
	case t == nil:
		return testNamed(Bootstrap), nil
	case t.rows == nil:
		return nil, fmt.Errorf("%s needs several folds", t.name)
	default:
		return t, nil
	}
}

// ValidateFolds refuses a test that no data set can support, parts being the folds of each; where some can, the others say
// in the table why there is no test.
func (c Config) ValidateFolds(parts map[string]int, predictions bool) error {
	t := testNamed(c.Test)
	if t == nil || len(parts) == 0 || c.Over != "" {
		return nil
	}
	folds := slices.Max(slices.Collect(maps.Values(parts)))
	if t.folds == nil {
		folds = slices.Min(slices.Collect(maps.Values(parts)))
	}
	switch {
	case t.folds == nil && !predictions:
		return kind.Errorf("test", "%s works on predictions, which predictions: false does not keep", t.name)
	case folds < 2 && t.rows == nil:
		return kind.Errorf("test", "%s needs several folds and there is one; bootstrap resamples its rows", t.name)
	case folds > 1 && t.folds == nil:
		return kind.Errorf("test", "%s works on the rows of one fold and there are %d; use nadeau-bengio", t.name, folds)
	case t.folds != nil && t.smallest != nil && t.smallest(folds) >= c.level():
		return kind.Errorf("test", "the p-value of %s over %d folds is %.3g or more, whatever the results: never below alpha = %g; take %d folds or nadeau-bengio",
			t.name, folds, t.smallest(folds), c.level(), t.enough(c.level()))
	}
	return nil
}

// ValidateFamilies refuses a test that no data set can support because all are families, whose tasks take the place of folds,
// or because the table averages over data sets.
func (c Config) ValidateFamilies(_, others []string) error {
	dims := slices.Concat(cells.Split(c.Rows), cells.Split(c.Columns), cells.Split(c.By))
	if t := testNamed(c.Test); t != nil && (len(others) == 0 && !slices.Contains(dims, results.TaskDim) || c.Over != "") {
		if _, err := (&layout{Config: c}).overTasks(); err != nil {
			return kind.Errorf("test", "%v", err)
		}
	}
	return nil
}

// enough is the number of folds from which a p-value can be below alpha.
func (t *test) enough(alpha float64) int {
	n := 2
	for t.smallest(n) >= alpha {
		n++
	}
	return n
}

// level is alpha or its default.
func (c Config) level() float64 { return cmp.Or(c.Alpha, paired.Level) }
