package experiment

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"tenfold/engines/model/narrowed"
	"tenfold/runner/tune"
)

// revision of an engine in keys.
var revision = regexp.MustCompile(`(l1|logistic) [0-9]+`)

// What tune and refit make of an algorithm: its engine and what goes into keys.
func TestTuneAndRefit(t *testing.T) {
	for _, c := range []struct {
		name, entry string
		sets        []string
		canonical   []string
	}{
		{"tune", "engine: l1, tune: {c1: [2, 1]}", nil, []string{`{"tune":{},"tune.of":["{\"c1\":2}","{\"c1\":1}"],"tune.revision":5}`}},
		{"options", "engine: l1, params: {c2: 1}, tune: {c1: [2], k: 3, choose: one-se, metric: accuracy}", nil,
			[]string{`{"c2":1,"tune":{"choose":"one-se","k":3,"metric":"accuracy"},"tune.of":["{\"c1\":2,\"c2\":1}"],"tune.revision":5}`}},
		{"options in a grid", "engine: l1, tune: {c1: [2]}, grid: {tune.choose: [best, one-se]}", nil,
			[]string{`{"tune":{},"tune.of":["{\"c1\":2}"],"tune.revision":5}`, `{"tune":{"choose":"one-se"},"tune.of":["{\"c1\":2}"],"tune.revision":5}`}},
		{"two lists, the last fastest", "engine: l1, tune: {c1: [2, 3], c2: [0, 1]}", nil,
			[]string{`{"tune":{},"tune.of":["{\"c1\":2}","{\"c1\":2,\"c2\":1}","{\"c1\":3}","{\"c1\":3,\"c2\":1}"],"tune.revision":5}`}},
		{"parts", "select: {engine: l1, params: {c1: 2}}, refit: {engine: logistic}", nil,
			[]string{`{"refit":{"engine":"logistic REV"},"select":{"c1":2,"engine":"l1 REV"}}`}},
		{"parts in a grid", "select: {engine: l1}, refit: {engine: l1}, grid: {select.c1: [2, 1], refit.c2: [2]}", nil,
			[]string{`{"refit":{"c2":2,"engine":"l1 REV"},"select":{"c1":2,"engine":"l1 REV"}}`, `{"refit":{"c2":2,"engine":"l1 REV"},"select":{"c1":1,"engine":"l1 REV"}}`}},
		{"what is gridded is set", "select: {engine: l1}, refit: {engine: l1}, grid: {select.c1: [1, 2], refit.c2: [1]}", []string{"algorithms.sw.select.params.c1=2"},
			[]string{`{"refit":{"c2":1,"engine":"l1 REV"},"select":{"c1":2,"engine":"l1 REV"}}`}},
		{"what is set is gridded", "select: {engine: l1, params: {c1: 5}}, refit: {engine: l1}", []string{"algorithms.sw.grid.select.c1=[2]"},
			[]string{`{"refit":{"engine":"l1 REV"},"select":{"c1":2,"engine":"l1 REV"}}`}},
		{"a part tuned", "select: {engine: l1}, refit: {engine: l1, tune: {c2: [2]}}", nil,
			[]string{`{"refit":{"engine":"l1 REV","tune":{},"tune.of":["{\"c2\":2}"],"tune.revision":5},"select":{"engine":"l1 REV"}}`}},
		{"parts tuned", "select: {engine: l1}, refit: {engine: l1}, tune: {select.c1: [2]}", nil,
			[]string{`{"refit":{"engine":"l1 REV"},"select":{"engine":"l1 REV"},"tune":{},"tune.of":["{\"refit\":{\"engine\":\"l1 REV\"},\"select\":{\"c1\":2,\"engine\":\"l1 REV\"}}"],"tune.revision":5}`}},
		{"a model a level", "select: {engine: l1, multiclass: one-vs-rest}, refit: {engine: l1}", nil,
			[]string{`{"refit":{"engine":"l1 REV"},"select":{"engine":"l1 REV","multiclass":"one-vs-rest"}}`}},
	} {
		f, err := parseCombined(t, combined(c.entry), c.sets...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, a := range f.Algorithms {
			got = append(got, revision.ReplaceAllString(a.Canonical, "$1 REV"))
			switch a.Engine.(type) {
			case tune.Engine, narrowed.Engine:
			default:
				t.Errorf("%s: engine %T", c.name, a.Engine)
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.canonical, "\n") {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, strings.Join(got, "\n     "), strings.Join(c.canonical, "\n     "))
		}
	}
	f, err := parseCombined(t, combined("select: {engine: l1}, refit: {engine: logistic}, grid: {select.c1: [1, 2]}"))
	if err != nil {
		t.Fatal(err)
	}
	if a := f.Algorithms[1]; a.Kind != "l1+logistic" || a.Grid[0].Name != "select.c1" || a.Grid[0].Value != 2.0 {
		t.Errorf("%s, grid %+v", a.Kind, a.Grid)
	}
	f, err = parseCombined(t, combined("engine: l1, tune: {c1: [2, 0.5], c2: [1]}"))
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Algorithms[0].Engine.(tune.Engine).Candidates; len(c) != 2 || c[1].Label != "c1=0.5, c2=1" {
		t.Errorf("candidates %+v", c)
	}
	if text := f.Algorithms[0].Params; strings.Contains(text, `"c1":1`) || !strings.Contains(text, `"tol"`) {
		t.Errorf("params %s", text)
	}
}

// A parameter named as an option of tune is told from it by its list, or by params before its name, where both stand in tune.
func TestParameterNamedAsOption(t *testing.T) {
	for entry, want := range map[string]string{
		"tune: {params.choose: [last, test], choose: best}": `{"tune":{},"tune.of":["{}","{\"choose\":\"test\"}"],"tune.revision":5}`,
		"tune: {choose: [last, test]}":                      `{"tune":{},"tune.of":["{}","{\"choose\":\"test\"}"],"tune.revision":5}`,
	} {
		f, err := parseCombined(t, strings.Replace(small, "{name: sw, engine: stagewise}", "{name: sw, engine: stagewise, "+entry+"}", 1))
		if err != nil {
			t.Errorf("%s: %v", entry, err)
		} else if got := f.Algorithms[0].Canonical; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", entry, got, want)
		}
	}
}

