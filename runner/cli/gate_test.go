package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/runner/cli/app"
)

// desk is an experiment file in a folder of its own, beside the folder of its run.
type desk struct {
	tool
	folder, spec, baseline, dir string
}

func newDesk(t *testing.T, text string) desk {
	t.Helper()
	d := desk{tool: tool{t, t.TempDir()}, folder: t.TempDir()}
	d.spec, d.baseline, d.dir = d.path("x.yaml"), d.path("x.baseline.yaml"), d.path("run")
	d.write("x.yaml", text)
	return d
}

func (d desk) path(name string) string { return filepath.Join(d.folder, name) }

func (d desk) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(d.path(name), []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d desk) read(path string) string {
	d.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

// edit replaces a text, which must be there, in a file.
func (d desk) edit(path, old, new string) {
	d.t.Helper()
	text := d.read(path)
	if !strings.Contains(text, old) {
		d.t.Fatalf("no %q in %s:\n%s", old, path, text)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(text, old, new, 1)), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d desk) do(command string, args ...string) (code int, out, errs string) {
	d.t.Helper()
	return d.run(append([]string{command, d.spec, "--out", d.dir}, args...)...)
}

func (d desk) accept(args ...string) string {
	d.t.Helper()
	out, _ := d.ok(append([]string{"accept", d.spec, "--out", d.dir}, args...)...)
	return out
}

// verdict of a check, as its JSON has it.
type judged struct {
	Experiment, Status string
	Counts             map[string]int
	Notes              []string
	Verdicts           []struct {
		Dataset, Algorithm, Metric, Status, Words, Test string
		Fails                                           bool
		Difference                                      *float64
		PWithin                                         *float64 `json:"p_within"`
		Notes                                           []string
	}
}

// judge checks, and wants an exit code.
func (d desk) judge(code int, args ...string) judged {
	d.t.Helper()
	got, out, errs := d.do("check", append(args, "--format", "json")...)
	if got != code {
		d.t.Errorf("check %v: exit code %d, want %d\n%s%s", args, got, code, out, errs)
	}
	var j judged
	if err := json.Unmarshal([]byte(out), &j); err != nil {
		d.t.Fatalf("%v in %s\n%s", err, out, errs)
	}
	return j
}

// status of the only verdict.
func (j judged) status(t *testing.T) string {
	t.Helper()
	if len(j.Verdicts) != 1 {
		t.Fatalf("%d verdicts: %+v", len(j.Verdicts), j)
	}
	return j.Verdicts[0].Status
}

// statuses of the verdicts by algorithm.
func (j judged) statuses() map[string]string {
	out := map[string]string{}
	for _, v := range j.Verdicts {
		out[v.Algorithm] = v.Status
	}
	return out
}

func (d desk) wantStatuses(j judged, want map[string]string) {
	d.t.Helper()
	if got := j.statuses(); fmt.Sprint(got) != fmt.Sprint(want) {
		d.t.Errorf("%v, want %v", got, want)
	}
}

// sampled is an experiment with a randomised look-up, at a number of steps where each still counts.
const sampled = `tenfold: 1
name: sampled
seed: 7
datasets:
  - {name: pairs, format: synthetic, generator: tuples, rows: 400, truth: 20, noise: 0.5, seed: 3, features: {cutoff: 3}}
folds: {kind: kfold, k: 5, by: pattern, seed: 11}
algorithms:
  - name: sampled
    engine: stagewise
    params: {lookup: random, sample: 200, carry: true, choose: last, epsilon: 0.02, max_iter: 100}
metrics: [test_mse]
gate:
  - {metric: test_mse, margin: {relative: 0.1}, test: nadeau-bengio}
`

// TestGateTellsChanceFromRegression: with the folds fixed, other draws of a randomised look-up pass and half the steps do
// not; what cannot be compared is neither.
func TestGateTellsChanceFromRegression(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, otherFolds string }{
		"nadeau-bengio": {sampled, "folds.k=4"},
		"bootstrap": {strings.NewReplacer("folds: {kind: kfold, k: 5,", "folds: {kind: holdout, test: 0.3,", "nadeau-bengio", "bootstrap").
			Replace(sampled), "folds.test=0.31"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, c.text)
			if s := d.judge(app.ExitIncomplete).status(t); s != "incomplete" {
				t.Errorf("without a baseline: %s", s)
			}
			d.accept()
			recorded := d.read(d.baseline)
			if v := d.judge(app.ExitOK).Verdicts[0]; v.Words != "no difference" || v.Status != "pass" {
				t.Errorf("nothing changed: %+v", v)
			}
			for _, seed := range []string{"8", "9", "10"} {
				v := d.judge(app.ExitOK, "--set", "seed="+seed).Verdicts[0]
				if v.Difference == nil || *v.Difference == 0 || v.Test != name || v.PWithin == nil || *v.PWithin > 0.01 || v.Status != "pass" {
					t.Errorf("seed %s passes, but not since its other draws are shown to be as good: %+v", seed, v)
				}
			}
			if s := d.judge(app.ExitRegression, "--set", "algorithms.sampled.params.max_iter=50").status(t); s != "regression" {
				t.Errorf("half the steps: %s", s)
			}
			for _, set := range []string{"folds.seed=12", c.otherFolds, "datasets.pairs.rows=410"} {
				if s := d.judge(app.ExitIncomplete, "--set", set).status(t); s != "incomparable" {
					t.Errorf("%s: %s", set, s)
				}
			}
			if _, _, said := d.do("check", "--set", "folds.seed=13"); !strings.Contains(said, "baseline.yaml: data set pairs: not the same folds: ") {
				t.Errorf("before anything is fitted: %s", said)
			}
			plain := []string{"--set", "gate=[{metric: test_mse, margin: {relative: 0.9}}]"}
			d.judge(app.ExitOK, plain...)
			if v := d.judge(app.ExitIncomplete, append(plain, "--set", "folds.seed=12")...); !strings.Contains(v.Verdicts[0].Words, "not the same folds") {
				t.Errorf("without a test: %+v", v)
			}
			if d.read(d.baseline) != recorded {
				t.Error("check wrote into the baseline")
			}
			none := filepath.Join(t.TempDir(), "none.yaml")
			if s := d.judge(app.ExitIncomplete, "--baseline", none).status(t); s != "incomplete" {
				t.Errorf("a baseline that is not there: %s", s)
			}
			d.accept("--baseline", none)
			if d.read(none) != recorded {
				t.Error("accepted somewhere else it is another baseline")
			}
			if code, _, _ := d.do("check"); code != app.ExitOK {
				t.Errorf("at the end: exit code %d", code)
			}
		})
	}
}

