package mdl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/core/elementary"
	responses "tenfold/engines/core/response"
	"tenfold/engines/data"
	"tenfold/engines/methods/univariate"
	"tenfold/engines/param"
)

// Stepwise is greedy least squares: the search of engine mdl on the same growing model, but no description length. Each
// step takes the column that brings most, and re-estimates all weights.
type Stepwise struct {
	MaxFeatures int     `yaml:"max_features" doc:"columns at most; 0: as many as the rows allow, two fewer than there are"`
	Choose      string  `yaml:"choose" doc:"the next column: drop (lowers the residual sum of squares, RSS, most), or correlation (correlates most with the residual: orthogonal matching pursuit, the stepwise of R's lars)"`
	Criterion   string  `yaml:"criterion" doc:"a column enters only if it improves: aic (n·ln RSS + 2·columns), bic (n·ln RSS + ln n·columns), or f-test (its p-value is at most alpha); none: without asking"`
	Alpha       float64 `yaml:"alpha" doc:"with criterion f-test, the largest p-value of a column that enters, in (0, 1)"`
	MinGain     float64 `yaml:"min_gain" doc:"a column enters only if it lowers RSS by more than this share of the response's sum of squares, in [0, 1)"`
}

// Words of the parameters.
const (
	chooseDrop        = "drop"
	chooseCorrelation = "correlation"

	criterionNone = "none"
	criterionAIC  = "aic"
	criterionBIC  = "bic"
	criterionF    = "f-test"
)

// StepwiseKind is the engine forward-stepwise.
var StepwiseKind = engines.Define(engines.Kind{
	Name: "forward-stepwise",
	Doc:  "least squares, greedily: the column that lowers the residual sum of squares most, again and again; classes of two levels as 0 and 1",
	Cite: "Efroymson 1960; Hastie, Tibshirani & Friedman 2009, section 3.3.2",
	Rev:  1,
}, Stepwise{Choose: chooseDrop, Criterion: criterionBIC, Alpha: 0.05})

// Validate checks the parameters.
func (e Stepwise) Validate() error {
	return errors.Join(
		param.Require("max_features", e.MaxFeatures >= 0, "%d, expected 0 or more", e.MaxFeatures),
		param.OneOf("choose", e.Choose, chooseDrop, chooseCorrelation),
		param.OneOf("criterion", e.Criterion, criterionNone, criterionAIC, criterionBIC, criterionF),
		param.Require("alpha", e.Alpha > 0 && e.Alpha < 1, "%v, expected a level between 0 and 1", e.Alpha),
		param.Require("min_gain", e.MinGain >= 0 && e.MinGain < 1, "%v, expected a share of at least 0, below 1", e.MinGain),
	)
}

// Needs is one target, real or a class of two levels.
func (e Stepwise) Needs() engines.Needs {
	return engines.Needs{Target: data.Any, Levels: 2, Sizes: engines.Sizes{Limit: "max_features"}, Entry: true, Keeps: true, Together: e.Choose == chooseDrop}
}

// Footprint of a fit: the columns laid out, some vectors of columns, and one of rows for each column that enters.
func (e Stepwise) Footprint(s engines.Shape) engines.Footprint {
	likely := 64
	if e.MaxFeatures > 0 {
		likely = min(e.MaxFeatures, s.Rows, s.Columns)
	}
	return engines.Footprint{Bytes: 12*s.Entries + 48*int64(s.Columns) + 8*int64(likely+8)*int64(s.Rows)}
}

// Fit is O(nnz + rows · columns entered) a step.
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
		next, err := s.bestEntrant(ctx)
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

// stepwise is a fit under way.
type stepwise struct {
	Stepwise
	*gaussian
	run       engines.Run
	targets   *responses.Responses
	units     [][]int32 // columns that enter together; nil where each enters by itself
	gains     []float64 // by column in the model, in order of entry: what it, or its unit, lowered RSS by
	entered   int       // columns, or units, of these
	first     int       // columns in the model that were to be kept, before those
	kept      int       // number of sizes of run.At whose models were kept
	evaluated int64
	stop      string

	before map[int32]float64 // weights at the last traced step
}

func (e Stepwise) newStepwise(ctx context.Context, run engines.Run) (*stepwise, error) {
	r, err := responses.Read(run.Train, responses.Squared)
	if err != nil {
		return nil, err
	}
	d, err := newDesign(r.Train, run.Workers)
	if err != nil {
		return nil, err
	}
	g := newLeastSquares(ctx, d, [][]float64{r.Each[0].Y})
	s := &stepwise{Stepwise: e, gaussian: &gaussian{leastSquares: g}, run: run, targets: r}
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
		if _, full := s.leastSquares.saturatedTask(); full {
			return fmt.Errorf("the columns that every model has (features: {keep: …}) fit all %v rows, which leaves nothing to select by", s.N)
		}
		step := s.directions(j, []int32{0})[0]
		if step.q == nil {
			s.responses[0].basis.d[j] = 0
			continue
		}
		if err := s.addColumn(ctx, j, []direction{step}); err != nil {
			return err
		}
		s.first++
	}
	return nil
}

// stopReason says why the model can take no more columns; "" if it can.
func (s *stepwise) stopReason() string {
	if s.MaxFeatures > 0 && s.entered >= s.MaxFeatures {
		return "max_features"
	}
	if _, full := s.leastSquares.saturatedTask(); full {
		return "saturated"
	}
	return ""
}

// tieTolerance is the relative difference below which values count as equal.
const tieTolerance = 1e-9

