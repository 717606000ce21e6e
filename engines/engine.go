// Package engines defines what an algorithm is: a struct of parameters that fits a model to a view of training rows.
// Engines compute and nothing else: they read no files, know no YAML, start no clock and log nothing.
package engines

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"tenfold/engines/data"
	"tenfold/engines/decision"
	"tenfold/engines/numeric/optim"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/registry"
	"tenfold/engines/searches"
)

// Engine is a configured algorithm. It is a value: Fit keeps its state in locals, so one engine may fit ten folds at once.
type Engine interface {
	Validate() error // checks the parameters, without data
	Needs() Needs    // the data it accepts; may depend on the parameters
	// Fit polls ctx (Err or Done) while it works, and returns ctx's cause soon after ctx has ended. enginetest.Suite counts the
	// polls: at least one for each traced step and each 32,768 training entries, and at most 64 more, and one more step, after
	// the one that saw the end.
	Fit(ctx context.Context, run Run) (Model, error)
}

// Needs lists what an engine requires of the data, so that a mismatch is refused before anything is loaded or run.
type Needs struct {
	Target         data.Type // Any accepts numbers and classes
	Survival       bool      // Any accepts times until an event as well
	Rates          bool      // accepts counts as well: an output is then the logarithm of the rate, the count at an exposure of 1
	Binary         bool      // all stored values are one
	Counts         bool      // no value is below 0; fits refuse others
	FeatureClasses bool
	Tasks          bool     // accepts several targets; without it there must be one
	Levels         int      // a class target must have exactly this many levels; 0: any number
	MinLevels      int      // a class target must have at least this many levels
	Named          []string // levels that a class target must have, since parameters name them
	Truth          bool     // needs the true coefficients, which generated data has
	Watch          bool     // parameters ask for the test rows of the fold (the paper's protocol; marked wherever its numbers are shown)
	Sizes          Sizes
	Inner          bool // splits its training rows, so results depend on Run.Inner
	Entry          bool // its steps name each column that enters, beginning with the empty model
	Keeps          bool // every model contains the columns of data.View.Kept, or all columns
	Factors        bool // its penalty applies data.View.Factors
	Together       bool // selects all columns of a unit together where data.View.Together asks for it
	Unweighted     bool // every row counts once: fits refuse weights
	WholeWeights   bool // weights are numbers of equal rows: fits refuse fractions
	Opaque         bool // its models select columns, and ColumnWeights has none of them
	Missing        bool // values may be missing (NaN), in training rows and in those to predict
	ChoosesMissing bool // Choose takes missing values, if Fit does not
}

// Takes reports whether a target of this type is accepted.
func (n Needs) Takes(target data.Type) bool {
	switch {
	case target == data.Count:
		return n.Rates && n.Target != data.Class
	case n.Target == data.Any:
		return target != data.Survival || n.Survival
	}
	return n.Target == target
}

// Targets returns the accepted target types as text, for messages.
func (n Needs) Targets() string {
	var all []string
	for _, t := range []data.Type{data.Real, data.Class, data.Survival, data.Count} {
		if n.Takes(t) {
			all = append(all, t.String())
		}
	}
	last := len(all) - 1
	return strings.TrimPrefix(strings.Join(all[:last], ", ")+" or "+all[last], " or ")
}