// TestFoldsFollowTheSeed: where folds.seed is not fixed, another seed is other folds.
func TestFoldsFollowTheSeed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, strings.Replace(sampled, ", seed: 11}", "}", 1))
	d.accept()
	if s := d.judge(app.ExitIncomplete, "--set", "seed=8").status(t); s != "incomparable" {
		t.Error(s)
	}
}

// trio is an experiment of quick engines without a gate section.
const trio = `tenfold: 1
name: trio
seed: 7
datasets:
  - {name: pairs, format: synthetic, rows: 200, truth: 10, noise: 0.5, seed: 3, features: {cutoff: 3}}
folds: {kind: kfold, k: 3, by: pattern}
algorithms:
  - {name: steps, engine: stagewise, params: {max_iter: 50, epsilon: 0.02, choose: last}}
  - {name: ridge, engine: ridge, params: {lambda: 10}}
  - {name: mean, engine: mean}
metrics: [test_mse]
`

func TestBaselineOfOtherCells(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	wants(t, d.accept(), "accepted: 3 new", "baseline "+d.baseline)
	ridge, mean := "  - {name: ridge, engine: ridge, params: {lambda: 10}}\n", "  - {name: mean, engine: mean}\n"
	d.edit(d.spec, mean, "")
	d.wantStatuses(d.judge(app.ExitIncomplete), map[string]string{"steps": "pass", "ridge": "pass", "mean": "incomplete"})
	d.edit(d.spec, ridge, ridge+"  - {name: average, engine: mean}\n")
	d.wantStatuses(d.judge(app.ExitIncomplete), map[string]string{"steps": "pass", "ridge": "pass", "mean": "incomplete", "average": "incomplete"})
	wants(t, d.accept(), "1 new, 1 gone, 2 unchanged")
	d.judge(app.ExitOK)
	d.edit(d.spec, "params: {lambda: 10}", "grid: {lambda: [10, 20]}")
	d.wantStatuses(d.judge(app.ExitIncomplete),
		map[string]string{"steps": "pass", "ridge": "incomplete", "ridge lambda=10": "incomplete", "ridge lambda=20": "incomplete", "average": "pass"})
}

