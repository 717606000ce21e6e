package main

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// workload is one thing to compute, by tenfold and by others.
type workload struct {
	name       string
	problem    string
	about      string
	experiment string // without its head; {data} is the problem's folder
	engine     string // of tenfold, which an older one may lack
	metric     string // what the answers are compared by
	penalties  int    // that both try; none where they have one
	peers      []peer
}

// peer is a way in which another program computes it.
type peer struct {
	program
	label   string
	limit   time.Duration
	script  string   // the arguments begin with a script of ours; none where the program needs none
	args    []string // {data} is the problem's folder, {out} one for what is written
	quality func(data, out string, output []byte) (qualities, error)
}

const (
	minutes   = 10 * time.Minute // what a program may take by the clock
	ourLimit  = 20 * time.Minute
	sparseSet = "datasets:\n  - {name: d, format: npz, files: {train: \"{data}/train.npz\", train_y: \"{data}/train.y.npy\", test: \"{data}/test.npz\", test_y: \"{data}/test.y.npy\"}"
	lineSet   = "datasets:\n  - {name: d, format: svmlight, files: {train: \"{data}/train.svm\", test: \"{data}/test.svm\"}, target: {type: class, positive: \"1\"}}\n"
)

// ourName is how the experiments of a workload are called.
const ourName = "peers"

// text returns the whole experiment file.
func (w workload) text(data string) string {
	return "tenfold: 1\nname: " + ourName + "\n" + strings.ReplaceAll(w.experiment, "{data}", filepath.ToSlash(data))
}

func workloads() []workload {
	return slices.Concat(paths(), densePaths(), timePaths(), linearClassifiers(), fewColumns(), selections(), informed())
}

func paths() []workload {
	lasso := func(problem, about string) workload {
		return workload{name: "lasso-" + problem, problem: problem, engine: "lasso", metric: "objective", penalties: 100,
			about:      about + ": lasso of 100 penalties to 0.0037 of the largest, standardised",
			experiment: sparseSet + "}\nalgorithms:\n  - {name: lasso, engine: lasso, params: {standardize: true, path: 100, lambda_ratio: 0.0037}}\nmetrics: [test_mse]\n",
			peers:      []peer{{program: glmnet, label: "glmnet", limit: minutes, script: "lasso.R", args: []string{"{data}", "100", "0.0037"}}}}
	}
	nested := func(kind, target, parameters, family, metric string) workload {
		return workload{name: "nested-" + kind, problem: "F", engine: "lasso", metric: metric, penalties: 100,
			about: "100 × 10,000 dense, " + kind + ": lasso, 5 outer × 10 inner folds, standardised; 100 penalties to 0.01 of the largest",
			experiment: "datasets:\n  - {name: d, format: npz, files: {all: \"{data}/all.npy\", all_y: \"{data}/" + target + "\", groups: \"{data}/folds.npy\"}" + parameters + "}\n" +
				"folds: {kind: given, column: groups}\nalgorithms:\n  - {name: lasso, engine: lasso, params: {standardize: true}, tune: {lambda_ratio: {log: [1, 0.01, 100]}, k: 10}}\nmetrics: [" + metric + "]\n",
			peers: []peer{{program: glmnet, label: "cv.glmnet", limit: minutes, script: "nested.R", args: []string{"{data}", "100", "100", "0.01", family}}}}
	}
	return []workload{
		lasso("A10", "76,000 × 43,000 of 0 and 1"),
		lasso("A", "764,188 × 190,103 of 0 and 1"),
		{name: "multitask-E", problem: "E", engine: "multitask-lasso", metric: "test_mse", penalties: 51,
			about: "104 × 6,715, 20 responses: group lasso over responses, 5 folds, standardised; the 51 penalties of our path, 25 a decade to 0.01; both read CSV",
			experiment: "datasets:\n  - {name: d, format: csv, files: {train: \"{data}/train.csv\", test: \"{data}/test.csv\"}, target: {columns: [\"y*\"]}}\n" +
				"algorithms:\n  - {name: multitask, engine: multitask-lasso, params: {standardize: true}, tune: {lambda: path, k: 5}}\nmetrics: [test_mse]\n",
			peers: []peer{{program: glmnet, label: "cv.glmnet mgaussian", limit: minutes, script: "multitask.R", args: []string{"{data}", "20", "51", "0.01"}}}},
		nested("numbers", "all.y.npy", "", "gaussian", "test_mse"),
		nested("classes", "sign.npy", ", target: {type: class, positive: \"1\"}", "binomial", "log_loss"),
	}
}

