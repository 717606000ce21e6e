package experiment

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/penalized/l1"
	"tenfold/engines/wrappers/combine"
)

// combined is the small file with an L1 engine as its algorithm.
func combined(entry string) string {
	file := strings.Replace(small, "files:", "target: relation, files:", 1)
	return strings.Replace(file, "{name: sw, engine: stagewise}", "{name: sw, "+entry+"}", 1)
}

func parseCombined(t *testing.T, file string, sets ...string) (*File, error) {
	t.Helper()
	o := options(t)
	o.Engines["l1"], o.Sets = l1.L1Kind, sets
	return Parse("x.yaml", []byte(file), o)
}

// Combinations are part of what determines a result, and their defaults are not.
func TestCombinations(t *testing.T) {
	for _, c := range []struct {
		name, entry string
		sets        []string
		canonical   []string
	}{
		{"none", "engine: l1, params: {c1: 2}", nil, []string{`{"c1":2}`}},
		{"defaults", "engine: l1, params: {c1: 2}, combinations: {}", nil, []string{`{"c1":2,"combinations":2}`}},
		{"defaults written out", "engine: l1, combinations: {threshold: 1.0, order: 2, of: all, search: exact, sketch: 100, cap: 5000, rounds: 1, min_support: 1, squares: false}", nil,
			[]string{`{"combinations":2}`}},
		{"options", "engine: l1, combinations: {threshold: 0.5, of: active}", nil, []string{`{"combinations":2,"combinations.of":"active","combinations.threshold":0.5}`}},
		{"grid", "engine: l1, combinations: {cap: 7}, grid: {combinations.threshold: [1, 2]}", nil,
			[]string{`{"combinations":2,"combinations.cap":7}`, `{"combinations":2,"combinations.cap":7,"combinations.threshold":2}`}},
		{"grid alone", "engine: l1, grid: {c1: [3], combinations.order: [2, 3]}", nil,
			[]string{`{"c1":3,"combinations":2}`, `{"c1":3,"combinations":2,"combinations.order":3}`}},
		{"set", "engine: l1, combinations: {cap: 7}", []string{"algorithms.sw.combinations.rounds=2"}, []string{`{"combinations":2,"combinations.cap":7,"combinations.rounds":2}`}},
		{"set what is gridded", "engine: l1, grid: {combinations.threshold: [1, 2]}", []string{"algorithms.sw.combinations.threshold=3"},
			[]string{`{"combinations":2,"combinations.threshold":3}`}},
		{"grid what is set", "engine: l1, combinations: {threshold: 3}", []string{"algorithms.sw.grid.combinations.threshold=[1, 2]"},
			[]string{`{"combinations":2}`, `{"combinations":2,"combinations.threshold":2}`}},
	} {
		f, err := parseCombined(t, combined(c.entry), c.sets...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, a := range f.Algorithms {
			got = append(got, a.Canonical)
		}
		if !slices.Equal(got, c.canonical) {
			t.Errorf("%s: %q, want %q", c.name, got, c.canonical)
		}
	}
	f, err := parseCombined(t, "report: {figures: [{kind: sweep, x: combinations.threshold}]}\n"+combined("engine: l1, combinations: {cap: 7}, grid: {combinations.threshold: [1, 2]}"))
	if err != nil {
		t.Fatal(err)
	}
	a := f.Algorithms[1]
	if e, ok := a.Engine.(combine.Engine); !ok || e.Threshold != 2 || e.Cap != 7 || e.Base.(l1.L1).C1 != 0 {
		t.Errorf("engine %+v", a.Engine)
	}
	if a.Kind != "l1" || len(a.Grid) != 1 || a.Grid[0].Name != "combinations.threshold" || a.Grid[0].Value != 2.0 {
		t.Errorf("%s, grid %+v", a.Kind, a.Grid)
	}
	for _, part := range []string{`"c1":0`, `"combinations.threshold":2`, `"combinations.search":"exact"`} {
		if !strings.Contains(a.Params, part) {
			t.Errorf("no %s in %s", part, a.Params)
		}
	}
}

func TestBadCombinations(t *testing.T) {
	for _, c := range []struct{ entry, want string }{
		{"engine: l1, combinations: {treshold: 1}", `x.yaml:7:43: unknown key "treshold" of combinations; did you mean "threshold"?`},
		{"engine: l1, combinations: {threshold: 0, order: 4}", "x.yaml:7:54: threshold: 0, expected a number above 0"},
		{"engine: l1, combinations: {threshold: 0, order: 4}", "x.yaml:7:64: order: 4, expected 2 or 3"},
		{"engine: l1, combinations: {of: al}", `x.yaml:7:47: of: "al" is not one of all, active; did you mean "all"?`},
		{"engine: l1, combinations: {search: sampled, order: 3}", "search: sampled finds pairs only"},
		{"engine: l1, combinations: pairs", "x.yaml:7:42: combinations: expected a mapping (threshold, order"},
		{"engine: l1, combinations: ", "combinations has no value"},
		{"engine: stagewise, combinations: {}", "x.yaml:7:49: combinations: engine stagewise does not make the kind of model that they are found by (these do: l1)"},
		{"engine: stagewise, grid: {epsilon: [1, 2], combinations.cap: [1, 2]}", "x.yaml:7:59: combinations: engine stagewise does not make"},
		{"engine: l1, params: {combinations: {}}", "x.yaml:7:37: combinations stands beside params, not in it"},
		{"engine: l1, params: {path: 10}, combinations: {}", "x.yaml:7:43: path: combinations are found at one penalty"},
		{"engine: l1, path: {at: [10]}, combinations: {}", "x.yaml:7:34: path: it does not go together with combinations"},
		{"engine: l1, combinations: {threshold: 1}, grid: {combinations.threshold: [1, 2]}", "combinations.threshold stands both in the grid and outside it"},
		{"engine: l1, grid: {combinations.treshold: [1, 2]}", `unknown key "treshold" of combinations`},
		{"engine: l1, params: {c: 1}, combinations: {cap: 0}", `unknown parameter "c" of engine l1`},
		{"engine: l1, params: {c: 1}, combinations: {cap: 0}", "cap: 0, expected 1 or more"},
	} {
		if _, err := parseCombined(t, combined(c.entry)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.entry, err, c.want)
		}
	}
	file := "defaults: {params: {combinations: {}}}\n" + combined("engine: l1")
	if _, err := parseCombined(t, file); err == nil || !strings.Contains(err.Error(), `unknown parameter "combinations" of engine l1`) {
		t.Errorf("among defaults: %v", err)
	}
}
