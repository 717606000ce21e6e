package cli_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tenfold/io/host/hosttest"
)

var notebook = regexp.MustCompile("(?s)<!-- notebook (python|r) -->\n```(?:python|r)\n(.*?)```\n```text\n(.*?)```")

// TestNotebooks plays the cells of docs/results.md on a run of the quickstart; they print what stands below them. The command export
// reads the files where Python or R has nothing that does.
func TestNotebooks(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs("experiments/quickstart.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	cells := notebook.FindAllStringSubmatch(string(page), -1)
	if len(cells) != 2 {
		t.Fatalf("%d notebooks", len(cells))
	}
	s.run(t, "tenfold run "+file+" --quiet")
	var said, is map[string]any
	_, block, _ := strings.Cut(string(page), "## metrics.json\n\n```json\n")
	block, _, _ = strings.Cut(block, "```")
	if err := errors.Join(json.Unmarshal([]byte(block), &said), json.Unmarshal([]byte(read(t, filepath.Join(s.dir, "runs/quickstart/metrics.json"))), &is)); err != nil {
		t.Fatal(err)
	}
	saysOf(t, "metrics.json", said, is)
	for _, cell := range cells {
		t.Run(cell[1], func(t *testing.T) {
			var command []string
			adapter := "adapters/r/tenfold_results.R"
			if cell[1] == "python" {
				command, adapter = []string{pythonWith(t, "pandas"), "-c"}, "adapters/python/tenfold_results.py"
			} else {
				command = []string{rscriptWith(t, "utils"), "--vanilla", "-e"}
			}
			text, err := os.ReadFile(adapter)
			if err != nil {
				t.Fatal(err)
			}
			s.write(t, filepath.Base(adapter), string(text))
			if out := s.notebook(t, append(command, cell[2])); out != cell[3] {
				t.Errorf("it prints\n%s\nand the page says\n%s", out, cell[3])
			}
		})
	}
}

// notebook runs a command in the shell's folder, and returns what it prints.
func (s shell) notebook(t *testing.T, command []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "PATH="+s.path, "PYTHONPATH=", "TENFOLD_DATA=", "NO_COLOR=1")
	cmd.Env = append(cmd.Env, "TENFOLD="+filepath.Join(strings.SplitN(s.path, ":", 2)[0], "tenfold"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return string(out)
}

// Both readers have what fits measured inside: two candidates on two inner folds of two fits, one of which each fit chose.
func TestReadersOfInner(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.write(t, "x.yaml", `tenfold: 1
name: x
datasets: [{name: made, format: synthetic, generator: classes, classed: {train: 60, columns: 20}}]
folds: {kind: kfold, k: 2}
algorithms: [{name: ridge, engine: ridge, tune: {lambda: [0.1, 100], k: 2}}]
`)
	s.run(t, "tenfold run x.yaml --quiet")
	for adapter, code := range map[string]string{
		"adapters/python/tenfold_results.py": `import tenfold_results as tf
r = tf.inner("runs/x", using="dicts")
print(len(r), sum(x["chosen"] for x in r), sorted({x["parameter_value"] for x in r}), r[0]["algorithm"], r[0]["candidate"])`,
		"adapters/r/tenfold_results.R": `source("tenfold_results.R")
r <- tf_inner("runs/x")
cat(nrow(r), sum(r$chosen == TRUE | r$chosen == "true"), paste0("[", paste(sort(unique(r$parameter_value)), collapse = ", "), "]"), r$algorithm[1], r$candidate[1], "\n")`,
	} {
		text, err := os.ReadFile(adapter)
		if err != nil {
			t.Fatal(err)
		}
		s.write(t, filepath.Base(adapter), string(text))
		command := []string{pythonWith(t, "json"), "-c", code}
		if strings.HasSuffix(adapter, ".R") {
			command = []string{rscriptWith(t, "utils"), "--vanilla", "-e", code}
		}
		if out := strings.TrimSpace(s.notebook(t, command)); out != "8 4 [0.1, 100] ridge lambda=0.1" {
			t.Errorf("%s: %s", adapter, out)
		}
	}
}

// TestPythonPackage: pip installs the wheel of a release into a fresh environment without a network; there an experiment runs, its run shows
// its report, and three lines are a method.
func TestPythonPackage(t *testing.T) {
	t.Parallel()
	wheel := os.Getenv("TENFOLD_WHEEL")
	if wheel == "" {
		t.Skip("TENFOLD_WHEEL is not set: it names the wheel of a release for this platform, dist/tenfold-VERSION-py3-none-PLATFORM.whl")
	}
	python := hosttest.Find(t, "Python with ensurepip", []string{"-c", "import ensurepip, venv"}, "python3", "/usr/bin/python3")
	learns := exec.CommandContext(t.Context(), "/usr/bin/python3", "-c", "import ensurepip, venv, sklearn").Run() == nil // whose packages the environment then has
	options := []string{"-m", "venv", "env"}
	if learns {
		python, options = "/usr/bin/python3", append(options, "--system-site-packages")
	}
	dir := t.TempDir()
	do := func(want string, command ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONPATH=", "TENFOLD=", "PATH=/usr/bin:/bin", "HOME="+dir, "NO_COLOR=1", "TENFOLD_CACHE="+filepath.Join(dir, "cache"), "TENFOLD_DATA=")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%q: %v, want %q\n%s", command, err, want, out)
		}
		return string(out)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	do("", append([]string{python}, options...)...)
	do("Successfully installed tenfold", "env/bin/python", "-m", "pip", "install", "--no-index", "--no-deps", wheel)
	do("\ndigest sha256:", "env/bin/tenfold", "demo", "--open=false")
	methods := ""
	algorithms := "  - {name: anova, engine: anova, params: {features: 2}}\n"
	if learns {
		write("best.py", "from sklearn.feature_selection import SelectKBest\nimport tenfold\ntenfold.serve_sklearn(SelectKBest)\n")
		methods = "methods:\n  - {name: best, command: [" + filepath.Join(dir, "env/bin/python") + ", best.py], code: [best.py], params: {k: 2}, target: [class], output: [selected]}\n"
		algorithms += "  - {name: best, select: {engine: best}, refit: {engine: logistic}}\n"
	}
	write("x.yaml", "tenfold: 1\nname: x\n"+methods+"datasets: [{name: made, format: synthetic, rows: 800, seed: 3, target: {binarize: train-mean}, features: {cutoff: 3}}]\nfolds: {kind: kfold, k: 2}\nalgorithms:\n"+algorithms+"metrics: [accuracy, selected]\n")
	said := do("", "env/bin/python", "-c", `import tenfold
run = tenfold.run("x.yaml", set={"folds.k": 3}, arguments=["--allow-methods"])
print(run, run.digest[:7], sorted({r["algorithm"] for r in run.summary("dicts")}), "<iframe srcdoc=" in run._repr_html_())
try: tenfold.run("y.yaml", quiet=True)
except tenfold.Failed as failed: print(failed.code, failed)`)
	want := "tenfold.Run('runs/x') sha256: ['anova'] True\n2 y.yaml: "
	if learns {
		want = strings.Replace(want, "'anova'", "'anova', 'best'", 1)
	}
	if !strings.Contains(said, want) {
		t.Errorf("want %q in\n%s", want, said)
	}
}

// TestRPackage: R finds no error in the source package of a release and has no warning.
func TestRPackage(t *testing.T) {
	t.Parallel()
	source := os.Getenv("TENFOLD_R_PACKAGE")
	if source == "" {
		t.Skip("TENFOLD_R_PACKAGE is not set: it names the source package of a release, dist/tenfold_VERSION.tar.gz")
	}
	rscriptWith(t, "Matrix")
	cmd := exec.CommandContext(t.Context(), "R", "CMD", "check", "--no-manual", "--no-vignettes", source)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "_R_CHECK_FORCE_SUGGESTS_=false", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "WARNING") || strings.Contains(string(out), "ERROR") {
		t.Errorf("%v\n%s", err, out)
	}
}

