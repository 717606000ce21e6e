package results

import (
	"maps"
	"slices"
)

// Properties describes a metric to reports, apart from its values and its direction. The footers of results.parquet and
// metrics.parquet have it, so that reports can handle metrics that they do not know.
type Properties struct {
	Work          bool   `json:"work,omitempty"`          // size, time or effort of a fit
	Training      bool   `json:"training,omitempty"`      // how well the training rows are fitted
	RowLoss       string `json:"row_loss,omitempty"`      // loss whose mean over the test rows is the metric; "" if it is not such a mean
	Root          bool   `json:"root,omitempty"`          // the metric is the square root of that mean
	Commensurable bool   `json:"commensurable,omitempty"` // values on different data sets are on one scale, so that their mean is meaningful
	Axis          string `json:"axis,omitempty"`          // words for the axis of a figure, with the unit; "": the metric's name
	None          string `json:"none,omitempty"`          // what has no value, in words: "test rows of one class have none"
	Infinite      string `json:"infinite,omitempty"`      // what makes it infinite, in words
	Costs         Costs  `json:"costs,omitempty"`         // of CostLoss
}

// Costs holds what predictions cost, by true level and in each by predicted level; 0 for those that are missing.
type Costs map[string]map[string]float64

// Levels returns the names of all levels of the costs, in alphabetical order.
func (c Costs) Levels() []string {
	named := map[string]bool{}
	for truth, row := range c {
		named[truth] = true
		for prediction := range row {
			named[prediction] = true
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// Matrix returns the costs [true][predicted] in an order of levels; nil if none of these levels is among those of the costs.
func (c Costs) Matrix(levels []string) [][]float64 {
	named := c.Levels()
	if !slices.ContainsFunc(levels, func(l string) bool { return slices.Contains(named, l) }) {
		return nil
	}
	matrix := make([][]float64, len(levels))
	for t, truth := range levels {
		matrix[t] = make([]float64, len(levels))
		for p, prediction := range levels {
			matrix[t][p] = c[truth][prediction]
		}
	}
	return matrix
}

// AreaPrefix begins the names of metrics along a selection path, followed by the metric that is measured at each of its sizes.
const AreaPrefix = "area:"

// Labels of the truth of a survival target, whose truth is a time: whether it ended in the event.
const (
	Event    = "event"
	Censored = "censored"
)

// Losses of one row. They follow from the columns of predictions.parquet: the truth and the prediction, or the log-probability of
// the truth; the Brier loss does not, because it takes the probabilities of all levels.
const (
	SquaredLoss  = "squared"
	AbsoluteLoss = "absolute"
	ZeroOneLoss  = "zero-one"
	LogLoss      = "log"
	BrierLoss    = "brier"   // Σ over the levels of (probability − truth)²
	PoissonLoss  = "poisson" // deviance of a count from its expectation
	Correct      = "correct" // 1 − zero-one loss
	CostLoss     = "cost"    // what the prediction costs where the truth is known, by Properties.Costs
	// IntegratedBrierLoss is the loss of a survival target; it takes the curves of curves.parquet as well.
	IntegratedBrierLoss = "integrated brier"
)

// Contested reports whether one value of the metric is better than another: false for size and effort, and for fit to training
// rows.
func (p Properties) Contested() bool { return !p.Work && !p.Training }

// RowMean reports whether the metric is a mean over test rows, so that values of several folds can be pooled.
func (p Properties) RowMean() bool { return p.RowLoss != "" && !p.Root }

// Metrics holds the properties of metrics by name.
type Metrics map[string]Properties

// Or returns the metrics together with those of others that are not described yet.
func (m Metrics) Or(others Metrics) Metrics {
	out := make(Metrics, len(m)+len(others))
	maps.Copy(out, others)
	maps.Copy(out, m)
	return out
}

// Having returns the names of the metrics for which is returns true, in alphabetical order.
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
