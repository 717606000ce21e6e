package experiment

import (
	"strings"
	"testing"

	"tenfold/io/results"
)

// TestNullIsAWord where words go, as in sigma: null of engine mdl.
func TestNullIsAWord(t *testing.T) {
	for _, params := range []string{"params: {sigma: null}", `params: {sigma: "null"}`, "grid: {sigma: [null, own]}",
		"grid: {sigma: [own, null], code: [ric], exclude: [{sigma: own}]}", "grid: {include: [{sigma: null}]}"} {
		f := mustParse(t, strings.Replace(small, "engine: stagewise", "engine: mdl, "+params, 1))
		a := f.Algorithms[0]
		if got := a.Engine.(bits).Sigma; got != "null" {
			t.Errorf("%s: sigma is %q", params, got)
		}
		if len(a.Grid) > 0 && a.Grid[0] != (results.Param{Name: "sigma", Value: "null"}) {
			t.Errorf("%s: the first coordinate is %v", params, a.Grid[0])
		}
	}
	f := mustParse(t, strings.Replace(small, "engine: stagewise", "engine: mdl", 1), "algorithms.sw.params.sigma=null")
	if got := f.Algorithms[0].Engine.(bits).Sigma; got != "null" {
		t.Errorf("--set: sigma is %q", got)
	}
	if got := mustParse(t, string(f.Text)).Algorithms[0].Engine.(bits).Sigma; got != "null" {
		t.Errorf("the text after --set: sigma is %q", got)
	}
}
