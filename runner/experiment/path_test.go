package experiment

import (
	"slices"
	"strings"
	"tenfold/runner/experiment/algorithm"
	"testing"
)

// A path sets the parameters that it stands in for, over those of defaults; the order of its sizes means nothing.
func TestPath(t *testing.T) {
	file := func(entry string) string {
		return strings.Replace(small, "{name: sw, engine: stagewise}", "{name: sw, "+entry+"}", 1)
	}
	for _, c := range []struct {
		name, file       string
		at               []int
		params, resolved string
	}{
		{"sizes", file("engine: growing, path: {at: [100, 10, 1000]}"), []int{10, 100, 1000},
			`{"features":1000}`, `{"features":1000,"path.at":[10,100,1000],"whole":true}`},
		{"refit", file("engine: growing, path: {at: [10], refit: false}"), []int{10},
			`{"features":10,"whole":false}`, `{"features":10,"path.at":[10],"whole":false}`},
		{"refit as it is anyway", file("engine: growing, path: {at: [10], refit: true}"), []int{10},
			`{"features":10}`, `{"features":10,"path.at":[10],"whole":true}`},
		{"refit by its parameter", file("engine: growing, params: {whole: false}, path: {at: [10]}"), []int{10},
			`{"features":10,"whole":false}`, `{"features":10,"path.at":[10],"whole":false}`},
		{"the default limit", file("engine: growing, path: {at: [7]}"), []int{7}, `{}`, `{"features":7,"path.at":[7],"whole":true}`},
		{"always estimated", file("engine: counting, path: {at: [3], refit: true}"), []int{3},
			`{"features":3}`, `{"features":3,"path.at":[3],"whole":false}`},
		{"defaults lie below", "defaults: {params: {features: 3}}\n" + file("engine: growing, path: {at: [10]}"), []int{10},
			`{"features":10}`, `{"features":10,"path.at":[10],"whole":true}`},
		{"of a wrapper", file("engine: growing, params: {features: 3}, rfe: {step: 2}, path: {at: [5, 1]}"), []int{1, 5},
			`{"features":3,"rfe":5,"rfe.size":5,"rfe.step":2}`, `{"features":3,"path.at":[1,5],"rfe.importance":"auto","rfe.permutation.k":5,"rfe.permutation.metric":"","rfe.permutation.pairs":false,"rfe.permutation.repeats":5,"rfe.permutation.within":"rows","rfe.scale":"none","rfe.size":5,"rfe.step":2,"whole":true}`},
		{"none", file("engine: growing"), nil, `{}`, `{"features":7,"whole":true}`},
	} {
		a := mustParse(t, c.file).Algorithms[0]
		if !slices.Equal(a.Path, c.at) || a.Canonical != c.params || a.Params != c.resolved {
			t.Errorf("%s: %v %s %s, want %v %s %s", c.name, a.Path, a.Canonical, a.Params, c.at, c.params, c.resolved)
		}
	}
	f := mustParse(t, file("engine: growing, grid: {whole: [true, false]}, path: {at: [10, 20]}"), "algorithms.sw.path.at=[5, 6]")
	if len(f.Algorithms) != 2 || !slices.Equal(f.Algorithms[1].Path, []int{5, 6}) || !strings.Contains(f.Algorithms[1].Canonical, `"features":6`) {
		t.Errorf("a grid beside a path that was set: %+v", f.Algorithms)
	}
	if got := (algorithm.Path{10, 100}).Canonical() + (algorithm.Path{}).Canonical(); got != "[10,100]" {
		t.Errorf("canonical %q", got)
	}
}

// With select and refit, a path is that of the selector: it sets its limit, and nothing else may.
func TestPathOfTwoParts(t *testing.T) {
	const growing = "select: {engine: growing}, refit: {engine: l1}, path: {at: [20, 5]}"
	f, err := parseCombined(t, combined(growing))
	if err != nil {
		t.Fatal(err)
	}
	a := f.Algorithms[0]
	if !slices.Equal(a.Path, []int{5, 20}) || !strings.Contains(a.Canonical, `"features":20`) || !strings.Contains(a.Params, `"path.at":[5,20]`) {
		t.Errorf("%v %s %s", a.Path, a.Canonical, a.Params)
	}
	for _, c := range []struct{ entry, want string }{
		{"select: {engine: mdl}, refit: {engine: l1}, path: {at: [5]}", "path: engine mdl makes no models of several sizes from one fit"},
		{"select: {engine: growing, params: {features: 3}}, refit: {engine: l1}, path: {at: [5]}", "features is for path to say; leave it out here"},
		{"select: {engine: growing}, refit: {engine: l1}, path: {at: [5]}, grid: {select.features: [3, 4]}", "select.features is for path to say; leave it out here"},
		{"select: {engine: growing}, refit: {engine: l1}, path: {at: [5], refit: false}", "path.refit: engine growing has no weights but those that it estimates together"},
		{"select: {engine: growing}, refit: {engine: l1}, path: {at: [5]}, tune: {refit.c1: [1, 2]}", "path: it does not go together with tune"},
		{"select: {engine: growing, tune: {whole: [true]}}, refit: {engine: l1}, path: {at: [5]}", "path: it does not go together with tune"},
	} {
		if _, err := parseCombined(t, combined(c.entry)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.entry, err, c.want)
		}
	}
}

// The size is a dimension of figures where some algorithm has a path.
func TestPointIsAnAxis(t *testing.T) {
	const figure = "report: {figures: [{kind: sweep, x: point}]}\n"
	along := strings.Replace(small, "engine: stagewise", "engine: growing, path: {at: [10]}", 1)
	mustParse(t, figure+along)
	if _, err := parse(t, figure+small); err == nil || !strings.Contains(err.Error(), `unknown parameter "point"`) {
		t.Errorf("without a path: %v", err)
	}
}
