package experiment

import (
	"fmt"
	"strings"
	"tenfold/runner/experiment/reading"
	"testing"
)

// setCases are --set arguments for the full file: what they change, or their error.
var setCases = []struct{ set, want, err string }{
	{set: "seed=7", want: "seed 7"},
	{set: "title=a: b", err: "title: expected text, found a mapping"},
	{set: "title=[a", err: "--set title=[a: not YAML: a list in brackets does not end: expected , or ]"},
	{set: "title='a: b'", want: "title a: b"},
	{set: "metrics=[nonzero]", want: "metrics [nonzero]"},
	{set: "metrics.0=nonzero", want: "metrics [nonzero train_r2 nonzero]"},
	{set: "limits={time: 1s}", want: "limits {1s 0}"},
	{set: "limits.time=1s", want: "limits {1s 4294967296}"},
	{set: "algorithms.stagewise.params.epsilon=0.05", want: "points epsilon= patience=30000"},
	{set: "algorithms.stagewise.params.patience=5", want: "points epsilon=0.1 epsilon=0.0316 epsilon=0.01 epsilon=0.00316 patience=5"},
	{set: "algorithms.stagewise.grid.epsilon=[1, 2]", want: "points epsilon=1 epsilon=2 patience=30000"},
	{set: "algorithms.stagewise.grid.patience=[1, 2]", want: "points epsilon=0.1,patience=1 epsilon=0.1,patience=2 epsilon=0.0316,patience=1 epsilon=0.0316,patience=2 " +
		"epsilon=0.01,patience=1 epsilon=0.01,patience=2 epsilon=0.00316,patience=1 epsilon=0.00316,patience=2 patience=1"},
	{set: "algorithms.stagewise.grid.epsilon={log: [1, 100, 3]}", want: "points epsilon=1 epsilon=10 epsilon=100 patience=30000"},
	{set: "algorithms.1.params.code=tpc", err: "engine mdl, as set here, needs classes of features"},
	{set: "algorithms.ridge={name: ridge, engine: mdl}", want: "seed 2004"},
	{set: "datasets.ewt-joins.features.cutoff=9", want: "cutoffs 9"},
	{set: "datasets.ewt-joins.grid.features.cutoff=[1, 2]", want: "cutoffs 1 2"},
	{set: "datasets.ewt-joins.kappa=0.5", want: "seed 2004"},
	{set: "templates.pairs=[0000000002]", want: "templates [0000000002]"},
	{set: "folds.test=0.2", want: "folds 0.2"},

	{set: "seed", err: "--set seed: expected path=value"},
	{set: "seed=", err: "expected path=value"},
	{set: "=1", err: "expected path=value"},
	{set: "seed=x", err: `--set seed=x: seed: expected an integer, found "x"`},
	{set: "sed=1", err: `--set sed=1: unknown key "sed" of the experiment file; did you mean "seed"?`},
	{set: "algorithm.stagewise.params.epsilon=1", err: `unknown key "algorithm" of the experiment file; did you mean "algorithms"?`},
	{set: "algorithms.stagwise.params.epsilon=1", err: `--set algorithms.stagwise.params.epsilon=1: algorithms has no "stagwise"; did you mean "stagewise"?`},
	{set: "algorithms.7.params.epsilon=1", err: `algorithms has no "7" (have stagewise, ridge)`},
	{set: "algorithms.stagewise.params.epsilom=1", err: `--set algorithms.stagewise.params.epsilom=1: unknown parameter "epsilom" of engine stagewise; did you mean "epsilon"?`},
	{set: "algorithms.stagewise.params.epsilon=0", err: "--set algorithms.stagewise.params.epsilon=0: epsilon: 0, expected a number above 0"},
	{set: "seed.x=1", err: "--set seed.x=1: seed is 2004, not a mapping"},
	{set: "report.figures.0.x=eps", err: `--set report.figures.0.x=eps: unknown parameter "eps"`},
	{set: "datasets.ewt-joins.grid.name=[a, b]", err: "grid: name cannot vary"},
}

func TestSet(t *testing.T) {
	// Without the figure, since some arguments take the grid away that it shows.
	file := strings.Replace(full, "    - {kind: sweep, x: epsilon, y: test_mse}\n", "", 1)
	for _, c := range setCases {
		t.Run(c.set, func(t *testing.T) {
			f, err := parse(t, file, c.set)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got %v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(f, c.want); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if again, err := parse(t, string(f.Text)); err != nil || describe(again, c.want) != c.want {
				t.Errorf("the text after --set reads as something else: %v\n%s", err, f.Text)
			}
		})
	}
}

// describe is the part of a file that the first word of want is about.
func describe(f *File, want string) string {
	switch word, _, _ := strings.Cut(want, " "); word {
	case "seed":
		return fmt.Sprint("seed ", f.Seed)
	case "title":
		return "title " + f.Title
	case "metrics":
		return fmt.Sprint("metrics ", f.Metrics)
	case "limits":
		return fmt.Sprint("limits ", f.Algorithms[0].Limits)
	case "templates":
		return fmt.Sprint("templates ", f.Datasets[0].Source.(text).Features.Templates)
	case "folds":
		return fmt.Sprint("folds ", f.Datasets[0].Folds.Test)
	case "cutoffs":
		out := "cutoffs"
		for _, d := range f.Datasets {
			out += fmt.Sprint(" ", d.Source.(text).Features.Cutoff)
		}
		return out
	}
	out := strings.TrimSpace(strings.Replace(points(f), "  ", " ", 1))
	if !strings.Contains(out, "epsilon") {
		out = "epsilon="
	}
	return fmt.Sprintf("points %s patience=%d", out, f.Algorithms[0].Engine.(step).Patience)
}

// TestSetUngrids: a parameter that was set leaves zip groups and included points too, and an exclusion that names it
// applies where the value is the excluded one.
func TestSetUngrids(t *testing.T) {
	file := strings.Replace(small, "engine: stagewise",
		"engine: stagewise, grid: {epsilon: [1, 2], patience: [3, 4], zip: [[epsilon, patience]], include: [{epsilon: 5, patience: 6}], exclude: [{epsilon: 1, patience: 3}]}", 1)
	for set, want := range map[string]string{"1": "patience=4 patience=6", "2": "patience=3 patience=4 patience=6"} {
		f := mustParse(t, file, "algorithms.sw.params.epsilon="+set)
		if got := points(f); got != want {
			t.Errorf("epsilon=%s: got %s, want %s", set, got, want)
		}
	}
}

// TestSetOrder: later arguments win, and errors name the argument they come from.
func TestSetOrder(t *testing.T) {
	if f := mustParse(t, small, "seed=1", "seed=2"); f.Seed != 2 {
		t.Errorf("seed %d", f.Seed)
	}
	_, err := parse(t, small, "seed=1", "folds.k=x")
	if es, ok := err.(reading.Errors); !ok || len(es) != 1 || es[0].File != "--set folds.k=x" {
		t.Errorf("%v", err)
	}
}

// TestSetDottedNames: names may hold dots; the longest that fits is meant.
func TestSetDottedNames(t *testing.T) {
	f := mustParse(t, small+"  - {name: sw v1.5, engine: stagewise}\n", "algorithms.sw v1.5.params.epsilon=0.5")
	if f.Algorithms[0].Canonical != "{}" || f.Algorithms[1].Canonical != `{"epsilon":0.5}` {
		t.Errorf("%s, %s", f.Algorithms[0].Canonical, f.Algorithms[1].Canonical)
	}
}
