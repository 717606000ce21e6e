package gate

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

func written(t testing.TB, b *Baseline) string {
	t.Helper()
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// reread is the baseline after a way through its file.
func reread(t *testing.T, b *Baseline) *Baseline {
	t.Helper()
	text := written(t, b)
	out, err := Parse("x.baseline.yaml", []byte(text), described.Metrics)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if again := written(t, out); again != text {
		t.Fatalf("a way through the file changed\n%s\nto\n%s", text, again)
	}
	return out
}

const example = `# What tenfold check compares the results of the experiment "x" with, written by tenfold accept.
# By hand, and kept: tolerance: {relative: 0.02} or {absolute: 0.1} of a metric below, in place of the gate's margin;
# expected_failure: "the reason" of an algorithm or a metric that need not pass.
tenfold_baseline: 1
experiment: x
rules:
  - metric: test_mse
    margin: {relative: 0.02}
    alpha: 0.05
    inconclusive: fail
rules_sum: 78bfca434cbf6f57
datasets:
  d:
    digest: data of d
    folds:
      - fold0
      - fold1
    sum: 84d325b74dc50912
  "true":
    digest: data of true
    folds:
      - fold0
    sum: 81bd5a2141ad4d5a
results:
  d:
    a:
      metrics:
        test_mse:
          mean: 1.25
          se: 0.27638539919628335
          values: [1, 1.5]
      sum: 38f0f9a6ebc5fdc7
    b epsilon=0.1:
      optimistic: true
      expected_failure: it diverges
      metrics:
        test_mse:
          mean: 0.30000000000000004
          se: 0
          values: [0.30000000000000004, 0.30000000000000004]
          tolerance: {absolute: 0.5}
      sum: 11a8fb60fa7f1b26
  "true":
    "12":
      metrics:
        test_mse:
          mean: 1e-300
          values: [1e-300]
      sum: 35af3c85a431720a
`

func TestFile(t *testing.T) {
	rules := []Rule{rule(func(r *Rule) { r.Margin = relative(0.02) })}
	cs := []*cells.Cell{cell("true", "12", []float64{1e-300}), at(cell("d", "b", []float64{0.30000000000000004, 0.30000000000000004}, func(r *results.Row) { r.Optimistic = true }), "epsilon", 0.1),
		cell("d", "a", []float64{1, 1.5})}
	b := accepted(t, rules, cs...)
	wide := absolute(0.5)
	e := b.Results["d"]["b epsilon=0.1"]
	m := e.Metrics["test_mse"]
	m.Tolerance, e.ExpectedFailure = &wide, "it diverges"
	e.Metrics["test_mse"] = m
	b.Results["d"]["b epsilon=0.1"] = e
	if got := written(t, b); got != example {
		t.Errorf("got\n%s", got)
	}
	again := reread(t, b)
	if !reflect.DeepEqual(again, b) {
		t.Errorf("got\n%+v\nwant\n%+v", again, b)
	}
	// Accepting the same results keeps every byte, also what was written by hand.
	next, changes, err := Accept(Input{Source: described, Experiment: "x", Rules: rules, Cells: cs, Baseline: again})
	if err != nil || written(t, next) != example || changes.String() != "3 unchanged" {
		t.Errorf("%v, %s\n%s", err, changes, written(t, next))
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.baseline.yaml")
	if _, err := Read(path, described.Metrics); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(path, []byte(example), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(path, described.Metrics); err != nil || b.Experiment != "x" {
		t.Errorf("got %+v, %v", b, err)
	}
}

func TestStrict(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown key", "experiment: x", "experimnt: x", `f:5:1: unknown key "experimnt" of the baseline; did you mean "experiment"?`},
		{"unknown key of a record", "  se: 0.27638539919628335", "  sd: 0.25", `f:30:11: unknown key "sd" of results.d.a.metrics.test_mse; did you mean "se"?`},
		{"misspelt mark", "expected_failure: it", "expected_failur: it", `unknown key "expected_failur" of results.d.b epsilon=0.1; did you mean "expected_failure"?`},
		{"version", "baseline: 1", "baseline: 3", "f:4:19: tenfold_baseline: expected 1, the version that this tenfold reads, found 3"},
		{"no version", "tenfold_baseline: 1\n", "", "tenfold_baseline is missing"},
		{"no experiment", "experiment: x\n", "", "experiment is missing"},
		{"duplicate", "experiment: x", "experiment: x\nexperiment: y", `f:6:1: key "experiment" appears twice, first on line 5`},
		{"not a number", "[1, 1.5]", "[1, one]", `f:31:23: results.d.a.metrics.test_mse.values[1]: expected a finite number, found "one"`},
		{"text for a number", "mean: 1.25", `mean: "1.25"`, `mean: expected a finite number, found "1.25"`},
		{"NaN", "se: 0.27638539919628335", "se: .nan", `f:30:15: results.d.a.metrics.test_mse.se: expected a finite number, found .nan`},
		{"infinite", "mean: 1.25", "mean: .inf", `expected a finite number, found .inf`},
		{"too large", "mean: 1.25", "mean: 1e999", `expected a finite number, found "1e999"`},
		{"negative error", "se: 0.27638539919628335", "se: -0.25", "found -0.25, expected at least 0"},
		{"mapping for a list", "[1, 1.5]", "{a: 1}", "values: expected a list, found a mapping"},
		{"list for a mapping", "{absolute: 0.5}", "[0.5]", "tolerance: expected a mapping (relative, absolute), found a list"},
		{"a bare tolerance", "{absolute: 0.5}", "0.5", `tolerance: expected a mapping (relative, absolute), found 0.5`},
		{"both tolerances", "{absolute: 0.5}", "{absolute: 0.5, relative: 1}", "give relative or absolute, not both"},
		{"negative tolerance", "{absolute: 0.5}", "{absolute: -1}", "tolerance.absolute: -1, expected a number of at least 0"},
		{"not yes or no", "optimistic: true", "optimistic: maybe", `optimistic: expected true or false, found "maybe"`},
		{"empty reason", "expected_failure: it diverges", "expected_failure:", "expected_failure has no value"},
		{"another mean", "mean: 1.25", "mean: 1.35", "found the mean 1.35, expected that of the values, 1.25"},
		{"another error", "se: 0.27638539919628335", "se: 0.2", "found the se 0.2, expected at least that of independent values, 0.25"},
		{"a fold too many", "      - fold1\n", "      - fold1\n      - fold2\n", "found 2 values, expected one for each of the data set's 3 folds"},
		{"no mean", "          mean: 1.25\n", "", "mean is missing"},
		{"no data set", "  d:\n    digest", "  e:\n    digest", "datasets does not have the data set"},
		{"no digest", "    digest: data of d\n", "", "datasets.d: digest is missing"},
		{"alias", "[1, 1.5]", "*x", "unknown anchor"},
		{"anchor and alias", "    digest: data of d\n    folds:", "    digest: &x data\n    folds: *x\n    fields:", `datasets.d.folds: expected a list, found "data"`},
		{"merge", "experiment: x", "<<: {experiment: x}", "merge keys (<<) are not used here"},
		{"tag", "mean: 1.25", "mean: !!float 1.25", "tag !!float: tags are not used here"},
		{"another number, and those that repeat it", "mean: 1.25\n          se: 0.27638539919628335\n          values: [1, 1.5]", "mean: 1.5\n          se: 0.5\n          values: [1, 2]", "f:32:12: a on d: found \"38f0f9a6ebc5fdc7\", which is not the checksum"},
		{"no checksum", "      sum: 38f0f9a6ebc5fdc7\n", "", "f:27:7: a on d: sum is missing"},
		{"another fold", "      - fold1", "      - fold7", "f:18:10: data set d: found"},
		{"another rule", "margin: {relative: 0.02}", "margin: {relative: 0.2}", "f:11:12: the rules: found"},
		{"no rules", "rules:\n  - metric: test_mse\n    margin: {relative: 0.02}\n    alpha: 0.05\n    inconclusive: fail\n", "rules: []\n", "rules are missing"},
		{"an impossible rule", "alpha: 0.05", "alpha: 5", "expected a number between 0 and 1"},
		{"no values", "          values: [1, 1.5]\n", "", "values are missing"},
		{"no error", "          se: 0.27638539919628335\n", "", "se is for two or more values"},
		{"a name of two lines", "    b epsilon=0.1:", "    \"b\\n::error::x\":", "characters that cannot be seen"},
		{"a second document", "results:", "---\nx:", "a second document"},
		{"blocks that nothing counts", "values: [1, 1.5]", "blocks: [1, 1.5]", "found 2 blocks, expected one for each of the data set's 0"},
		{"not YAML", "datasets:", "datasets: [", "not YAML"},
		{"a list", example, "- 1", "the baseline: expected a mapping (tenfold_baseline, "},
		{"empty", example, "", "f:1:1: the file is empty"},
		{"comment alone", example, "# nothing\n", "f:1:1: the file is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(example, c.old, c.new, 1)
			if text == example {
				t.Fatal("nothing was replaced")
			}
			_, err := Parse("f", []byte(text), described.Metrics)
			var mistakes strictyaml.Mistakes
			if err == nil || !errors.As(err, &mistakes) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	text := strings.NewReplacer("experiment: x", "experiment: [x]", "se: 0.27638539919628335", "se: much", "optimistic: true", "optimistic: 1").Replace(example)
	_, err := Parse("f", []byte(text), described.Metrics)
	if err == nil || strings.Count(err.Error(), "f:") != 3 || strings.Index(err.Error(), "f:5:") > strings.Index(err.Error(), "f:30:") {
		t.Errorf("got %v", err)
	}
}

func TestAcceptRefuses(t *testing.T) {
	plain := []Rule{rule(func(*Rule) {})}
	failed := func(r *results.Row) { r.Status, r.Error = results.Failed, "no luck" }
	for _, c := range []struct {
		name  string
		rules []Rule
		cells []*cells.Cell
		want  string
	}{
		{"failed", plain, []*cells.Cell{cell("d", "a", ten), cell("d", "b", ten, failed), {Dataset: "d", Algorithm: "c"}}, "d, b: failed: no luck\nd, c: never ran"},
		{"NULL", plain, []*cells.Cell{cell("d", "a", ten, func(r *results.Row) { r.Scores = nil })}, "d, a: test_mse has no value"},
		{"nothing", plain, nil, "nothing was measured"},
		{"no rule", nil, []*cells.Cell{cell("d", "a", ten)}, "nothing to record"},
		{"the reference of others failed", []Rule{rule(func(r *Rule) { r.Against = "b" })}, []*cells.Cell{cell("d", "a", ten), cell("d", "b", ten, failed)}, "d, b: failed: no luck"},
		{"two kinds of folds", plain, []*cells.Cell{cell("d", "a", ten), cell("d", "b", ten[:3])}, "not measured on the same data and folds"},
		{"no predictions", []Rule{rule(func(r *Rule) { r.Test = paired.NameBootstrap })}, []*cells.Cell{cell("d", "a", ten[:1])}, "no predictions"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, _, err := Accept(Input{Source: described, Rules: c.rules, Cells: c.cells})
			if err == nil || b != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestAcceptKeepsAndTells(t *testing.T) {
	r := []Rule{rule(func(*Rule) {})}
	old := accepted(t, r, cell("d", "a", ten), cell("d", "b", ten), cell("d", "c", ten), cell("d", "e", ten), cell("d", "f", ten))
	mark := func(algorithm, reason string) {
		e := old.Results["d"][algorithm]
		e.ExpectedFailure = reason
		old.Results["d"][algorithm] = e
	}
	mark("b", "runs out of memory")
	mark("c", "gone with the experiment")
	now := []*cells.Cell{cell("d", "a", plus(ten, -0.1)), cell("d", "b", ten, func(r *results.Row) { r.Status = results.Failed }),
		cell("d", "e", plus(ten, 0.1)), cell("d", "f", ten), cell("d", "g", ten)}
	b, changes, err := Accept(Input{Source: described, Experiment: "x", Rules: r, Cells: now, Baseline: old})
	if err != nil {
		t.Fatal(err)
	}
	if e := b.Results["d"]["b"]; e.ExpectedFailure != "runs out of memory" || !reflect.DeepEqual(e.Metrics, old.Results["d"]["b"].Metrics) {
		t.Errorf("the mark of a failure, with the numbers that were recorded: %+v", e)
	}
	if got := changes.String(); got != "1 new, 1 gone, 1 better, 1 worse, 1 unchanged, 1 expected to fail" {
		t.Errorf("got %s", got)
	}
	if len(changes.Lost) != 1 || changes.Lost[0] != "expected_failure of c on d: gone with the experiment" {
		t.Errorf("got %q", changes.Lost)
	}
	o := Check(Input{Source: described, Rules: r, Cells: now, Baseline: reread(t, b)})
	if o.Worst() != Pass || o.Count()[ExpectedFailure] != 1 {
		t.Errorf("%s %v", o.Worst(), o.Count())
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("tenfold_baseline: 1\nexperiment: x\n"))
	f.Add([]byte("tenfold_baseline: 1\nexperiment: x\nrules: [{metric: m}]\ndatasets: {d: {digest: a, folds: [b], blocks: [1, 2]}}\nresults: {d: {a: {metrics: {m: {mean: 1, values: [1], blocks: [0.5, 1]}}}}}"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, content []byte) {
		b, err := Parse("f", content, described.Metrics)
		if err != nil {
			var mistakes strictyaml.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		reread(t, b)
	})
}
