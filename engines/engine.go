// Package engines defines what an algorithm is: a struct of parameters that fits a model to a view of training rows.
// Engines compute and nothing else: they read no files, know no YAML, start no clock and log nothing.
package engines

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"tenfold/engines/core/survival"
	"tenfold/engines/data"
	"tenfold/engines/registry"
)

// Engine is a configured algorithm. It is a value: Fit keeps its state in locals, so one engine may fit ten folds at once.
type Engine interface {
	Validate() error // parameters alone
	Needs() Needs    // which data it accepts; may depend on the parameters
	// Fit looks at ctx (Err or Done) while it works, and returns ctx's cause once it has seen that it ended. enginetest.Suite
	// counts looks: one at least for each step told and each 32,768 training entries; and on its data at most 64 looks and one
	// step after the one that saw the end.
	Fit(ctx context.Context, run Run) (Model, error)
}

// Needs is what an engine requires of the data, as data, so that a mismatch is refused before anything is loaded or run.
type Needs struct {
	Target         data.Type // Any accepts numbers and classes
	Survival       bool      // Any accepts times until an event as well
	Binary         bool      // all stored values are one
	Counts         bool      // no value is below 0; fits refuse others
	FeatureClasses bool
	Tasks          bool // accepts several targets; without it there must be one
	Levels         int  // a class target must have just so many levels; 0: any number
	Truth          bool // the coefficients that the responses were made with are known
	Watch          bool // parameters ask for the test rows of the fold (the paper's protocol; marked wherever its numbers are shown)
	Sizes          Sizes
	Inner          bool // divides its training rows, and so depends on Run.Inner
	Entry          bool // its steps name each column that enters, from the empty model on
	Keeps          bool // columns that are to be in every model (data.View.Kept) are, or all columns are in its models
	Factors        bool // its penalty has the factors of the columns (data.View.Factors)
	Together       bool // selects the columns of a unit together where that is asked for (data.View.Together)
}

// Takes tells whether a target of the type will do.
func (n Needs) Takes(target data.Type) bool {
	if n.Target == data.Any {
		return target != data.Survival || n.Survival
	}
	return n.Target == target
}

// Targets that will do, in words.
func (n Needs) Targets() string {
	switch {
	case n.Target != data.Any:
		return n.Target.String()
	case n.Survival:
		return "real, class or survival"
	}
	return "real or class"
}

// Both is what two engines need that are given the same data: false where no data could have it, since one takes numbers
// alone and the other classes alone. Neither makes a path. The first is the one that selects; a penalty need only one of them have.
func (n Needs) Both(m Needs) (both Needs, ok bool) {
	both = Needs{
		Target: n.Target, Survival: n.Survival && m.Survival, Binary: n.Binary || m.Binary, Counts: n.Counts || m.Counts, FeatureClasses: n.FeatureClasses || m.FeatureClasses,
		Tasks: n.Tasks && m.Tasks, Levels: max(n.Levels, m.Levels), Truth: n.Truth || m.Truth, Watch: n.Watch || m.Watch, Inner: n.Inner || m.Inner,
		Keeps: n.Keeps && m.Keeps, Factors: n.Factors || m.Factors, Together: n.Together,
	}
	if both.Target == data.Any {
		both.Target = m.Target
	}
	if both.Target == data.Real {
		both.Levels = 0
	}
	takes := func(n Needs) bool { return n.Target == both.Target || n.Takes(both.Target) }
	return both, takes(n) && takes(m)
}

// Sizes names the parameters that a selection path stands in for, of an engine that can hand out models of several sizes
// from one fit.
type Sizes struct {
	Limit string // how many features to select: the largest size; "" where the engine makes no path
	Refit string // whether all weights are estimated together at the end, as then for every model; "" where they always are
	// Ranked tells of a Chooser that its choice of fewer columns is the first of a choice of more, by rank, where columns are
	// selected one by one.
	Ranked bool
}

