package figure

import (
	"cmp"
	"strings"

	"tenfold/io/results"
)

// words for metrics, with their units, and for dimensions, where there are better ones than their names.
var words = map[string]string{
	"test_mse": "mean squared error on test rows", "train_mse": "mean squared error on training rows",
	"rmse": "root mean squared error on test rows", "mae": "mean absolute error on test rows",
	"test_r2": "R² on test rows", "train_r2": "R² on training rows",
	"accuracy": "accuracy on test rows", "train_accuracy": "accuracy on training rows", "error": "error on test rows",
	"balanced_accuracy": "balanced accuracy on test rows", "precision": "precision on test rows", "recall": "recall on test rows",
	"f1": "F1 on test rows", "f2": "F2 on test rows", "macro_f1": "macro-averaged F1 on test rows", "micro_f1": "micro-averaged F1 on test rows",
	"mcc": "Matthews correlation on test rows", "roc_auc": "area under the ROC curve on test rows",
	"pr_auc":         "area under the precision–recall curve on test rows",
	"log_likelihood": "log-likelihood of test rows (nats)", "log_loss": "log-loss on test rows (nats)",
	"train_log_likelihood": "log-likelihood of training rows (nats)", "train_log_loss": "log-loss on training rows (nats)",
	"chunk_precision": "precision of chunks in test rows", "chunk_recall": "recall of chunks in test rows", "chunk_f1": "F1 of chunks in test rows",
	"coefficient_precision": "precision of the selected coefficients", "coefficient_recall": "recall of the true coefficients",
	"feature_precision": "precision of the selected features", "feature_recall": "recall of the true features",
	"selected": "number of selected features", "nonzero": "number of non-zero coefficients",
	results.StabilityMetric: "stability of the selection (Nogueira's Φ)",
	"iterations":            "number of iterations", "evaluations": "number of candidates examined",
	"objective": "objective on training rows", "duality_gap": "duality gap (share of the objective)",
	"description_length": "description length (bits)", "model_bits": "description length of the model (bits)",
	"null_bits":   "description length without features (bits)",
	"seconds_fit": "time of the fit (s)", "seconds_predict": "time of the predictions (s)",
	results.PointDim: "number of features on the path", "data_train_fraction": "share of the training rows", "lambda": "penalty λ", "epsilon": "step size ε",
}

// Worded is a metric or a parameter as the axis of a figure has it: in the words of labels, which a file gives, or in ours.
func Worded(name string, labels map[string]string) string {
	own := words[name]
	if beta, ok := strings.CutPrefix(name, "f:"); ok {
		own = "F" + beta + " on test rows"
	}
	if own == "" { // a parameter
		own = strings.NewReplacer("_", " ", ".", " ").Replace(strings.TrimPrefix(name, "data_"))
	}
	return cmp.Or(labels[name], own)
}

func (in Input) worded(name string) string { return Worded(name, in.Labels) }
