package metric

import (
	"testing"

	"tenfold/engines/suggest"
)

// scikit-learn's names of scores, and of its functions, lead to the metric that computes the same.
func TestNamesOfScikitLearn(t *testing.T) {
	t.Parallel()
	var names []string
	for _, m := range All() {
		names = append(names, m.Name)
	}
	for theirs, ours := range map[string]string{
		"brier_score_loss": "brier_score", "neg_brier_score": "brier_score", "balanced_accuracy_score": "balanced_accuracy", "matthews_corrcoef": "mcc",
		"roc_auc_score": "roc_auc", "roc_auc_ovo": "auc_hand_till", "roc_auc_ovr": "auc_ovr", "average_precision_score": "pr_auc", "average_precision": "pr_auc",
		"f1_score": "f1", "f1_macro": "macro_f1", "f1_micro": "micro_f1", "neg_log_loss": "log_loss", "accuracy_score": "accuracy", "recall_macro": "balanced_accuracy",
		"precision_score": "precision", "recall_score": "recall", "zero_one_loss": "error", "r2_score": "test_r2", "r2": "test_r2",
		"mean_squared_error": "test_mse", "neg_mean_squared_error": "test_mse", "neg_root_mean_squared_error": "rmse", "mean_absolute_error": "mae",
		"sklearn.metrics.mean_absolute_error": "mae",
	} {
		if got := suggest.Nearest(theirs, names); got != ours {
			t.Errorf("%s leads to %q, expected %q", theirs, got, ours)
		}
	}
}