// Drawn points do not depend on other parameters, come from the file's seed or their own, and are part of keys as if they were listed.
func TestDrawnCandidates(t *testing.T) {
	labels := func(entry string) string {
		f, err := parseCombined(t, combined(entry))
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, c := range f.Algorithms[0].Engine.(tune.Engine).Candidates {
			all = append(all, c.Label)
		}
		return strings.Join(all, "; ")
	}
	alone := labels("engine: l1, tune: {search: random, draws: 3, c1: {log: [0.001, 10]}}")
	if strings.Count(alone, ";") != 2 {
		t.Errorf("%s: expected three points", alone)
	}
	if other := labels("engine: l1, tune: {c2: {one-of: [1]}, c1: {log: [0.001, 10]}, search: random, draws: 3}"); strings.ReplaceAll(other, "c2=1, ", "") != alone {
		t.Errorf("%s beside another parameter, %s alone", other, alone)
	}
	if other := labels("engine: l1, tune: {search: random, draws: 3, seed: 5, c1: {log: [0.001, 10]}}"); other == alone {
		t.Errorf("%s whatever the seed", other)
	}
	f, err := parseCombined(t, combined("engine: l1, tune: {search: random, draws: 40, max_iter: {integer: [1, 3]}}"))
	if err != nil {
		t.Fatal(err)
	}
	if text := f.Algorithms[0].Canonical; strings.Count(text, "max_iter") != 3 || strings.Contains(text, "draws") || strings.Contains(text, "random") {
		t.Errorf("key %s", text)
	}
	for i, c := range f.Algorithms[0].Engine.(tune.Engine).Candidates {
		if open := c.Label == "max_iter=3"; open != (len(c.Ends) == 1) {
			t.Errorf("candidate %d, %s: ends %q", i, c.Label, c.Ends)
		}
	}
}

