package cli_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/host/hosttest"
	"tenfold/io/results"
)

func pythonWith(t testing.TB, module string) string {
	t.Helper()
	return hosttest.Find(t, "Python with "+module, []string{"-c", "import " + module}, "python3", "/usr/bin/python3")
}

func rscriptWith(t testing.TB, library string) string {
	t.Helper()
	return hosttest.Find(t, "R with "+library, []string{"--vanilla", "-e", "library(" + library + ")"}, "Rscript")
}

// counted is a table of columns of 0, 1 and 2, of which the first five count for the response; where levels are asked for it has that many,
// one of which only five rows have. The column part names training and test rows.
type counted struct {
	rows [][]float64
	y    []float64
	text string
}

func newCounted(levels int) counted {
	const columns = 12
	r := rand.New(rand.NewPCG(5, 6))
	c := counted{}
	var b strings.Builder
	for j := range columns {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("y,part\n")
	for i := range 150 {
		row, sum := make([]float64, columns), 0.0
		for j := range row {
			row[j] = float64(r.IntN(3) * r.IntN(2))
			if j < 5 {
				sum += row[j] * float64(5-j)
			}
			fmt.Fprintf(&b, "%g,", row[j])
		}
		y := sum + r.NormFloat64()
		text := fmt.Sprintf("%.6f", y)
		fmt.Sscan(text, &y)
		if levels > 0 {
			level := min(levels-1, int(max(0, y)/7))
			text = string(rune('a' + level))
			if levels > 2 && i%30 == 0 {
				text = "rare"
			}
		}
		c.rows, c.y = append(c.rows, row), append(c.y, y)
		fmt.Fprintf(&b, "%s,%s\n", text, []string{"train", "train", "test"}[i%3])
	}
	c.text = b.String()
	return c
}

// objective of the lasso on the training rows, with the best intercept.
func (c counted) objective(coefs map[string]float64, lambda float64) float64 {
	var residuals []float64
	mean, penalty := 0.0, 0.0
	for i, row := range c.rows {
		if i%3 == 2 {
			continue
		}
		v := c.y[i]
		for j, x := range row {
			v -= x * coefs[fmt.Sprintf("x%d", j)]
		}
		residuals = append(residuals, v)
		mean += v
	}
	mean /= float64(len(residuals))
	sum := 0.0
	for _, v := range residuals {
		sum += (v - mean) * (v - mean)
	}
	for _, b := range coefs {
		penalty += math.Abs(b)
	}
	return sum/2 + lambda*penalty
}

// peers is an experiment of methods in a folder of its own.
type peers struct {
	tool
	dir string
}

func newPeers(t *testing.T, adapter string) peers {
	t.Helper()
	p := peers{tool{t, t.TempDir()}, t.TempDir()}
	content, err := os.ReadFile(adapter)
	if err != nil {
		t.Fatal(err)
	}
	p.write(filepath.Base(adapter), string(content))
	return p
}

func (p peers) write(name, text string) {
	p.t.Helper()
	put(p.t, filepath.Join(p.dir, name), text)
}

// play runs an experiment and returns the digest and the rows, with what was selected, by algorithm and fold.
func (p peers) play(text string, args ...string) (sum string, rows map[string]*results.Row) {
	p.t.Helper()
	p.write("peers.yaml", "tenfold: 1\nname: peers\n"+text)
	run := filepath.Join(p.t.TempDir(), "run")
	out, _ := p.ok(append([]string{"run", filepath.Join(p.dir, "peers.yaml"), "--allow-methods", "--out", run}, args...)...)
	tables, err := results.Read(run)
	if err != nil {
		p.t.Fatal(err)
	}
	defer tables.Close()
	rows = map[string]*results.Row{}
	for i := range tables.Rows {
		whole, err := tables.ReadAllParts(&tables.Rows[i])
		if err != nil {
			p.t.Fatal(err)
		}
		rows[fmt.Sprintf("%s %d", whole.Algorithm, whole.Fold)] = whole
	}
	return digest(out), rows
}

func coefficientsOf(r *results.Row) map[string]float64 {
	out := map[string]float64{}
	for _, s := range r.Outcome.Selected {
		out[s.Feature] = s.Coefficient
	}
	return out
}

func scoresOf(r *results.Row) map[string]float64 {
	out := map[string]float64{}
	for _, s := range r.Outcome.Scores {
		if s.Output == "" {
			out[s.Metric] = s.Value
		}
	}
	return out
}

// orderOf what was selected.
func orderOf(r *results.Row) (names []string) {
	entered := slices.Clone(r.Outcome.Selected)
	slices.SortStableFunc(entered, func(a, b results.Selected) int { return cmp.Compare(a.Rank, b.Rank) })
	for _, s := range entered {
		if !slices.Contains(names, s.Feature) {
			names = append(names, s.Feature)
		}
	}
	return names
}

const sklearnPeers = `import sys
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectKBest, chi2
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.multiclass import OutputCodeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.svm import LinearSVC
from tenfold_method import serve_sklearn

made = {
    "lasso": lambda alpha: Lasso(alpha=alpha, tol=1e-14, max_iter=1000000),
    "chi2": lambda k: SelectKBest(chi2, k=k),
    "rfe": lambda k: RFE(LinearSVC(dual=False), n_features_to_select=k),
    "forest": RandomForestClassifier,
    "svm": lambda C: LinearSVC(C=C, dual=False),
    "picked": lambda k: make_pipeline(SelectKBest(chi2, k=k), LinearSVC(dual=False)),
    "codes": lambda: OutputCodeClassifier(LinearSVC(dual=False)),
    "scaled": lambda k: make_pipeline(MaxAbsScaler(), SelectKBest(chi2, k=k), LogisticRegression()),
}
serve_sklearn(made[sys.argv.pop(1)])
`

// sklearn is the declaration of one of these.
func sklearn(python, name, made, more string) string {
	return fmt.Sprintf("  - {name: %s, command: [%q, peers.py, %s], code: [peers.py, tenfold_method.py], %s}\n", name, python, made, more)
}

const pythonAdapter = "adapters/python/tenfold_method.py"

// TestSklearnLasso: Lasso has our objective, coefficients and predictions, where its alpha is our lambda by the number of training rows;
// whether it hands back coefficients or predicts, and whether one process serves a fold.
func TestSklearnLasso(t *testing.T) {
	t.Parallel()
	python := pythonWith(t, "sklearn")
	p, c := newPeers(t, pythonAdapter), newCounted(0)
	p.write("peers.py", sklearnPeers)
	p.write("t.csv", c.text)
	_, rows := p.play("methods:\n" +
		sklearn(python, "sk-lasso", "lasso", "params: {alpha: 1.0}, target: [real], output: [coefficients]") +
		sklearn(python, "sk-predicts", "lasso", "params: {alpha: 1.0}, target: [real], output: [predictions], reuse: fold") +
		sklearn(python, "sk-called", "lasso", "params: {alpha: 1.0}, target: [real], output: [predictions], style: calls") +
		"datasets: [{name: t, format: csv, files: {all: t.csv}, target: {column: \"y\"}, columns: {group: part}}]\nfolds: {kind: given, column: part}\n" +
		`algorithms:
  - {name: ours, engine: lasso, params: {lambda: 25}}
  - {name: theirs, engine: sk-lasso, params: {alpha: 0.25}}
  - {name: predicts, engine: sk-predicts, params: {alpha: 0.25}}
  - {name: called, engine: sk-called, params: {alpha: 0.25}}
metrics: [test_mse, train_mse, selected]
`)
	ours := rows["ours 0"]
	want := c.objective(coefficientsOf(ours), 25)
	if n := len(ours.Outcome.Selected); n < 3 || n == 12 || ours.RowsTrain != 100 {
		t.Fatalf("%d of 12 columns selected on %d rows: it tells nothing", n, ours.RowsTrain)
	}
	for _, name := range []string{"theirs 0", "predicts 0", "called 0"} {
		if got := c.objective(coefficientsOf(rows[name]), 25); !(math.Abs(got-want) <= 1e-6*want) {
			t.Errorf("%s: objective %.12g, ours %.12g", name, got, want)
		}
		for _, metric := range []string{"test_mse", "train_mse"} {
			value := scoresOf(ours)[metric]
			if got := scoresOf(rows[name])[metric]; !(math.Abs(got-value) <= 1e-6*value) {
				t.Errorf("%s: %s is %v, ours %v", name, metric, got, value)
			}
		}
	}
	if off := c.objective(map[string]float64{"x0": 5}, 25); off < want*1.01 { // the measure can tell
		t.Errorf("another model has the objective %v, the lasso %v", off, want)
	}
}

// TestSklearnSelections: SelectKBest(chi2) selects our chi2's columns in its order; recursive elimination and a pipeline select as many as they
// are asked for, from the columns as they were; of three levels, with probabilities, decision values and labels alone.
func TestSklearnSelections(t *testing.T) {
	t.Parallel()
	python := pythonWith(t, "sklearn")
	p := newPeers(t, pythonAdapter)
	p.write("peers.py", sklearnPeers)
	p.write("t.csv", newCounted(3).text)
	_, rows := p.play("methods:\n" +
		sklearn(python, "sk-chi2", "chi2", "params: {k: 4}, target: [class], output: [selected], counts: true") +
		sklearn(python, "sk-rfe", "rfe", "params: {k: 4}, target: [class], output: [selected]") +
		sklearn(python, "sk-forest", "forest", "params: {n_estimators: 20, max_features: 1.0}, target: [class], output: [selected, predictions, probabilities]") +
		sklearn(python, "sk-svm", "svm", "params: {C: 1.0}, target: [class], output: [predictions]") +
		sklearn(python, "sk-linear", "svm", "params: {C: 1.0}, target: [class], output: [coefficients]") +
		sklearn(python, "sk-codes", "codes", "target: [class], output: [predictions]") +
		sklearn(python, "sk-picked", "picked", "params: {k: 4}, target: [class], output: [selected, predictions], counts: true") +
		sklearn(python, "sk-both", "svm", "params: {C: 1.0}, target: [class], output: [selected, coefficients]") +
		sklearn(python, "sk-scaled", "scaled", "params: {k: 4}, target: [class], output: [selected, predictions, probabilities]") +
		"datasets: [{name: t, format: csv, files: {all: t.csv}, target: {column: \"y\"}, columns: {group: part}}]\nfolds: {kind: given, column: part}\n" +
		`algorithms:
  - {name: ours, engine: chi2, params: {features: 4}}
  - {name: theirs, select: {engine: sk-chi2}, refit: {engine: logistic}}
  - {name: rfe, select: {engine: sk-rfe}, refit: {engine: logistic}}
  - {name: forest, engine: sk-forest}
  - {name: svm, engine: sk-svm}
  - {name: linear, engine: sk-linear}
  - {name: codes, engine: sk-codes}
  - {name: picked, engine: sk-picked}
  - {name: both, engine: sk-both}
  - {name: scaled, engine: sk-scaled}
  - {name: majority, engine: majority}
metrics: [accuracy, log_loss, selected]
`)
	if ours, theirs := orderOf(rows["ours 0"]), orderOf(rows["theirs 0"]); len(ours) != 4 || !slices.Equal(ours, theirs) {
		t.Errorf("chi2 selects %v, SelectKBest %v", ours, theirs)
	}
	for _, name := range []string{"rfe 0", "scaled 0", "picked 0"} {
		if got := orderOf(rows[name]); len(got) != 4 {
			t.Errorf("%s selects %v", name, got)
		}
	}
	if got := orderOf(rows["forest 0"]); len(got) < 5 || got[0] != "x0" {
		t.Errorf("the forest's importances are %v", got)
	}
	least := scoresOf(rows["majority 0"])
	for _, name := range []string{"theirs 0", "rfe 0", "forest 0", "svm 0", "linear 0", "codes 0", "scaled 0", "picked 0", "both 0"} {
		if got := scoresOf(rows[name])["accuracy"]; got < least["accuracy"]+0.05 {
			t.Errorf("%s has accuracy %v, the majority %v", name, got, least["accuracy"])
		}
	}
	if got := scoresOf(rows["scaled 0"])["log_loss"]; got > least["log_loss"]-0.1 {
		t.Errorf("by predict_proba the log-loss is %v, that of shares %v", got, least["log_loss"])
	}
	if a, b := rows["svm 0"].Outcome.Predictions.PredictionLabel, rows["linear 0"].Outcome.Predictions.PredictionLabel; !slices.Equal(a, b) {
		t.Errorf("decision_function predicts %v, coefficients %v", a, b)
	}
}

// nearest predicts by the mean response of the nearest training rows, by sorted order of one column, which it also selects.
const nearest = `import numpy as np
from tenfold_method import serve

def dense(x):
    return x if isinstance(x, np.ndarray) else x.toarray()

class Nearest:
    def __init__(self, x, y, rows):
        self.x, self.y, self.rows = x, y, rows
    def predict(self, x):
        far = ((dense(x)[:, None, :] - self.x[None, :, :]) ** 2).sum(axis=2)
        return self.y[np.argsort(far, axis=1, kind="stable")[:, : self.rows]].mean(axis=1)

def fit(x, y, request):
    assert request.features[0] == "x0" and request.levels is None and request.groups is None and request.weights is None
    return {"predict": Nearest(dense(x), y, request.params["rows"]).predict, "selected": [2, 0], "scores": [2.5, 1], "facts": {"seed": request.seed % 7}}

serve(fit)
`

// TestPythonAdapter: numbers are the same for one worker and three, and by each way to be asked: a process a fit, one for a fold, calls; as
// sparse text or as arrays.
func TestPythonAdapter(t *testing.T) {
	t.Parallel()
	python := pythonWith(t, "scipy")
	p := newPeers(t, pythonAdapter)
	p.write("peers.py", nearest)
	p.write("t.csv", newCounted(0).text)
	text := func(more string) string {
		return fmt.Sprintf("methods:\n  - {name: nearest, command: [%q, peers.py], code: [peers.py], params: {rows: 3}, target: [real], output: [selected, predictions]%s}\n", python, more) +
			"datasets: [{name: t, format: csv, files: {all: t.csv}, target: {column: \"y\"}, columns: {drop: [part]}}]\nfolds: {kind: kfold, k: 3}\n" +
			"algorithms: [{name: nearest, engine: nearest, tune: {rows: [1, 10], k: 2}}]\nmetrics: [test_mse, selected]\n"
	}
	want, rows := p.play(text(""), "--jobs", "1")
	if three, _ := p.play(text(""), "--jobs", "3"); three != want {
		t.Errorf("one worker: %s, three: %s", want, three)
	}
	if got := orderOf(rows["nearest 0"]); !slices.Equal(got, []string{"x2", "x0"}) {
		t.Errorf("selected %v", got)
	}
	for _, way := range []string{", reuse: fold", ", style: calls", ", matrix: mtx"} {
		_, other := p.play(text(way), "--jobs", "3")
		for name, r := range rows {
			got := other[name]
			if a, b := scoresOf(r)["test_mse"], scoresOf(got)["test_mse"]; a != b || !slices.Equal(orderOf(r), orderOf(got)) || !slices.Equal(r.Outcome.Predictions.Prediction, got.Outcome.Predictions.Prediction) {
				t.Errorf("%q, %s: test MSE %v, was %v", way, name, b, a)
			}
		}
	}
}

// TestSklearnLacksLevels: a level that is not among the training rows has probability 0, or a score below that of all others.
func TestSklearnLacksLevels(t *testing.T) {
	t.Parallel()
	python := pythonWith(t, "sklearn")
	p := newPeers(t, pythonAdapter)
	p.write("peers.py", sklearnPeers)
	text := newCounted(2).text
	for _, level := range []string{"a", "b"} { // in a test row alone
		text = strings.Replace(text, ","+level+",test", ",only-"+level+",test", 1)
	}
	p.write("t.csv", text)
	_, rows := p.play("methods:\n" +
		sklearn(python, "sk-forest", "forest", "params: {n_estimators: 10}, target: [class], output: [predictions, probabilities]") +
		sklearn(python, "sk-svm", "svm", "params: {C: 1.0}, target: [class], output: [predictions]") +
		sklearn(python, "sk-linear", "svm", "params: {C: 1.0}, target: [class], output: [coefficients]") +
		"datasets: [{name: t, format: csv, files: {all: t.csv}, target: {column: \"y\"}, columns: {group: part}}]\nfolds: {kind: given, column: part}\n" +
		"algorithms:\n  - {name: forest, engine: sk-forest}\n  - {name: svm, engine: sk-svm}\n  - {name: linear, engine: sk-linear}\nmetrics: [accuracy]\n")
	for _, name := range []string{"forest", "svm", "linear"} {
		r := rows[name+" 0"]
		if r.RowsTest != 50 || len(r.Outcome.Predictions.PredictionLabel) != 50 {
			t.Fatalf("%s: %d test rows, %d predictions", name, r.RowsTest, len(r.Outcome.Predictions.PredictionLabel))
		}
		for _, label := range r.Outcome.Predictions.PredictionLabel {
			if strings.HasPrefix(label, "only") {
				t.Errorf("%s predicts %s, which no training row has", name, label)
			}
		}
		if got := scoresOf(r)["accuracy"]; got < 0.7 || got > 48.0/50 {
			t.Errorf("%s: accuracy %v", name, got)
		}
	}
}

// TestPythonAdapterRefuses: mistakes of a function end the fit with a sentence that says what was found and expected.
func TestPythonAdapterRefuses(t *testing.T) {
	t.Parallel()
	python := pythonWith(t, "scipy")
	for fit, want := range map[string]string{
		"return None":          "fit returned nothing, expected a dict",
		"return {'coeff': []}": "fit returned 'coeff', expected some of selected, scores, coef",
		"return {'predict': print, 'selected': [0], 'scores': [x.max() * float('nan')]}": "fit returned scores with numbers that are not finite",
		"return {'selected': [0]}":                    "fit returned no function predict",
		"return {'predict': lambda x: x}":             "predict cannot be pickled",
		"return {'coef': y, 'predict': print}":        "fit returned coef of shape (100,), expected 12 columns × 1 outputs",
		"x[0, 0] = 1":                                 "read-only",
		"return {'predict': print, 'selected': [99]}": "selected[0]: column 99, expected 0 to 11",
	} {
		t.Run(fit, func(t *testing.T) {
			t.Parallel()
			p := newPeers(t, pythonAdapter)
			p.write("peers.py", "from tenfold_method import serve\ndef fit(x, y, request):\n    print('hello', end='')\n    "+fit+"\nserve(fit)\n")
			p.write("t.csv", newCounted(0).text)
			p.write("peers.yaml", "tenfold: 1\nname: peers\nmethods:\n"+sklearn(python, "m", "x", "target: [real], output: [predictions], reuse: fold")+
				"datasets: [{name: t, format: csv, files: {all: t.csv}, target: {column: \"y\"}, columns: {group: part}}]\nfolds: {kind: given, column: part}\nalgorithms: [{name: m, engine: m}]\n")
			text, err := os.ReadFile(filepath.Join(p.dir, "peers.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			p.write("peers.yaml", strings.Replace(string(text), ", x]", "]", 1))
			_, _, errs := p.run("run", filepath.Join(p.dir, "peers.yaml"), "--allow-methods", "--out", filepath.Join(t.TempDir(), "run"))
			wants(t, errs, want, "1 of 1 fits failed")
		})
	}
}
