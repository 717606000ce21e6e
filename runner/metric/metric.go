// Package metric scores predictions. Every metric that applies to a target is computed for every fit, so asking for
// another one later runs nothing again.
package metric

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decision"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/survival"
	"tenfold/io/results"
)

// Direction says which way a metric is better.
type Direction bool

const (
	Higher Direction = true
	Lower  Direction = false
)

// Outcome holds the input of a metric for one target: the rows on which the model was tested, and those on which it was trained.
type Outcome struct {
	Type          data.Type
	Levels        []string
	Positive      int // level that precision, recall and AUC are about, for two classes
	Test, Train   Side
	Baseline      *survival.Baseline // of a survival target; nil if the engine estimates none
	Known         *survival.Known    // replaces Baseline and the training rows if these were summarised before
	Probabilities bool               // scores of a class target are natural logarithms of probabilities
	Truth         *Truth             // nil if the true coefficients are not known
	Probes        *Probes            // nil if the data has none
}

// Side is one set of rows: truth and prediction (numbers, or level numbers; for a survival target times, and log hazards; for counts the expected ones), and for
// classes the scores, row-major: log probabilities, or decision values.
type Side struct {
	Truth, Prediction []float64
	Score             []float64 // rows × levels
	Events            []int8    // of a survival target: whether each time ended in the event
	Exposure          []float64 // of counts; nil: 1 each
	Weight            []float64 // nil: 1 each
	Starts            []int32   // rows that begin a sequence, rising; nil if rows form no sequences
}

// Metric is a named score of one target.
type Metric struct {
	Name, Doc string
	Better    Direction
	Target    data.Type
	Also      data.Type                // a second type of target that it applies to; Any for none
	Score     func(o *Outcome) float64 // NaN if undefined; nil for metrics from an engine's report, for sizes and times, and for metrics of all folds of a cell together
	// Fitted returns the metric from an engine's report on a fit, and whether the report has it; nil for all other metrics.
	Fitted func(f engines.Fitted) (value float64, ok bool)
	// Counts returns the metric from the weights of the rows by true and predicted class, where it follows from these alone.
	Counts  func(c Confusion, positive int) float64
	Costs   results.Costs // of a metric that an experiment file defines by them; else nil
	Both    bool          // a survival metric of test rows that also needs the training rows: their censoring, or as rows to compare test rows with
	Usual   bool          // shown if a file names no metrics
	Instead string        // of a metric of two classes: the one that several have
	Needs   Need
	overall bool // about all responses together
	choice  bool // about what a model selects, not what it predicts
	Properties
}

// Need is what a metric needs of a data set, besides its target, in words; "" for nothing.
type Need string

const (
	KnownTruth     Need = "a known truth, as generated data has"
	SomeProbes     Need = "features: {probes: …}"
	TagSequences   Need = "sequences of tags B-X, I-X and O"
	SimilarColumns Need = "the key similar"
)

// Properties describes a metric in result files.
type Properties = results.Properties

// Find returns a metric by name. f:BETA is the F measure with that beta; kappa:linear, kappa:quadratic and quantile:Q follow from predictions; auc:TIME, brier:TIME and calibration:TIME are those of
// survival at a time; area:METRIC is that metric along a selection path.
func Find(name string) (Metric, bool) {
	if m, ok := byName()[name]; ok {
		return m, true
	}
	if beta, ok := strings.CutPrefix(name, "f:"); ok {
		if b, err := strconv.ParseFloat(beta, 64); err == nil && b > 0 && !math.IsInf(b, 0) {
			return fBeta(name, b), true
		}
	}
	if along, ok := strings.CutPrefix(name, results.AreaPrefix); ok {
		return areaOf(name, along)
	}
	if m, ok := fromPredictions(name); ok {
		return m, true
	}
	return atTime(name)
}