// TestBadDraws: ranges, numbers of draws and seeds that do not go together are refused.
func TestBadDraws(t *testing.T) {
	for entry, want := range map[string]string{
		"{search: random, c1: [1, 2]}":                                  "draws does not say how many",
		"{search: random, draws: 0, c1: [1, 2]}":                        "draws does not say how many",
		"{draws: 3, c1: [1, 2]}":                                        "search: grid tries every combination",
		"{seed: 3, c1: [1, 2]}":                                         "nothing is drawn",
		"{c1: {log: [1, 2]}}":                                           "search: grid draws none",
		"{c1: {one-of: [1, 2]}}":                                        "search: grid draws none",
		"{search: random, draws: 7, c1: [1, 2], bias: [none, free, 1]}": "tune.draws: 7 of lists that have 6 combinations",
		"{search: random, draws: 200000, c1: {log: [1, 2]}}":            "at most 100000",
		"{search: random, draws: 2, c1: path}":                          "no list or range to draw from",
		"{search: random, draws: 2, max_iter: {log: [1, 5]}}":           "expected integer or log-integer",
		"{search: random, draws: 2, c1: {log: [5, 1]}}":                 "5 is not below 1",
		"{search: random, draws: 2, c1: {log: [0, 1]}}":                 "0 has no logarithm",
		"{search: random, draws: 2, c1: {normal: [0, 1]}}":              "no distribution",
		"{search: random, draws: 2, c1: {uniform: [-2, -1]}}":           "c1",
		"{search: randm, draws: 2, c1: {uniform: [1, 2]}}":              "did you mean \"random\"",
	} {
		_, err := parseCombined(t, combined("engine: l1, tune: "+entry))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// Candidates know which of their numbers are ends of the lists: not of words, of a list of one, nor where the engine takes nothing beyond.
func TestEndsOfLists(t *testing.T) {
	for entry, want := range map[string]string{
		"engine: l1, tune: {c1: [2, 0.5, 1]}":                                 "[c1=2, the largest of 3 in the list] [c1=0.5, the smallest of 3 in the list] []",
		"engine: l1, tune: {c1: [2], c2: [0, 1]}":                             "[] [c2=1, the largest of 2 in the list]",
		"engine: l1, tune: {c1_ratio: {linear: [0.5, 1, 2]}}":                 "[c1_ratio=0.5, the smallest of 2 in the list] []",
		"engine: l1, tune: {max_iter: [1, 2]}":                                "[] [max_iter=2, the largest of 2 in the list]",
		"engine: l1, tune: {bias: [none, free]}":                              "[] []",
		"select: {engine: l1}, refit: {engine: l1}, tune: {refit.c1: [2, 3]}": "[refit.c1=2, the smallest of 2 in the list] [refit.c1=3, the largest of 2 in the list]",
	} {
		f, err := parseCombined(t, combined(entry))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range f.Algorithms[0].Engine.(tune.Engine).Candidates {
			got = append(got, fmt.Sprint(c.Ends))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s:\ngot  %s\nwant %s", entry, text, want)
		}
	}
}

func TestBadTuneAndRefit(t *testing.T) {
	for _, c := range []struct{ entry, want string }{
		{"engine: l1, tune: 5", "tune: expected parameters with lists of values, as in {lambda: [0.1, 1, 10]}, found 5"},
		{"engine: l1, tune: {k: 5}", "tune: it names no parameter to choose"},
		{"engine: l1, tune: {c1: 5}", "tune.c1: expected a list of values, {log: [from, to, count]} or path, found 5"},
		{"engine: l1, tune: {c1: []}", "tune.c1: the list is empty"},
		{"engine: l1, tune: {c1: [1], k: 1}", "k: 1 folds, expected at least 2"},
		{"engine: l1, tune: {c1: [1], choose: worst}", "choose:"},
		{"engine: l1, tune: {c1: [1], metric: acuracy}", `unknown metric "acuracy"; did you mean "accuracy"?`},
		{"engine: l1, tune: {c1: [1], metric: nonzero}", "metric: nonzero is no metric of predictions"},
		{"engine: l1, tune: {c1: [1, -1]}", "c1: -1"},
		{"engine: l1, tune: {d1: [1]}", `unknown parameter "d1" of engine l1`},
		{"engine: l1, params: {c1: 1}, tune: {c1: [1]}", "c1 stands both in tune and outside it"},
		{"engine: stagewise, tune: {choose: [last, test], params.choose: [test]}", "tune: choose stands there twice"},
		{"engine: stagewise, params: {choose: test}, tune: {params.choose: [test]}", "choose stands both in tune and outside it"},
		{"engine: stagewise, tune: {params.choose: test}", "tune.choose: expected a list of values"},
		{"engine: l1, params: {tune: {c1: [1]}}", "tune stands beside params, not in it"},
		{"engine: mdl, tune: {ridge: path}", "tune.ridge: path: the engine, as set here, has no values of its own to try; give a list"},
		{"engine: growing, path: {at: [10]}, tune: {epsilon: [1]}", "path: it does not go together with tune"},
		{"engine: l1, tune: {c1: [1], metric: train_accuracy}", "metric: train_accuracy is no metric of predictions for rows that were not fitted"},
		{"engine: l1, tune: {c1: [1], metric: feature_recall}", "metric: feature_recall is no metric of predictions"},
		{"engine: l1, tune: {c1: [1], metric: stability}", "metric: stability is no metric of predictions"},
		{"select: {engine: stagewise}, refit: {engine: l1}", "refit.engine: it takes a class target only, and select one that is real"},
		{"select: {engine: mdl}", "refit is missing beside select"},
		{"refit: {engine: mdl}", "select is missing beside refit"},
		{"engine: l1, select: {engine: mdl}, refit: {engine: l1}", "engine: with select and refit it stands in one of these"},
		{"select: {engine: mld}, refit: {engine: l1}", `unknown engine "mld"; did you mean "mdl"?`},
		{"select: {engine: mdl, parms: {}}, refit: {engine: l1}", `unknown key "parms" of select; did you mean "params"?`},
		{"select: {engine: mdl, params: {cod: ric}}, refit: {engine: l1}", `unknown parameter "cod" of engine mdl; did you mean "code"?`},
		{"select: {engine: mdl}, refit: {engine: l1}, grid: {select.cod: [ric]}", `unknown parameter "cod" of engine mdl; did you mean "code"?`},
	} {
		if _, err := parseCombined(t, combined(c.entry)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.entry, err, c.want)
		}
	}
}

// TestIdle: a parameter that means nothing beside the others is a mistake at its place; in a list of points, if that is so at all of them.
func TestIdle(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"engine: l1, params: {c1: 2, c1_ratio: 0.1}":                                        "c1: 2 means nothing here: c1_ratio 0.1 counts",
		"engine: l1, params: {c1: 2}, grid: {c1_ratio: [0.1, 0.2]}":                         "c1: 2 means nothing here",
		"engine: l1, params: {c1: 2}, grid: {c1_ratio: [0, 0.1]}":                           "",
		"engine: l1, params: {c1: 2}, tune: {c1_ratio: [0.1, 0.2]}":                         "c1: 2 means nothing here",
		"engine: l1, params: {c1: 2}, tune: {c1_ratio: [0, 0.2]}":                           "",
		"engine: l1, params: {c1_ratio: 0.1}, tune: {c1: [2, 3]}":                           "c1: 2 means nothing here",
		"engine: l1, tune: {c1: [2, 3], c2: [0, 1]}, grid: {c1_ratio: [0, 0.1]}":            "",
		"engine: l1, tune: {c1: [2, 3], c2: [0, 1]}, grid: {c1_ratio: [0.1, 0.2]}":          "c1: 2 means nothing here",
		"select: {engine: l1, params: {c1: 2}}, refit: {engine: l1}, tune: {refit.c2: [1]}": "",
		"select: {engine: l1, params: {c1: 2, c1_ratio: 0.5}}, refit: {engine: l1}":         "c1: 2 means nothing here",
		"engine: l1, params: {c1: 2, c1_ratio: 0.1}, stability: {q: 2, threshold: 0.9}":     "c1: 2 means nothing here",
	} {
		_, err := parseCombined(t, combined(entry))
		if want == "" && err != nil || want != "" && (err == nil || strings.Count(err.Error(), "means nothing") != 1 || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, expected %q", entry, err, want)
		}
	}
}
