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

// What tests can be the default for.
const (
	SeveralFolds = "several folds"
	Tasks        = "tasks"
	OneFold      = "one fold"
)

// Test describes a test of experiment files: over several folds, or on the rows of one.
type Test struct {
	Name    string
	Short   string // heads a column
	Long    string // in a sentence; for a test on rows with the number of groups for %d
	Folds   func(a, b []Fold) (Result, error)
	Rows    func(a, b *Losses) (Result, error)
	Of      func(results.Properties) bool // whether it applies to a metric; nil: to all that have a value on each fold
	Across  bool                          // for folds: it is also a test over tasks or data sets, which share no training rows
	Single  bool                          // for rows: it needs each row; sums of blocks of rows, which baselines have, are not enough
	Default string                        // what it is the default for; "" for nothing

	// Smallest returns the smallest two-sided p-value that n nonzero differences allow, however large they are; nil if there is no
	// such bound.
	Smallest func(n int) float64
}

// tests lists all tests. Each is a function in a file of its own.
var tests = []*Test{
	{Name: NameNadeauBengio, Default: SeveralFolds, Short: "corrected t", Long: "corrected t-test of Nadeau and Bengio", Folds: Corrected},
	{Name: NamePairedT, Short: "paired t", Long: "paired t-test", Folds: T, Across: true},
	{Name: NameWilcoxon, Default: Tasks, Short: "Wilcoxon", Long: "Wilcoxon's signed-rank test", Folds: Wilcoxon, Across: true, Smallest: ofSigns},
	{Name: NameSign, Short: "sign test", Long: "sign test", Folds: Sign, Across: true, Smallest: ofSigns},
	{Name: NameBootstrap, Default: OneFold, Short: "bootstrap", Long: "bootstrap of the test rows of one fold, %d groups", Rows: Bootstrap, Of: RowWise, Smallest: ofReplicates},
	{Name: NameMcNemar, Short: "McNemar", Long: "McNemar's test on the %d test rows of one fold", Rows: McNemar, Of: rightOrWrong, Single: true},
}

// ofSigns returns the p-value if all of n signs agree.
func ofSigns(n int) float64 { return math.Min(1, math.Ldexp(1, 1-n)) }

// ofReplicates returns the p-value if all replicates of a bootstrap of n groups agree.
func ofReplicates(n int) float64 { return math.Max(2.0/(replicates+1), ofSigns(n)) }

// Tests returns all tests. The caller must not change them.
func Tests() []*Test { return tests }

// DefaultFor returns the default test for tasks, several folds or one fold.
func DefaultFor(what string) *Test {
	return tests[slices.IndexFunc(tests, func(t *Test) bool { return t.Default == what })]
}

// Words lists the names of some tests, each with a remark in brackets.
func Words(included func(*Test) bool, aside func(*Test) string) string {
	var out []string
	for _, t := range tests {
		switch said := aside(t); {
		case !included(t):
		case said != "":
			out = append(out, fmt.Sprintf("%s (%s)", t.Name, said))
		default:
			out = append(out, t.Name)
		}
	}
	return strings.Join(out, ", ")
}

// TestNames returns the values of a key that names a test, None the last.
func TestNames() []string {
	names := make([]string, len(tests), len(tests)+1)
	for i, t := range tests {
		names[i] = t.Name
	}
	return append(names, None)
}

// TestNamed returns the test of a name; nil if there is none.
func TestNamed(name string) *Test {
	if i := slices.IndexFunc(tests, func(t *Test) bool { return t.Name == name }); i >= 0 {
		return tests[i]
	}
	return nil
}

// Enough returns the smallest number of differences from which a two-sided p-value can be below alpha; 0 if none is enough, as for a
// bootstrap of few replicates. For c comparisons that are corrected together take alpha/c.
func (t *Test) Enough(alpha float64) int {
	for n := 2; n < 1000; n++ {
		if t.Smallest == nil || t.Smallest(n) < alpha {
			return n
		}
	}
	return 0
}

// AcrossTasks returns an error if the test does not apply to tasks or data sets.
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
