package metric

import "tenfold/io/results"

// ofCells are the metrics that are measured on all folds of a cell together. A fold has none of them; they are computed
// from the stored selections where they are shown, so asking for one runs nothing again.
func ofCells() []Metric {
	return []Metric{{
		Name:   results.StabilityMetric,
		Doc:    "how far the folds select the same features (Nogueira, Sechidis & Brown 2018, JMLR 18(174)): 1 all the same, 0 as by chance",
		Better: Higher, Properties: Properties{Commensurable: true, Axis: "stability of the selection (Nogueira's Φ)"},
	}}
}
