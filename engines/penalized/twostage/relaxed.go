package twostage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/rates"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/inner"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
)

// Relaxed is the lasso blended with a fit of its columns that has no penalty: φ·b_lasso + (1−φ)·b_refit (Hastie, Tibshirani and Tibshirani 2020,
// section 2; Meinshausen's relaxed lasso of 2007, a second lasso with φλ, is the same only while signs keep).
type Relaxed struct {
	Phi         float64 `yaml:"phi" doc:"share of the lasso in the coefficients, in [0, 1]; 1 is the lasso, 0 least squares, or logistic or Poisson regression without a penalty, on its columns"`
	MaxWeight   float64 `yaml:"max_weight" doc:"of classes, the largest absolute coefficient of the refit on columns divided by their standard deviation, > 0: columns that tell classes apart have no finite optimum"`
	lasso.Lasso `yaml:",inline"`
}

const defaultMaxWeight = 10.0

// RelaxedKind is the relaxed lasso.
var RelaxedKind = engines.Define(engines.Kind{
	Name: "relaxed-lasso",
	Doc:  "the lasso blended with least squares, or logistic or Poisson regression without a penalty, on the columns that it selects, so that it need not shrink them to leave others out",
	Cite: "Hastie, Tibshirani & Tibshirani 2020",
	Rev:  12,
}, Relaxed{Phi: 0, MaxWeight: defaultMaxWeight, Lasso: lasso.Lasso{Stopping: lasso.DefaultStopping}})

// Validate checks the parameters.
func (e Relaxed) Validate() error {
	return errors.Join(
		param.Require("phi", e.Phi >= 0 && e.Phi <= 1, "%v, expected a share from 0 to 1", e.Phi),
		param.Require("max_weight", e.MaxWeight > 0 && elementary.IsFinite(e.MaxWeight), "%v, expected a number above 0", e.MaxWeight),
		param.Idle("max_weight", e.MaxWeight, defaultMaxWeight, e.Phi < 1, "it is of the refit, of which phi 1 takes nothing"),
		e.Lasso.Validate(),
	)
}

// Needs returns one target.
func (e Relaxed) Needs() engines.Needs {
	n := e.Lasso.Needs()
	n.Tasks = false
	return n
}

// Footprint returns that of the lasso, and of a refit of all columns at worst.
func (e Relaxed) Footprint(s engines.Shape) engines.Footprint {
	second := engines.FootprintOf(leastsquares.OLSKind.Defaults(), s)
	if s.Levels > 0 {
		second = engines.FootprintOf(logistic.Kind.Defaults(), s)
	}
	return engines.FootprintOf(e.Lasso, s).And(second.Bytes + s.EntryBytes()*s.Entries)
}

// AtValue returns the engine with another lambda_ratio.
func (e Relaxed) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// Fit fits the lasso, and its columns again.
func (e Relaxed) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.Lasso.Needs().Inner {
		var err error
		if e.Ratio, err = inner.Share(ctx, run, e); err != nil {
			return nil, err
		}
	}
	r := refits{engine: e, run: run}
	on := run
	on.Keep = func(size int, m engines.Model) {
		if b := r.blend(ctx, m); r.err == nil {
			run.Keep(size, b)
		}
	}
	m, err := e.Lasso.Fit(ctx, on)
	if err != nil {
		return nil, err
	}
	b := r.blend(ctx, m)
	return b, r.err
}

// FitPath refits the model of each point whose columns are others than those of the last.
func (e Relaxed) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	r := refits{engine: e, run: run}
	err := e.Lasso.FitPath(ctx, run, points, func(i int, m engines.Model) {
		if b := r.blend(ctx, m); r.err == nil {
			keep(i, b)
		}
	})
	return errors.Join(err, r.err)
}

// refits of the columns that the lasso selects.
type refits struct {
	engine  Relaxed
	run     engines.Run
	columns []int32 // of the last one
	last    engines.Model
	err     error
}

// refit returns a fit of the columns without a penalty. Of dependent columns least squares has its shortest solution.
func (r *refits) refit(ctx context.Context, columns []int32) engines.Model {
	if r.last != nil && slices.Equal(columns, r.columns) {
		return r.last
	}
	on := engines.Run{Train: r.run.Train.Narrow(columns).Alike(), Workers: r.run.Workers, Cache: r.run.Cache}
	var m engines.Model
	var err error
	switch r.run.Train.TargetInfo(0).Type {
	case data.Class:
		plain := logistic.Kind.Defaults().(logistic.Logistic)
		plain.C2, plain.MaxWeight, plain.Standardize = 0, r.engine.MaxWeight, true
		m, err = plain.Fit(ctx, on)
	case data.Count:
		m, err = rates.Unpenalized(ctx, on.Train, r.run.Workers)
	default:
		m, err = leastsquares.OLS{Scale: "sd", Tol: 1e-10}.Fit(ctx, on)
	}
	if err != nil {
		r.err = fmt.Errorf("refit of %d columns: %w", len(columns), err)
		return nil
	}
	r.columns, r.last = columns, m
	return m
}

// blend returns the blend of a model of the lasso with the refit of its columns.
func (r *refits) blend(ctx context.Context, m engines.Model) engines.Model {
	all := r.run.Train.Columns()
	columns := engines.ColumnsOf(m, all)
	if r.err != nil || r.engine.Phi == 1 || len(columns) == 0 {
		return m
	}
	plain := r.refit(ctx, columns)
	if plain == nil {
		return nil
	}
	type place struct{ feature, output int }
	places, coefs := map[place]int{}, slices.Clone(m.Coefs())
	for k := range coefs {
		places[place{coefs[k].Feature, coefs[k].Output}] = k
		coefs[k].Value *= r.engine.Phi
	}
	for _, c := range plain.Coefs() {
		c.Feature, c.Rank = int(columns[c.Feature]), -1
		c.Value *= 1 - r.engine.Phi
		if k, ok := places[place{c.Feature, c.Output}]; ok {
			coefs[k].Value += c.Value
		} else {
			coefs = append(coefs, c)
		}
	}
	bias := engines.Biases(m)
	for k, b := range engines.Biases(plain) {
		bias[k] = float64(r.engine.Phi*bias[k]) + float64((1-r.engine.Phi)*b)
	}
	fitted := m.(engines.Reporter).Fitted()
	fitted.Certificate = nil // which is that of the lasso
	fitted.Facts = append(slices.Clone(fitted.Facts), data.Fact{Name: "columns refitted", Value: fmt.Sprint(len(columns))})
	fitted.Notes = slices.Clone(fitted.Notes)
	class := r.run.Train.TargetInfo(0).Type == data.Class
	for _, note := range plain.(engines.Reporter).Fitted().Notes {
		if class || strings.HasPrefix(note, engines.NotConverged) { // that dependent columns have no unique coefficients, the page says
			fitted.Notes = append(fitted.Notes, "refit: "+note)
		}
	}
	if class {
		return softmax.NewModel(all, bias, coefs, fitted)
	}
	return engines.NewLinear(all, bias, coefs, fitted)
}
