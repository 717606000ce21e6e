package experiment

import (
	"fmt"
	"testing"

	"tenfold/runner/tune"
)

// Lists of a parameter that the engine goes along make paths of candidates, one for each combination of the other lists.
func TestGatherPaths(t *testing.T) {
	for entry, want := range map[string]string{
		"engine: l1, tune: {c1: [2, 0.5, 1]}":                                 "c1 [2 0.5 1] of [0 1 2]; ",
		"engine: l1, tune: {c1_ratio: {log: [1, 0.01, 3]}}":                   "c1_ratio [1 0.1 0.01] of [0 1 2]; ",
		"engine: l1, tune: {c1: [2, 1], c2: [0, 1]}":                          "c1 [2 1] of [0 2]; c1 [2 1] of [1 3]; ",
		"engine: l1, tune: {c2: [0, 1], c1: [2, 1]}":                          "c1 [2 1] of [0 1]; c1 [2 1] of [2 3]; ",
		"engine: l1, tune: {c1_ratio: [0, 0.1]}":                              "",                                                   // of which 0 is none
		"engine: l1, rfe: {}, tune: {rfe.size: [4, 2], c1: [1, 3]}":           "rfe.size [4 2] of [0 2]; rfe.size [4 2] of [1 3]; ", // of the wrapper, not of the engine
		"engine: l1, tune: {c1: [2]}":                                         "",
		"engine: l1, tune: {c2: [2, 1]}":                                      "",
		"engine: l1, tune: {c1: path, c2: [2, 1]}":                            "",
		"engine: l1, params: {path: 10, features: 3}, tune: {c1: [2, 1]}":     "",
		"engine: l1, params: {path: 10}, tune: {c1: [2, 1]}":                  "c1 [2 1] of [0 1]; ",
		"select: {engine: l1}, refit: {engine: l1}, tune: {refit.c1: [2, 3]}": "",
		"engine: l1, combinations: {threshold: 1}, tune: {c1: [2, 1]}":        "",
	} {
		f, err := parseCombined(t, combined(entry))
		if err != nil {
			t.Fatal(entry, err)
		}
		got := ""
		for _, p := range f.Algorithms[0].Engine.(tune.Engine).Along {
			got += fmt.Sprintf("%s %.3g of %v; ", p.Points.Parameter, p.Points.Values, p.Of)
		}
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", entry, got, want)
		}
	}
}
