package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

const rAdapter = "adapters/r/tenfold_method.R"

func rMethod(rscript, name, code, more string) string {
	return fmt.Sprintf("  - {name: %s, command: [%q, --vanilla, %s], code: [%s, tenfold_method.R], matrix: mtx, %s}\n", name, rscript, code, code, more)
}

const glmnetLasso = `source("tenfold_method.R")
suppressPackageStartupMessages(library(glmnet))
serve(function(x, y, request) {
  lambda <- request$params$lambda / request$rows
  model <- glmnet(x, y, lambda = lambda * c(9, 3, 1), standardize = FALSE, thresh = 1e-22, maxit = 1e7)
  list(coef = coef(model, s = lambda)[-1, , drop = FALSE], intercept = coef(model, s = lambda)[1, 1], iterations = model$npasses)
})
`

// TestGlmnet: glmnet has our lasso's objective and predictions, and predicts shares of three levels.
func TestGlmnet(t *testing.T) {
	t.Parallel()
	rscript := rscriptWith(t, "glmnet")
	p, c := newPeers(t, rAdapter), newCounted(0)
	p.write("lasso.R", glmnetLasso)
	p.write("shares.R", `source("tenfold_method.R")
suppressPackageStartupMessages(library(glmnet))
serve(function(x, y, request) {
  print(levels(y))
  model <- glmnet(x, y, family = "multinomial", lambda = c(0.1, 0.03, 0.01))
  list(predict = function(x) predict(model, x, s = 0.01, type = "response"), probabilities = TRUE)
})
`)
	p.write("t.csv", c.text)
	p.write("three.csv", newCounted(3).text)
	on := func(table string) string {
		return "datasets: [{name: t, format: csv, files: {all: " + table + "}, target: {column: \"y\"}, columns: {group: part}}]\nfolds: {kind: given, column: part}\nalgorithms:\n"
	}
	_, rows := p.play("methods:\n" + rMethod(rscript, "glmnet", "lasso.R", "params: {lambda: 1.0}, target: [real], output: [coefficients]") + on("t.csv") +
		"  - {name: ours, engine: lasso, params: {lambda: 25}}\n  - {name: theirs, engine: glmnet, params: {lambda: 25.0}}\nmetrics: [test_mse]\n")
	ours, theirs := rows["ours 0"], rows["theirs 0"]
	if a, b := c.objective(coefficientsOf(ours), 25), c.objective(coefficientsOf(theirs), 25); !(math.Abs(a-b) <= 1e-6*a) {
		t.Errorf("objective %.12g, ours %.12g", b, a)
	}
	if a, b := scoresOf(ours)["test_mse"], scoresOf(theirs)["test_mse"]; !(math.Abs(a-b) <= 1e-6*a) {
		t.Errorf("test MSE %v, ours %v", b, a)
	}
	_, rows = p.play("methods:\n" + rMethod(rscript, "shares", "shares.R", "target: [class], output: [predictions, probabilities]") + on("three.csv") +
		"  - {name: shares, engine: shares}\n  - {name: majority, engine: majority}\nmetrics: [log_loss]\n")
	if a, b := scoresOf(rows["shares 0"])["log_loss"], scoresOf(rows["majority 0"])["log_loss"]; !(a < b-0.1) {
		t.Errorf("log-loss %v, of the training shares %v", a, b)
	}
}

