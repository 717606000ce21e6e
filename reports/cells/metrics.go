package cells

import (
	"slices"

	"tenfold/io/results"
)

// OfCell reports whether a metric is measured on the folds of a cell together, so that no single fold has a value and there is no
// test over folds.
func OfCell(metric string) bool { return slices.Contains(results.CellMetrics, metric) }
