package oracle_test

import (
	"path/filepath"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

// claimed lists the kinds of reference cases that some package's TestOracle answers for. Complete says that all engines
// exist: from then on a kind that is not listed fails.
var claimed = map[string]string{
	"stagewise":    "engines/stagewise",
	"maxent":       "engines/maxent",
	"likelihood":   "engines/stagewise",
	"bayes_factor": "engines/bayes",
	"ols":          "engines/penalized",
	"joins":        "io/tuples",
	"features":     "io/tuples",
	"mi":           "engines/data",
	"paired":       "reports/paired",
	"simes":        "engines/univariate",
	"scores":       "runner/metric",
}

const complete = false

func TestOracleKinds(t *testing.T) {
	t.Parallel()
	for _, c := range oracle.Extra(t) {
		if claimed[c.Kind] != "" {
			continue
		}
		t.Run(filepath.ToSlash(c.File), func(t *testing.T) {
			if complete {
				t.Fatalf("no engine answers for cases of kind %q", c.Kind)
			}
			t.Skipf("no engine answers for cases of kind %q yet", c.Kind)
		})
	}
}
