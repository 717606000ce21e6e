package engines

import (
	"context"
	"errors"

	"tenfold/engines/data"
	"tenfold/engines/param"
)

// InnerFolds holds the options of folds inside the training rows, and the metric by which models are compared on the rows held out.
type InnerFolds struct {
	K       int    `yaml:"k" json:"k" doc:"inner folds, at least 2; fewer where the training rows have fewer of every class, or groups"`
	Repeats int    `yaml:"repeats" json:"repeats" doc:"times that the inner folds are drawn, 1 to 1000"`
	Metric  string `yaml:"metric" json:"metric" ref:"metric" doc:"what is compared: a metric of predictions (default log_loss for classes where all candidates give probabilities, else accuracy; test_mse for numbers, partial_log_likelihood for survival)"`
}

// maxRepeats limits the repeats of the inner folds, which are all kept in memory.
const maxRepeats = 1000

// Validate checks the options, except the name of the metric.
func (o InnerFolds) Validate() error {
	return errors.Join(
		param.Require("k", o.K >= 2, "%d folds, expected at least 2", o.K),
		param.Require("repeats", o.Repeats >= 1 && o.Repeats <= maxRepeats, "%d, expected 1 to %d", o.Repeats, maxRepeats),
	)
}

// ComparedBy returns the key and the name of the metric; "" for that of the type of target.
func (o InnerFolds) ComparedBy() (key, metric string) { return "metric", o.Metric }

// Validation holds inner folds, and how models are measured on the rows that these hold out.
type Validation struct {
	Folds []HeldOut
	Comparison
}

// Comparison says how models are measured.
type Comparison struct {
	Metrics []InnerMetric // in order of preference: a later one stands in where models give no probabilities
	// Measure returns the value of each metric of a model's predictions for held rows, NaN where it is undefined. train is the rows
	// that the model was fitted to. Safe for several goroutines.
	Measure func(m Model, train, held *data.View) ([]float64, error)
}

// HeldOut is an inner fold: the rows to fit, and those to measure on.
type HeldOut struct{ Train, Held *data.View }

// InnerMetric describes a metric.
type InnerMetric struct {
	Name   string
	Higher bool // whether larger values are better
	ByRow  bool // whether it is a mean over rows
}

// Divide divides the training rows of a run into inner folds, by the rules of its outer folds and with draws from the seed. Notes of
// fewer folds than the options ask for go to Warn. Runs of the runner have it: engines know neither metrics nor folds by name.
type Divide func(ctx context.Context, run Run, o InnerFolds, seed uint64) (Validation, error)
