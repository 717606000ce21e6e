package paired

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
)

// Names of the tests in experiment files.
const (
	NameNadeauBengio = "nadeau-bengio"
	NamePairedT      = "paired-t"
	NameWilcoxon     = "wilcoxon"
	NameSign         = "sign"
	NameBootstrap    = "bootstrap"
	NameMcNemar      = "mcnemar"
	None             = "none" // no test
)

// What tests are the default of.
const (
	SeveralFolds = "several folds"
	Tasks        = "tasks"
	OneFold      = "one fold"
)

// Test is a test as experiment files name it: over several folds, or on the rows of one.
type Test struct {
	Name    string
	Short   string // heads a column
	Long    string // in a sentence; of a test on rows with the number of groups for %d
	Folds   func(a, b []Fold) (Result, error)
	Rows    func(a, b *Losses) (Result, error)
	Of      func(results.Properties) bool // whether it can be of a metric; nil for all that have a value on each fold
	Across  bool                          // of folds: it also is a test over tasks or data sets, which share no training rows
	Single  bool                          // of rows: it needs each by itself; sums of blocks of rows, which baselines have, are not enough
	Default string                        // of what it is the default; "" of nothing

	// Smallest is the least two-sided p-value that n differences other than 0 allow, however large they are; nil where there
	// is no such bound.
	Smallest func(n int) float64
}

// tests are all of them. Each is a function in a file of its own.
var tests = []*Test{
	{Name: NameNadeauBengio, Default: SeveralFolds, Short: "corrected t", Long: "corrected t-test of Nadeau and Bengio", Folds: Corrected},
	{Name: NamePairedT, Short: "paired t", Long: "paired t-test", Folds: T, Across: true},
	{Name: NameWilcoxon, Default: Tasks, Short: "Wilcoxon", Long: "Wilcoxon's signed-rank test", Folds: Wilcoxon, Across: true, Smallest: ofSigns},
	{Name: NameSign, Short: "sign test", Long: "sign test", Folds: Sign, Across: true, Smallest: ofSigns},
	{Name: NameBootstrap, Default: OneFold, Short: "bootstrap", Long: "bootstrap of the test rows of one fold, %d groups", Rows: Bootstrap, Of: RowWise, Smallest: ofReplicates},
	{Name: NameMcNemar, Short: "McNemar", Long: "McNemar's test on the %d test rows of one fold", Rows: McNemar, Of: rightOrWrong, Single: true},
}

// ofSigns is the p-value where all of n signs agree.
func ofSigns(n int) float64 { return math.Min(1, math.Ldexp(1, 1-n)) }

func ofReplicates(int) float64 { return smallestP }

// Tests are all tests. The caller must not change them.
func Tests() []*Test { return tests }

// DefaultFor tasks, several folds or one fold.
func DefaultFor(what string) *Test {
	return tests[slices.IndexFunc(tests, func(t *Test) bool { return t.Default == what })]
}

// Words list the names of some tests, each with what is said of it in brackets.
func Words(of func(*Test) bool, aside func(*Test) string) string {
	var out []string
	for _, t := range tests {
		switch said := aside(t); {
		case !of(t):
		case said != "":
			out = append(out, fmt.Sprintf("%s (%s)", t.Name, said))
		default:
			out = append(out, t.Name)
		}
	}
	return strings.Join(out, ", ")
}

// TestNames are the values of a key that names a test, None the last.
func TestNames() []string {
	names := make([]string, len(tests), len(tests)+1)
	for i, t := range tests {
		names[i] = t.Name
	}
	return append(names, None)
}

// TestNamed is nil for names that are not of a test.
func TestNamed(name string) *Test {
	if i := slices.IndexFunc(tests, func(t *Test) bool { return t.Name == name }); i >= 0 {
		return tests[i]
	}
	return nil
}

// Enough is the smallest number of differences from which a two-sided p-value can be below alpha.
func (t *Test) Enough(alpha float64) int {
	n := 2
	for t.Smallest != nil && t.Smallest(n) >= alpha {
		n++
	}
	return n
}

// AcrossTasks says why the test cannot be made over tasks or data sets; nil where it can.
func (t *Test) AcrossTasks() error {
	switch {
	case t.Across:
		return nil
	case t.Folds == nil:
		return fmt.Errorf("%s is for one fold, and these are several", t.Name)
	}
	return fmt.Errorf("%s allows for what training parts of folds share, and these are tasks or data sets; use %s, %s or %s",
		t.Name, NameWilcoxon, NameSign, NamePairedT)
}