// derive computes a metric with a parameter (f:BETA, kappa:quadratic, auc:TIME, area:METRIC) from stored scores, for every output that has the
// scores it needs, or from stored predictions; it returns nil for a metric that is stored already. So asking for another metric
// needs no new fits.
func derive(name string, o *results.Outcome) []results.Score {
	stored := o.Scores
	if slices.ContainsFunc(stored, func(s results.Score) bool { return s.Metric == name }) {
		return nil
	}
	if along, ok := strings.CutPrefix(name, results.AreaPrefix); ok {
		return deriveArea(name, along, stored)
	}
	if m, ok := fromPredictions(name); ok {
		return deriveFromPredictions(m, &o.Predictions)
	}
	beta, ok := strings.CutPrefix(name, "f:")
	b, err := strconv.ParseFloat(beta, 64)
	if !ok || err != nil {
		return deriveAtTime(name, o)
	}
	var out []results.Score
	for _, p := range stored {
		for _, r := range stored {
			if p.Metric == "precision" && r.Metric == "recall" && p.Output == r.Output && p.Point == r.Point {
				out = append(out, results.Score{Metric: name, Output: p.Output, Point: p.Point, Value: fMeasure(p.Value, r.Value, b), Higher: true})
			}
		}
	}
	return out
}

// Revision returns the revision of the metrics of a type of target, and of the predictions stored for it. It is part of the keys of
// fits: raise it when a metric is added or may change, so that what was stored without it is computed again. 0 is left out of keys.
func Revision(target data.Type) int {
	switch target {
	case data.Class:
		return 4
	case data.Survival:
		return 2
	}
	return 0
}

// ProbesRevision is added to the revision where data has probes: a revision of their metrics.
const ProbesRevision = 3

// KeptRevision is added where columns are kept: a revision of what is told of selections beside them.
const KeptRevision = 1

// PathRevision is added where models of several sizes are scored: a revision of what is measured at each size.
const PathRevision = 1

// Names returns the names of all metrics, in alphabetical order.
func Names() []string {
	return slices.Sorted(maps.Keys(byName()))
}

// All returns all metrics of a fold. The list is shared: callers do not change it.
func All() []Metric { return all() }

var all = sync.OnceValue(func() []Metric {
	return slices.Concat(classification(), chunks(), regression(), survivalMetrics(), countMetrics(), selection(), probes(), work())
})

// byName holds the metrics of a fold and those of all folds.
var byName = sync.OnceValue(func() map[string]Metric {
	named := map[string]Metric{}
	for _, m := range slices.Concat(all(), ofCells()) {
		named[m.Name] = m
	}
	return named
})

// Usual returns the names of the metrics shown for such a target if a file names none.
func Usual(target data.Type) []string {
	var names []string
	for _, m := range All() {
		if m.Usual && m.Target == target {
			names = append(names, m.Name)
		}
	}
	return names
}

// Takes reports whether the metric applies to such a target.
func (m Metric) Takes(t data.Type) bool {
	return len(m.Targets()) == 0 || slices.Contains(m.Targets(), t)
}

// Targets returns the types of target that the metric applies to; none for all.
func (m Metric) Targets() []data.Type {
	switch {
	case m.Target == data.Any:
		return nil
	case m.Also == data.Any:
		return []data.Type{m.Target}
	}
	return []data.Type{m.Target, m.Also}
}

// OfPredictions reports whether the metric needs nothing but predictions of rows that the model was not fitted to.
func (m Metric) OfPredictions() bool {
	return m.Score != nil && !m.choice && !m.Training
}