// standIn is as much of MLflow as the adapter uses, and prints what it was told.
const standIn = `
class _Run:
    def __init__(self, id): self.info = type("Info", (), {"run_id": id})
class MlflowClient:
    def __init__(self): self.runs, self.tags, self.status, self.experiments = [], {}, {}, {}
    def get_experiment_by_name(self, name): return self.experiments.get(name)
    def create_experiment(self, name):
        self.experiments[name] = type("Experiment", (), {"experiment_id": name})
        return name
    def search_runs(self, ids, wanted):
        import re
        tags = dict(re.findall(r"tags\.\x60([^\x60]+)\x60 = '([^']*)'", wanted))
        return [r for r in self.runs if self.status.get(r) and all(self.tags[r].get(k) == v for k, v in tags.items())]
    def create_run(self, experiment, tags):
        id = "r%d" % len(self.runs)
        self.runs.append(id)
        self.tags[id] = dict(tags)
        return _Run(id)
    def set_tag(self, run, key, value): self.tags[run][key] = value
    def log_batch(self, run, metrics, params):
        name = self.tags[run]["mlflow.runName"]
        for m in metrics:
            if m[0] in ("test_mse", "test_mse.se", "folds.ok"): print(name, m[0], round(m[1], 3))
        for p in params: print(name, "param", *p)
    def log_artifact(self, run, path): print("artifact", path.split("/")[-1])
    def log_artifacts(self, run, path, to): print("artifacts", to)
    def set_terminated(self, run, status="FINISHED"): self.status[run] = status
`

