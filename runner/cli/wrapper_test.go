package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/io/results"
	"tenfold/runner/cli"
	"tenfold/runner/cli/app"
)

// The example of CONTRIBUTING.md.

// begin wrapper

// Thinned fits its base to every k-th training row.
type Thinned struct {
	Base engines.Engine `yaml:",inline"`
	Thin `yaml:"thin"`
}

// Thin is the options, as the section thin of an algorithm has them.
type Thin struct {
	Every int `yaml:"every" doc:"of so many rows one is kept, at least 1"`
}

// Validate checks the options by themselves.
func (o Thin) Validate() error {
	return param.Require("every", o.Every >= 1, "%d, expected at least 1", o.Every)
}

// Thinning is all that the program knows of it.
var Thinning = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: "thin", Doc: "most rows left out", Rev: 1, // raise it when results may change
	}, Thin{Every: 1}),
	Accepts:  func(inner engines.Engine) bool { return inner.Needs().Target == data.Real },
	Lacks:    "does not fit numbers",
	Excludes: []engines.Exclusion{{Key: "multiclass", Why: ", which is for numbers"}},
	Wrap: func(inner engines.Engine, options param.Validator) engines.Engine {
		return Thinned{inner, options.(Thin)}
	},
}

// Validate checks that base and options go together; each is sound by itself.
func (e Thinned) Validate() error {
	return param.Require("thin.every", e.Every < 100, "%d: too few rows are left", e.Every)
}

// Needs are those of the base, without its path.
func (e Thinned) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Sizes = engines.Sizes{}
	return n
}

// Fit is that of the base, on a view of fewer rows.
func (e Thinned) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	var rows []int32
	for i := 0; i < run.Train.Len(); i += e.Every {
		rows = append(rows, int32(i))
	}
	run.Train = run.Train.Sub(rows)
	return e.Base.Fit(ctx, run)
}

// end

const thinSpec = `tenfold: 1
name: thin
datasets:
  - {name: pairs, format: synthetic, generator: tuples, rows: 400, truth: 9, noise: 0.5, features: {cutoff: 3}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: mean, engine: mean}
  - {name: thin, engine: mean, thin: {}, grid: {thin.every: [1, 2]}}
  - {name: parts, select: {engine: random, params: {features: 2}}, refit: {engine: ridge, params: {lambda: 2}}, grid: {refit.thin.every: [3]}}
  - {name: tuned, engine: mean, tune: {thin.every: [1, 2], k: 2}}
metrics: [test_mse]
`

// A new wrapper is a line in the list: files may name it, grids and --set vary it, the schema, completion and the descriptions
// have it.
func TestNewWrapper(t *testing.T) {
	d := newDesk(t, thinSpec)
	t.Setenv("TENFOLD_CACHE", d.cache)
	parts, err := parts()
	if err != nil {
		t.Fatal(err)
	}
	parts.Wrappers.Around = append(parts.Wrappers.Around, Thinning)
	tell := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		program := app.App{Parts: parts, Out: &out, Errs: &errs}
		if code := cli.Run(t.Context(), &program, args); code != want {
			t.Fatalf("%q: exit code %d\n%s", args, code, errs.String())
		}
		return out.String() + errs.String()
	}
	tell(app.ExitOK, "run", d.spec, "--out", d.dir, "--quiet")
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	mse := map[string]float64{}
	for _, r := range tables.Rows {
		for _, s := range r.Scores {
			if s.Metric == "test_mse" && r.Fold == 0 {
				mse[fmt.Sprint(r.Algorithm, r.Grid)] = s.Value
			}
		}
	}
	plain, one, two := mse["mean[]"], mse["thin[{thin.every 1}]"], mse["thin[{thin.every 2}]"]
	if len(mse) != 5 || plain != one || one == two {
		t.Errorf("errors %v", mse)
	}
	for _, c := range []struct {
		want string
		code int
		args []string
	}{
		{"options (default):\n  every  integer  1  of so many rows", app.ExitOK, []string{"describe", "section", "thin"}},
		{"thin (default):\n  every  integer  1  of so many rows", app.ExitOK, []string{"describe", "engine", "mean"}},
		{"### `algorithms.tune`, `algorithms.combinations`, `algorithms.transfer`, `algorithms.decide`, `algorithms.rfe`, `algorithms.permutation`, `algorithms.sequential`, `algorithms.stability`, `algorithms.knockoffs`, `algorithms.thin`", app.ExitOK, []string{"describe", "--format", "markdown"}},
		{"| `thin.every` | integer | `1` |", app.ExitOK, []string{"describe", "--format", "markdown"}},
		{"algorithms.thin.thin.every=", app.ExitOK, []string{"__complete", "plan", d.spec, "--set", "algorithms.thin.thin."}},
		{"algorithms.parts.refit.thin.every=", app.ExitOK, []string{"__complete", "plan", d.spec, "--set", "algorithms.parts.refit.thin."}},
		{"10 fits:", app.ExitOK, []string{"plan", d.spec}},
		{"10 fits:", app.ExitOK, []string{"plan", d.spec, "--set", "algorithms.thin.multiclass=own"}},
		{"8 fits:", app.ExitOK, []string{"plan", d.spec, "--set", "algorithms.thin.thin.every=3"}},
		{"every: 0, expected at least 1", app.ExitInvalid, []string{"validate", d.spec, "--set", "algorithms.thin.thin.every=0"}},
		{"thin.every: 100: too few rows are left", app.ExitInvalid, []string{"validate", d.spec, "--set", "algorithms.thin.thin.every=100"}},
		{`unknown key "evry" of thin; did you mean "every"?`, app.ExitInvalid, []string{"validate", d.spec, "--set", "algorithms.mean.thin.evry=1"}},
		{"thin: engine majority does not fit numbers (these do: ", app.ExitInvalid, []string{"validate", d.spec, "--set", "algorithms.thin.engine=majority"}},
		{"multiclass: it does not go together with thin, which is for numbers", app.ExitInvalid, []string{"validate", d.spec, "--set", "algorithms.thin.multiclass=one-vs-rest"}},
		{"thin stands beside params, not in it", app.ExitInvalid, []string{"validate", d.spec, "--set", "algorithms.mean.params.thin.every=2"}},
	} {
		if got := tell(c.code, c.args...); !strings.Contains(got, c.want) {
			t.Errorf("%q: no %q in\n%s", c.args, c.want, got)
		}
	}
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(tell(app.ExitOK, "schema")), &schema); err != nil {
		t.Fatal(err)
	}
	grid := schema.Defs["with-engine-mean"].Properties["grid"].(map[string]any)["properties"].(map[string]any)
	if grid["thin.every"] == nil || schema.Defs["thin"].Properties["every"] == nil || schema.Defs["with-engine-majority"].Properties["thin"] != false ||
		schema.Defs["part"].Properties["thin"] == nil || slices.Contains([]any{nil, false}, schema.Defs["algorithm"].Properties["thin"]) {
		t.Errorf("grids of mean: %v", grid)
	}
}
