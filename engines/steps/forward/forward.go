// Package forward selects columns by forward stepwise regression: each step takes the column, or the unit of columns, that improves the
// fit most, and estimates all coefficients anew (Efroymson 1960; Hastie, Tibshirani & Friedman 2009, section 3.3.2). Nothing leaves the
// model again; searches that take features out, or price them in bits, are in package mdl.
//
// forward.go has the parameters, the loop, and what it asks of a model that takes columns. Two models do: least squares (squares.go), of
// numbers and of classes as 0 and 1, and Cox's partial likelihood of times (hazards.go).
package forward

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/growing"
	"tenfold/engines/param"
)

// Stepwise is the engine's parameters.
type Stepwise struct {
	MaxFeatures int     `yaml:"max_features" doc:"columns at most; 0: as many as the rows allow, two fewer than there are; of times, one fewer than events"`
	Choose      string  `yaml:"choose" doc:"the next column: drop (lowers the residual sum of squares, RSS, most; of times, raises the partial likelihood PL most), or correlation (correlates most with the residual: orthogonal matching pursuit, the stepwise of R's lars; of times, has the largest score test beside those in the model, which is cheaper)"`
	Criterion   string  `yaml:"criterion" doc:"a column enters only if it improves: aic (n·ln RSS + 2·columns), bic (n·ln RSS + ln n·columns), or f-test (its p-value is at most alpha); none: without asking. Of times: −2 ln PL in place of n·ln RSS, n is the events, and the test is of the likelihood ratio"`
	Alpha       float64 `yaml:"alpha" doc:"with criterion f-test, the largest p-value of a column that enters, in (0, 1)"`
	MinGain     float64 `yaml:"min_gain" doc:"a column enters only if it lowers RSS by more than this share of the response's sum of squares, in [0, 1); of times, −ln PL by this share of that without columns"`
}

// Words of the parameters.
const (
	chooseDrop        = "drop"
	chooseCorrelation = "correlation"

	criterionNone = "none"
	criterionAIC  = "aic"
	criterionBIC  = "bic"
	criterionF    = "f-test"

	infinite = "infinite" // why a fit of times ended: the likelihood has no maximum
)

const defaultAlpha = 0.05

// Kind is the engine forward-stepwise.
var Kind = engines.Define(engines.Kind{
	Name: "forward-stepwise",
	Doc:  "least squares, greedily: the column that lowers the residual sum of squares most, again and again; classes of two levels as 0 and 1; times by Cox's partial likelihood",
	Cite: "Efroymson 1960; Hastie, Tibshirani & Friedman 2009, section 3.3.2",
	Rev:  5,
}, Stepwise{Choose: chooseDrop, Criterion: criterionBIC, Alpha: defaultAlpha})

// Validate checks the parameters.
func (e Stepwise) Validate() error {
	return errors.Join(
		param.Require("max_features", e.MaxFeatures >= 0, "%d, expected 0 or more", e.MaxFeatures),
		param.OneOf("choose", e.Choose, chooseDrop, chooseCorrelation),
		param.OneOf("criterion", e.Criterion, criterionNone, criterionAIC, criterionBIC, criterionF),
		param.Require("alpha", e.Alpha > 0 && e.Alpha < 1, "%v, expected a level between 0 and 1", e.Alpha),
		param.Idle("alpha", e.Alpha, defaultAlpha, e.Criterion == criterionF, "it is for criterion f-test"),
		param.Require("min_gain", e.MinGain >= 0 && e.MinGain < 1, "%v, expected a share of at least 0, below 1", e.MinGain),
	)
}

// Needs returns one target: real, a class of two levels, or times.
func (e Stepwise) Needs() engines.Needs {
	return engines.Needs{Target: data.Any, Survival: true, Levels: 2, Sizes: engines.Sizes{Limit: "max_features"}, Entry: true, Keeps: true, Together: e.Choose == chooseDrop}
}

