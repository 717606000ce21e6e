// Package decide lets models of classes predict the level whose expected cost is least (Elkan 2001, The foundations of cost-sensitive
// learning), in place of the most probable one.
package decide

import (
	"context"
	"errors"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decided"
	"tenfold/engines/decision"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Options holds the costs.
type Options struct {
	Metric string                     `yaml:"metric" read:"required,scalar" ref:"metric" doc:"a metric that the file defines by a matrix of costs: the level of the least expected cost is predicted"`
	Matrix func([]string) [][]float64 `yaml:"-"` // costs [true][predicted] of that metric in an order of levels; nil if these are others
}

// Validate accepts: the name of the metric is checked where the file is read.
func (o Options) Validate() error { return nil }

// DecidedBy returns the name of the metric.
func (o Options) DecidedBy() string { return o.Metric }

// WithMatrix returns the options with the costs of the metric.
func (o Options) WithMatrix(matrix func(levels []string) [][]float64) param.Validator {
	o.Matrix = matrix
	return o
}

// Engine fits its base, and decides by costs.
type Engine struct {
	Base    engines.Engine `yaml:",inline"`
	Options `yaml:"decide"`
}

// Wrapper adds the decisions to an engine.
var Wrapper = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: "decide", Rev: 1,
		Doc:  "a metric of the file with a matrix of costs: of models with probabilities, the level whose expected cost is least is predicted",
		Cite: "Elkan 2001",
	}, Options{}),
	Accepts: func(inner engines.Engine) bool { _, across := inner.(engines.Across); return !across },
	Lacks:   "does not learn from other tasks",
	Wrap: func(inner engines.Engine, o param.Validator) engines.Engine {
		e := Engine{inner, o.(Options)}
		if _, ok := inner.(engines.Pathed); ok {
			return pathed{e}
		}
		return e
	},
}

// Validate refuses a base without models of classes.
func (e Engine) Validate() error {
	n := e.Base.Needs()
	return errors.Join(
		e.Base.Validate(),
		param.Require("decide", n.Takes(data.Class), "costs are of classes, and the engine, with these parameters, takes %s targets only", n.Target),
	)
}

// Needs returns the requirements of the base, for one class target.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Target, n.Survival, n.Tasks = data.Class, false, false
	return n
}

// Footprint returns that of the base.
func (e Engine) Footprint(s engines.Shape) engines.Footprint { return engines.FootprintOf(e.Base, s) }

// Fit fits the base. It returns an error if the model has no probabilities, or the target no level of the costs.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	keep := run.Keep
	var failed error // of a model of another size
	run.Keep = func(size int, m engines.Model) {
		m, err := e.decide(m, run.Train)
		if failed = errors.Join(failed, err); err == nil {
			keep(size, m)
		}
	}
	m, err := e.Base.Fit(ctx, run)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	return e.decide(m, run.Train)
}

// decide returns a model with the decisions by costs.
func (e Engine) decide(m engines.Model, train *data.View) (engines.Model, error) {
	steps, err := train.Inputs().Steps()
	if err != nil {
		return nil, err
	}
	if steps != nil {
		return nil, errors.New("decide: columns look at previous labels, so that sequences are labelled as a whole and no costs decide on single rows")
	}
	info := train.TargetInfo(0)
	matrix := e.Matrix(info.Levels)
	if matrix == nil {
		return nil, errors.New("decide: the target has none of the levels of the costs")
	}
	if r, ok := m.(engines.Reporter); !ok || !r.Fitted().Probabilities {
		return nil, errors.New("decide: the model has no probabilities to weigh the costs by; tune: {threshold: {metric: " + e.Metric + "}} chooses a cut of its decision values")
	}
	return decided.New(m, train.Features(), decision.Rule{Positive: info.Positive, Costs: matrix}), nil
}

// pathed is an engine whose base has a path.
type pathed struct {
	Engine `yaml:",inline"`
}

// base returns the engine that has the path.
func (e pathed) base() engines.Pathed { return e.Base.(engines.Pathed) }

// PathParameters returns those of the base.
func (e pathed) PathParameters() []string { return e.base().PathParameters() }

// PathValues returns those of the base.
func (e pathed) PathValues(run engines.Run) (engines.PathRange, error) {
	return e.base().PathValues(run)
}

// FitPath fits that of the base.
func (e pathed) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	var failed error
	err := e.base().FitPath(ctx, run, points, func(i int, m engines.Model) {
		m, err := e.decide(m, run.Train)
		if failed = errors.Join(failed, err); err == nil {
			keep(i, m)
		}
	})
	return errors.Join(err, failed)
}

// AtValue returns the engine with the parameter of the base set to a value.
func (e pathed) AtValue(value float64) engines.Engine {
	e.Base = e.base().AtValue(value)
	return e.Engine
}
