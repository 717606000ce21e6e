package results

import (
	"maps"
	"slices"
)

// Properties are what reports need to know of a metric besides its values and its direction. The footers of results.parquet
// and metrics.parquet have them, so a metric that runner/metric adds is handled by reports that have never heard of it.
type Properties struct {
	Work          bool   `json:"work,omitempty"`          // size, time or effort of a fit
	Training      bool   `json:"training,omitempty"`      // how well the training rows are fitted
	RowLoss       string `json:"row_loss,omitempty"`      // what the metric is the mean of, over the test rows; "" where it is no such mean
	Root          bool   `json:"root,omitempty"`          // the metric is the root of that mean
	Commensurable bool   `json:"commensurable,omitempty"` // values on different data sets are on one scale, so that their mean says something
	Axis          string `json:"axis,omitempty"`          // words for the axis of a figure, with the unit; "": the metric's name
}

// Labels of the truth of a survival target, whose truth is a time: how it ended.
const (
	Event    = "event"
	Censored = "censored"
)

// Losses of one row. They follow from what predictions.parquet has: the truth and the prediction, or the log-probability of the truth;
// the Brier loss, for which it would take the probabilities of all levels, does not.
const (
	SquaredLoss  = "squared"
	AbsoluteLoss = "absolute"
	ZeroOneLoss  = "zero-one"
	LogLoss      = "log"
	BrierLoss    = "brier"   // Σ over the levels of (probability − truth)²
	Correct      = "correct" // 1 − zero-one loss
	// IntegratedBrierLoss of a survival target takes what curves.parquet has, too.
	IntegratedBrierLoss = "integrated brier"
)

// Contested reports whether one value of the metric is better than another: not of size and effort, nor on training rows.
func (p Properties) Contested() bool { return !p.Work && !p.Training }

// RowMean reports whether the metric is a mean over test rows, so that those of several folds pool into that of all their rows.
func (p Properties) RowMean() bool { return p.RowLoss != "" && !p.Root }

// Metrics are the properties of metrics by name.
type Metrics map[string]Properties

// Or adds those of metrics that are not described yet.
func (m Metrics) Or(others Metrics) Metrics {
	out := make(Metrics, len(m)+len(others))
	maps.Copy(out, others)
	maps.Copy(out, m)
	return out
}

// Having returns the names of the metrics of which something is true, in alphabetical order.
func (m Metrics) Having(is func(Properties) bool) []string {
	var names []string
	for name, p := range m {
		if is(p) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
