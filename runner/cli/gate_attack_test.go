package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// fort is an experiment with a rule of each kind.
const fort = `tenfold: 1
name: fort
seed: 7
datasets:
  - {name: pairs, format: synthetic, rows: 200, truth: 10, noise: 0.5, seed: 3, features: {cutoff: 3}}
  - {name: once, format: synthetic, rows: 200, truth: 10, noise: 0.5, seed: 4, features: {cutoff: 3}, folds: {kind: holdout, test: 0.5, by: pattern}}
folds: {kind: kfold, k: 3, by: pattern}
algorithms:
  - {name: ridge, engine: ridge, params: {lambda: 10}}
  - {name: steps, engine: stagewise, params: {max_iter: 50, epsilon: 0.02, choose: last}}
  - {name: mean, engine: mean}
metrics: [test_mse, mae]
gate:
  - {metric: test_mse, margin: {relative: 0.05}, test: nadeau-bengio, datasets: [pairs]}
  - {metric: test_mse, margin: {relative: 0.05}, test: bootstrap, alpha: 0.04, datasets: [once]}
  - {metric: mae, margin: {absolute: 0.01}}
  - {metric: test_mse, against: mean, margin: {absolute: 0}, algorithms: [ridge], datasets: [pairs]}
  - {metric: test_r2, min: 0.01, algorithms: [ridge]}
  - {metric: rmse, max: 90, algorithms: [ridge]}
`