func TestAcceptKeepsWhatWasWrittenByHand(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	first := d.read(d.baseline)
	d.accept()
	if d.read(d.baseline) != first {
		t.Errorf("a second accept changed the file:\n%s\n%s", first, d.read(d.baseline))
	}
	d.edit(d.baseline, "    ridge:\n      metrics:\n        test_mse:\n", "    ridge:\n      metrics:\n        test_mse:\n          tolerance: {relative: 0.5}\n")
	d.edit(d.baseline, "    steps:\n", "    steps:\n      expected_failure: too few steps\n")
	worse := []string{"--set", "algorithms.ridge.params.lambda=5", "--set", "algorithms.steps.params.max_iter=5"}
	j := d.judge(app.ExitOK, worse...)
	d.wantStatuses(j, map[string]string{"steps": "expected_failure", "ridge": "pass", "mean": "pass"})
	wants(t, fmt.Sprint(j), "the margin 50 % is the baseline's own")
	wants(t, d.accept(worse...), "2 worse, 1 unchanged")
	byHand := d.read(d.baseline)
	wants(t, byHand, "tolerance: {relative: 0.5}", "expected_failure: too few steps")
	d.judge(app.ExitOK, worse...)
	d.accept(worse...)
	if d.read(d.baseline) != byHand {
		t.Error("accepting again changed what is kept by hand")
	}
	wants(t, d.accept("--set", "algorithms.ridge.name=penalised"), "warning: no longer in the file: tolerance of test_mse of ridge on pairs: 50 %",
		"1 new, 1 gone")
	if got := d.read(d.baseline); strings.Contains(got, "relative: 0.5") {
		t.Errorf("a tolerance of no cell stays:\n%s", got)
	}
}

func TestGateOfFailedCells(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	starved := []string{"--set", "algorithms.ridge.limits={memory: 1kB}", "--out", d.path("starved")}
	code, out, errs := d.do("accept", starved...)
	if _, err := os.Stat(d.baseline); code != app.ExitIncomplete || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("accept of a failed cell: exit code %d, %v\n%s", code, err, out)
	}
	wants(t, errs, "pairs, ridge: skipped: predicted to need")
	d.accept()
	recorded := d.read(d.baseline)
	wants(t, d.accept(append(starved, "--baseline", d.path("known.yaml"), "--expected-failure", "no memory")...), "2 new, 1 expected to fail", "expected from now on")
	wants(t, d.read(d.path("known.yaml")), "    ridge:\n      expected_failure: no memory\n")
	d.wantStatuses(d.judge(app.ExitIncomplete, starved...), map[string]string{"steps": "pass", "ridge": "incomplete", "mean": "pass"})
	code, _, _ = d.do("accept", starved...)
	if code != app.ExitIncomplete || d.read(d.baseline) != recorded {
		t.Errorf("a refused accept: exit code %d, or it changed the baseline", code)
	}
	d.edit(d.baseline, "    ridge:\n", "    ridge:\n      expected_failure: no memory\n")
	d.wantStatuses(d.judge(app.ExitOK, starved...), map[string]string{"steps": "pass", "ridge": "expected_failure", "mean": "pass"})
	byHand := d.read(d.baseline)
	wants(t, d.accept(starved...), "accepted: 2 unchanged, 1 expected to fail")
	if d.read(d.baseline) != byHand {
		t.Errorf("the numbers of a cell that fails are gone:\n%s", d.read(d.baseline))
	}
	d.judge(app.ExitOK, starved...)
	wants(t, fmt.Sprint(d.judge(app.ExitOK)), "no longer fails: remove expected_failure")

	all := []string{"--set", "defaults={limits: {memory: 1kB}}", "--out", d.path("none")}
	code, _, errs = d.do("check", all...)
	if code != app.ExitIncomplete {
		t.Errorf("all cells failed: exit code %d\n%s", code, errs)
	}
	if code, _, errs = d.do("accept", append(all, "--baseline", d.path("none.yaml"))...); code != app.ExitIncomplete {
		t.Errorf("accept of failures alone: exit code %d\n%s", code, errs)
	}
	d.write("all.yaml", regexp.MustCompile(`(?m)^    (steps|ridge|mean):\n`).ReplaceAllString(recorded, "$0      expected_failure: a\n"))
	j := d.judge(app.ExitIncomplete, append(all, "--baseline", d.path("all.yaml"))...)
	wants(t, fmt.Sprint(j), "nothing was measured")
	finite(t, d.path("none"))
}

