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
	"stagewise":                    "engines/steps/stagewise",
	"maxent":                       "engines/entropy/maxent",
	"likelihood":                   "engines/steps/stagewise",
	"bayes_factor":                 "engines/entropy/bayes",
	"ols":                          "engines/ridge/leastsquares",
	"mic":                          "engines/coding/mdl",
	"mic_cost":                     "engines/coding/codes",
	"tpc":                          "engines/coding/mdl",
	"transfer":                     "engines/coding/mdl",
	"fgbg":                         "engines/coding/cluster",
	"joins":                        "io/formats/tuples",
	"features":                     "io/formats/tuples",
	"mi":                           "engines/data",
	"paired":                       "reports/paired",
	"simes":                        "engines/filters/univariate",
	"info_filter":                  "engines/filters/redundancy",
	"relief":                       "engines/filters/relief",
	"correlated":                   "engines/prepare/pruning",
	"near_zero":                    "engines/prepare/pruning",
	"nan_columns":                  "engines/prepare",
	"nan_boost":                    "engines/trees/boosting",
	"poisson_boost":                "engines/trees/boosting",
	"poisson_scores":               "runner/metric",
	"poisson_enet":                 "engines/penalized/lasso",
	"nan_forest_node":              "engines/trees/forest",
	"rank_aggregate":               "engines/wrappers/vote",
	"filter_score":                 "engines/filters/scores",
	"cfs":                          "engines/filters/sets",
	"fcbf":                         "engines/filters/sets",
	"jim":                          "engines/filters/redundancy",
	"martingale_filter":            "engines/filters/redundancy",
	"car_score":                    "engines/filters/car",
	"cars_score":                   "engines/filters/car",
	"info_bins":                    "engines/filters/redundancy",
	"info_numeric":                 "engines/filters/redundancy",
	"info_variance":                "engines/filters/redundancy",
	"scores":                       "runner/metric",
	"class_scores":                 "runner/metric",
	"loglin":                       "engines/penalized/l1",
	"multinomial_l2":               "engines/ridge/logistic",
	"bad_input/loglin":             "engines/penalized/l1",
	"bad_input/dll":                "engines/penalized/l1",
	"dll":                          "engines/penalized/dual",
	"bad_input/mic":                "engines/coding/mdl",
	"bad_input/tpc":                "engines/coding/mdl",
	"combos":                       "engines/wrappers/combine",
	"grouplasso":                   "engines/penalized/group",
	"multitask":                    "engines/penalized/group",
	"lasso":                        "engines/penalized/lasso",
	"enet":                         "engines/penalized/lasso",
	"bad_input/lasso":              "engines/penalized/lasso",
	"bad_input/enet":               "engines/penalized/lasso",
	"linear_l2":                    "engines/ridge/margin",
	"dcd_pass":                     "engines/ridge/margin",
	"crammer_singer":               "engines/ridge/linear",
	"families_bad_input/linear_l2": "engines/ridge/linear",
	"rfe":                          "engines/wrappers/rfe",
	"permutation_importance":       "engines/wrappers/permutation",
	"survival_permutation":         "engines/wrappers/permutation",
	"sequential_search":            "engines/wrappers/sequential",
	"sequential_fit":               "engines/wrappers/sequential",
	"stabsel_bound":                "engines/wrappers/stability",
	"stabsel_parameters":           "engines/wrappers/stability",
	"stabsel_halves":               "engines/wrappers/stability",
	"stabsel_path":                 "engines/wrappers/stability",
	"stabsel_run":                  "engines/wrappers/stability",
	"stabsel_decoys":               "engines/wrappers/stability",
	"l0_descent":                   "engines/steps/l0",
	"slope":                        "engines/penalized/slope",
	"slope_prox":                   "engines/penalized/slope",
	"families_bad_input/slope":     "engines/penalized/slope",
	"knock_covariance":             "engines/numeric/knockoff",
	"knock_evalues":                "engines/wrappers/knockoffs",
	"knock_filter":                 "engines/wrappers/knockoffs",
	"knock_statistic":              "engines/wrappers/knockoffs",
	"knock_stepup":                 "engines/filters/univariate",
	"adaptive_lasso":               "engines/penalized/twostage",
	"relaxed_lasso":                "engines/penalized/twostage",
	"knock_sample":                 "engines/numeric/knockoff",
	"knock_sdp":                    "engines/numeric/knockoff",
	"wide_path":                    "engines/penalized/lasso",
	"tree":                         "engines/trees/forest",
	"forest":                       "engines/trees/forest",
	"families_bad_input/tree":      "engines/trees/forest",
	"families_bad_input/forest":    "engines/trees/forest",
	"families_bad_input/boruta":    "engines/trees/boruta",
	"boruta":                       "engines/trees/boruta",
	"factor_lasso":                 "engines/penalized/lasso",
	"unit_counts":                  "io/results",
	"fold_interval":                "io/results",
	"missing_scores":               "runner/metric",
	"one_se_order":                 "runner/tune",
	"random_search":                "runner/experiment/grid",
	"halving":                      "runner/tune",
	"halving_rows":                 "runner/tune",
	"cost_decisions":               "runner/metric",
	"tuned_threshold":              "runner/tune",
	"least_units":                  "reports/paired",
	"incomplete_means":             "reports/ranks",
	"kept_selection":               "reports/selection",
	"kept_lambda_max":              "engines/penalized/l1",
	"unit_chi2":                    "engines/filters/univariate",
	"keep_filter":                  "engines/filters/univariate",
	"keep_forward":                 "engines/steps/forward",
	"cox":                          "engines/penalized/hazards",
	"cox_filter":                   "engines/filters/univariate",
	"survival_scores":              "runner/metric",
	"ncv_path":                     "engines/penalized/concave",
	"families_bad_input/ncv_path":  "engines/penalized/concave",
	"probe_columns":                "engines/prepare/probes",
	"probe_metrics":                "runner/metric",
	"class_weights":                "engines/data/classweight",
	"kappa":                        "runner/metric",
	"pooled_auc":                   "reports/curve",
	"weighted_bag":                 "engines/trees/forest",
	"weighted_scores":              "engines/filters/redundancy",
	"agree_similar":                "reports/agree",
	"curve_points":                 "reports/curve",
	"calibration_bins":             "reports/curve",

	"families_bad_input/l0_descent": "engines/steps/l0",

	"selectors_refused/relief":                 "engines/filters/relief",
	"selectors_refused/car_score":              "engines/filters/car",
	"selectors_refused/cars_score":             "engines/filters/car",
	"selectors_refused/sequential_fit":         "runner/cli",
	"selectors_refused/permutation_importance": "runner/cli",
	"selectors_refused/near_zero":              "runner/cli",
	"selectors_refused/correlated":             "runner/cli",
	"selectors_refused/filter_score":           "engines/filters/scores",
	"guarantees_refused/stabsel_parameters":    "engines/wrappers/stability",
	"guarantees_refused/stabsel_run":           "engines/wrappers/stability",
	"guarantees_refused/stabsel_bound":         "engines/wrappers/stability",
	"guarantees_refused/agree_similar":         "reports/agree",
	"guarantees_refused/knock_filter":          "runner/cli",
	"guarantees_refused/knock_evalues":         "runner/cli",
	"guarantees_refused/knock_covariance":      "runner/cli",
	"guarantees_refused/knock_sample":          "runner/cli",
	"guarantees_refused/knock_sdp":             "runner/cli",
	"guarantees_refused/knock_stepup":          "runner/cli",
	"guarantees_refused/info_bins":             "runner/cli",
	"guarantees_refused/info_filter":           "runner/cli",
	"guarantees_refused/info_numeric":          "runner/cli",
	"guarantees_refused/probe_columns":         "runner/cli",
	"guarantees_refused/factor_lasso":          "runner/cli",
	"guarantees_refused/keep_forward":          "runner/cli",
	"guarantees_refused/keep_filter":           "runner/cli",
	"guarantees_refused/unit_chi2":             "runner/cli",
	"guarantees_refused/unit_counts":           "runner/cli",
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
	if strings.HasSuffix(c.Kind, "bad_input") || c.Kind == "guarantees_refused" || c.Kind == "selectors_refused" {
		c.Decode(t, c.Options, &options)
		return c.Kind + "/" + options.Target
	}
	return c.Kind
}
