// Package results holds the outcome of an experiment as rows, and writes and reads it as Parquet.
package results

import (
	"math"
	"slices"
	"strings"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/prepare/pooled"
	"tenfold/engines/searches"
)

// Schema is the version of the result files.
const Schema = 1

// Status is how a unit of work ended. A missing row means "never started".
type Status string

const (
	OK      Status = "ok"
	Failed  Status = "failed"
	Timeout Status = "timeout"
	Skipped Status = "skipped"
)

// Row is the outcome of one unit of work: one cell on one fold. In memory it carries lists; on disk they are tables.
type Row struct {
	Label   // from the present plan, never from a stored row
	Outcome // what the fit produced; this is what is stored and resumed
}

// Label identifies the unit of a row, in the words of the present experiment file.
type Label struct {
	Experiment, Dataset, Algorithm, Engine string
	Stage                                  string  // donor or pool, for units that others build on and no result file has; else ""
	Family, Task                           string  // if the data set is a task, called Family/Task; else ""
	Cell                                   string  // key of the cell, hex
	Unit                                   string  // key of the unit (this cell on this fold), hex; names its stored outcome
	Params                                 string  // resolved parameters as canonical JSON
	Grid                                   []Param // the cell's point in its grid, data set's grid included (names then start with data_)
	Repeat, Fold                           int32   // 0-based
	FoldDigest, DatasetDigest              string
	Seed                                   int64
	Revision                               int32 // of the engine

	// Protocol says how the numbers of the data set are measured, apart from its data and folds: what its probes are, which columns
	// are similar or count as one, and after DefinitionOf a metric's name how the experiment file defines it. Nil if nothing differs from the defaults. Sizes lists the sizes of models along a path, "" without
	// one. Both are of a plan alone: no result file has them.
	Protocol map[string]string
	Sizes    string
}

// Param is one grid parameter: Value is a string, float64, int64 or bool.
type Param struct {
	Name  string
	Value any
}

// Outcome is the stored result of a fit: how it ended, its scores, selection and predictions.
type Outcome struct {
	Schema   int32
	Status   Status
	Error    string
	Attempts int32

	Scores      []Score
	Selected    []Selected // by output, then by order of entry
	Nonzero     int32      // coefficients, without those of kept columns
	Features    int32      // distinct selected features, without kept ones
	SelectedSum string     // digest of the set of selected feature names
	Path        []Point
	Predictions Predictions
	Searches    []searches.Record // what the fit measured to choose among candidates

	Artefact []byte    // of a stage, for the units that build on it
	Clusters []Cluster // clusters that a stage found among the tasks of a family

	RowsTrain, RowsTest, Columns int64

	Limit      time.Duration // of the fit's time; 0 for none
	Stop       string        // why the fit ended
	Optimistic bool          // test rows took part in choosing the model
	Notes      []string
	Prepared   []data.Fact // what the preparation of the data measured on the training rows
	Facts      []data.Fact // what the engine reports

	SecondsFit, SecondsPredict float64
	CPUSeconds                 float64 // NaN if the system cannot tell
	Started                    time.Time
	Machine, Version, Commit   string
	Dirty                      bool
}

// Score is one metric value.
type Score struct {
	Metric string
	Output string // task or label, "" for all
	Point  int32  // size on the path, -1 for the final model
	Value  float64
	Higher bool // higher is better
}

// isOverall reports whether a score is of the final model and all outputs: a column of results.parquet.
func (s *Score) isOverall() bool { return s.Output == "" && s.Point < 0 }

// Metric returns the value for the final model, over all outputs; NaN and false if the metric does not apply.
func (o *Outcome) Metric(name string) (value float64, ok bool) {
	for i := range o.Scores {
		if s := &o.Scores[i]; s.Metric == name && s.isOverall() {
			return s.Value, !math.IsNaN(s.Value)
		}
	}
	return math.NaN(), false
}

// Unconverged reports whether some minimisation of the model stopped before it converged, as the notes of the fit say. That of a selection
// whose columns another model was fitted to is none of it.
func (o *Outcome) Unconverged() bool {
	return slices.ContainsFunc(o.Notes, func(n string) bool {
		return strings.Contains(n, engines.NotConverged) && !strings.HasPrefix(n, engines.OfSelection)
	})
}

