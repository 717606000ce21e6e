package results

import (
	"cmp"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/io/results/stability"
)

// StabilityMetric is the name of a metric that is measured on the folds of a cell together: no row has it, so it is
// not a column of results.parquet. Higher is better.
const StabilityMetric = "stability"

// The metrics that credit similar columns (reports/agree), and all that are measured on the folds of a cell together.
const (
	StabilityMBM      = "stability_mbm"
	StabilityYu       = "stability_yu"
	StabilityZucknick = "stability_zucknick"
)

// CellMetrics lists the metrics that no row has, because they are measured on the folds of a cell together.
var CellMetrics = []string{StabilityMetric, StabilityMBM, StabilityYu, StabilityZucknick}

// MeanStability returns the mean over some cells, in the form that metrics over folds have; no single fold has a value that
// could spread. Its N counts folds, and its standard error takes the cells for independent.
func MeanStability(cells []stability.Estimate) Stat {
	out := Summarise(nil)
	if len(cells) == 0 {
		return out
	}
	mean := stability.Mean(cells)
	out.N, out.Mean, out.SE, out.Low, out.High = mean.Folds, mean.Mean, mean.SE, mean.Low, mean.High
	return out
}

// Sets collects what the folds of one cell selected: features, so with several outputs those selected for any of them.
type Sets struct {
	names   [][]string
	columns int64 // of the fold with most
	chosen  bool  // some fold left out a column
}

// OfFolds returns the names of the features of each fold, and the columns of the fold with most.
func (s *Sets) OfFolds() (names [][]string, columns int64) { return s.names, s.columns }

// Add adds a fold that ended well.
func (s *Sets) Add(o *Outcome, selected []Selected) {
	selected = o.Chosen(selected)
	names := make([]string, len(selected))
	for i := range selected {
		names[i] = selected[i].Counted()
	}
	s.names = append(s.names, names)
	s.columns = max(s.columns, o.Candidates())
	s.chosen = s.chosen || !o.SelectedAll()
}

// ProbesMetric is the name of a metric that exactly those fits have whose data had probes.
const ProbesMetric = "probes_selected"

// Chosen returns the selected features that are a choice among the columns of the data itself: no probes, and none that are kept in
// every model. It returns the list itself if it has neither.
func (o *Outcome) Chosen(selected []Selected) []Selected {
	other := o.Other()
	if !slices.ContainsFunc(selected, other) {
		return selected
	}
	return slices.DeleteFunc(slices.Clone(selected), other)
}

// Other returns the function that reports whether a selected feature is no choice among the columns of the data: a probe, or kept.
func (o *Outcome) Other() func(Selected) bool {
	probes, _ := o.Metric(ProbesMetric) // NaN without
	return func(s Selected) bool { return s.Kept || probes > 0 && data.IsProbe(s.Feature) }
}

// SelectedAll reports whether the fit selected every column of its fold that it could, as ridge does, which selects nothing.
func (o *Outcome) SelectedAll() bool { return o.Columns > 0 && int64(o.Features) >= o.Candidates() }

// Metrics of what could be selected. Exactly those fits have UnitsMetric, the number of units but for kept ones, whose data count
// several columns as one, and exactly those have the other two that keep columns in every model: how many these are, and how many
// features the model has with them.
const (
	UnitsMetric            = "units"
	KeptMetric             = "kept"
	SelectedWithKeptMetric = "selected_with_kept"
)

// PathEndMetric is measured at each size of a path: the size, or where the path ended if it has no model of so many features.
const PathEndMetric = "path_end"

// Candidates returns how many columns, or units, could be selected: none that are kept.
func (o *Outcome) Candidates() int64 {
	if n, had := o.Metric(UnitsMetric); had {
		return int64(n)
	}
	if n, had := o.Metric(KeptMetric); had {
		return o.Columns - int64(n)
	}
	return o.Columns
}

// Counted returns the name that a selected feature counts under: its unit, or its own.
func (s Selected) Counted() string { return cmp.Or(s.Unit, s.Feature) }

// Stability measures the selections. Besides the errors of stability.Of, it returns stability.ErrUndefined if each fold selected all of its
// own columns, in which folds can differ.
func (s *Sets) Stability() (stability.Estimate, error) {
	if !s.chosen && len(s.names) > 0 {
		return stability.Estimate{}, fmt.Errorf("%w: every fold selected all of its columns", stability.ErrUndefined)
	}
	return stability.Of(s.names, int(s.columns))
}