// TestMLflow: the adapter logs each cell with its folds, failed ones too, and none twice.
func TestMLflow(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.write(t, "x.yaml", `tenfold: 1
name: x
datasets: [{name: made, format: synthetic, rows: 600, truth: 5, seed: 1}]
folds: {kind: kfold, k: 2}
failures: {tolerate: 4}
algorithms:
  - {name: ridge, engine: ridge, grid: {lambda: [1, 100]}}
  - {name: none, engine: stagewise, limits: {time: 1ns}}
metrics: [test_mse]
report: {figures: [{kind: sweep, x: lambda, y: test_mse}]}
`)
	s.run(t, "tenfold run x.yaml --quiet || true")
	for _, adapter := range []string{"tenfold_results.py", "tenfold_mlflow.py"} {
		s.write(t, adapter, read(t, "adapters/python/"+adapter))
	}
	s.write(t, "mlflow/__init__.py", "")
	s.write(t, "mlflow/tracking.py", standIn)
	s.write(t, "mlflow/entities.py", "def Metric(key, value, timestamp, step): return (key, value)\ndef Param(key, value): return (key, value)\n")
	out := s.notebook(t, []string{pythonWith(t, "json"), "-c", `import tenfold_mlflow
from mlflow.tracking import MlflowClient
client = MlflowClient()
print("logged", tenfold_mlflow.log("runs/x", client=client))
print("again", tenfold_mlflow.log("runs/x", client=client))
print(sorted(client.status.values()), [t["tenfold.error"][:20] for t in client.tags.values() if "tenfold.error" in t], len({t["tenfold.digest"] for t in client.tags.values()}))`})
	for _, want := range []string{"artifact report.html\n", "artifact results.parquet\n", "artifacts figures\n", "made, ridge lambda=1 param lambda 1", "made, ridge lambda=100 test_mse ", "made, ridge lambda=100 test_mse.se ",
		"repeat 0, fold 1 test_mse ", "made, none folds.ok 0", "logged 3\nagain 0\n", "'FAILED', 'FAILED', 'FAILED', 'FINISHED', 'FINISHED', 'FINISHED', 'FINISHED', 'FINISHED', 'FINISHED', 'FINISHED'] ['"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// saysOf compares what a page says of a JSON object, which may leave out keys, ends of texts and digits, with what it is.
func saysOf(t *testing.T, at string, said, is any) {
	t.Helper()
	switch said := said.(type) {
	case map[string]any:
		object, _ := is.(map[string]any)
		for key, value := range said {
			saysOf(t, at+": "+key, value, object[key])
		}
		return
	case float64:
		if x, ok := is.(float64); ok && math.Abs(x-said) <= 0.5e-4 {
			return
		}
	case string:
		if text, ok := is.(string); ok && (text == said || strings.HasSuffix(said, "…") && strings.HasPrefix(text, strings.TrimSuffix(said, "…"))) {
			return
		}
	}
	t.Errorf("%s: the page says %v, it is %v", at, said, is)
}
