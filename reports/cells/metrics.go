package cells

import (
	"slices"
	"strings"

	"tenfold/io/results"
)

// OfCell tells whether a metric is measured on the folds of a cell together, so that no single fold has a value: there is
// no test over folds then.
func OfCell(metric string) bool { return metric == results.StabilityMetric }

// Contested tells whether one value of a metric is better than another. It is not so of size and effort, and of how well
// the training rows are fitted.
func Contested(metric string) bool {
	return !strings.HasPrefix(metric, "train_") &&
		!slices.Contains([]string{"nonzero", "selected", "seconds_fit", "seconds_predict", "iterations", "evaluations", "objective", "duality_gap",
			"description_length", "model_bits", "null_bits"}, metric)
}

// RowMeans are the metrics that are means over the test rows, so that those of several folds pool into that of all their rows.
func RowMeans() []string {
	return []string{"accuracy", "error", "log_loss", "mae", "micro_f1", "test_mse"}
}

// Commensurable tells whether values of a metric on different data sets are on one scale, so that their mean says
// something: shares and correlations are, while errors and likelihoods have the units of each response, and counts and
// times the size of each data set.
func Commensurable(metric string) bool {
	name := strings.TrimPrefix(metric, "train_")
	for _, part := range []string{"accuracy", "precision", "recall", "f1"} { // balanced_accuracy, chunk_f1, feature_recall ...
		if name == part || strings.HasSuffix(name, "_"+part) {
			return true
		}
	}
	return strings.HasPrefix(name, "f:") ||
		slices.Contains([]string{"error", "f2", "mcc", "roc_auc", "pr_auc", "r2", "test_r2", results.StabilityMetric}, name)
}
