package oracle_test

import (
	"path/filepath"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

// claimed lists the kinds of reference cases that some package's TestOracle answers for. Complete says that all engines
// exist: from then on a kind that is not listed fails.
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
	"combos":           "engines/combine",
	"grouplasso":       "engines/group",
	"multitask":        "engines/group",
	"lasso":            "engines/lasso",
	"enet":             "engines/lasso",
	"bad_input/lasso":  "engines/lasso",
	"bad_input/enet":   "engines/lasso",
}

const complete = false

func TestOracleKinds(t *testing.T) {
	t.Parallel()
	for _, c := range oracle.Extra(t) {
		kind := kindOf(t, c)
		if claimed[kind] != "" {
			continue
		}
		t.Run(filepath.ToSlash(c.File), func(t *testing.T) {
			if complete {
				t.Fatalf("no engine answers for cases of kind %q", kind)
			}
			t.Skipf("no engine answers for cases of kind %q yet", kind)
		})
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