// level is a table whose response does not vary: R² is undefined, and every error 0.
func level(t *testing.T, rest string) desk {
	d := newDesk(t, `tenfold: 1
name: level
seed: 1
datasets: [{name: level, format: csv, files: {all: level.csv}, target: {column: "y", type: real}}]
algorithms: [{name: mean, engine: mean}, {name: ols, engine: ols}]
metrics: [test_mse, test_r2]
`+rest)
	table := "a,b,y\n"
	for i := range 24 {
		table += fmt.Sprintf("%d,%d,5\n", i%7, i%5)
	}
	d.write("level.csv", table)
	return d
}

func TestGateOfUndefinedMetrics(t *testing.T) {
	t.Parallel()
	d := level(t, "folds: {kind: kfold, k: 2}\n")
	wants(t, d.accept(), "note: test_r2 is not recorded of 2 cells")
	d.judge(app.ExitOK)
	finite(t, d.folder)
	d = level(t, "folds: {kind: kfold, k: 2}\ngate: [{metric: test_r2}]\n")
	if code, _, errs := d.do("accept"); code != app.ExitIncomplete {
		t.Errorf("accept: exit code %d\n%s", code, errs)
	} else {
		wants(t, errs, "level, mean: test_r2")
	}
	d.judge(app.ExitIncomplete)
	d.accept("--set", "gate=[{metric: test_mse}]")
	head, _, _ := strings.Cut(d.read(d.baseline), "\ndatasets:\n")
	d.write("x.baseline.yaml", head+"\n")
	d.wantStatuses(d.judge(app.ExitIncomplete), map[string]string{"mean": "incomplete", "ols": "incomplete"})
}

func TestDamagedBaseline(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	good := d.read(d.baseline)
	line := func(text string) int { return strings.Count(good[:strings.Index(good, text)], "\n") + 1 }
	for _, c := range []struct{ name, old, new, want string }{
		{"empty", good, "", "x.baseline.yaml:1:1: the file is empty"},
		{"no YAML", good, "a: [", "x.baseline.yaml:1:"},
		{"an experiment", good, trio, "x.baseline.yaml:1:1: tenfold_baseline is missing"},
		{"version", "tenfold_baseline: 1", "tenfold_baseline: 9", "x.baseline.yaml:4:19: tenfold_baseline: expected 1"},
		{"typo", "    ridge:\n      metrics:\n        test_mse:\n          mean:", "    ridge:\n      metrics:\n        test_mse:\n          maen:", fmt.Sprintf("x.baseline.yaml:%d:11: unknown key \"maen\"", line("    ridge:")+3)},
		{"not a number", "          se: 0", "          se: .nan #", fmt.Sprintf("x.baseline.yaml:%d:15: ", line("          se: 0"))},
		{"merge conflict", "results:", "<<<<<<< HEAD\nresults:", "x.baseline.yaml:"},
		{"mean of other values", "        mean: 0", "        mean: 17", "expected that of the values"},
	} {
		d.write("x.baseline.yaml", strings.Replace(good, c.old, c.new, 1))
		if d.read(d.baseline) == good {
			t.Fatalf("%s: not damaged", c.name)
		}
		damaged := d.read(d.baseline)
		for _, command := range []string{"check", "accept"} {
			code, _, errs := d.do(command)
			if code != app.ExitInvalid {
				t.Errorf("%s: %s: exit code %d", c.name, command, code)
			}
			wants(t, errs, c.want)
		}
		if d.read(d.baseline) != damaged {
			t.Errorf("%s: the file was written over", c.name)
		}
	}
}

