package experiment

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/wrappers/onevsrest"
)

// Only one-vs-rest is part of what determines a result, so that files without the key keep their results.
func TestMulticlass(t *testing.T) {
	for _, c := range []struct {
		name, entry string
		sets        []string
		canonical   []string
	}{
		{"none", "engine: l1, params: {c1: 2}", nil, []string{`{"c1":2}`}},
		{"own", "engine: l1, params: {c1: 2}, multiclass: own", nil, []string{`{"c1":2}`}},
		{"one-vs-rest", "engine: l1, params: {c1: 2}, multiclass: one-vs-rest", nil, []string{`{"c1":2,"multiclass":"one-vs-rest"}`}},
		{"with a grid", "engine: l1, multiclass: one-vs-rest, grid: {c1: [2, 3]}", nil,
			[]string{`{"c1":2,"multiclass":"one-vs-rest"}`, `{"c1":3,"multiclass":"one-vs-rest"}`}},
		{"in the grid", "engine: l1, grid: {multiclass: [own, one-vs-rest], c1: [2]}", nil, []string{`{"c1":2}`, `{"c1":2,"multiclass":"one-vs-rest"}`}},
		{"any target", "engine: mdl, multiclass: one-vs-rest", nil, []string{`{"multiclass":"one-vs-rest"}`}},
		{"combinations of the engine's own model", "engine: l1, combinations: {}, multiclass: own", nil, []string{`{"combinations":2}`}},
		{"set", "engine: l1", []string{"algorithms.sw.multiclass=one-vs-rest"}, []string{`{"multiclass":"one-vs-rest"}`}},
		{"set what is gridded", "engine: l1, grid: {multiclass: [own, one-vs-rest]}", []string{"algorithms.sw.multiclass=own"}, []string{`{}`}},
		{"grid what is set", "engine: l1, multiclass: one-vs-rest", []string{"algorithms.sw.grid.multiclass=[own, one-vs-rest]"}, []string{`{}`, `{"multiclass":"one-vs-rest"}`}},
	} {
		f, err := parseCombined(t, combined(c.entry), c.sets...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, a := range f.Algorithms {
			got = append(got, a.Canonical)
			_, is := a.Engine.(onevsrest.Engine)
			if says := strings.Contains(a.Params, `"multiclass":"one-vs-rest"`); is != says || is != strings.Contains(a.Canonical, "multiclass") {
				t.Errorf("%s: engine %T with %s", c.name, a.Engine, a.Params)
			}
		}
		if !slices.Equal(got, c.canonical) {
			t.Errorf("%s: %q, want %q", c.name, got, c.canonical)
		}
	}
	f, err := parseCombined(t, combined("engine: l1, grid: {multiclass: [own, one-vs-rest]}"))
	if err != nil {
		t.Fatal(err)
	}
	if a := f.Algorithms[1]; a.Kind != "l1" || len(a.Grid) != 1 || a.Grid[0].Name != "multiclass" || a.Grid[0].Value != "one-vs-rest" || !strings.Contains(a.Params, `"c1":0`) {
		t.Errorf("%s, grid %+v, params %s", a.Kind, a.Grid, a.Params)
	}
}

func TestBadMulticlass(t *testing.T) {
	for _, c := range []struct{ entry, want string }{
		{"engine: l1, multiclass: one-vs-all", `x.yaml:7:40: multiclass: expected own or one-vs-rest, found "one-vs-all"`},
		{"engine: l1, multiclass: [own]", "x.yaml:7:40: multiclass: expected own or one-vs-rest, found a list"},
		{"engine: l1, multiclass: ", "multiclass has no value"},
		{"engine: l1, multiclass: true", "multiclass: expected own or one-vs-rest, found true"},
		{"engine: l1, grid: {multiclass: [own, all]}", `x.yaml:7:53: multiclass: expected own or one-vs-rest, found "all"`},
		{"engine: l1, multiclass: own, grid: {multiclass: [own, one-vs-rest]}", "multiclass stands both in the grid and outside it"},
		{"engine: l1, params: {multiclass: own}", "x.yaml:7:37: multiclass stands beside params, not in it"},
		{"engine: l1, multiclas: own", `unknown key "multiclas" of algorithm; did you mean "multiclass"?`},
		{"engine: growing, path: {at: [10]}, multiclass: one-vs-rest", "x.yaml:7:63: multiclass: one-vs-rest does not go together with path: each level"},
		{"engine: l1, combinations: {}, multiclass: one-vs-rest", "x.yaml:7:58: multiclass: one-vs-rest does not go together with combinations"},
		{"engine: l1, combinations: {}, grid: {multiclass: [own, one-vs-rest]}", "x.yaml:7:71: multiclass: one-vs-rest does not go together with combinations"},
		{"engine: stagewise, multiclass: one-vs-rest", "x.yaml:7:47: multiclass: one-vs-rest makes classes of two levels, and the engine, with these parameters, takes real targets only"},
		{"engine: l1, params: {c: 1}, multiclass: one", `unknown parameter "c" of engine l1`},
		{"engine: l1, params: {c: 1}, multiclass: one", `multiclass: expected own or one-vs-rest, found "one"`},
	} {
		if _, err := parseCombined(t, combined(c.entry)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.entry, err, c.want)
		}
	}
	file := "defaults: {params: {multiclass: one-vs-rest}}\n" + combined("engine: l1")
	if _, err := parseCombined(t, file); err == nil || !strings.Contains(err.Error(), `unknown parameter "multiclass" of engine l1`) {
		t.Errorf("among defaults: %v", err)
	}
}