// Run is what a fit gets.
type Run struct {
	Train   *data.View
	Rand    *rand.Rand // its own, seeded from the file's seed, data set, repeat, fold and engine
	Watch   *data.View // the test rows where Needs().Watch asked for them, else nil
	Trace   Trace      // may be nil
	Workers int        // goroutines this fit may use; results must not depend on it
	Cache   int64      // bytes that this fit may take for what it could compute again; 0: as its parameters say
	Memory  int64      // bytes that programs which the fit starts may hold; 0: no limit
	// Charge takes processor seconds of programs that the fit started; may be nil.
	Charge func(seconds float64)

	// At are the sizes, rising, at which the fit hands out models besides the one that it returns, each as a separate fit with
	// that limit would give it. Only engines with Needs().Sizes are asked for any. Keep follows the step of that size: what
	// lies between the two is work for this model alone, which the path does not go through.
	At   []int
	Keep func(size int, m Model)

	Inner Inner // how training rows may be divided, where Needs().Inner asks for that
	// Tell and Warn take what is done around a fit, such as choosing a parameter, has to say; they may be nil. What the fit
	// itself has to say is in Fitted.
	Tell func(data.Fact)
	Warn func(note string)
	// Progress takes in a few words how far a long fit has come, for people who wait for it; it may be nil, and be called from several
	// goroutines.
	Progress func(text string)
}

// Inner says how training rows may be divided into parts to fit and to validate on: as the folds divide all rows.
type Inner struct {
	By      bool `json:"by,omitempty"`      // rows of a group stay together
	Ordered bool `json:"ordered,omitempty"` // what is validated on comes later than what is fitted
	Gap     int  `json:"gap,omitempty"`     // with Ordered, rows left out between the two
	Window  int  `json:"window,omitempty"`  // with Ordered, rows fitted at most, the latest; 0: all
	// In place of these, times.
	GapTime    time.Duration `json:"gap_time,omitempty"`
	WindowTime time.Duration `json:"window_time,omitempty"`
}

// ShowProgress to whoever waits for the fit.
func (r Run) ShowProgress(text string) {
	if r.Progress != nil {
		r.Progress(text)
	}
}

// Say a fact about what was done around the fit.
func (r Run) Say(name, value string) {
	if r.Tell != nil {
		r.Tell(data.Fact{Name: name, Value: value})
	}
}

// Note a warning about it.
func (r Run) Note(text string) {
	if r.Warn != nil {
		r.Warn(text)
	}
}

// Trace receives the steps of a fit as they happen.
type Trace func(Step)

// At reports a step; safe on nil.
func (t Trace) At(s Step) {
	if t != nil {
		t(s)
	}
}

// Step is one point on the path of a fit.
type Step struct {
	Iter        int     // steps taken so far; 0 is the start
	TrainError  float64 // mean squared error or mean negative log-likelihood on the training rows
	Active      int     // non-zero coefficients
	Changed     Coef    // what this step moved: Value is the difference, Feature -1 where nothing moved
	Also        []Coef  // what it moved besides, likewise; for the listener to keep
	Whole       bool    // squared errors cannot be followed through Changed and Also: all coefficients moved, or they are log-weights
	Bias        float64 // intercept after the step
	Evaluations int64   // candidates examined so far
	Best        bool    // the best so far on the rows that the fit watches
	Reset       bool    // the fit starts again from zero (a refit): what was traced before is not this model's path

	// The parameter that changes along the path, as experiment files name it: the size of this step, or the penalty of this
	// point. "" and 0 where there is none.
	Parameter      string
	ParameterValue float64
}

// Fitted is what engines tell about a finished fit besides the model; a Model may implement Reporter to carry it.
type Fitted struct {
	Stop       string `json:"stop,omitempty"` // why the fit ended, in the engine's words
	Iterations int    `json:"iterations,omitempty"`
	Evaluated  int64  `json:"evaluated,omitempty"` // candidates examined
	// Best is the step of the path that the model stands for, -1 where that means nothing.
	Best int `json:"best"`
	// Optimistic is true where the test rows took part in choosing the model.
	Optimistic bool `json:"optimistic,omitempty"`
	// Probabilities is true where the outputs of a class target are natural logarithms of probabilities.
	Probabilities bool `json:"probabilities,omitempty"`
	// Baseline is the cumulative hazard that the output of a survival target, the logarithm of a hazard, multiplies; nil where the
	// engine estimates none.
	Baseline *survival.Baseline `json:"baseline,omitempty"`
	// Certificate proves how good the model is, where the engine minimises something convex; nil where there is none.
	Certificate *Certificate `json:"certificate,omitempty"`
	// Description is how long the responses and the model are in bits, where the engine weighs that; nil where it does not.
	Description *Description `json:"description,omitempty"`
	Notes       []string     `json:"notes,omitempty"` // warnings for the report
	Facts       []data.Fact  `json:"facts,omitempty"`
}

