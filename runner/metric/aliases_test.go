package metric

import (
	"testing"

	"tenfold/engines/suggest"
)

// Names of scores in scikit-learn, caret, yardstick, mlr3 and scikit-survival lead to the metric that computes the same.
func TestNamesOfMetricsElsewhere(t *testing.T) {
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
		"sensitivity":                         "recall", "Sens": "recall", "Spec": "specificity", "tnr": "specificity", "classif.tpr": "recall", "ppv": "precision", "Pos_Pred_Value": "precision",
		"bal_accuracy": "balanced_accuracy", "classif.bacc": "balanced_accuracy", "kap": "kappa", "cohen_kappa_score": "kappa", "mn_log_loss": "log_loss", "logLoss": "log_loss",
		"classif.ce": "error", "f_meas": "f1", "rsq": "test_r2", "Rsquared": "test_r2", "RMSE": "rmse", "regr.rmse": "rmse", "hand_till": "auc_hand_till",
		"c_index": "concordance", "surv.cindex": "concordance", "concordance_index_censored": "concordance", "uno_c": "uno_concordance", "surv.graf": "integrated_brier",
		"fpr": "", "mape": "", "j_index": "", "huber_loss": "",
	} {
		if got := suggest.Nearest(theirs, names); got != ours {
			t.Errorf("%s leads to %q, expected %q", theirs, got, ours)
		}
	}
}