// scanColumns is the best column by the running sums, ties to the lowest index; −1 if none lowers RSS.
func (s *stepwise) scanColumns() int32 {
	best, most := int32(-1), 0.0
	for j := range int32(s.columns()) {
		value := s.rssDecrease(0, j)
		if value > 0 && s.Choose == chooseCorrelation {
			c := s.responses[0].c[s.place[j]]
			value = c * c / s.Norm2[j]
		}
		if value > most*(1+tieTolerance) {
			best, most = j, value
		}
	}
	s.evaluated += int64(s.columns())
	return best
}

// bestColumn is the next column and its direction, computed from the column itself; −1 if there is none. If the running sums have
// drifted, it recomputes them and scans once more.
func (s *stepwise) bestColumn(ctx context.Context) (int32, direction, error) {
	for again := true; ; {
		j := s.scanColumns()
		if ctx.Err() != nil {
			return -1, direction{}, context.Cause(ctx)
		}
		if j < 0 {
			return -1, direction{}, nil
		}
		step := s.directions(j, []int32{0})[0]
		gain, guess := rssDecrease(step), s.rssDecrease(0, j)
		if again && math.Abs(gain-guess) > drifted*max(gain, guess) {
			s.recompute(ctx)
			again = false
			continue
		}
		if gain > 0 {
			return j, step, nil
		}
		s.responses[0].basis.d[s.place[j]] = 0 // it depends on those in the model
	}
}

// rssDecrease is by how much adding the direction lowers the residual sum of squares.
func rssDecrease(step direction) float64 {
	if step.q == nil {
		return 0
	}
	return step.along[0] * step.along[0]
}

// entrant is what may enter next: a column, or all columns of a unit that depend neither on the model nor on each other.
type entrant struct {
	columns []int32
	gain    float64     // by how much RSS falls
	known   []direction // of the first columns
}

// bestEntrant is the one that lowers RSS most, without columns where none does.
func (s *stepwise) bestEntrant(ctx context.Context) (entrant, error) {
	if s.units != nil {
		return s.bestUnit(ctx)
	}
	j, step, err := s.bestColumn(ctx)
	if j < 0 {
		return entrant{}, err
	}
	return entrant{[]int32{j}, rssDecrease(step), []direction{step}}, err
}

// refusalReason says why it may not enter; "" if it may.
func (s *stepwise) refusalReason(next entrant) string {
	if len(next.columns) == 0 {
		return "exhausted"
	}
	u, parameters := s.responses[0], float64(len(next.columns))
	decrease := func() float64 { // by how much n·ln RSS falls
		return s.N * elementary.Log(u.rss/max(u.rss-next.gain, saturatedBelow*u.tss))
	}
	switch {
	case next.gain <= s.MinGain*u.tss:
		return "min_gain"
	case s.Criterion == criterionAIC && decrease() <= 2*parameters,
		s.Criterion == criterionBIC && decrease() <= elementary.Log(s.N)*parameters,
		s.Criterion == criterionF && s.fTail(next) > s.Alpha:
		return s.Criterion
	}
	return ""
}

// fTail is the p-value of the F test: F = (Δ/m)/((RSS − Δ)/ν) on m and ν = n − q − m − 1 degrees of freedom; 1 where none is left.
func (s *stepwise) fTail(next entrant) float64 {
	u, m := s.responses[0], float64(len(next.columns))
	nu := s.N - float64(len(u.columns)) - m - 1
	if nu <= 0 {
		return 1
	}
	return univariate.FTail(min(1, next.gain/u.rss), min(1, max(0, u.rss-next.gain)/u.rss), m, nu)
}

func (s *stepwise) enter(ctx context.Context, next entrant) error {
	for k, j := range next.columns {
		steps := next.known
		if k >= len(steps) {
			steps = s.directions(j, []int32{0})
		}
		if err := s.addColumn(ctx, j, steps); err != nil {
			return err
		}
		s.gains = append(s.gains, next.gain)
	}
	s.entered++
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
	u := s.responses[0]
	w, bias := s.weights(0)
	step := engines.Step{
		Iter: s.entered, TrainError: u.rss / s.N, Active: len(w), Changed: entered, Bias: bias, Evaluations: s.evaluated,
	}
	for _, j := range u.columns {
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
	u := s.responses[0]
	w, bias := s.weights(0)
	coefs := make([]engines.Coef, len(u.columns))
	for k, j := range u.columns {
		coefs[k] = engines.Coef{Feature: int(j), Value: w[j], Rank: k}
		if k >= s.first {
			coefs[k].Score = s.gains[k-s.first]
		}
	}
	return s.targets.Model([]float64{bias}, coefs, s.fitted())
}

func (s *stepwise) fitted() engines.Fitted {
	u, q := s.responses[0], float64(len(s.gains)+s.first)
	f := engines.Fitted{Stop: cmp.Or(s.stop, "max_features"), Iterations: s.entered, Evaluated: s.evaluated, Best: s.entered}
	if missing := s.run.At[s.kept:]; s.stop != "" && len(missing) > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("the path ends at %d columns (%s): there is no model of %v; criterion none and min_gain 0 let every column enter", s.entered, s.stop, missing))
	}
	fact := func(name string, value float64) {
		f.Facts = append(f.Facts, data.Fact{Name: name, Value: fmt.Sprintf("%.9g", value)})
	}
	fact("residual sum of squares", u.rss)
	fact("R²", 1-u.rss/u.tss)
	if u.rss > 0 {
		fact("AIC (n·ln(RSS/n) + 2·columns)", float64(s.N*elementary.Log(u.rss/s.N))+float64(2*q))
		fact("BIC (n·ln(RSS/n) + ln n·columns)", float64(s.N*elementary.Log(u.rss/s.N))+float64(elementary.Log(s.N)*q))
	}
	if n := len(s.Constant()); n > 0 {
		f.Facts = append(f.Facts, data.Fact{Name: "constant columns", Value: fmt.Sprint(n)})
	}
	return f
}