// NotConverged stands in the notes of a fit that ended before it was where it was to go: tables mark it.
const NotConverged = "not converged"

// NotRepeatable stands in the notes of a fit that may come out differently when it is made again: tables mark it.
const NotRepeatable = "not repeatable"

// Certificate is the value of what a fit minimised, and a bound that no model goes below.
type Certificate struct{ Objective, Dual float64 }

// Gap is the duality gap: an upper bound of what the objective is above its minimum.
func (c Certificate) Gap() float64 { return max(0, c.Objective-c.Dual) }

// Relative is the gap as a share of max(1, |objective|).
func (c Certificate) Relative() float64 { return c.Gap() / max(1, math.Abs(c.Objective)) }

// Description is the lengths of a description of the training responses, in bits.
type Description struct {
	Null      float64 // of the responses without any feature
	Responses float64 // of the responses given the model
	Model     float64
}

// Length of the whole.
func (d Description) Length() float64 { return d.Responses + d.Model }

// Reporter is a Model that tells how its fit went.
type Reporter interface{ Fitted() Fitted }

// Model is a fitted model.
type Model interface {
	// Outputs follow the targets in order: one, the number, for a real target, one a level for a class. Those of a class are
	// logarithms of probabilities, −∞ where a level is impossible, where Fitted().Probabilities says so, since probabilities
	// themselves are all 0 or 1 to the last bit where a model is sure; decision values where it does not.
	Outputs() int
	// Predict fills dst, row-major, in.Len() × Outputs().
	Predict(dst []float64, in data.Inputs)
	// Coefs are the non-zero coefficients, sorted by output and feature.
	Coefs() []Coef
}

// Closer is a Model that holds more than memory, such as a process.
type Closer interface{ Close() }

// Close what a model holds besides memory, and what the models hold that it is made of. It predicts no more.
func Close(m Model) {
	if c, ok := m.(Closer); ok {
		c.Close()
	}
}

// PredictionError is what Predict panics with where a model that is a program fails.
type PredictionError struct{ Err error }

func (e PredictionError) Error() string { return e.Err.Error() }
func (e PredictionError) Unwrap() error { return e.Err }

// Disturbance is the error of a fit that was kept from its end by something outside, such as a full disk, or a program that somebody killed.
// It tells nothing of the engine and its parameters: who compares several passes it on, since to go on without one would be another choice.
type Disturbance struct{ Err error }

func (d Disturbance) Error() string { return d.Err.Error() }
func (d Disturbance) Unwrap() error { return d.Err }

// Namer is a Model with features of its own beside the columns of the data, such as products of columns: its coefficients
// number them after the columns. It is Composed, too.
type Namer interface {
	FeatureName(j int) string // of a column as well
}

// Chooser is an Engine that chooses columns before it fits a model to them, and can do the first without the second.
type Chooser interface {
	Engine
	// Choose the columns that Fit would have in its model: a Coef each, rising, with rank and score and without a value. Fitted
	// tells of the choice alone.
	Choose(ctx context.Context, run Run) ([]Coef, Fitted, error)
}

// Selective is a Model that uses columns without giving each a coefficient, such as one of kernels on some of them.
type Selective interface {
	Selected() []int32 // columns, rising
}

// Weighing is a Selective model that tells the importance of the columns that it selects.
type Weighing interface {
	Selective
	Importances() []Coef // a Coef each, rising, with rank and score and without a value
}

