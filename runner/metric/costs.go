package metric

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/suggest"
	"tenfold/io/results"
)

// costMetric returns the weighted mean over rows of what their predictions cost (Elkan 2001, The foundations of cost-sensitive learning).
// It has no value if no level of a target is among those of the costs.
func costMetric(name string, costs results.Costs) Metric {
	return Metric{
		Name: name, Doc: "mean cost of the predictions for test rows", Better: Lower, Target: data.Class, Costs: costs,
		Properties: Properties{RowLoss: results.CostLoss, Costs: costs, Axis: name + " per test row"},
		Score: func(o *Outcome) float64 {
			matrix := costs.Matrix(o.Levels)
			if matrix == nil {
				return math.NaN()
			}
			return o.Test.mean(func(i int) float64 { return matrix[int(o.Test.Truth[i])][int(o.Test.Prediction[i])] })
		},
	}
}

// ByDecisions returns the metric as a function of the weights of rows by true and predicted level, these in the order of levels; nil if it
// does not follow from them.
func (m Metric) ByDecisions(levels []string) func(c Confusion, positive int) float64 {
	matrix := m.Costs.Matrix(levels)
	if matrix == nil {
		return m.Counts
	}
	return func(c Confusion, _ int) float64 {
		cost, weight := 0.0, 0.0
		for t := range c {
			for p, w := range c[t] {
				cost += float64(w * matrix[t][p])
				weight += w
			}
		}
		return cost / weight
	}
}

// OfDecisions reports whether the metric follows from true and predicted classes alone.
func (m Metric) OfDecisions() bool { return m.Counts != nil || m.Costs != nil }

// UnknownLevel says which level of the costs none of these targets has, and which they have; "" if they have all.
func (m Metric) UnknownLevel(targets []data.Target) string {
	for _, level := range m.Costs.Levels() {
		var have []string
		for _, t := range targets {
			have = append(have, t.Levels...)
		}
		if !slices.Contains(have, level) {
			return fmt.Sprintf("has costs of level %q, which the target has not%s", level, suggest.Choices(level, have))
		}
	}
	return ""
}

// Definition is an entry of the list of metrics of an experiment file: the name of a metric, or a metric that the file defines.
type Definition struct {
	Name   string        `yaml:"name" json:"name" read:"required,scalar" ref:"metric" doc:"name of a metric, or the name that the file gives to one of its own"`
	Matrix results.Costs `yaml:"matrix" json:"matrix" doc:"costs by true level, and in each by predicted level: {yes: {no: 5}, no: {yes: 1}}; those that are missing are 0, gains are negative"`
}

// Needless returns a warning if some predicted level of the costs is never worse than another one, whatever the true level: no model is then
// better than predicting it for all rows. It returns "" if there is none.
func (d Definition) Needless() string {
	levels := d.Matrix.Levels()
	matrix := d.Matrix.Matrix(levels)
	for k := range levels {
		worse := func(other int) bool {
			return slices.ContainsFunc(matrix, func(costs []float64) bool { return costs[k] > costs[other] })
		}
		others := slices.DeleteFunc(data.Numbers(len(levels)), func(l int32) bool { return int(l) == k })
		if len(others) > 0 && !slices.ContainsFunc(others, func(l int32) bool { return worse(int(l)) }) {
			return fmt.Sprintf("predicting %s never costs more than another prediction, whatever is true, so nothing is better than predicting it for all rows", levels[k])
		}
	}
	return ""
}

// Set holds the metrics that an experiment file defines, by name. The nil set has none.
type Set map[string]Definition

// Find returns a metric by name: of the set, or as the function Find.
func (s Set) Find(name string) (Metric, bool) {
	if d, defined := s[name]; defined {
		return costMetric(name, d.Matrix), true
	}
	return Find(name)
}

// DefinedNames returns the names of the set, in alphabetical order.
func (s Set) DefinedNames() []string { return slices.Sorted(maps.Keys(s)) }

// Names returns the names of the set and those of all other metrics.
func (s Set) Names() []string { return append(s.DefinedNames(), Names()...) }

// Described returns the properties of all metrics, including metrics with a parameter among names.
func Described(names []string) results.Metrics { return Set(nil).Described(names) }

// Described returns the properties of all metrics, including those of the set and metrics with a parameter among names.
func (s Set) Described(names []string) results.Metrics {
	out := results.Metrics{}
	for _, name := range append(s.Names(), names...) {
		if m, ok := s.Find(name); ok {
			out[name] = m.Properties
		}
	}
	return out
}

// Derive computes a metric that is not stored: those of the set from stored predictions, others as derive does.
func (s Set) Derive(name string, o *results.Outcome) []results.Score {
	if d, defined := s[name]; defined {
		return deriveFromPredictions(costMetric(name, d.Matrix), &o.Predictions)
	}
	return derive(name, o)
}

// Identity returns the JSON of what determines the values of a metric of the set; "" for all others.
func (s Set) Identity(name string) string {
	d, defined := s[name]
	if !defined {
		return ""
	}
	matter := results.Costs{} // without those of 0
	for truth, row := range d.Matrix {
		for prediction, cost := range row {
			if cost != 0 && matter[truth] == nil {
				matter[truth] = map[string]float64{}
			}
			if cost != 0 {
				matter[truth][prediction] = cost
			}
		}
	}
	text, _ := json.Marshal(matter) // finite numbers always encode
	return string(text)
}