// TestRAdapter: numbers are the same for one worker and three, and by each way to be asked.
func TestRAdapter(t *testing.T) {
	t.Parallel()
	rscript := rscriptWith(t, "Matrix")
	p := newPeers(t, rAdapter)
	p.write("nearest.R", `source("tenfold_method.R")
serve(function(x, y, request) {
  cat("no line end")
  stopifnot(request$features()[1] == "x0", is.null(request$levels), is.null(request$weights), identical(request$params$word, "a \"b\" \\ é"))
  known <- as.matrix(x)
  few <- request$params$rows
  list(predict = function(x) apply(as.matrix(x), 1, function(row) mean(y[head(order(colSums((t(known) - row)^2)), few)])),
    selected = c(3, 1), scores = c(2.5, 1), facts = list(first = runif(1)), notes = "a \"note\"", stop = "done")
})
`)
	p.write("t.csv", newCounted(0).text)
	text := func(more string) string {
		return "methods:\n" + rMethod(rscript, "nearest", "nearest.R", `params: {rows: 3, word: "a \"b\" \\ é"}, target: [real], output: [selected, predictions]`+more) +
			"datasets: [{name: t, format: csv, files: {all: t.csv}, target: {column: \"y\"}, columns: {group: part}}]\nfolds: {kind: given, column: part}\n" +
			"algorithms: [{name: nearest, engine: nearest, grid: {rows: [1, 10]}}]\nmetrics: [test_mse]\n"
	}
	want, rows := p.play(text(""), "--jobs", "1")
	if three, _ := p.play(text(""), "--jobs", "3"); three != want {
		t.Errorf("one worker: %s, three: %s", want, three)
	}
	if r := rows["nearest 0"]; !slices.Equal(orderOf(r), []string{"x2", "x0"}) || r.Stop != "done" || !slices.Equal(r.Notes, []string{`a "note"`}) {
		t.Errorf("selected %v, stop %q, notes %q", orderOf(r), r.Stop, r.Notes)
	}
	p.write("python.yaml", "tenfold: 1\nname: python\n"+strings.Replace(text(""), ", matrix: mtx", "", 1))
	if code, _, errs := p.run("run", filepath.Join(p.dir, "python.yaml"), "--allow-methods", "--out", filepath.Join(p.t.TempDir(), "run")); code != app.ExitIncomplete || !strings.Contains(errs, "add matrix: mtx to the declaration of the method") {
		t.Errorf("arrays of NumPy: %d, %s", code, errs)
	}
	for _, way := range []string{", reuse: fold", ", style: calls"} {
		_, other := p.play(text(way), "--jobs", "3")
		for name, r := range rows {
			if a, b := scoresOf(r)["test_mse"], scoresOf(other[name])["test_mse"]; a != b || a == 0 {
				t.Errorf("%q, %s: test MSE %v, was %v", way, name, b, a)
			}
		}
	}
}

// TestFirstMethods: what method init writes in Python and in R runs as it is, and is the same method.
func TestFirstMethods(t *testing.T) {
	t.Parallel()
	python, rscript := pythonWith(t, "scipy"), rscriptWith(t, "Matrix")
	x, dir := tool{t, t.TempDir()}, t.TempDir()
	found := map[string][]float64{}
	for language, program := range map[string][2]string{"python": {"python3", python}, "r": {"Rscript", rscript}} {
		x.ok("method", "init", "in-"+language, "--"+language, "--dir", dir)
		for file, change := range map[string][2]string{
			"methods/in-" + language + ".yaml": {"[" + program[0] + ",", "[" + program[1] + ","},
			"in-" + language + ".yaml":         {"tune: {size: [5, 10, 20, 40], k: 3}", "params: {size: 5}"}, // few columns, of which none is a sum of others
		} {
			content, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil || !strings.Contains(string(content), change[0]) {
				t.Fatalf("%s has no %s (%v)", file, change[0], err)
			}
			put(t, filepath.Join(dir, file), strings.ReplaceAll(string(content), change[0], change[1]))
		}
		run := filepath.Join(dir, "runs", language)
		x.ok("run", filepath.Join(dir, "in-"+language+".yaml"), "--allow-methods", "--out", run)
		tables, err := results.Read(run)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tables.Rows {
			whole, err := tables.ReadAllParts(&tables.Rows[i])
			if err != nil {
				t.Fatal(err)
			}
			if whole.Algorithm == "in-"+language {
				found[language] = append(found[language], scoresOf(whole)["test_mse"])
			}
		}
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	}
	for fold, a := range found["python"] {
		if b := found["r"][fold]; a == 0 || !(math.Abs(a-b) <= 1e-9*a) {
			t.Errorf("fold %d: test MSE in Python %v, in R %v", fold, a, b)
		}
	}
	if len(found["python"]) != 3 {
		t.Errorf("%d folds", len(found["python"]))
	}
}