// Footprint returns the memory of a fit: the columns laid out, some vectors of columns, and one of rows for each column that enters.
func (e Stepwise) Footprint(s engines.Shape) engines.Footprint {
	likely := 64
	if e.MaxFeatures > 0 {
		likely = min(e.MaxFeatures, s.Rows, s.Columns)
	}
	return engines.Footprint{Bytes: 12*s.Entries + 48*int64(s.Columns) + 8*int64(likely+8)*int64(s.Rows)}
}

// Fit adds columns until a rule ends the path. O(nnz + rows · columns entered) a step of least squares.
func (e Stepwise) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	s, err := e.newStepwise(ctx, run)
	if err != nil {
		return nil, err
	}
	if err := s.enterKept(ctx); err != nil {
		return nil, err
	}
	s.traceStep(engines.Coef{Feature: -1})
	for s.stop = s.stopReason(); s.stop == ""; s.stop = s.stopReason() {
		next, err := s.best(ctx, s.units)
		if err != nil {
			return nil, err
		}
		if s.stop = s.refusalReason(next); s.stop != "" {
			break
		}
		if err := s.enter(ctx, next); err != nil {
			return nil, err
		}
	}
	return s.newModel(), nil
}

// growingModel is a model that takes columns.
type growingModel interface {
	size() int // columns
	columnsInside() []int32
	full() bool // no more are possible
	// keep a column that every model has; false where others in the model determine it.
	keep(ctx context.Context, j int32) (bool, error)
	// best entrant: a column, or a unit where there are any, ties to the first; without columns where none brings anything.
	best(ctx context.Context, units [][]int32) (entrant, error)
	add(ctx context.Context, next entrant) error
	examined() int64 // candidates

	start() float64                        // the loss without columns, of which gains are shares
	drop(next entrant) float64             // by how much the criterion without its price falls
	logRows() float64                      // the price of a parameter by BIC
	pValue(next entrant) float64           // of the test
	loss() float64                         // as a path shows it
	weights() (map[int32]float64, float64) // and the intercept
	facts(parameters float64) []data.Fact
	model(bias float64, coefs []engines.Coef, f engines.Fitted) engines.Model
}

// entrant is what may enter next: a column, or all columns of a unit that depend neither on the model nor on each other.
type entrant struct {
	columns []int32
	gain    float64             // by how much the loss falls
	known   []growing.Direction // of least squares: those of the first columns
	to      []float64           // of times: all coefficients with these columns
	endless bool                // of times: the loss falls for ever
}

// tieTolerance is the relative difference below which values count as equal.
const tieTolerance = 1e-9

// stepwise is a fit under way.
type stepwise struct {
	Stepwise
	growingModel
	run     engines.Run
	units   [][]int32 // columns that enter together; nil where each enters by itself
	gains   []float64 // by column in the model, in order of entry: what it, or its unit, lowered the loss by
	entered int       // columns, or units, of these
	first   int       // columns in the model that were to be kept, before those
	kept    int       // number of sizes of run.At whose models were kept
	endless bool      // the last one that entered lowers the loss for ever
	stop    string

	before map[int32]float64 // weights at the last traced step
}

func (e Stepwise) newStepwise(ctx context.Context, run engines.Run) (*stepwise, error) {
	read := e.newSquares
	if run.Train.TargetInfo(0).Type == data.Survival {
		read = e.newHazards
	}
	g, err := read(ctx, run)
	if err != nil {
		return nil, err
	}
	s := &stepwise{Stepwise: e, growingModel: g, run: run}
	if run.Train.Together() {
		if s.units, err = run.Train.WholeUnits(); err != nil {
			return nil, err
		}
	}
	return s, context.Cause(ctx)
}

// enterKept puts the columns that every model has into this one, by number and without a test. They count in no limit, and as
// parameters in the criteria. Those that others of them determine are left out.
func (s *stepwise) enterKept(ctx context.Context) error {
	for _, j := range s.run.Train.Kept() {
		if s.full() {
			return fmt.Errorf("the columns that every model has (features: {keep: …}) fit all %v rows, which leaves nothing to select by", s.run.Train.Len())
		}
		entered, err := s.keep(ctx, j)
		if err != nil {
			return err
		}
		if entered {
			s.first++
		}
	}
	return nil
}

