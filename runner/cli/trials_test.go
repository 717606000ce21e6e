package cli_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// scriptTrial is a script that tries what once went wrong. What it prints must match each of has, in lines of their own, and none of lacks.
type scriptTrial struct {
	script     string
	has, lacks []string
	renamed    []string // in its experiment files: keys by older names, and their names now
}

// dataTrials read tables that were read wrong, or not at all.
var dataTrials = []scriptTrial{
	{script: "W01-parquet-lz4-read-as-zeros", lacks: []string{`0\.5200`}},
	{script: "W02-thousands-read-as-decimals", has: []string{"comma is between thousands"}, lacks: []string{"^ *decimal:"}},
	{script: "W03-first-row-of-a-headless-table", has: []string{"60 rows", "no row names the columns"}},
	{script: "W04-measurements-taken-as-ids", has: []string{"from +2 columns of numbers: x, z"}, lacks: []string{"^ids"}},
	{script: "W05-a-marker-of-one-column-for-all", has: []string{`missing: \{steps: \[None`, `^. rows +. 60 `}, lacks: []string{"drop-rows"}},
	{script: "W06-comment-lines-before-the-header", has: []string{"60 rows", "predicts OS_MONTHS until OS_STATUS"}},
	{script: "W07-labels-that-look-like-numbers-merge", has: []string{"12 01$", "12 1$", "12 1E5$", "12 100000$", "12 x$", "next: tenfold run"}},
	{script: "W08-parquet-ids-become-negative", has: []string{`0\.5, 1\.5, 2\.5`, "3000000000"}, lacks: []string{",-[0-9]"}},
	{script: "W09-folds-cut-queries", has: []string{"by: qid"}},
	{script: "W10-times-of-parquet", has: []string{"kind: time, column: day"}},
	{script: "W11-rows-swallowed-by-quotes", has: []string{"60 rows"}},
	{script: "W12-index-of-pandas-is-a-feature", has: []string{"without +__index_level_0__"}},
	{script: "W13-large-files-sorted-by-class", has: []string{"predicts label, a class"}, lacks: []string{"same value in every row"}},
	{script: "C01-group-panics", lacks: []string{"panic", "a mistake in tenfold"}},
	{script: "C02-a-question-mark-in-a-name", has: []string{"good"}},
	{script: "C03-init-hangs-on-wide-survival-tables", lacks: []string{"[0-9]{2}\\.[0-9]+ user s"}},
	{script: "C04-parquet-truth-values-as-target", has: []string{"good"}},
	{script: "C05-sparse-logical-of-matlab", has: []string{"good"}},
	{script: "C06-quoted-newlines-in-a-large-file", has: []string{"next: tenfold run"}},
	{script: "C07-unnamed-column-with-equal-values", lacks: []string{"does not identify rows"}},
	{script: "C08-one-time-for-all-rows", has: []string{"good"}},
	{script: "M01-its-format-is-not-clear", has: []string{"next: tenfold run", "nul.csv: no text", "has the targets in another file"}, lacks: []string{"format is not clear", "panic"}},
	{script: "M02-R-is-not-to-blame", has: []string{"cell after it does not count", "good"}, lacks: []string{"R leaves"}},
	{script: "M03-object-arrays-are-not-seen", has: []string{"Python objects.*astype"}},
	{script: "M04-one-row-of-the-most-frequent-class", has: []string{"next: tenfold run"}},
	{script: "M06-nothing-left-and-no-reason", has: []string{`Date \(the times\)`, `text \(another value in every row\)`}},
	{script: "A01-markers-that-are-not-known", has: []string{"10 columns of numbers"}},
	{script: "R01-columns-divided-by-blanks", has: []string{"divided by blanks", "good"}},
	{script: "R02-annotations-in-a-table-on-its-side", has: []string{"a.yaml.*columns.annotations", "b.yaml.*columns.annotations"},
		renamed: []string{", responses: map.txt}", "}", "join: {unmatched: skip}", "join: {file: map.txt, unmatched: drop}"}},
	{script: "R03-decimals-of-arrow", has: []string{"good"}},
	{script: "R04-carriage-returns-end-lines", has: []string{"60 rows", "a.yaml: good"}},
	{script: "R05-a-quote-in-a-cell", has: []string{"next: tenfold run"}},
	{script: "R06-ARFF-as-weka-reads-it", has: []string{"etab.yaml", "ecomma.yaml", "eweight.yaml", "elines.yaml"}, lacks: []string{"^tenfold:"}},
	{script: "R07-init-and-other-encodings", has: []string{"elatin.yaml: good", "ename.yaml: good"}},
	{script: "R08-NaN-in-arrays", has: []string{"good"}},
	{script: "R09-joined-files-of-two-delimiters", has: []string{"a.yaml: good"}, renamed: []string{", responses: r.tsv}", "}, join: {file: r.tsv}"}},
	{script: "R10-cells-annotated-by-barcode", has: []string{"next: tenfold run"}},
	{script: "R11-one-nested-column", has: []string{"next: tenfold run"}},
}

