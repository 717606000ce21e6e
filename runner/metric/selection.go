package metric

import "tenfold/io/results"

// ofCells returns the metrics that are measured on all folds of a cell together. A fold has none of them. They are computed from
// stored selections when they are shown, so asking for one needs no new fits.
func ofCells() []Metric {
	return []Metric{{
		Name:   results.StabilityMetric,
		Doc:    "how far the folds select the same features (Nogueira, Sechidis & Brown 2018, JMLR 18(174)): 1 all the same, 0 as by chance",
		Better: Higher, Properties: Properties{Commensurable: true, Axis: "stability of the selection (Nogueira's Φ)"},
	}, similar(results.StabilityYu, "SMA-Yu", "half a column counts for each of two that stand for each other"),
		similar(results.StabilityMBM, "SMA-MBM", "columns that stand for each other are paired one to one, as many as can be"),
		similar(results.StabilityZucknick, "Zucknick et al. 2008", "columns count by their correlations; not corrected for chance")}
}

// similar returns a measure of stability that credits similar columns.
func similar(name, called, how string) Metric {
	return Metric{
		Name:   name,
		Doc:    "as stability, where columns of a data set that says `similar` can stand for each other (" + called + "; Bommert & Rahnenführer 2020): " + how,
		Better: Higher, Needs: SimilarColumns, Properties: Properties{Commensurable: true, Axis: "stability with stand-ins (" + called + ")"},
	}
}