// train returns liblinear's program on problem C, with C = c, to be compared by the objective scale · (c · losses + penalty).
func train(solver, c, tolerance, loss, penalty string, weight, scale float64) peer {
	return peer{program: liblinear, label: "liblinear -s " + solver + " -c " + c + " -e " + tolerance, limit: minutes,
		args: []string{"-s", solver, "-c", c, "-e", tolerance, "{data}/train.svm", "{out}/model"},
		quality: func(data, out string, _ []byte) (qualities, error) {
			objective, err := linearObjective(filepath.Join(out, "model"), filepath.Join(data, "train.svm"), loss, penalty, weight)
			return qualities{"objective": scale * objective}, err
		}}
}

func linearClassifiers() []workload {
	on := func(name, about, algorithm, engine string, peers ...peer) workload {
		return workload{name: name, problem: "C", engine: engine, metric: "objective", about: "179,118 × 400,530 of 0 and 1: " + about,
			experiment: lineSet + "algorithms:\n  - " + algorithm + "\nmetrics: [accuracy]\n", peers: peers}
	}
	return []workload{
		on("l1-C", "L1 logistic, penalty 20", "{name: l1, engine: l1, params: {c1: 20, bias: none}}", "l1",
			train("6", "0.05", "0.0001", "log", "l1", 0.05, 20)),
		on("l2-C", "L2 logistic, penalty 1", "{name: l2, engine: logistic, params: {c2: 1, bias: none}}", "logistic",
			train("0", "1", "0.0001", "log", "l2", 1, 1), train("7", "1", "0.01", "log", "l2", 1, 1)),
		on("svm-hinge-C", "linear support vectors, hinge, C 0.1", "{name: svm, engine: linear-svm, params: {c: 0.1, loss: hinge, bias: none}}", "linear-svm",
			train("3", "0.1", "0.01", "hinge", "l2", 0.1, 1)),
		on("svm-squared-C", "linear support vectors, squared hinge, C 0.1", "{name: svm, engine: linear-svm, params: {c: 0.1, loss: squared-hinge, bias: none}}", "linear-svm",
			train("1", "0.1", "0.01", "squared-hinge", "l2", 0.1, 1)),
		{name: "multinomial-B10", problem: "B10", engine: "logistic", metric: "objective",
			about:      "60,000 rows of 0 and 1, 86 classes: multinomial logistic, L2 penalty 1",
			experiment: sparseSet + ", target: class}\nalgorithms:\n  - {name: l2, engine: logistic, params: {c2: 1}}\nmetrics: [accuracy]\n",
			peers:      []peer{{program: sklearn, label: "scikit-learn lbfgs, tol 1e-4", limit: minutes, script: "multinomial.py", args: []string{"{data}", "1000"}}}},
	}
}

func selections() []workload {
	words := func(score string) workload {
		return workload{name: score, problem: "W", engine: score, metric: "accuracy",
			about:      "20,000 × 50,000 of 0 and 1, 20 classes: the 1,000 best columns by " + score + ", naive Bayes on them",
			experiment: sparseSet + ", target: class}\nalgorithms:\n  - {name: best, select: {engine: " + score + ", params: {features: 1000}}, refit: {engine: naive-bayes}}\nmetrics: [accuracy]\n",
			peers:      []peer{{program: sklearn, label: "scikit-learn SelectKBest", limit: minutes, script: "selection.py", args: []string{"{data}", score}}}}
	}
	return []workload{
		words("chi2"),
		words("mutual-information"),
		{name: "everyday", problem: "S", engine: "forward-stepwise", metric: "seconds_of_fits",
			about: "100 × 20, two classes: 10 algorithms × 10 folds; nobody to compare with",
			experiment: `datasets:
  - {name: d, format: csv, files: {all: "{data}/all.csv"}, target: {column: label, positive: "yes"}}
folds: {kind: kfold, k: 10, stratify: true}
algorithms:
  - {name: majority, engine: majority}
  - {name: naive Bayes, engine: naive-bayes, params: {event: bernoulli}}
  - {name: L1, engine: l1, params: {c1: 1}}
  - {name: L2, engine: logistic, params: {c2: 1}}
  - {name: lasso, engine: lasso}
  - {name: elastic net, engine: elastic-net, params: {alpha: 0.5}}
  - {name: SVM, engine: svm}
  - {name: stepwise, engine: forward-stepwise}
  - {name: description length, engine: mdl}
  - {name: anova, engine: anova, params: {features: 5}}
metrics: [accuracy]
`},
	}
}