func TestGateOfSeveralFiles(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.write("y.yaml", strings.Replace(sampled, "name: sampled\nseed", "name: other\nseed", 1))
	files := func() []string {
		found, err := filepath.Glob(d.path("*.yaml"))
		if err != nil || len(found) < 2 {
			t.Fatal(found, err)
		}
		return found
	}
	check := func(code int, args ...string) (out, errs string) {
		t.Helper()
		got, out, errs := d.run(append(append([]string{"check"}, files()...), append(args, "--out", d.dir)...)...)
		if got != code {
			t.Errorf("%v: exit code %d, want %d\n%s%s", args, got, code, out, errs)
		}
		return out, errs
	}
	out, _ := check(app.ExitIncomplete)
	wants(t, out, "trio: incomplete", "other: incomplete")
	d.ok(append(append([]string{"accept"}, files()...), "--out", d.dir)...)
	if len(files()) != 4 {
		t.Fatalf("no baselines beside %v", files())
	}
	out, _ = check(app.ExitOK)
	wants(t, out, "trio: good: 3 pass", "other: good: 1 pass")
	if strings.Count(d.read(filepath.Join(d.dir, "trio", "metrics.json")), "trio") == 0 {
		t.Error("no folder for each")
	}
	d.edit(d.path("y.yaml"), "max_iter: 100", "max_iter: 50")
	out, errs := check(app.ExitRegression)
	wants(t, out, "trio: good", "other: worse: 1 regression")
	wants(t, errs, "the gate found a regression")
	d.edit(d.spec, "name: mean,", "name: average,")
	check(app.ExitRegression) // goes before what is missing
	if _, errs := check(app.ExitInvalid, "--baseline", d.baseline); !strings.Contains(errs, "--baseline is for one") {
		t.Error(errs)
	}
	for _, command := range []string{"check", "accept", "run", "plan", "validate"} {
		code, _, errs := d.run(command, d.baseline, d.path("y.baseline.yaml"))
		if code != app.ExitInvalid {
			t.Errorf("%s of baselines alone: exit code %d", command, code)
		}
		wants(t, errs, "x.baseline.yaml")
	}
}

func TestGateRules(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	for _, c := range []struct {
		name, gate string
		sets       []string
		code       int
		want       string
	}{
		{"a maximum that holds", "{metric: test_mse, max: 10}", nil, app.ExitOK, "within its bounds"},
		{"a maximum that does not", "{metric: test_mse, max: 0.01}", nil, app.ExitRegression, "above the maximum of 0.01"},
		{"a minimum", "{metric: test_r2, min: 0.99}", nil, app.ExitRegression, "below the minimum of 0.99"},
		{"better than another", "{metric: test_mse, against: mean, algorithms: [ridge]}", nil, app.ExitOK, "better than mean by"},
		{"not better than another", "{metric: test_mse, against: ridge, algorithms: [mean]}", nil, app.ExitRegression, "worse than ridge by"},
		{"against nobody", "{metric: test_mse, against: rigde}", nil, app.ExitInvalid, `did you mean "ridge"?`},
		{"about nobody", "{metric: test_mse, algorithms: [nobody]}", nil, app.ExitInvalid, "nobody"},
		{"about the reference alone", "{metric: test_mse, against: ridge, algorithms: [ridge]}", nil, app.ExitIncomplete, "no cell of the experiment is one that this rule is about"},
		{"within the margin", "{metric: test_mse, margin: {relative: 0.5}, algorithms: [ridge]}", []string{"algorithms.ridge.params.lambda=12"}, app.ExitOK, "pass"},
		{"beyond the margin", "{metric: test_mse, margin: {absolute: 0.0001}, algorithms: [ridge]}", []string{"algorithms.ridge.params.lambda=5"}, app.ExitRegression, "more than the margin of 0.0001"},
		{"inconclusive", "{metric: test_mse, test: nadeau-bengio, alpha: 0.001, algorithms: [ridge]}", []string{"algorithms.ridge.params.lambda=9"}, app.ExitRegression, "inconclusive"},
		{"inconclusive and let pass", "{metric: test_mse, test: nadeau-bengio, alpha: 0.001, algorithms: [ridge], inconclusive: pass}", []string{"algorithms.ridge.params.lambda=9"}, app.ExitOK, "inconclusive (passes)"},
		{"better", "{metric: test_mse, algorithms: [steps]}", []string{"algorithms.steps.params.max_iter=100"}, app.ExitOK, "worth accepting"},
		{"a test that the folds cannot support", "{metric: test_mse, test: bootstrap}", nil, app.ExitInvalid, "data set pairs has 3; use nadeau-bengio"},
		{"not in the baseline", "{metric: mae, margin: {relative: 0.1}, algorithms: [ridge]}", nil, app.ExitIncomplete, "the baseline has the cell without this metric"},
		{"stability has no test", "{metric: stability, against: mean, algorithms: [steps], test: paired-t}", nil, app.ExitInvalid, "so there is no test of it"},
		{"a bare percentage", "{metric: test_mse, margin: 2%}", nil, app.ExitInvalid, "margin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := []string{"check", d.spec, "--out", t.TempDir(), "-v", "--set", "gate=[" + c.gate + "]"}
			for _, s := range c.sets {
				args = append(args, "--set", s)
			}
			code, out, errs := tool{t, d.cache}.run(args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out, errs)
			}
			wants(t, out+errs, c.want)
		})
	}
}