// Both merges the requirements of two engines that share one data set: n selects, and m is fitted to the selection. It reports false
// if no data set can meet both, e.g. a real target and a class target. Neither makes a path; penalty factors are for whichever has a
// penalty.
func (n Needs) Both(m Needs) (both Needs, ok bool) {
	both = Needs{
		Target: n.Target, Survival: n.Survival && m.Survival, Rates: n.Rates && m.Rates, Binary: n.Binary || m.Binary, Counts: n.Counts || m.Counts, FeatureClasses: n.FeatureClasses || m.FeatureClasses,
		Tasks: n.Tasks && m.Tasks, Levels: max(n.Levels, m.Levels), MinLevels: max(n.MinLevels, m.MinLevels), Named: slices.Concat(n.Named, m.Named), Truth: n.Truth || m.Truth, Watch: n.Watch || m.Watch, Inner: n.Inner || m.Inner,
		Keeps: n.Keeps && m.Keeps, Factors: n.Factors || m.Factors, Together: n.Together,
		Unweighted: n.Unweighted || m.Unweighted, WholeWeights: n.WholeWeights || m.WholeWeights, Opaque: m.Opaque,
		Missing: (n.Missing || n.ChoosesMissing) && m.Missing,
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

// Sizes names the parameters that path: {at: ...} replaces, for engines that return models of several sizes from one fit.
type Sizes struct {
	Limit string // the maximum number of features; "" if the engine makes no path
	Refit string // whether the weights of each model are estimated together at the end; "" if they always are
	// Ranked reports that a Chooser's selections are nested: those of fewer columns are the first by rank of those of more, where
	// columns are selected one by one.
	Ranked bool
	// Coefficients reports that sizes count coefficients, of columns and levels. Otherwise they count columns, of each response.
	Coefficients bool
}

// Run holds the inputs of one fit.
type Run struct {
	Train   *data.View
	Rand    *rand.Rand // for this fit alone, seeded from the file's seed, data set, repeat, fold and engine
	Watch   *data.View // the test rows where Needs().Watch asked for them, else nil
	Trace   Trace      // may be nil
	Workers int        // goroutines this fit may use; results must not depend on it
	Cache   int64      // bytes this fit may use to keep what it could recompute; 0: what its parameters say
	Memory  int64      // bytes that programs started by the fit may use; 0: no limit
	// Charge adds processor seconds used by programs that the fit started; may be nil.
	Charge func(seconds float64)
	// Opened is called with each file that such a program opened though its declaration does not name it: a name for it, and the
	// digest of its content. It may be nil, and may be called from several goroutines, with a file several times.
	Opened func(data.Fact)

	// At lists model sizes, rising, for which the fit calls Keep, besides the model that it returns. Each model is what a separate
	// fit with that limit returns. Only engines with Needs().Sizes get any. Keep is called after the step that reaches the size;
	// work between the two (a refit) belongs to this model alone and is not part of the path. It is not called for sizes beyond the
	// end of the path: the returned model stands for these.
	At   []int
	Keep func(size int, m Model)

	Inner  Inner  // how training rows may be split, for engines with Needs().Inner
	Divide Divide // divides training rows into folds to compare models on, for engines with Needs().Inner
	Recall Recall // keeps the results of works inside the fit, so that none has to be done twice; may be nil
	// Tell and Warn report on what happens around a fit, such as the choice of a parameter; they may be nil. What the fit itself
	// reports is in Fitted.
	Tell func(data.Fact)
	Warn func(note string)
	// Searched gets what a search of the fit measured, once it has ended; it may be nil. Searches inside works are not reported.
	Searched func(searches.Record)
	// Progress shows in a few words how far a long fit has come. It may be nil, and may be called from several goroutines.
	Progress func(text string)
}

// Inner says how training rows may be split into rows to fit and rows to validate on, by the rules of the outer folds.
type Inner struct {
	By      bool `json:"by,omitempty"`      // rows of a group stay together
	Ordered bool `json:"ordered,omitempty"` // validation rows are later than the fitted ones
	Gap     int  `json:"gap,omitempty"`     // with Ordered, rows left out between the two
	Window  int  `json:"window,omitempty"`  // with Ordered, the maximum number of fitted rows, the latest; 0: all
	// GapTime and WindowTime replace Gap and Window where folds are defined by time.
	GapTime    time.Duration `json:"gap_time,omitempty"`
	WindowTime time.Duration `json:"window_time,omitempty"`
}

// ShowProgress calls Progress; safe on nil.
func (r Run) ShowProgress(text string) {
	if r.Progress != nil {
		r.Progress(text)
	}
}

// Say reports a fact about what happened around the fit.
func (r Run) Say(name, value string) {
	if r.Tell != nil {
		r.Tell(data.Fact{Name: name, Value: value})
	}
}

// Note reports a warning about it.
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
	Changed     Coef    // the coefficient that moved: Value is the difference; Feature is -1 if none moved
	Also        []Coef  // further coefficients that moved, likewise; the listener may keep the slice
	Whole       bool    // Changed and Also do not tell all: every coefficient moved, or they are log-weights
	Bias        float64 // intercept after the step
	Evaluations int64   // candidates examined so far
	Best        bool    // the best step so far on the rows of Run.Watch
	Reset       bool    // the fit starts again from zero (a refit): earlier steps are not this model's path

	// Parameter is the name, in experiment files, of what changes along the path, such as the step size or the penalty; "" if
	// nothing does.
	Parameter      string
	ParameterValue float64
}

// Fitted is what an engine reports about a finished fit, besides the model. Models that carry it implement Reporter.
type Fitted struct {
	Stop       string `json:"stop,omitempty"` // why the fit ended, in the engine's words
	Iterations int    `json:"iterations,omitempty"`
	Evaluated  int64  `json:"evaluated,omitempty"` // candidates examined
	// Best is the step of the path that the model comes from, -1 if there is none.
	Best int `json:"best"`
	// Optimistic is true if the test rows took part in the choice of the model.
	Optimistic bool `json:"optimistic,omitempty"`
	// Probabilities is true if the outputs of a class target are natural logarithms of probabilities.
	Probabilities bool `json:"probabilities,omitempty"`
	// Baseline is the baseline cumulative hazard of a survival target, whose output is the log hazard ratio; nil if the engine
	// estimates none.
	Baseline *survival.Baseline `json:"baseline,omitempty"`
	// Decision says how a level of the only target is predicted; nil: that of the largest output. Models that have one keep it by themselves.
	Decision *decision.Rule `json:"-"`
	// Certificate bounds how far the objective is from its minimum; nil unless the engine minimises something convex.
	Certificate *Certificate `json:"certificate,omitempty"`
	// Description is the description length of responses and model, of engines that minimise it; else nil.
	Description *Description `json:"description,omitempty"`
	Notes       []string     `json:"notes,omitempty"` // warnings for the report
	Facts       []data.Fact  `json:"facts,omitempty"`
}

// NotConverged is in the notes of a fit that stopped before it converged; tables mark such fits.
const NotConverged = optim.NotConverged

// OfSelection begins the facts and notes of a selection to which another model was fitted.
const OfSelection = "selection: "

// NotRepeatable is in the notes of a fit that may give other results when it is repeated; tables mark such fits.
const NotRepeatable = "not repeatable"

// Certificate is the objective at the fitted model, and the dual value, a lower bound of the objective over all models.
type Certificate struct{ Objective, Dual float64 }

// Gap returns the duality gap, an upper bound of the distance of the objective from its minimum.
func (c Certificate) Gap() float64 { return max(0, c.Objective-c.Dual) }

// Relative returns the gap divided by max(1, |objective|).
func (c Certificate) Relative() float64 { return c.Gap() / max(1, math.Abs(c.Objective)) }

// Description holds the parts of the description length of the training responses, in bits.
type Description struct {
	Null      float64 // of the responses without any feature
	Responses float64 // of the responses given the model
	Model     float64
}

// Length returns the whole description length.
func (d Description) Length() float64 { return d.Responses + d.Model }

// Reporter is a Model that tells how its fit went.
type Reporter interface{ Fitted() Fitted }

// Model is a fitted model.
type Model interface {
	// Outputs is the number of outputs, in the order of the targets: one for a real target, the number; one for each level of a
	// class. Outputs of a class are log probabilities (−∞ for an impossible level) if Fitted().Probabilities is set, else decision
	// values. The output of counts is the logarithm of the rate (−∞ for a rate of 0): a row's expected count is its exposure times that. They are logarithms because the probabilities of a confident model would round to 0 and 1.
	Outputs() int
	// Predict fills dst, of in.Len() × Outputs() numbers, row by row.
	Predict(dst []float64, in data.Inputs)
	// Coefs returns the non-zero coefficients, sorted by output and feature.
	Coefs() []Coef
}

// Closer is implemented by models that hold more than memory, such as a process.
type Closer interface{ Close() }

// Close releases what a model, or a model inside it, holds besides memory. The model cannot predict afterwards.
func Close(m Model) {
	if c, ok := m.(Closer); ok {
		c.Close()
	}
}

// PredictionError is the value that Predict panics with when a model run by another program fails.
type PredictionError struct{ Err error }

func (e PredictionError) Error() string { return e.Err.Error() }
func (e PredictionError) Unwrap() error { return e.Err }

// Disturbance is the error of a fit that failed for an outside reason, such as a full disk or a killed program. It says nothing about the
// engine and its parameters: a search over candidates returns it rather than choosing among the others, which could be another choice.
type Disturbance struct {
	Err    error
	System bool // the system is at fault, which has no room on a disk, say: the same fit may end well later
}

func (d Disturbance) Error() string { return d.Err.Error() }
func (d Disturbance) Unwrap() error { return d.Err }

// Namer is implemented by models with features besides the columns of the data, such as products of columns. Coef.Feature numbers
// these after the columns. A Namer is Composed, too.
type Namer interface {
	FeatureName(j int) string // also of columns
}

// Chooser is implemented by engines that select columns first and then fit a model to them.
type Chooser interface {
	Engine
	// Choose selects the columns of the model that Fit would return, without fitting it. It returns a Coef for each, rising, with rank
	// and score and no value. Fitted describes the selection alone.
	Choose(ctx context.Context, run Run) ([]Coef, Fitted, error)
}

// Selective is implemented by models that use columns without a coefficient for each, such as kernel models.
type Selective interface {
	Selected() []int32 // columns, rising
}

// Weighing is implemented by Selective models that have an importance for each selected column.
type Weighing interface {
	Selective
	Importances() []Coef // one for each column, rising, with rank and score and no value
}

// Entries returns what tells how columns came to be selected: the coefficients of a model, or its importances if it has no coefficients.
func Entries(m Model) []Coef {
	coefs := m.Coefs()
	if w, ok := m.(Weighing); ok && len(coefs) == 0 {
		return w.Importances()
	}
	return coefs
}

// ColumnWeights returns one number for each column: its coefficients, accumulated by add from 0, or its importance if the model has no
// coefficients. ok is false for a model that selects columns and has neither.
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

// ColumnsOf returns the selected columns, rising: those with a coefficient for any output, and those of a Selective model. columns is the
// number of columns; features of a Namer do not count.
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

// Composed is implemented by models that contain other models, or have features made of columns, and know the columns these depend on.
type Composed interface {
	Uses() []int32 // columns, rising
}

// Uses returns the columns, rising, that a model's predictions depend on; the other columns may have any value.
func Uses(m Model, columns int) []int32 {
	if c, ok := m.(Composed); ok {
		return c.Uses()
	}
	return ColumnsOf(m, columns)
}

// Biased is implemented by models that know their intercepts.
type Biased interface {
	// Biases returns the intercepts by output, on the scale of the coefficients; nil if a part of the model does not know its own.
	Biases() []float64
}

// Biases returns the intercepts of a model, nil if it is not Biased.
func Biases(m Model) []float64 {
	if b, ok := m.(Biased); ok {
		return b.Biases()
	}
	return nil
}

// JoinBiases concatenates the intercepts of models whose outputs follow each other; nil if one of them has none.
func JoinBiases(parts []Model) (all []float64) {
	for _, m := range parts {
		biases := Biases(m)
		if biases == nil {
			return nil
		}
		all = append(all, biases...)
	}
	return all
}

// Coef is one coefficient, on the scale of the data as prepared.
type Coef struct {
	Feature int
	Output  int
	Value   float64
	Rank    int     // order of entry from 0; -1 if there is none
	Score   float64 // the engine's score at entry (gain, bits, correlation); 0 if there is none
	Bits    *Bits   // savings and costs in bits, of engines that minimise a description length; else nil
}

// Bits is the account of one coefficient: the bits that it saves in the description of the responses, and what it costs to describe.
// The description length of a model is the bits of the responses without any feature, less Saved and Refined, plus Paid, over all
// coefficients.
type Bits struct {
	Saved   float64 // bits saved at entry, under the noise variance estimated before it
	Refined float64 // further bits saved by estimating the noise variance again with the feature in the model
	Price
}

// Net returns the bits saved at entry less the bits paid.
func (b Bits) Net() float64 { return b.Saved - b.Paid() }

// Price holds the bits that the description of a feature takes, by part.
type Price struct {
	Class       float64 // which class of features
	Index       float64 // which feature (of its class, where there are classes)
	Subset      float64 // which responses have it
	Coefficient float64 // the values of its coefficients
}

// Paid returns the sum of the parts.
func (p Price) Paid() float64 { return p.Class + p.Index + p.Subset + p.Coefficient }

// Kind describes an engine by name; Set holds the engines by name.
type (
	Kind = registry.Kind[Engine]
	Set  = registry.Set[Engine]
)

// Define completes an engine's Kind with the defaults of its parameters.
func Define[P Engine](k Kind, defaults P) Kind { return registry.Define[Engine](k, defaults) }