// plainTrials are folders without a script: what is typed in a copy of the folder, and what it prints.
var plainTrials = []struct {
	folder, typed string
	has, lacks    []string
}{
	{"algorithms/01-infinite-loss-is-best", "$TENFOLD run e.yaml --out out; cat out/report.md; $TENFOLD fit e.yaml --run out --best log_loss --cell 'D2/*' -o m.json",
		[]string{`^\| D2 .*\*\*0\.3902\*\* .*∞`, "^rc 0"}, []string{"0\\.3053"}},
	{"algorithms/02-far-columns-are-dropped", "$TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| stagewise +\| +[*_]*0\.98`, `^\| svm linear +\| – +\| +[*_]*0\.98`}, []string{`^\|.*[ *_]0\.[0-8][0-9]+ ±`}},
	{"algorithms/03-f1-of-perfect-predictions", "$TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| forest .* 1\.000 ± 0\.000 \|`, "precision has a value on n of N folds"}, []string{`^\| forest.*0\.[0-9]+ ±`}},
	{"algorithms/04-multitask-group-lasso-stop-at-null", "$TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| multitask-lasso .* 93813 ±.* [0-9.]+e-0[6-9] ±`, `^\| group-lasso .* 93813 ±.* [0-9.]+e-0[6-9] ±`}, []string{"§"}},
	{"algorithms/05-mkl-diverges", "sed -i 's/engine: mkl}/engine: mkl, params: {lambda: 0.1}}/' e.yaml; $TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| mkl +\| \*\*0\.98.* 6\.3 ±`}, nil},
	{"algorithms/06-bootstrap-of-two-rows", "$TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{"do not go below 0.5"}, []string{"<0\\.001", "[0-9] v "}},
	{"algorithms/07-one-se-takes-the-most-complex", "$TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| sizes falling .* 1\.0 ±`, `^\| sizes rising .* 1\.0 ±`, `^\| lambda rising .* 2\.3 ± 0\.5 \|`, `^\| lambda falling .* 2\.3 ± 0\.5 \|`}, nil},
	{"algorithms/12-slope-of-separable-classes", "sed -i 's/60s/20s/' e.yaml; $TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| slope +\| +0\.2654 `}, []string{"timeout", "not converged"}},
	{"algorithms/08-lasso-of-large-units-hangs", "sed -Ei 's/engine: ((relaxed-)?lasso|elastic-net)}/engine: \\1, params: {lambda: 1}}/' e.yaml; $TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| lasso +\| .*0\.2018.*\| +[0-9]{1,4} § `, `^\| elastic-net +\| .*0\.2018.*\| +[0-9]{1,4} § `}, []string{`[0-9]{6} §`}},
	{"algorithms/09-subnormal-variance", "$TENFOLD run e.yaml --out out; cat out/report.md; $TENFOLD run e.yaml --out scaled --set datasets.0.prepare.scale=sd; cat scaled/report.md",
		[]string{`^\| scad +\| +–.*0\.6111`, `^\| ridge +\| +1\.269`}, []string{"timeout", `\| +failed`, "power of ten", "NaN"}},
	{"algorithms/13-knockoffs-without-shrinking-hang", "$TENFOLD run e.yaml --out out; cat out/report.md",
		[]string{`^\| not shrunk +\| +failed`, `^\| sdp +\| +failed`}, []string{"timeout"}},
	{"algorithms/10-one-class", "$TENFOLD validate e.yaml; sed -i '/one.csv/d' e.yaml; $TENFOLD validate e.yaml",
		[]string{`target y is "benign" in all rows`, `fold 0 of repeat 0 \(y = "n"\)`, "^rc 0"}, nil},
	{"algorithms/14-weights-refused-late", "$TENFOLD validate e.yaml; $TENFOLD run e.yaml --out out; $TENFOLD validate e.yaml --set failures.unsuitable=error",
		[]string{"^rc 0", "e.yaml: good"}, []string{"fits failed", "^rc [1-9]"}},
	{"algorithms/15-time-blocks-of-equal-times", "$TENFOLD run e.yaml --out out", []string{"2/2 fits", "^rc 0"}, nil},
	{"algorithms/16-cox-steps-and-a-perfect-column", "$TENFOLD run e.yaml --out out", []string{`^\| steps +\| +\*\*1\.000 ± 0\.000\*\* §`, `^\| steps \+ ridge +\| +\*\*1\.000 ± 0\.000\*\*`, "did not converge"}, nil},
	{"algorithms/19-boosted-trees-of-a-rare-class", "$TENFOLD run e.yaml --out out; cat out/report.md", []string{"min_weight 1, and.* at most 0\\.9"}, []string{"failed"}},
	{"algorithms/17-refused-without-a-way-out", "$TENFOLD validate e.yaml; sed -i 's/drop: .y./drop: [t, e]/; s/type: survival, time: t, event: e/column: y, type: class/; s/cox/logistic/g' e.yaml; $TENFOLD validate e.yaml; sed -i 's/type: class/type: class, missing: drop-rows/; s/engine: logistic/engine: chi2/' e.yaml; $TENFOLD validate e.yaml",
		[]string{"half a unit stands for the first day", `makes a level of "nan"`, `column "c" has a value below 0; prepare`}, nil},
	{"algorithms/18-l0-is-not-swap-optimal", "$TENFOLD run e.yaml --out out; cat out/report.md", []string{`^\| l0 +\| +0\.6730 `}, []string{`1\.085`}},
	{"tables/kept-in-stability", "$TENFOLD run e.yaml --out out; cat out/report.md", []string{`^\| nothing .*0\.0 ± 0\.0 \| +– \|`, "beyond the 2 that are kept"}, nil},
	{"tables/keep-lambda-max", "$TENFOLD run e.yaml --out out; cat out/report.md", []string{`^\| lasso +\| +0 to 0`, `^\| l1 +\| +0 to 0`, `^\| owl-qn +\| +0 to 0`, `^\| elastic net +\| +0 to 0`}, nil},
	{"tables/serve-stability", "$TENFOLD run e.yaml --out out; cat out/report.md", []string{`0\.714`}, []string{`0\.738`}},
	{"tables/interval-of-repeats", "$TENFOLD run e.yaml --out out; cat out/report.md", []string{"corrected for overlapping training rows"}, []string{`0\.917`}},
	{"tables/sign-without-coefficients", "$TENFOLD run e.yaml --out out; cat out/report.md", nil, []string{"100 %.*forest × boruta", "forest × boruta.*100 %"}},
	{"tables/plan-gone", "$TENFOLD run x.yaml --only mean -q; $TENFOLD plan x.yaml; $TENFOLD why ridge x.yaml", []string{"not run yet"}, []string{"is gone"}},
	{"tables/missing-level", "$TENFOLD run e.yaml --out out; cat out/report.md", []string{`\(missing\)`}, nil},
	{"tables/categorical-missing", "$TENFOLD run cm.yaml --out out; cat out/report.md", []string{`\b56\b`}, []string{`\b168\b`}},
	{"tables/multiclass-metrics", "$TENFOLD validate x.yaml; sed -i 's/, roc_auc, f1, pr_auc//; /gate/,$d' x.yaml; echo 'report: {tables: [{cells: \"{recall} {f:2}\"}]}' >> x.yaml; $TENFOLD validate x.yaml",
		[]string{"auc_ovr", "macro_f1", `metric recall is of two classes.*balanced_accuracy`, `metric f:2 .*macro_f1`}, []string{": good"}},
	{"tables/headerless", "$TENFOLD init hl.csv -y -o x.yaml; cat x.yaml", []string{"12 rows", "header: false", "no row names the columns"}, nil},
	{"tables/text-csv", "$TENFOLD validate x.yaml; $TENFOLD init texts.csv -y -o y.yaml; cat y.yaml", []string{`columns: \{text: \[text\]\}`, `text: \[text\]`, "y.yaml: good"}, []string{"x.yaml: good"}},
	{"tables/sweep-styles", "sed -i 's#../multiclass-metrics/d.csv#d.csv#' x.yaml; printf 'a,b,y\\n' > d.csv; for i in 1 2 3 4 5 6; do printf '%d,2,u\\n1,%d,v\\n' $i $i >> d.csv; done; $TENFOLD run x.yaml --out out; grep -o 'stroke=\"#[0-9a-f]*\" stroke-width=\"1.6\" stroke-dasharray=\"[0-9 ]*\"' out/figures/sweep-*.svg | sort -u | wc -l", []string{"^4$"}, nil},
	{"tables/notebook-data-grid", "$TENFOLD run lc.yaml --out out; python3 -c \"import sys; sys.path.insert(0, '$PYTHON_ADAPTERS'); import tenfold_results as t; [print('row', r['data_train_fraction'], r['folds']) for r in t.summary('out') if r['metric'] == 'test_mse']\"",
		[]string{`^row 0\.05 10$`, `^row 1(\.0)? 10$`}, []string{"^row .* 20"}},
}

// securityTrials are attacks that succeeded.
var securityTrials = []scriptTrial{
	{script: "01_git_fsmonitor.sh", has: []string{"^rc 0"}, lacks: []string{"^PWNED"}},
	{script: "02_consent_of_changed_code.py", has: []string{"again, unchanged: asked: False", "code replaced: asked: True ; the new code ran: False"}},
	{script: "03_tenfold_yaml_runs_shell.sh", lacks: []string{"^PWNED", "^[0-9]+:.*PWNED"}},
	{script: "04_container_kill.sh", has: []string{"^rc 0"}, lacks: []string{"--all", "somebody-elses"}},
	{script: "05_container_links_out.sh", has: []string{"the diary now: PRECIOUS", "in the model file: $"}},
	{script: "06_group_file_kills.sh", has: []string{"the stranger's process lives"}},
	{script: "07_fifo_hangs.sh", has: []string{"^rc [0-4] after"}},
	{script: "08_version_prints.sh", has: []string{"^rc 2", "printed more than"}, lacks: []string{"fatal error"}},
	{script: "09_init_terminal.sh", lacks: []string{`\^\[`, "M-bM-", "^forged line"}},
	{script: "10_commas.sh", has: []string{"t.csv.gz:2: the row has", "rc 2"}, lacks: []string{"fatal error"}},
	{script: "11_undeclared_code.sh", has: []string{"helper.py changed", "with the stored fits: rc 3", "fails +code"}},
	{script: "12_gate_import.sh", has: []string{"incomparable", "rc 4"}, lacks: []string{"rc 0", "improvement"}},
	{script: "13_input_in_place.sh", has: []string{"changed its input"}, lacks: []string{`^\| m.*[0-9] ±`}},
	{script: "14_gate_other_yardstick.sh", has: []string{"incomparable", "rc 4"}, lacks: []string{"improvement"}},
	{script: "15_method_check_daemon.sh", has: []string{"run: rc 0, left 0", "fails +children"}},
	{script: "16_baseline_numbers_removed.sh", has: []string{"rc 2"}},
	{script: "17_gate_against.sh", has: []string{"regression", "rc 3"}},
	{script: "18_forged_runs_in_repo.sh", has: []string{"fits: 0 run now, [0-9]+ stored by", "without: rc 3"}},
	{script: "20_predicts_by_test_rows.sh", has: []string{"fails +batch"}},
	{script: "21_memory_counts_twice.sh", lacks: []string{"failed"}},
}

// TestTrials plays the scripts of the folder that TENFOLD_TRIALS names.
func TestTrials(t *testing.T) {
	folder := os.Getenv("TENFOLD_TRIALS")
	if folder == "" {
		t.Skip("TENFOLD_TRIALS names no folder of trials")
	}
	for _, trial := range dataTrials {
		t.Run(trial.script, func(t *testing.T) {
			t.Parallel()
			trial.judge(t, "bash", filepath.Join(trial.rename(t, filepath.Join(folder, "data", trial.script)), "run.sh"))
		})
	}
	for _, trial := range plainTrials {
		t.Run(filepath.Base(trial.folder), func(t *testing.T) {
			t.Parallel()
			copied := t.TempDir()
			if err := os.CopyFS(copied, os.DirFS(filepath.Join(folder, trial.folder))); err != nil {
				t.Fatal(err)
			}
			script := filepath.Join(t.TempDir(), "run.sh")
			if err := os.WriteFile(script, []byte("cd \"$1\"; chmod u+w . *\n"+trial.typed+"\necho rc $?\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			scriptTrial{has: trial.has, lacks: trial.lacks}.judge(t, "bash", script, copied)
		})
	}
	t.Run("gene-by-sample", func(t *testing.T) {
		t.Parallel()
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(filepath.Join(folder, "tables", "gene-by-sample"))); err != nil {
			t.Fatal(err)
		}
		script := filepath.Join(t.TempDir(), "run.sh")
		if err := os.WriteFile(script, []byte(geneBySample), 0o600); err != nil {
			t.Fatal(err)
		}
		scriptTrial{has: []string{"with --join FILE", "24 of 24 columns after the first are values of .sample. in clin.csv", "predicts days_to_death until vital_status is deceased", "e.yaml: good", "15/15 fits"}}.judge(t, "bash", script, copied)
	})
	if runtime.GOOS != "linux" {
		return
	}
	for _, trial := range securityTrials {
		t.Run(trial.script, func(t *testing.T) {
			t.Parallel()
			interpreter := "bash"
			if filepath.Ext(trial.script) == ".py" {
				interpreter = "python3"
			}
			text, err := os.ReadFile(filepath.Join(folder, "security", trial.script))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "numpy") && exec.Command("/usr/bin/python3", "-c", "import numpy, scipy").Run() != nil {
				t.Skip("/usr/bin/python3 has no numpy and scipy")
			}
			trial.judge(t, interpreter, filepath.Join(folder, "security", trial.script))
		})
	}
}

// geneBySample plays the folder of that name, which has no script.
const geneBySample = `cd "$1"; chmod u+w . *
$TENFOLD init expr.csv -y -o alone.yaml
$TENFOLD init expr.csv --join clin.csv -y -o joined.yaml
sed -i 's/, responses: clin.csv//; s/join: {id: sample}/join: {file: clin.csv, by: sample, features: [age, sex]}/' e.yaml
$TENFOLD validate e.yaml; $TENFOLD run e.yaml --set folds.repeats=5
`

// rename returns the folder of a trial, or a copy in which the keys of its experiment files have the names that they have now.
func (c scriptTrial) rename(t *testing.T, folder string) string {
	if c.renamed == nil {
		return folder
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	named, err := filepath.Glob(filepath.Join(copied, "*.yaml"))
	for _, path := range named {
		text, fail := os.ReadFile(path)
		err = errors.Join(err, fail, os.Remove(path), os.WriteFile(path, []byte(strings.NewReplacer(c.renamed...).Replace(string(text))), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

// judge plays the script and compares what it prints.
func (c scriptTrial) judge(t *testing.T, interpreter, script string, args ...string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	adapters, err := filepath.Abs("adapters/python")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, interpreter, append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), "TENFOLD_TEST_MAIN=1", "T="+self, "TENFOLD="+self, "TENFOLD_CACHE="+t.TempDir(), "TENFOLD_DATA=", "PYTHON_ADAPTERS="+adapters, "TMPDIR="+t.TempDir())
	cmd.WaitDelay = time.Second
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Errorf("it did not end: %v", err)
	}
	for _, want := range c.has {
		if !regexp.MustCompile("(?m)" + want).Match(said) {
			t.Errorf("no %q", want)
		}
	}
	for _, want := range c.lacks {
		if regexp.MustCompile("(?m)" + want).Match(said) {
			t.Errorf("%q", want)
		}
	}
	if t.Failed() {
		t.Logf("%s prints\n%s", script, strings.TrimSpace(string(said)))
	}
}