// TestAttacksOnTheGate: edits of the experiment file, the baseline and the run; what the gate says of each, and with --strict.
func TestAttacksOnTheGate(t *testing.T) {
	t.Parallel()
	base := newDesk(t, fort)
	base.accept()
	type edit struct {
		file     string // x.yaml, x.baseline.yaml, or one of the run's
		old, new string // a regular expression, and what takes the place of its first match; "" of the whole file removes it
	}
	file := func(old, new string) []edit { return []edit{{"x.yaml", regexp.QuoteMeta(old), new}} }
	baseline := func(old, new string) []edit { return []edit{{"x.baseline.yaml", old, new}} }
	both := func(a, b []edit) []edit { return append(append([]edit{}, a...), b...) }
	const ok, invalid, worse, incomplete = app.ExitOK, app.ExitInvalid, app.ExitRegression, app.ExitIncomplete
	const firstRule = "  - {metric: test_mse, margin: {relative: 0.05}, test: nadeau-bengio, datasets: [pairs]}\n"
	const maeRule = "  - {metric: mae, margin: {absolute: 0.01}}\n"
	const ridge = "  - {name: ridge, engine: ridge, params: {lambda: 10}}\n"
	broken := file("lambda: 10}", "lambda: 100000}")
	checksum := "which is not the checksum"
	for _, c := range []struct {
		name         string
		edits        []edit
		code, strict int
		want         string
	}{
		{"nothing", nil, ok, ok, "fort: good"},
		{"a comment in the file", file("seed: 7", "seed: 7 # lucky"), ok, ok, "fort: good"},
		{"a worse model", broken, worse, worse, "regression"},

		// The rules.
		{"a wider margin", file("relative: 0.05}, test: nadeau", "relative: 0.5}, test: nadeau"), ok, incomplete, "warning: test_mse: the margin is now 50 %, 5 % when the baseline was accepted (pairs, "},
		{"a wider margin and a worse model", both(broken, file("relative: 0.05}, test: nadeau", "relative: 90}, test: nadeau")), worse, worse, "the margin is now 9000 %"},
		{"a narrower margin", file("relative: 0.05}, test: nadeau", "relative: 0.04}, test: nadeau"), ok, ok, "fort: good"},
		{"a wider margin of a second rule of the metric", file("relative: 0.05}, test: bootstrap", "relative: 0.5}, test: bootstrap"), ok, incomplete, "the margin is now 50 %, 5 % when the baseline was accepted (once, "},
		{"a wider absolute margin", file("absolute: 0.01", "absolute: 1"), ok, incomplete, "mae: the margin is now 1, 0.01 when"},
		{"a share in place of an amount", file("absolute: 0.01", "relative: 0.9"), ok, incomplete, "mae: the margin is now 90 %, 0.01 when"},
		{"a small share in place of an amount", file("absolute: 0.01", "relative: 0.000001"), ok, ok, "fort: good"},
		{"a wider rule beside the old one", file(maeRule, maeRule+"  - {metric: mae, margin: {absolute: 1}}\n"), ok, ok, "fort: good"},
		{"a wider rule before the old one", file(maeRule, "  - {metric: mae, margin: {absolute: 1}}\n"+maeRule), ok, ok, "fort: good"},
		{"no margin", file(", margin: {relative: 0.05}, test: nadeau-bengio", ", test: nadeau-bengio"), ok, ok, "fort: good"},
		{"alpha too small to show anything, and the inconclusive passes", file("test: nadeau-bengio", "test: nadeau-bengio, alpha: 1e-12, inconclusive: pass"), ok, incomplete, "inconclusive is now pass, fail when"},
		{"the same, and a worse model", both(broken, file("test: nadeau-bengio", "test: nadeau-bengio, alpha: 1e-12, inconclusive: pass")), worse, worse, "alpha is now 1e-12, 0.05 when"},
		{"a higher alpha", file("alpha: 0.04", "alpha: 0.4"), ok, incomplete, "alpha is now 0.4, 0.04 when"},
		{"a lower alpha, and the inconclusive fails", file("alpha: 0.04", "alpha: 0.03"), ok, ok, "fort: good"},
		{"the inconclusive passes", file("test: bootstrap", "test: bootstrap, inconclusive: pass"), ok, incomplete, "inconclusive is now pass"},
		{"no test", file("test: nadeau-bengio, ", ""), ok, incomplete, "the test is now none, nadeau-bengio when"},
		{"another test", file("test: nadeau-bengio", "test: paired-t"), ok, incomplete, "the test is now paired-t, nadeau-bengio when"},
		{"a test where there was none", file("absolute: 0.01}", "absolute: 0.01}, test: nadeau-bengio, datasets: [pairs]"), ok, incomplete, "the test is now nadeau-bengio, none when"},
		{"bounds in place of the comparison", file("margin: {relative: 0.05}, test: nadeau-bengio", "max: 1000"), ok, incomplete, "warning: test_mse: recorded, and no rule compares it any more (pairs, ridge; pairs, steps; pairs, mean)"},
		{"a dropped rule", file(firstRule, ""), ok, incomplete, "test_mse: recorded, and no rule compares it any more (pairs, "},
		{"a dropped metric", file(maeRule, ""), ok, incomplete, "mae: recorded, and no rule compares it any more (pairs, ridge;"},
		{"a rule of fewer algorithms", file("absolute: 0.01}", "absolute: 0.01}, algorithms: [ridge, mean]"), ok, incomplete, "no rule compares it any more (pairs, steps; once, steps)"},
		{"a rule of fewer data sets", file("absolute: 0.01}", "absolute: 0.01}, datasets: [pairs]"), ok, incomplete, "no rule compares it any more (once, ridge; once, steps; once, mean)"},
		{"a rule divided by algorithms", file(maeRule, "  - {metric: mae, margin: {absolute: 0.01}, algorithms: [ridge]}\n  - {metric: mae, margin: {absolute: 0.01}, algorithms: [steps, mean]}\n"), ok, ok, "fort: good"},
		{"no comparison with another algorithm", file("  - {metric: test_mse, against: mean, margin: {absolute: 0}, algorithms: [ridge], datasets: [pairs]}\n", ""), ok, incomplete, "no rule compares it with mean any more (pairs, ridge)"},
		{"another reference", file("against: mean", "against: steps"), worse, worse, "no rule compares it with mean any more"},
		{"a wider margin against another algorithm", file("margin: {absolute: 0}", "margin: {absolute: 9}"), ok, incomplete, "the margin is now 9, 0 when"},
		{"a lower minimum", file("min: 0.01", "min: -9"), ok, incomplete, "test_r2: the minimum is now -9, 0.01 when"},
		{"a higher minimum", file("min: 0.01", "min: 0.02"), ok, ok, "fort: good"},
		{"no minimum", file("  - {metric: test_r2, min: 0.01, algorithms: [ridge]}\n", ""), ok, incomplete, "test_r2: the minimum of 0.01 is gone"},
		{"a higher maximum", file("max: 90", "max: 9000"), ok, incomplete, "rmse: the maximum is now 9000, 90 when"},
		{"no maximum", file("  - {metric: rmse, max: 90, algorithms: [ridge]}\n", ""), ok, incomplete, "rmse: the maximum of 90 is gone"},
		{"no gate section", []edit{{"x.yaml", `(?s)gate:.*`, ""}}, ok, incomplete, "the test is now none"},
		{"bounds alone", []edit{{"x.yaml", `(?s)gate:.*`, "gate: [{metric: test_mse, max: 1000}]\n"}}, ok, incomplete, "mae: recorded, and no rule compares it any more"},
		{"bounds alone, and a recorded algorithm is gone", []edit{{"x.yaml", `(?s)gate:.*`, "gate: [{metric: test_mse, max: 1000}]\n"}, {"x.yaml", "  - .name: steps.*\n", ""}}, incomplete, incomplete, "recorded, but no longer a cell of the experiment"},
		{"a rule with a misspelt key", file("relative: 0.05}, test", "relativ: 0.05}, test"), invalid, invalid, "relativ"},

		// Cells.
		{"an algorithm is gone", file("  - {name: steps, engine: stagewise, params: {max_iter: 50, epsilon: 0.02, choose: last}}\n", ""), incomplete, incomplete, "no longer a cell"},
		{"an algorithm has another name", file("name: steps", "name: leaps"), incomplete, incomplete, "no longer a cell"},
		{"a data set has another name", []edit{{"x.yaml", "name: pairs", "name: couples"}, {"x.yaml", "datasets: .pairs.", "datasets: [couples]"}, {"x.yaml", "datasets: .pairs.", "datasets: [couples]"}}, incomplete, incomplete, "no longer a cell"},
		{"a model under another's name", []edit{{"x.yaml", "name: ridge", "name: other"}, {"x.yaml", "name: mean", "name: ridge"}, {"x.yaml", "name: other", "name: mean"}}, worse, worse, "regression"},
		{"a second algorithm of the same label", file(ridge, "  - {name: ridge lambda=1, engine: ridge, params: {lambda: 100000}}\n  - {name: ridge, engine: ridge, grid: {lambda: [1]}}\n"), invalid, invalid, `x.yaml:10:12: algorithm "ridge lambda=1", on line 9, and this one would both be called "ridge lambda=1" in results`},
		{"points that print alike", file("params: {lambda: 10}", "grid: {lambda: [0.1, 0.10000000001]}"), invalid, invalid, `two points would both be called "ridge lambda=0.1"`},
		{"a second data set of the same label", file("seed: 3, features: {cutoff: 3}}", "seed: 3, grid: {features.cutoff: [3]}}\n  - {name: pairs features.cutoff=3, format: synthetic, rows: 200, truth: 10, seed: 5}"), invalid, invalid, `would both be called "pairs features.cutoff=3"`},
		{"other folds", file("k: 3", "k: 4"), incomplete, incomplete, "not the same folds"},
		{"other data", file("seed: 3", "seed: 9"), incomplete, incomplete, "the data set is another one"},
		{"fewer rows", file("rows: 200, truth: 10, noise: 0.5, seed: 3", "rows: 199, truth: 10, noise: 0.5, seed: 3"), incomplete, incomplete, "the data set is another one"},

		// The baseline.
		{"no baseline", []edit{{"x.baseline.yaml", "", ""}}, incomplete, incomplete, "there is no baseline"},
		{"an empty one", baseline(`(?s).*`, "\n"), invalid, invalid, "the file is empty"},
		{"another's", baseline("experiment: fort", "experiment: other"), ok, incomplete, "warning: the baseline is of the experiment other"},
		{"another mean", baseline(`mean: [0-9.]+`, "mean: 17.5"), invalid, invalid, "expected that of the values"},
		{"another error", baseline(`se: 0\.0\d`, "se: 0.00"), invalid, invalid, "expected at least that of independent values"},
		{"another value", baseline(`values: \[[0-9.]+`, "values: [17.5"), invalid, invalid, "expected that of the values"},
		{"another mean, value and no blocks", baseline(`(?s)mean: [0-9.]+\n( +)values: \[[0-9.]+\]\n +blocks: [^\n]*`, "mean: 17\n${1}values: [17]"), invalid, invalid, checksum},
		{"another mean and value, the blocks as they were", baseline(`(?s)mean: [0-9.]+\n( +)values: \[[0-9.]+\]`, "mean: 17\n${1}values: [17]"), invalid, invalid, "x.baseline.yaml:"},
		{"another block", baseline(`(        blocks: \[)[0-9.]+`, "${1}99"), invalid, invalid, "the blocks do not give the mean"},
		{"a block less", baseline(`(        blocks: \[)[0-9.]+, `, "${1}"), invalid, invalid, "blocks, expected one for each of the data set's"},
		{"other rows of a block", baseline(`(    blocks: \[)[0-9.]+`, "${1}2000"), invalid, invalid, checksum},
		{"a value less", baseline(`values: \[[0-9.]+, `, "values: ["), invalid, invalid, "values, expected one for each of the data set's 3 folds"},
		{"two values changed, the mean as it was", baseline(`values: \[([0-9.]+), ([0-9.]+), `, "values: [${2}, ${1}, "), invalid, invalid, checksum},
		{"no values", baseline(`          values: .*\n`, ""), invalid, invalid, "values are missing"},
		{"no error", baseline(`          se: .*\n`, ""), invalid, invalid, "se is for two or more values"},
		{"the other direction", baseline(`(mean: .*\n)`, "${1}          higher: true\n"), invalid, invalid, checksum},
		{"optimistic", baseline(`(    ridge:\n)`, "${1}      optimistic: true\n"), invalid, invalid, checksum},
		{"a metric less", baseline(`        test_mse:\n          mean: .*\n          se: .*\n          values: .*\n`, ""), invalid, invalid, checksum},
		{"a cell less", baseline(`(?s)(results:.*?)    ridge:.*?(    steps:)`, "${1}${2}"), incomplete, incomplete, "the baseline does not have this cell"},
		{"a data set less, with its cells", baseline(`(?s)(datasets:\n)  once:.*?(  pairs:.*?results:\n)  once:.*?(  pairs:)`, "${1}${2}${3}"), incomplete, incomplete, "the baseline does not have this cell"},
		{"a data set less, without its cells", baseline(`(?s)(datasets:\n)  once:.*?(  pairs:)`, "${1}${2}"), invalid, invalid, "has numbers, but datasets does not have the data set"},
		{"no results", baseline(`(?s)results:.*`, ""), incomplete, incomplete, "the baseline does not have this cell"},
		{"a reason in place of a cell's numbers", both(broken, baseline(`(?s)    ridge:.*?(    steps:)`, "    ridge:\n      expected_failure: x\n${1}")), invalid, invalid, "neither numbers nor a sum"},
		{"a reason in place of a metric's numbers", both(broken, baseline(`(?s)        mae:\n.*?(        test_mse:)`, "        mae:\n          expected_failure: x\n${1}")), invalid, invalid, checksum},
		{"a cell twice", baseline(`    steps:`, "    ridge:\n      expected_failure: x\n    steps:"), invalid, invalid, `key "ridge" appears twice`},
		{"cells exchanged", []edit{{"x.baseline.yaml", `    mean:`, "    other:"}, {"x.baseline.yaml", `    ridge:`, "    mean:"}, {"x.baseline.yaml", `    other:`, "    ridge:"}}, invalid, invalid, checksum},
		{"no checksum", baseline(`      sum: .*\n`, ""), invalid, invalid, "sum is missing"},
		{"no checksum of the data", baseline(`    sum: .*\n`, ""), invalid, invalid, "sum is missing"},
		{"another digest of the data", baseline(`digest: .`, "digest: z"), invalid, invalid, checksum},
		{"another fold", baseline(`      - [0-9a-f]{4}`, "      - zzzz"), invalid, invalid, checksum},
		{"folds in another order", baseline(`      - (.*)\n      - (.*)\n`, "      - ${2}\n      - ${1}\n"), invalid, invalid, checksum},
		{"a recorded rule widened with the file's", both(file("absolute: 0.01", "absolute: 1"), baseline(`absolute: 0.01`, "absolute: 1")), invalid, invalid, "the rules: found"},
		{"a recorded rule dropped with the file's", both(file(maeRule, ""), baseline(`  - metric: mae\n(    .*\n)*`, "")), invalid, invalid, "the rules: found"},
		{"no recorded rules", baseline(`(?s)rules:.*rules_sum: \S+\n`, ""), invalid, invalid, "rules is missing"},
		{"a later version", baseline("tenfold_baseline: 1", "tenfold_baseline: 3"), invalid, invalid, "tenfold_baseline: expected 1"},
		{"a conflict left in", baseline("results:", "<<<<<<< HEAD\nresults:"), invalid, invalid, "x.baseline.yaml:"},
		{"a tolerance by hand is told", both(broken, baseline(`(test_mse:\n          mean: .*\n)`, "${1}          tolerance: {relative: 1000}\n")), worse, worse, "regression"},
		{"lines in a reason", both(broken, baseline(`(    ridge:\n)`, "${1}      expected_failure: \"x\\n::error::forged\\nfort: good\"\n")), worse, worse, `expected: x\n::error::forged\nfort: good`},
		{"escapes in a reason", both(broken, baseline(`(    ridge:\n)`, "${1}      expected_failure: \"x\\x1b[2J\\r\"\n")), worse, worse, `expected: x\x1b[2J\r`},
		{"lines in a name", baseline(`    ridge:`, "    \"ridge\\n::error::forged\":"), invalid, invalid, "characters that cannot be seen"},
		{"lines in the experiment's name", baseline("experiment: fort", `experiment: "fort\n::error::forged"`), ok, incomplete, `fort\n::error::forged`},

		// The run.
		{"no results", []edit{{"run/results.parquet", "", ""}}, ok, ok, "fort: good"},
		{"no plan", []edit{{"run/plan.json", "", ""}}, ok, ok, "fort: good"},
		{"results that are none", []edit{{"run/results.parquet", `(?s).*`, "PAR1"}}, ok, ok, "fort: good"},
		{"no metrics.json", []edit{{"run/metrics.json", "", ""}}, ok, ok, "fort: good"},
		{"other numbers in metrics.json", []edit{{"run/metrics.json", `"mean": 0`, `"mean": 9`}}, ok, ok, "fort: good"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := desk{tool: tool{t, base.cache}, folder: t.TempDir()}
			d.spec, d.baseline, d.dir = d.path("x.yaml"), d.path("x.baseline.yaml"), d.path("run")
			if err := os.CopyFS(d.folder, os.DirFS(base.folder)); err != nil {
				t.Fatal(err)
			}
			for _, e := range c.edits {
				path := filepath.Join(d.folder, filepath.FromSlash(e.file))
				if e.old == "" {
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
					continue
				}
				text := d.read(path)
				at := regexp.MustCompile(e.old).FindStringSubmatchIndex(text)
				if at == nil {
					t.Fatalf("no %s in %s:\n%s", e.old, e.file, text)
				}
				changed := text[:at[0]] + string(regexp.MustCompile(e.old).ExpandString(nil, e.new, text, at)) + text[at[1]:]
				if changed == text {
					t.Fatalf("%s changes nothing", e.old)
				}
				if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, strict := range []bool{false, true} {
				args, want := []string{"--github", "--junit", d.path("junit.xml")}, c.code
				if strict {
					args, want = append(args, "--strict"), c.strict
				}
				code, out, errs := d.do("check", args...)
				if code != want {
					t.Errorf("strict %v: exit code %d, want %d\n%s%s", strict, code, want, out, errs)
				}
				if !strings.Contains(out+errs, c.want) {
					t.Errorf("no %q in\n%s%s", c.want, out, errs)
				}
				if strings.Contains(out, "\n::error::forged") || strings.Contains(out+errs, "\x1b[2J") {
					t.Errorf("forged lines:\n%s%s", out, errs)
				}
				if strings.Contains(c.want, "warning: ") && !strings.Contains(out, "::warning ") {
					t.Errorf("no ::warning in\n%s", out)
				}
				if junit := d.read(d.path("junit.xml")); (code != ok) != (strings.Contains(junit, "<error") || strings.Contains(junit, "<failure")) {
					t.Errorf("exit code %d, and JUnit says\n%s", code, junit)
				}
			}
		})
	}
}
