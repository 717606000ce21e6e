package main

// fewColumns returns the workloads of the commonest table: dense, with more rows than columns. Penalties that inner folds choose are those of
// one fit to all rows, as is the model of six classes; other models are of five folds.
func fewColumns() []workload {
	on := func(name, problem, about, engine, params, metric, label, model string) workload {
		return workload{name: name, problem: problem, engine: engine, metric: metric, about: about + ", on 5 folds",
			experiment: "datasets:\n  - {name: d, format: npz, files: {all: \"{data}/all.npy\", all_y: \"{data}/sign.npy\", groups: \"{data}/folds.npy\"}, target: {type: class, positive: \"1\"}}\n" +
				"folds: {kind: given, column: groups}\nalgorithms:\n  - {name: ours, engine: " + engine + ", params: {" + params + "}}\nmetrics: [" + metric + "]\n",
			peers: []peer{{program: sklearn, label: label, limit: minutes, script: "table.py", args: []string{"{data}", model}}}}
	}
	whole := func(name, problem, about, rows, response, parameters, algorithm, engine, metric string, p peer) workload {
		p.program, p.limit = sklearn, minutes
		file := func(part string) string { return "\"{data}/" + part + ".npy\"" }
		return workload{name: name, problem: problem, engine: engine, metric: metric, about: about, peers: []peer{p},
			experiment: "datasets:\n  - {name: d, format: npz, files: {train: " + file(rows) + ", train_y: " + file(response) + ", test: " + file(rows) + ", test_y: " + file(response) + "}" + parameters + "}\n" +
				"algorithms:\n  - {name: ours, engine: " + engine + ", " + algorithm + "}\nmetrics: [" + metric + ", seconds_fit]\n"}
	}
	lasso := func(problem, size, rows, response string) workload {
		return whole("tune-lasso-"+problem, problem, size+" dense: lasso, standardised, 100 penalties to 0.001 of the largest on 10 inner folds", rows, response, "",
			"params: {standardize: true}, tune: {lambda_ratio: {log: [1, 0.001, 100]}, k: 10}", "lasso", "test_mse",
			peer{label: "scikit-learn LassoCV", script: "tuned.py", args: []string{"{data}", "lasso", rows, response, "10"}})
	}
	return []workload{
		whole("tune-l2-V", "V", "8,000 × 60 dense: L2 logistic, ten penalties on 5 inner folds", "all", "sign", ", target: {type: class, positive: \"1\"}", "tune: {c2: {log: [1e-4, 1e4, 10]}, k: 5}", "logistic", "log_loss",
			peer{label: "scikit-learn LogisticRegressionCV", script: "tuned.py", args: []string{"{data}", "l2", "all", "sign", "5"}}),
		lasso("V", "8,000 × 60", "all", "all.y"),
		lasso("G", "5,000 × 500", "train", "train.y"),
		whole("multinomial-V6", "V6", "8,000 × 60 dense, six classes: multinomial logistic, L2 penalty 1", "all", "class", ", target: class", "params: {c2: 1}", "logistic", "log_loss",
			peer{label: "scikit-learn lbfgs, tol 1e-4", script: "tuned.py", args: []string{"{data}", "l2", "all", "class", "0"}}),
		on("l2-T", "T", "50,000 × 50 dense: L2 logistic, penalty 1", "logistic", "c2: 1", "log_loss", "scikit-learn lbfgs, tol 1e-4", "l2"),
		on("l1-T", "T", "50,000 × 50 dense: L1 logistic, penalty 1", "l1", "c1: 1, bias: penalized", "log_loss", "scikit-learn liblinear, tol 1e-4", "l1"),
		on("svm-hinge-T", "T", "50,000 × 50 dense: linear support vectors, hinge, C 1", "linear-svm", "bias: penalized", "accuracy", "scikit-learn LinearSVC, hinge", "hinge"),
		on("svm-rbf-T10", "T10", "5,000 × 50 dense: support vectors, RBF, C 1", "svm", "scale: none", "accuracy", "scikit-learn SVC", "rbf"),
	}
}
