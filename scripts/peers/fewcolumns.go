package main

// fewColumns returns the workloads of the commonest table: dense, with more rows than columns, two classes, five folds.
func fewColumns() []workload {
	on := func(name, problem, about, engine, params, metric, label, model string) workload {
		return workload{name: name, problem: problem, engine: engine, metric: metric, about: about + ", on 5 folds",
			experiment: "datasets:\n  - {name: d, format: npz, files: {all: \"{data}/all.npy\", all_y: \"{data}/sign.npy\", groups: \"{data}/folds.npy\"}, target: {type: class, positive: \"1\"}}\n" +
				"folds: {kind: given, column: groups}\nalgorithms:\n  - {name: ours, engine: " + engine + ", params: {" + params + "}}\nmetrics: [" + metric + "]\n",
			peers: []peer{{program: sklearn, label: label, limit: minutes, script: "table.py", args: []string{"{data}", model}}}}
	}
	return []workload{
		on("l2-T", "T", "50,000 × 50 dense: L2 logistic, penalty 1", "logistic", "c2: 1", "log_loss", "scikit-learn lbfgs, tol 1e-4", "l2"),
		on("l1-T", "T", "50,000 × 50 dense: L1 logistic, penalty 1", "l1", "c1: 1, bias: penalized", "log_loss", "scikit-learn liblinear, tol 1e-4", "l1"),
		on("svm-hinge-T", "T", "50,000 × 50 dense: linear support vectors, hinge, C 1", "linear-svm", "bias: penalized", "accuracy", "scikit-learn LinearSVC, hinge", "hinge"),
		on("svm-rbf-T10", "T10", "5,000 × 50 dense: support vectors, RBF, C 1", "svm", "scale: none", "accuracy", "scikit-learn SVC", "rbf"),
	}
}
