// Package metric scores predictions. Every metric that applies to a target is computed for every fit, so asking for
// another one later runs nothing again.
package metric

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/results"
)

// Direction says which way a metric is better.
type Direction bool

const (
	Higher Direction = true
	Lower  Direction = false
)

// Outcome is what a metric sees of one target: rows on which the model was tested, and on which it was trained.
type Outcome struct {
	Type          data.Type
	Levels        []string
	Positive      int // level that precision, recall and AUC are about, for two classes
	Test, Train   Side
	Probabilities bool   // scores of a class target are probabilities
	Truth         *Truth // nil where the true coefficients are not known
}

// Side is one set of rows: truth and prediction (numbers, or level numbers), and for classes the scores, row-major.
type Side struct {
	Truth, Prediction []float64
	Score             []float64 // rows × levels
	Weight            []float64 // nil: 1 each
	Starts            []int32   // rows that begin a sequence, rising; nil where rows do not follow each other
}

// Metric is a named score of one target.
type Metric struct {
	Name, Doc string
	Better    Direction
	Target    data.Type
	Score     func(o *Outcome) float64 // NaN where undefined
	work      bool                     // about the fit, not the predictions
	overall   bool                     // about all responses together
	truth     bool                     // about coefficients whose true values are known
}

// Find returns a metric by name; f:BETA gives the F measure with that beta.
func Find(name string) (Metric, bool) {
	for _, m := range append(All(), ofCells()...) {
		if m.Name == name {
			return m, true
		}
	}
	if beta, ok := strings.CutPrefix(name, "f:"); ok {
		if b, err := strconv.ParseFloat(beta, 64); err == nil && b > 0 && !math.IsInf(b, 0) {
			return fBeta(name, b), true
		}
	}
	return Metric{}, false
}

// Derive computes a metric that is asked for by its parameter (f:BETA) from stored scores, for every output that has what
// it is made of; nothing for a metric that is stored already. So asking for one runs nothing again.
func Derive(name string, stored []results.Score) []results.Score {
	beta, ok := strings.CutPrefix(name, "f:")
	b, err := strconv.ParseFloat(beta, 64)
	if !ok || err != nil || slices.ContainsFunc(stored, func(s results.Score) bool { return s.Metric == name }) {
		return nil
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

// Names of all metrics, in alphabetical order.
func Names() []string {
	var names []string
	for _, m := range append(All(), ofCells()...) {
		names = append(names, m.Name)
	}
	sort.Strings(names)
	return names
}

// All metrics of a fold.
func All() []Metric {
	return slices.Concat(classification(), chunks(), regression(), selection(), work())
}

// OfWork tells whether the metric is measured on the fit itself (size, time, effort) rather than on predictions.
func (m Metric) OfWork() bool { return m.work }

// OfPredictions tells whether predictions of rows that a model was not fitted to are all that the metric needs.
func (m Metric) OfPredictions() bool {
	return m.Score != nil && !m.work && !m.truth && !strings.HasPrefix(m.Name, "train_")
}

func work() []Metric {
	m := func(name, doc string, better Direction) Metric {
		return Metric{Name: name, Doc: doc, Better: better, work: true}
	}
	return []Metric{
		m("nonzero", "non-zero coefficients", Lower),
		m("selected", "features with a non-zero coefficient for some output", Lower),
		m("seconds_fit", "wall time of the fit, s", Lower),
		m("seconds_predict", "wall time of predicting the test rows, s", Lower),
		m("iterations", "iterations or steps up to the model that was kept", Lower),
		m("evaluations", "candidates examined", Lower),
		m("objective", "what the fit minimised, at its model; of engines that minimise something convex", Lower),
		m("duality_gap", "how far the objective can be above its minimum, proved, as a share of it", Lower),
		m("description_length", "bits of the training responses given the model, and of the model; of engines that weigh them", Lower),
		m("model_bits", "bits of the model: what its features cost", Lower),
		m("null_bits", "bits of the training responses without any feature", Lower),
	}
}

func (s *Side) weight(i int) float64 {
	if s.Weight == nil {
		return 1
	}
	return s.Weight[i]
}

// mean is the weighted mean of f over the rows; NaN without rows.
func (s *Side) mean(f func(i int) float64) float64 {
	sum, weight := 0.0, 0.0
	for i := range s.Truth {
		w := s.weight(i)
		sum += float64(w * f(i))
		weight += w
	}
	return sum / weight
}

// Add appends what the model said of one row: the number, or the scores of all levels, of which the largest (the lowest
// level on ties) is the prediction.
func (s *Side) Add(scores []float64, t data.Type) {
	if t != data.Class {
		s.Prediction = append(s.Prediction, scores[0])
		return
	}
	s.Prediction = append(s.Prediction, float64(Largest(scores)))
	s.Score = append(s.Score, scores...)
}

// Largest is the place of the largest score, the lowest on ties: the predicted level.
func Largest(scores []float64) int {
	best := 0
	for l, x := range scores {
		if x > scores[best] {
			best = l
		}
	}
	return best
}

// Take is Add for all rows, of so many scores each, row after row. It keeps them.
func (s *Side) Take(scores []float64, each int, t data.Type) {
	if t != data.Class {
		s.Prediction = scores
		return
	}
	s.Score, s.Prediction = scores, make([]float64, len(scores)/each)
	for i := range s.Prediction {
		s.Prediction[i] = float64(Largest(scores[i*each : (i+1)*each]))
	}
}

// Grow makes room for so many rows, of so many scores each.
func (s *Side) Grow(rows, each int, t data.Type) {
	s.Prediction = slices.Grow(s.Prediction, rows)
	if t == data.Class {
		s.Score = slices.Grow(s.Score, rows*each)
	}
}