// stopReason returns why the model can take no more columns; "" if it can.
func (s *stepwise) stopReason() string {
	if s.endless {
		return infinite
	}
	if s.MaxFeatures > 0 && s.entered >= s.MaxFeatures {
		return "max_features"
	}
	if s.full() {
		return "saturated"
	}
	return ""
}

// refusalReason returns why next may not enter; "" if it may.
func (s *stepwise) refusalReason(next entrant) string {
	parameters := float64(len(next.columns))
	switch {
	case len(next.columns) == 0:
		return "exhausted"
	case next.gain <= s.MinGain*s.start():
		return "min_gain"
	case s.Criterion == criterionAIC && s.drop(next) <= 2*parameters,
		s.Criterion == criterionBIC && s.drop(next) <= s.logRows()*parameters,
		s.Criterion == criterionF && s.pValue(next) > s.Alpha:
		return s.Criterion
	}
	return ""
}

func (s *stepwise) enter(ctx context.Context, next entrant) error {
	if err := s.add(ctx, next); err != nil {
		return err
	}
	for range next.columns {
		s.gains = append(s.gains, next.gain)
	}
	s.entered, s.endless = s.entered+1, next.endless
	s.traceStep(engines.Coef{Feature: int(next.columns[0]), Rank: len(s.gains) - len(next.columns), Score: next.gain})
	if s.kept < len(s.run.At) && s.run.At[s.kept] == s.entered {
		s.run.Keep(s.run.At[s.kept], s.newModel())
		s.kept++
	}
	return nil
}

// traceStep traces a column that entered, with all weights that changed. O(columns²) with a trace, else O(1).
func (s *stepwise) traceStep(entered engines.Coef) {
	if s.run.Trace == nil {
		return
	}
	w, bias := s.weights()
	step := engines.Step{
		Iter: s.entered, TrainError: s.loss(), Active: len(w), Changed: entered, Bias: bias, Evaluations: s.examined(),
	}
	for _, j := range s.columnsInside() {
		if moved := w[j] - s.before[j]; int(j) == entered.Feature {
			step.Changed.Value = moved
		} else if moved != 0 {
			step.Also = append(step.Also, engines.Coef{Feature: int(j), Value: moved})
		}
	}
	s.before = w
	s.run.Trace(step)
}

func (s *stepwise) newModel() engines.Model {
	w, bias := s.weights()
	coefs := make([]engines.Coef, s.size())
	for k, j := range s.columnsInside() {
		coefs[k] = engines.Coef{Feature: int(j), Value: w[j], Rank: k}
		if k >= s.first {
			coefs[k].Score = s.gains[k-s.first]
		}
	}
	return s.model(bias, coefs, s.fitted())
}

func (s *stepwise) fitted() engines.Fitted {
	f := engines.Fitted{Stop: cmp.Or(s.stop, "max_features"), Iterations: s.entered, Evaluated: s.examined(), Best: s.entered}
	if s.stop == infinite {
		f.Notes = append(f.Notes, fmt.Sprintf(engines.NotConverged+": the path ends at %d columns, which order the events: the likelihood has no maximum, and the coefficients are where the fit stopped (refit with a penalty)", s.entered))
	}
	f.Facts = s.facts(float64(len(s.gains) + s.first))
	return f
}

// numberFact returns a fact of nine digits.
func numberFact(name string, value float64) data.Fact {
	return data.Fact{Name: name, Value: fmt.Sprintf("%.9g", value)}
}

func constantFact(columns []int32) (facts []data.Fact) {
	if n := len(columns); n > 0 {
		facts = append(facts, data.Fact{Name: "constant columns", Value: fmt.Sprint(n)})
	}
	return facts
}

// hasAny reports whether some of the columns are in the model.
func hasAny(inside, columns []int32) bool {
	return slices.ContainsFunc(columns, func(j int32) bool { return slices.Contains(inside, j) })
}
