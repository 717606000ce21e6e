// Package byclass fits engines with class weights: the rows of a rare level may count as much as those of a frequent one.
//
// A row of weight w and level k counts w·f_k in fits. The factors are given by level, or balanced: f_k = Σw / (K·W_k) over the K levels that
// the rows of the fit have, W_k the weight of the rows of level k, so that all levels count the same and the weights keep their sum. Without
// row weights that is n / (K n_k), scikit-learn's class_weight="balanced"; with row weights scikit-learn counts rows, so that a row of weight
// 2 is not two rows. Fits to some of the rows, such as those of an inner fold, have the factors of these. Losses by which models are chosen or
// judged count rows as the data does.
package byclass

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/classweight"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// key is the key beside params.
const key = "class_weight"

// Engine is an engine whose training rows count by class weights as well.
type Engine struct {
	Base    engines.Engine      `yaml:",inline"`
	Weights classweight.Weights `yaml:"class_weight" doc:"balanced: all levels of the class count the same; or the factor of the weight of the rows of each level, as in {ill: 5}, 1 of other levels; or none"`
}

// Wrapper registers the engine for experiment files.
var Wrapper = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: key, Doc: "how much the rows of each level of a class count in fits: balanced, all levels the same; {ill: 5}, factors by level, 1 of others; or none", Rev: 1,
	}, classweight.Weights{}),
	Off:     classweight.None,
	Accepts: func(inner engines.Engine) bool { return refusal(inner) == nil },
	Lacks:   "does not fit classes by weights of rows",
	Wrap: func(inner engines.Engine, options param.Validator) engines.Engine {
		return around(Engine{inner, options.(classweight.Weights)})
	},
}

// refusal returns why class weights cannot go around an engine; nil if they can.
func refusal(e engines.Engine) error {
	n := e.Needs()
	_, across := e.(engines.Across)
	switch {
	case !n.Takes(data.Class):
		return param.Errorf(key, "the engine, with these parameters, takes %s targets only", n.Targets())
	case across:
		return param.Errorf(key, "the engine learns from other tasks, whose rows all count once")
	case n.Unweighted:
		return param.Errorf(key, "the engine, with these parameters, counts every row once, so that none can weigh more: leave it out, or take an engine that weighs rows (tenfold describe abilities)")
	}
	return nil
}

// around returns the engine with what of the base goes through it: a path of penalties, or a choice of columns without a model.
func around(e Engine) engines.Engine {
	if p, ok := e.Base.(engines.Pathed); ok {
		return pathed{e, p}
	}
	if c, ok := e.Base.(engines.Chooser); ok {
		return chooser{e, c}
	}
	return e
}

// Validate checks the base, the factors, and that the base fits classes by weights.
func (e Engine) Validate() error {
	err := errors.Join(e.Base.Validate(), refusal(e.Base))
	if n := e.Base.Needs(); n.WholeWeights && !n.Unweighted {
		err = errors.Join(err, param.Errorf(key, "the engine, with these parameters, takes whole numbers of rows, and class weights are fractions"))
	}
	return err
}

// Needs returns the requirements of the base, of one class target that has the levels with a factor, and two of a factor above 0.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Target, n.Survival, n.Tasks = data.Class, false, false
	n.Named, n.MinLevels = e.Weights.Named(), 2+e.Weights.Zeros()
	return n
}

// Footprint returns that of the base, and the weights.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	return engines.FootprintOf(e.Base, s).And(16 * int64(s.Rows))
}

// InnerFits counts those of the base.
func (e Engine) InnerFits(s engines.Shape) int { return engines.InnerFits(e.Base, s) }

// Fit fits the base to rows that count by class weights.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	run.Train = run.Train.Weighted(e.Weights)
	e.say(run)
	m, err := e.Base.Fit(ctx, run)
	if r, ok := m.(engines.Reporter); ok && err == nil && r.Fitted().Probabilities {
		run.Note("class_weight: probabilities are those of classes that count so much, and log_loss and brier_score suffer")
	}
	return m, err
}

// say reports the factors.
func (e Engine) say(run engines.Run) {
	rows, level, err := run.Train.LevelsOf(0)
	if err != nil { // the fit says so
		return
	}
	levels := run.Train.TargetInfo(0).Levels
	for k, f := range e.Weights.Factors(levels, rows.CaseWeights(), level) {
		run.Say("class weight of "+levels[k], fmt.Sprintf("%.6g", f))
	}
}

// pathed is the engine around one with a path of penalties.
type pathed struct {
	Engine `yaml:",inline"`
	base   engines.Pathed
}

func (e pathed) PathParameters() []string { return e.base.PathParameters() }

func (e pathed) PathValues(run engines.Run) (engines.PathRange, error) {
	run.Train = run.Train.Weighted(e.Weights)
	return e.base.PathValues(run)
}

func (e pathed) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	run.Train = run.Train.Weighted(e.Weights)
	return e.base.FitPath(ctx, run, points, keep)
}

func (e pathed) AtValue(value float64) engines.Engine {
	return around(Engine{e.base.AtValue(value), e.Weights})
}

// chooser is the engine around one that selects columns without a model.
type chooser struct {
	Engine `yaml:",inline"`
	base   engines.Chooser
}

func (e chooser) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	run.Train = run.Train.Weighted(e.Weights)
	e.say(run)
	return e.base.Choose(ctx, run)
}
