package oracle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

// claimed is the package whose tests run the reference cases of a kind.
var claimed = map[string]string{
	"stagewise":        "engines/stagewise",
	"maxent":           "engines/maxent",
	"likelihood":       "engines/stagewise",
	"bayes_factor":     "engines/bayes",
	"ols":              "engines/leastsquares",
	"mic":              "engines/mdl",
	"mic_cost":         "engines/mdl",
	"tpc":              "engines/mdl",
	"transfer":         "engines/mdl",
	"fgbg":             "engines/cluster",
	"joins":            "io/tuples",
	"features":         "io/tuples",
	"mi":               "engines/data",
	"paired":           "reports/paired",
	"simes":            "engines/univariate",
	"scores":           "runner/metric",
	"loglin":           "engines/l1",
	"bad_input/loglin": "engines/l1",
	"bad_input/dll":    "engines/l1",
	"dll":              "engines/l1",
	"bad_input/mic":    "engines/mdl",
	"bad_input/tpc":    "engines/mdl",
	"combos":           "engines/combine",
	"grouplasso":       "engines/group",
	"multitask":        "engines/group",
	"lasso":            "engines/lasso",
	"enet":             "engines/lasso",
	"bad_input/lasso":  "engines/lasso",
	"bad_input/enet":   "engines/lasso",
}

// TestOracleKinds: the tests of each package named above run the kind, and every case of the repository is of one of them. Cases
// of other kinds below TENFOLD_ORACLES are skipped by name.
func TestOracleKinds(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	for kind, dir := range claimed {
		tests, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(kind, "/") // what bad input is for, its test decides
		if !slices.ContainsFunc(tests, func(file string) bool {
			source, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(source), "oracle.") && strings.Contains(string(source), `"`+name+`"`)
		}) {
			t.Errorf("no test of %s runs cases of kind %q", dir, kind)
		}
	}
	for _, part := range []string{"engines", "io", "runner", "reports"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(dir string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() || !strings.HasSuffix(filepath.ToSlash(dir), "testdata/oracle") {
				return err
			}
			for _, c := range oracle.Cases(t, dir) {
				if kind := kindOf(t, c); claimed[kind] == "" {
					t.Errorf("%s: no package runs cases of kind %q", filepath.Join(dir, c.File), kind)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range oracle.Extra(t) {
		if kind := kindOf(t, c); claimed[kind] == "" {
			t.Run(filepath.ToSlash(c.File), func(t *testing.T) { t.Skipf("no package runs cases of kind %q", kind) })
		}
	}
}

// kindOf names the kind of a case, and the target of bad input.
func kindOf(t *testing.T, c oracle.Case) string {
	t.Helper()
	var options struct{ Target string }
	if c.Kind == "bad_input" {
		c.Decode(t, c.Options, &options)
		return c.Kind + "/" + options.Target
	}
	return c.Kind
}