// Entries are how the columns of a model came to be selected: its coefficients, or the importances of a model without any.
func Entries(m Model) []Coef {
	coefs := m.Coefs()
	if w, ok := m.(Weighing); ok && len(coefs) == 0 {
		return w.Importances()
	}
	return coefs
}

// ColumnWeights is a number for each of so many columns: what add makes of its coefficients, one after the other from 0 on, or its importance to a
// model without any. It is false of a model that selects columns and has neither.
func ColumnWeights(m Model, columns int, add func(sum, coef float64) float64) (weights []float64, ok bool) {
	weights = make([]float64, columns)
	coefs := m.Coefs()
	for _, c := range coefs {
		if c.Feature < columns {
			weights[c.Feature] = add(weights[c.Feature], c.Value)
		}
	}
	if len(coefs) > 0 {
		return weights, true
	}
	important := Entries(m)
	for _, c := range important {
		weights[c.Feature] = c.Score
	}
	return weights, len(important) > 0 || len(ColumnsOf(m, columns)) == 0
}

// ColumnsOf a model, of so many, rising: those with a coefficient for any output, and those that it uses without any. Features of
// the model's own are none.
func ColumnsOf(m Model, columns int) []int32 {
	out := []int32{}
	if s, ok := m.(Selective); ok {
		out = append(out, s.Selected()...)
	}
	for _, c := range m.Coefs() {
		if c.Feature < columns {
			out = append(out, int32(c.Feature))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Composed is a Model that is made of others, or has features made of columns, and knows what these depend on.
type Composed interface {
	Uses() []int32 // columns, rising
}

// Uses are the columns, of so many, that a model's predictions depend on, rising: the others may have any value.
func Uses(m Model, columns int) []int32 {
	if c, ok := m.(Composed); ok {
		return c.Uses()
	}
	return ColumnsOf(m, columns)
}

// Biased is a Model that can tell what its outputs begin with, beside the sums over its coefficients.
type Biased interface {
	// Biases are the intercepts by output, on the scale of the coefficients; nil where a part of the model has none to tell.
	Biases() []float64
}

// Biases of a model, nil where it has none to tell.
func Biases(m Model) []float64 {
	if b, ok := m.(Biased); ok {
		return b.Biases()
	}
	return nil
}

// JoinBiases of models whose outputs follow each other, nil where one of them has none to tell.
func JoinBiases(parts []Model) (all []float64) {
	for _, m := range parts {
		own := Biases(m)
		if own == nil {
			return nil
		}
		all = append(all, own...)
	}
	return all
}

// Coef is one coefficient, on the scale of the data as prepared.
type Coef struct {
	Feature int
	Output  int
	Value   float64
	Rank    int     // order of entry from 0, -1 where there is none
	Score   float64 // what the engine scored it by at entry (gain, bits, correlation); 0 where nothing
	Bits    *Bits   // why it was worth its place, where the engine weighs description lengths; else nil
}

// Bits is the ledger of one coefficient: what it saves of the description of the responses, and what it costs to describe.
// Over all coefficients of a model, the bits of the responses without any feature, less Saved and Refined, plus what is
// Paid, are the length of the whole description.
type Bits struct {
	Saved   float64 // bits of the responses at entry, under the noise as estimated before it
	Refined float64 // further bits, by estimating the noise anew with the feature in the model
	Price
}

// Net is what the coefficient was worth when it was taken.
func (b Bits) Net() float64 { return b.Saved - b.Paid() }

// Price is the bits that it takes to describe a feature, by part.
type Price struct {
	Class       float64 // which class of features
	Index       float64 // which feature (of its class, where there are classes)
	Subset      float64 // which responses have it
	Coefficient float64 // the values of its coefficients
}

// Paid is the sum of the parts.
func (p Price) Paid() float64 { return p.Class + p.Index + p.Subset + p.Coefficient }

// Kind and Set are the engine family's kinds.
type (
	Kind = registry.Kind[Engine]
	Set  = registry.Set[Engine]
)

// Define completes an engine's Kind with the defaults of its parameters.
func Define[P Engine](k Kind, defaults P) Kind { return registry.Define[Engine](k, defaults) }