// TestGateForMachines: JUnit, annotations and the summary of a GitHub workflow.
func TestGateForMachines(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio+`gate:
  - {metric: test_mse, algorithms: [mean]}
  - metric: test_mse
    algorithms: [steps]
  - {metric: test_mse, algorithms: [ridge], max: 0.001}
`)
	d.accept()
	lines := strings.Split(d.read(d.spec), "\n")
	lineOf := func(text string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, text) }) + 1
	}
	summary, junit := d.path("summary.md"), d.path("junit.xml")
	for range 2 {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "check", d.spec, "--out", d.dir, "--cache", d.cache, "--junit", junit, "--github",
			"--set", "algorithms.steps.params.max_iter=5")
		cmd.Env = append(os.Environ(), "TENFOLD_TEST_MAIN=1", "GITHUB_STEP_SUMMARY="+summary)
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != app.ExitRegression {
			t.Fatalf("%v\n%s", err, out)
		}
		wants(t, string(out), fmt.Sprintf("::error file=%s,line=%d,title=trio%%3A regression::pairs, steps, test_mse: worse by ", d.spec, lineOf("  - metric: test_mse")),
			fmt.Sprintf("::error file=%s,line=%d,title=trio%%3A regression::pairs, ridge, test_mse: above the maximum", d.spec, lineOf("max: 0.001")))
		if strings.Contains(string(out), fmt.Sprintf("line=%d,", lineOf("algorithms: [mean]}"))) {
			t.Errorf("an annotation of what passes:\n%s", out)
		}
	}
	if got := d.read(summary); strings.Count(got, "<!-- tenfold check trio -->") != 2 || !strings.Contains(got, "| **regression** | pairs | steps |") {
		t.Errorf("the summary is not added to:\n%s", got)
	}
	var suites struct {
		Suites []struct {
			Name                             string `xml:"name,attr"`
			Tests, Failures, Errors, Skipped int    `xml:",attr"`
			T                                int    `xml:"tests,attr"`
			F                                int    `xml:"failures,attr"`
			Cases                            []struct {
				Class   string    `xml:"classname,attr"`
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(d.read(junit)), &suites); err != nil {
		t.Fatal(err)
	}
	s := suites.Suites
	if len(s) != 1 || s[0].Name != "trio" || s[0].T != 3 || s[0].F != 2 || len(s[0].Cases) != 3 {
		t.Fatalf("%+v", suites)
	}
	for _, c := range s[0].Cases {
		if failed := c.Failure != nil; failed == strings.HasPrefix(c.Name, "mean") || c.Class != "pairs" {
			t.Errorf("%+v", c)
		}
	}
	out, _, _ := d.formats("markdown")
	wants(t, out, "<!-- tenfold check trio -->", "### tenfold check trio: worse: 1 regression, 2 pass", "<details><summary>All comparisons (3)</summary>")
	if _, errs, code := d.formats("xml"); code != app.ExitInvalid || !strings.Contains(errs, "expected one of text, markdown, json") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// TestCheckOnly: of the cells that are asked for alone, fits are run and verdicts given; those of others may be worse, missing or gone.
func TestCheckOnly(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	worse := []string{"--set", "algorithms.ridge.params.lambda=5000", "--set", "algorithms.mean.name=average"}
	only := func(code int, glob string) judged {
		t.Helper()
		return d.judge(code, append([]string{"--only", glob, "--out", d.path(glob)}, worse...)...)
	}
	j := only(app.ExitOK, "steps")
	d.wantStatuses(j, map[string]string{"steps": "pass"})
	wants(t, fmt.Sprint(j.Notes), "1 of 3 cells judged")
	d.wantStatuses(only(app.ExitRegression, "ridge"), map[string]string{"ridge": "regression"})
	d.wantStatuses(only(app.ExitIncomplete, "average"), map[string]string{"average": "incomplete"}) // not recorded by that name
	if stored, err := filepath.Glob(filepath.Join(d.path("steps"), "cells", "*", "*.cell")); err != nil || len(stored) != 3 {
		t.Errorf("%d fits were run for one cell on three folds, %v", len(stored), err)
	}
	if code, _, errs := d.do("check", "--only", "none"); code != app.ExitInvalid || !strings.Contains(errs, "no cell matches") {
		t.Errorf("exit code %d, %s", code, errs)
	}
	// A rule that is about other cells is silent; one about no cell at all still fails.
	rules := "gate=[{metric: test_mse, algorithms: [ridge]}, {metric: test_mse, algorithms: [steps], against: mean}]"
	d.wantStatuses(d.judge(app.ExitOK, "--only", "ridge", "--set", rules), map[string]string{"ridge": "pass"})
	d.wantStatuses(d.judge(app.ExitOK, "--only", "steps", "--set", rules), map[string]string{"steps": "pass"})
	if j := d.judge(app.ExitIncomplete, "--only", "mean", "--set", rules); len(j.Verdicts) > 0 || !strings.Contains(fmt.Sprint(j.Notes), "nothing was measured") {
		t.Errorf("%+v", j)
	}
}

// TestAnnotationsOfMistakes: what is wrong in a file is shown at its place in it, whichever file it is.
func TestAnnotationsOfMistakes(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	baseline := d.read(d.baseline)
	d.write("x.baseline.yaml", strings.Replace(baseline, "tenfold_baseline: 1", "tenfold_baseline: 9", 1))
	code, out, _ := d.do("check", "--github")
	if code != app.ExitInvalid || !strings.HasPrefix(out, "::error file="+d.baseline+",line=4,col=19,title=cannot be checked::tenfold_baseline: expected 1") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	d.write("x.baseline.yaml", baseline)
	d.edit(d.spec, "lambda: 10", "lambda: many")
	d.edit(d.spec, "name: mean", "name: steps")
	code, out, errs := d.do("check", "--github", "--set", "algorithms.ridge.params.lamda=3")
	if code != app.ExitInvalid {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	want := "::error title=cannot be checked::--set algorithms.ridge.params.lamda=3: unknown parameter \"lamda\" of engine ridge; did you mean \"lambda\"?\n" +
		"::error file=" + d.spec + ",line=9,col=51,title=cannot be checked::lambda: expected a finite number, found \"many\"\n" +
		"::error file=" + d.spec + ",line=10,col=12,title=cannot be checked::two algorithms have the name \"steps\"\n"
	if out != want {
		t.Errorf("got\n%s\nwant\n%s\n%s", out, want, errs)
	}
	if _, out, _ := d.do("check"); strings.Contains(out, "::error") {
		t.Errorf("annotations that nobody asked for:\n%s", out)
	}
}

func (d desk) formats(format string) (out, errs string, code int) {
	code, out, errs = d.do("check", "--format", format)
	return out, errs, code
}

func TestDiff(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	a, b := d.path("a"), d.path("b")
	d.ok("run", d.spec, "--out", a)
	d.ok("run", d.spec, "--out", b, "--set", "algorithms.steps.params.max_iter=5", "--set", "algorithms.mean.name=average")
	out, _ := d.ok("diff", a, a)
	wants(t, out, "3 cells are identical")
	out, _ = d.ok("diff", a, b)
	wants(t, out, "| pairs, steps ", "1 cell is identical", "only in "+a+": pairs, mean", "only in "+b+": pairs, average", "selected features")
	if strings.Contains(out, "| pairs, ridge") {
		t.Errorf("what is equal is shown:\n%s", out)
	}
	out, _ = d.ok("diff", a, b, "--all", "--metric", "test_mse, mae", "--format", "csv")
	wants(t, out, `test_mse,"pairs, ridge",`, `mae,"pairs, steps",difference,mae,`)
	for line := range strings.Lines(out) { // p and p_adjusted: both, and only where there is a test
		cells := strings.Split(strings.TrimSpace(line), ",")
		if n := len(cells); cells[3] == "difference" && (cells[n-5] == "" || cells[n-1] == "") || cells[3] != "difference" && cells[3] != "column" && cells[n-1] != "" && cells[0] != "table" {
			t.Errorf("p-values of %s", line)
		}
	}
	for _, format := range []string{"html", "latex"} {
		out, _ = d.ok("diff", a, b, "--format", format)
		wants(t, out, "pairs, steps")
	}
	c := d.path("c")
	d.ok("run", d.spec, "--out", c, "--set", "folds.seed=3")
	for _, x := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{a, c}, app.ExitIncomplete, "nothing can be compared"},
		{[]string{a, d.path("nowhere")}, app.ExitInvalid, "nowhere: no such folder"},
		{[]string{a, d.folder}, app.ExitInvalid, "has no plan.json"},
		{[]string{a}, app.ExitInvalid, "found 1 argument; usage: tenfold diff RUN_A RUN_B"},
		{[]string{a, b, "--metric", "test_msa"}, app.ExitInvalid, `no metric "test_msa"; did you mean "test_mse"?`},
		{[]string{a, b, "--format", "text"}, app.ExitInvalid, "expected one of markdown"},
	} {
		code, out, errs := d.run(append([]string{"diff"}, x.args...)...)
		if code != x.code {
			t.Errorf("%v: exit code %d, want %d\n%s", x.args, code, x.code, out)
		}
		wants(t, errs, x.want)
	}
}

// TestInterruptedCheck: what was fitted before the signal is kept, and everything recorded stays as it was.
func TestInterruptedCheck(t *testing.T) {
	t.Parallel()
	d := newDesk(t, trio)
	d.accept()
	recorded, results := d.read(d.baseline), d.read(filepath.Join(d.dir, "results.parquet"))
	d.edit(d.spec, "lambda: 10}", "lambda: 11}")
	endless := strings.Replace(d.read(d.spec), "metrics:", "  - {name: endless, engine: stagewise, params: {max_iter: 1000000000, epsilon: 1.0e-9, choose: last}}\nmetrics:", 1)
	d.write("endless.yaml", endless)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	stored := func() int {
		found, _ := filepath.Glob(filepath.Join(d.dir, "cells", "*", "*.cell"))
		return len(found)
	}
	go func() {
		for stored() < 12 && ctx.Err() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	var out, errs bytes.Buffer
	junit := d.path("junit.xml")
	args := []string{"check", d.path("endless.yaml"), "--baseline", d.baseline, "--out", d.dir, "--cache", d.cache, "--jobs", "4", "--junit", junit}
	if code := run(ctx, &out, &errs, args); code != app.ExitInterrupted {
		t.Fatalf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
	wants(t, errs.String(), "interrupted; the same command goes on from here")
	if strings.Contains(out.String(), "good") || d.read(d.baseline) != recorded || d.read(filepath.Join(d.dir, "results.parquet")) != results {
		t.Errorf("an interrupted check wrote: %s", out.String())
	}
	if _, err := os.Stat(junit); err == nil {
		t.Error("an interrupted check wrote a JUnit file")
	}
	code, _, said := d.do("check")
	if code == app.ExitInterrupted || !strings.Contains(said, "0 to run, 9 cached") {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

var notFinite = regexp.MustCompile(`\b(NaN|[Nn]an)\b|[^A-Za-z-][+-]?(Inf|inf)\b|Infinity`)

// finite wants no NaN and no infinity in what is in a folder, as text or in a table of results.
func finite(t *testing.T, dir string) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{".md", ".html", ".json", ".svg", ".csv", ".yaml", ".xml", ".tex"}, filepath.Ext(path)) {
			return err
		}
		b, err := os.ReadFile(path)
		if at := notFinite.FindIndex(b); at != nil {
			t.Errorf("%s: …%s…", path, b[max(0, at[0]-60):min(len(b), at[1]+60)])
		}
		seen++
		return err
	})
	if err != nil || seen == 0 {
		t.Errorf("%s: %d files, %v", dir, seen, err)
	}
}