// work returns the metrics of the fit itself. Sizes and times are measured elsewhere; the others follow from the engine's report on
// the fit.
func work() []Metric {
	m := func(name, axis, doc string, fitted func(f engines.Fitted) (float64, bool)) Metric {
		return Metric{Name: name, Doc: doc, Better: Lower, Fitted: fitted, Properties: Properties{Work: true, Axis: axis}}
	}
	needs := func(none string, m Metric) Metric { m.None = none; return m }
	const certificate, lengths = "none of engines that minimise nothing convex", "none of engines that weigh no description lengths"
	certified := func(value func(engines.Certificate) float64) func(engines.Fitted) (float64, bool) {
		return func(f engines.Fitted) (float64, bool) {
			if f.Certificate == nil {
				return 0, false
			}
			return value(*f.Certificate), true
		}
	}
	weighed := func(length func(engines.Description) float64) func(engines.Fitted) (float64, bool) {
		return func(f engines.Fitted) (float64, bool) {
			if f.Description == nil {
				return 0, false
			}
			return length(*f.Description), true
		}
	}
	return []Metric{
		m("nonzero", "number of non-zero coefficients", "non-zero coefficients, without those of features in every model", nil),
		m("selected", "number of selected features", "features with a non-zero coefficient for some output, without those that are in every model", nil),
		needs("none where columns count one by one", m(results.UnitsMetric, "number of units", "units among the columns of the fold that may be selected, where these are counted as such (features: {unit: variable})", nil)),
		needs("none without columns that are kept", m(results.KeptMetric, "number of kept features", "columns, or units, that are in every model (features: {keep: …}), where some are", nil)),
		needs("none without columns that are kept, nor at the sizes of a path", m(results.SelectedWithKeptMetric, "number of features with kept ones", "features of the model with those that are in every model, where some are", nil)),
		needs("none but at the sizes of a path", m(results.PathEndMetric, "size at which a path ended", "at a size of a path: the size, or the number of features at which the path ended before, whose model stands for the sizes beyond", nil)),
		m("seconds_fit", "time of the fit (s)", "wall time of the fit, s", nil),
		m("seconds_predict", "time of the predictions (s)", "wall time of predicting the test rows, s", nil),
		m("iterations", "number of iterations", "iterations or steps up to the model that was kept", iterations),
		m("evaluations", "number of candidates examined", "candidates examined",
			func(f engines.Fitted) (float64, bool) { return float64(f.Evaluated), true }),
		needs(certificate, m("objective", "objective on training rows", "what the fit minimised, at its model; of engines that minimise something convex",
			certified(func(c engines.Certificate) float64 { return c.Objective }))),
		needs(certificate, m("duality_gap", "duality gap (share of the objective)", "how far the objective can be above its minimum, proved, as a share of it",
			certified(engines.Certificate.Relative))),
		needs(lengths, m("description_length", "description length (bits)", "bits of the training responses given the model, and of the model; of engines that weigh them",
			weighed(engines.Description.Length))),
		needs(lengths, m("model_bits", "description length of the model (bits)", "bits of the model: what its features cost",
			weighed(func(d engines.Description) float64 { return d.Model }))),
		needs(lengths, m("null_bits", "description length without features (bits)", "bits of the training responses without any feature",
			weighed(func(d engines.Description) float64 { return d.Null }))),
	}
}

// iterations returns the number of iterations up to the returned model.
func iterations(f engines.Fitted) (float64, bool) {
	if f.Best >= 0 {
		return float64(f.Best), true
	}
	return float64(f.Iterations), true
}

func (s *Side) weight(i int) float64 {
	if s.Weight == nil {
		return 1
	}
	return s.Weight[i]
}

// mean returns the weighted mean of f over the rows; NaN without rows.
func (s *Side) mean(f func(i int) float64) float64 {
	sum, weight := 0.0, 0.0
	for i := range s.Truth {
		w := s.weight(i)
		sum += float64(w * f(i))
		weight += w
	}
	return sum / weight
}

// Add appends the model's output for one row: the number; the count that is expected at the row's exposure; or the scores of all levels, of
// which the rule makes the prediction.
func (s *Side) Add(scores []float64, t data.Type, rule *decision.Rule) {
	switch t {
	case data.Class:
	case data.Count:
		s.Prediction = append(s.Prediction, s.expected(len(s.Prediction), scores[0]))
		return
	default:
		s.Prediction = append(s.Prediction, scores[0])
		return
	}
	s.Prediction = append(s.Prediction, float64(rule.Level(scores)))
	s.Score = append(s.Score, scores...)
}

// expected returns the count expected in row i, given the logarithm of its rate.
func (s *Side) expected(i int, logRate float64) float64 {
	rate := elementary.Exp(logRate)
	if s.Exposure == nil {
		return rate
	}
	return float64(s.Exposure[i] * rate)
}

// Take adds all rows at once, with each scores per row, row-major. It keeps the slice.
func (s *Side) Take(scores []float64, each int, t data.Type, rule *decision.Rule) {
	switch t {
	case data.Class:
	case data.Count:
		for i, rate := range scores {
			scores[i] = s.expected(i, rate)
		}
		s.Prediction = scores
		return
	default:
		s.Prediction = scores
		return
	}
	s.Score, s.Prediction = scores, make([]float64, len(scores)/each)
	for i := range s.Prediction {
		s.Prediction[i] = float64(rule.Level(scores[i*each : (i+1)*each]))
	}
}

// Grow reserves space for rows rows with each scores per row.
func (s *Side) Grow(rows, each int, t data.Type) {
	s.Prediction = slices.Grow(s.Prediction, rows)
	if t == data.Class {
		s.Score = slices.Grow(s.Score, rows*each)
	}
}
