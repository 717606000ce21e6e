package inner

import (
	"fmt"

	"tenfold/engines/data"
	"tenfold/runner/metric"
)

// Metrics returns the metrics to compare by, in order of preference: of tenfold, or those that a file defines. The default for classes is the loss of probabilities: accuracy
// is equal for many candidates, and for all that predict only the most frequent class.
func Metrics(defined metric.Set, name string, rows *data.View) ([]metric.Metric, error) {
	target := rows.TargetInfo(0)
	names := []string{name}
	switch {
	case name != "":
	case target.Type == data.Class:
		names = []string{"log_loss", "accuracy"}
	case target.Type == data.Survival:
		names = []string{"partial_log_likelihood"}
	case target.Type == data.Count:
		names = []string{"poisson_deviance"}
	default:
		names = []string{"test_mse"}
	}
	ms := make([]metric.Metric, len(names))
	for i, name := range names {
		m, ok := defined.Find(name)
		if !ok || !m.OfPredictions() {
			return nil, fmt.Errorf("%s is no metric of predictions", name)
		}
		if !m.Takes(target.Type) {
			return nil, fmt.Errorf("metric %s is for a %s target, %s is %s", name, m.Target, target.Name, target.Type)
		}
		ms[i] = m
	}
	return ms, nil
}
