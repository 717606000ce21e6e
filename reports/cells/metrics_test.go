package cells

import "testing"

func TestMetricKinds(t *testing.T) {
	for _, c := range []struct {
		metric                   string
		contested, commensurable bool
	}{
		{"accuracy", true, true}, {"balanced_accuracy", true, true}, {"chunk_f1", true, true}, {"f:0.5", true, true}, {"f2", true, true},
		{"feature_recall", true, true}, {"mcc", true, true}, {"roc_auc", true, true}, {"test_r2", true, true}, {"stability", true, true},
		{"error", true, true}, {"train_accuracy", false, true}, {"train_r2", false, true},
		{"test_mse", true, false}, {"train_mse", false, false}, {"mae", true, false}, {"rmse", true, false}, {"log_likelihood", true, false},
		{"log_loss", true, false}, {"nonzero", false, false}, {"selected", false, false}, {"seconds_fit", false, false}, {"iterations", false, false},
	} {
		if Contested(c.metric) != c.contested || Commensurable(c.metric) != c.commensurable {
			t.Errorf("%s: contested %v, commensurable %v", c.metric, Contested(c.metric), Commensurable(c.metric))
		}
	}
	if !OfCell("stability") || OfCell("accuracy") {
		t.Error("stability is measured on all folds together, accuracy on each")
	}
}