// NotRepeatable reports whether the fit may give other results when it is repeated, as its notes say.
func (o *Outcome) NotRepeatable() bool { return o.hasNote(engines.NotRepeatable) }

// AtEndOfRange reports whether tuning chose the last value of its range, as the notes of the fit say.
func (o *Outcome) AtEndOfRange() bool { return o.hasNote(engines.EndOfRange) }

// CountedOverFew reports whether the responses of training rows, counted over these, were far from those of test rows, as the notes
// of the fit say.
func (o *Outcome) CountedOverFew() bool { return o.hasNote(pooled.FewCounted) }

func (o *Outcome) hasNote(words string) bool {
	return slices.ContainsFunc(o.Notes, func(n string) bool { return strings.Contains(n, words) })
}

// Selected is one selected feature.
type Selected struct {
	Rank        int32 // order of entry, from 0; -1 if there is none
	Feature     string
	Class       string
	Unit        string // unit of columns that it counts as part of; "" if it counts by itself
	Kept        bool   // in every model whatever the responses, so that it is no choice
	Output      string
	Coefficient float64
	Score       float64
	Bits        *Bits // nil if the engine does not weigh description lengths
}

// Bits is the ledger of one selected feature: the bits of the responses that it saved, and those that it took to describe it. The
// description length is null_bits, the bits of the responses without any feature, less the bits saved plus the bits paid over all
// features.
type Bits struct {
	Saved       float64 // under the noise as estimated before it entered
	Refined     float64 // further bits saved, by estimating the noise again with it
	Class       float64 // paid for the class of the feature
	Index       float64 // paid for the feature, within its class if there are classes
	Subset      float64 // paid for which responses have it
	Coefficient float64 // paid for its coefficients
}

// Plus adds another ledger, part by part.
func (b Bits) Plus(c Bits) Bits {
	return Bits{b.Saved + c.Saved, b.Refined + c.Refined, b.Class + c.Class, b.Index + c.Index, b.Subset + c.Subset, b.Coefficient + c.Coefficient}
}

// Paid returns the cost of describing the feature, in bits.
func (b Bits) Paid() float64 { return b.Class + b.Index + b.Subset + b.Coefficient }

// Net returns the bits saved minus those paid, when the feature was taken.
func (b Bits) Net() float64 { return b.Saved - b.Paid() }

// Point is one recorded point of a path.
type Point struct {
	Step       int64
	Nonzero    int32
	TrainError float64
	TestError  float64 // NaN if not measured
	// Parameter is the name of the parameter that each step has a value of; "" if there is none.
	Parameter      string
	ParameterValue float64
	Evaluations    int64
	Seconds        float64
	Best           bool
}

// Predictions holds the predictions of the test rows, column by column; all slices are parallel.
type Predictions struct {
	Row                         []string // ids
	Group                       []string
	Output                      []string
	Truth                       []float64
	Prediction                  []float64
	Score                       []float64 // of classes, the probability, or decision value, of the positive of two levels, or of the level predicted
	Margin                      []float64 // of two levels, log-odds of the positive one, or how far its decision value is above the other's; NaN elsewhere, nil where none has one
	LogProbability              []float64 // natural logarithm of the probability of the true level; NaN elsewhere, nil where none has one
	TruthLabel, PredictionLabel []string  // for classes; nil for numbers
	Weight                      []float64 // of the rows; nil if all count the same
	Curves                      []Curve   // of survival targets
	Positives                   []Positive
}

// Positive is the positive one of the two levels of a target: that which Score and Margin are about.
type Positive struct {
	Output string // as in Predictions
	Level  string
}

// DefinitionOf followed by the name of a metric that an experiment file defines is the name of its definition in a protocol.
const DefinitionOf = "metric "

// WithoutMetric followed by the name of a metric is the name of the fact that counts the targets without a value of it.
const WithoutMetric = "targets without "

// Head is the part of a stored outcome that planning needs.
type Head struct {
	Status        Status
	SecondsFit    float64
	Limit         time.Duration
	NoPredictions bool // predictions were not kept
}

// Head returns the part of an outcome that planning needs.
func (o *Outcome) Head() Head {
	return Head{Status: o.Status, SecondsFit: o.SecondsFit, Limit: o.Limit, NoPredictions: o.Status == OK && len(o.Predictions.Row) == 0}
}
