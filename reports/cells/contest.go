package cells

import (
	"slices"
	"strings"
)

// Contested tells whether one value of a metric is better than another. It is not so of size and effort, and of how well
// the training rows are fitted.
func Contested(metric string) bool {
	return !strings.HasPrefix(metric, "train_") &&
		!slices.Contains([]string{"nonzero", "selected", "seconds_fit", "seconds_predict", "iterations", "evaluations"}, metric)
}
