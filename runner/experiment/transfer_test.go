package experiment

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/coding/mdl"
	"tenfold/engines/coding/transfer"
	"tenfold/io/source"
)

// senses is a format with a class target, classes of features, and folders.
type senses struct {
	text `yaml:",inline"`
}

func (s senses) Declares() source.Declares {
	d := s.text.Declares()
	d.Classes = true
	return d
}

// learning is a file with a family and one algorithm.
func learning(entry string) string {
	return strings.Replace(strings.Replace(small, "format: joins", "format: senses, family: folder", 1),
		"{name: sw, engine: stagewise}", "{name: sw, "+entry+"}", 1)
}

func parseLearning(t *testing.T, file string, sets ...string) (*File, error) {
	t.Helper()
	o := options(t)
	o.Engines["mdl"], o.Sets = mdl.Kind, sets
	o.Formats["senses"] = source.Define(source.Kind{Name: "senses", Doc: "d", Rev: 1}, senses{text{Target: source.Target{Name: "relation"}}})
	return Parse("x.yaml", []byte(file), o)
}

// Code transfer-tpc makes an engine that learns from other tasks, with options of its own.
func TestTransfer(t *testing.T) {
	t.Parallel()
	const code = `"code":"transfer-tpc"`
	for _, c := range []struct {
		name, entry string
		sets        []string
		canonical   []string
	}{
		{"defaults", "engine: mdl, params: {code: transfer-tpc}", nil, []string{`{` + code + `,"transfer":1}`}},
		{"empty", "engine: mdl, params: {code: transfer-tpc}, transfer: {}", nil, []string{`{` + code + `,"transfer":1}`}},
		{"defaults written out", "engine: mdl, params: {code: transfer-tpc, search: forward}, transfer: {setting: 1, similarity: 0.3, semantic: ['tp*'], donors: all}", nil,
			[]string{`{` + code + `,"transfer":1}`}},
		{"options", "engine: mdl, params: {code: transfer-tpc, ridge: 0.1}, transfer: {absent: skip, clusters: 60}", nil,
			[]string{`{` + code + `,"ridge":0.1,"transfer":1,"transfer.absent":"skip","transfer.clusters":60}`}},
		{"grid", "engine: mdl, params: {code: transfer-tpc}, transfer: {count: any}, grid: {transfer.setting: [1, 3]}", nil,
			[]string{`{` + code + `,"transfer":1,"transfer.count":"any"}`, `{` + code + `,"transfer":1,"transfer.count":"any","transfer.setting":3}`}},
		{"grid of codes", "engine: mdl, grid: {code: [tpc, transfer-tpc]}", nil, []string{`{"code":"tpc"}`, `{` + code + `,"transfer":1}`}},
		{"set", "engine: mdl, params: {code: transfer-tpc}", []string{"algorithms.sw.transfer.donors=larger"}, []string{`{` + code + `,"transfer":1,"transfer.donors":"larger"}`}},
		{"set what is gridded", "engine: mdl, params: {code: transfer-tpc}, grid: {transfer.setting: [1, 3]}", []string{"algorithms.sw.transfer.setting=4"},
			[]string{`{` + code + `,"transfer":1,"transfer.setting":4}`}},
		{"one against the rest anyway", "engine: mdl, grid: {code: [tpc, transfer-tpc]}, multiclass: one-vs-rest", nil,
			[]string{`{"code":"tpc","multiclass":"one-vs-rest"}`, `{` + code + `,"transfer":1}`}},
	} {
		f, err := parseLearning(t, learning(c.entry), c.sets...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, a := range f.Algorithms {
			got = append(got, a.Canonical)
			if _, is := a.Engine.(transfer.Engine); is != strings.Contains(a.Canonical, code) {
				t.Errorf("%s: engine %T with %s", c.name, a.Engine, a.Canonical)
			}
		}
		if !slices.Equal(got, c.canonical) {
			t.Errorf("%s: %q, want %q", c.name, got, c.canonical)
		}
	}
	f, err := parseLearning(t, "report: {figures: [{kind: sweep, x: transfer.setting}]}\n"+
		"defaults: {params: {code: transfer-tpc}}\n"+learning("engine: mdl, transfer: {similarity: 0.5}, grid: {transfer.setting: [1, 2]}"))
	if err != nil {
		t.Fatal(err)
	}
	a := f.Algorithms[1]
	if e, ok := a.Engine.(transfer.Engine); !ok || e.Setting != 2 || e.Clustering.Similarity != 0.5 || a.Kind != "mdl" || a.Grid[0].Value != int64(2) {
		t.Errorf("%s, %+v, grid %+v", a.Kind, a.Engine, a.Grid)
	}
	for _, part := range []string{`"search":"forward"`, `"transfer.setting":2`, `"transfer.background":0.2`, `"transfer.alpha":0.05`} {
		if !strings.Contains(a.Params, part) {
			t.Errorf("no %s in %s", part, a.Params)
		}
	}
}

func TestBadTransfer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entry, want string }{
		{"engine: mdl, params: {code: transfer-tpc}, transfer: {seting: 1}", `x.yaml:7:70: unknown key "seting" of transfer; did you mean "setting"?`},
		{"engine: mdl, params: {code: transfer-tpc}, transfer: {setting: 7, alpha: 2}", "x.yaml:7:79: setting: 7, expected 1, 2, 3 or 4"},
		{"engine: mdl, params: {code: transfer-tpc}, transfer: {setting: 7, alpha: 2}", "x.yaml:7:89: alpha: 2, expected a number between 0 and 1"},
		{"engine: mdl, params: {code: transfer-tpc, ridge: 0}, transfer: {setting: 7}", "ridge: 0"},
		{"engine: mdl, params: {code: transfer-tpc, ridge: 0}, transfer: {setting: 7}", "setting: 7"},
		{"engine: mdl, params: {code: transfer-tpc, search: alpha-investing}", "search alpha-investing goes by p-values"},
		{"engine: mdl, params: {code: tpc}, transfer: {setting: 2}", "transfer: engine mdl, as set here, does not learn from other tasks (these do: mdl with code transfer-tpc)"},
		{"engine: mdl, params: {code: tpc}, grid: {transfer.setting: [1, 2]}", "x.yaml:7:57: transfer: engine mdl, as set here, does not learn"},
		{"engine: logistic, transfer: {}", "transfer: engine logistic does not learn from other tasks (these do: mdl with code transfer-tpc)"},
		{"engine: mdl, params: {code: transfer-tpc, transfer: {}}", "transfer stands beside params, not in it"},
		{"engine: mdl, params: {code: transfer-tpc}, transfer: wide", "transfer: expected a mapping (setting, variant"},
		{"engine: mdl, params: {code: transfer-tpc}, transfer: {setting: 2}, grid: {transfer.setting: [1, 2]}", "transfer.setting stands both in the grid and outside it"},
		{"engine: mdl, params: {code: transfer-tp}", `did you mean "transfer-tpc"?`},
		{"engine: mdl, params: {code: transfer-tpc}, tune: {ridge: [1, 2]}", "x.yaml:7:65: tune: the engine with ridge=1 learns from other tasks, in stages of its own"},
		{"engine: mdl, tune: {code: [tpc, transfer-tpc]}", "x.yaml:7:35: tune: the engine with code=transfer-tpc learns from other tasks"},
		{"select: {engine: mdl, params: {code: transfer-tpc}}, refit: {engine: mdl}", "x.yaml:7:33: select.engine: as set here, it learns from other tasks, in stages of its own"},
		{"select: {engine: mdl}, refit: {engine: mdl, multiclass: one-vs-rest}, grid: {refit.code: [transfer-tpc]}", "x.yaml:7:55: refit.engine: as set here, it learns from other tasks"},
	} {
		if _, err := parseLearning(t, learning(c.entry)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.entry, err, c.want)
		}
	}
	entry := "engine: mdl, params: {code: transfer-tpc}"
	for family, want := range map[string]string{
		"":                      "learns from the other tasks of a family; data set ewt is none (expected family: folder)",
		", family: one-vs-rest": "those of data set ewt, one-vs-rest, share rows",
	} {
		if _, err := parseLearning(t, strings.Replace(learning(entry), ", family: folder", family, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", family, err, want)
		}
	}
}
