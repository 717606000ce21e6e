package engines

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"tenfold/engines/data"
)

// Trial is a fit of an engine to the rows of an inner fold, whose model is measured on the rows that the fold holds out.
type Trial struct {
	Engine Engine
	// Points are those of a path, of an engine that is Pathed; the zero value stands for a single model.
	Points  PathPoints
	On      HeldOut
	Columns []int32 // that the engine sees, rising; nil for all
	Seed    [2]uint64
}

// Measured is what was measured of the model of a trial, or of that of one point.
type Measured struct {
	Values        []float64 // by metric, NaN where undefined; nil if there is no model, since its path ended before, or if Err is set
	Probabilities bool      // whether the model gives the probabilities of classes
	Seconds       float64   // of the fit and the measurement; of a path at its last point, NaN at the others; NaN if nobody looks at a clock
	Err           error     // of the measurement
}

// Try fits and measures, with a result for each point. If the fit fails, the results are those of the points before, with its error.
func (c Comparison) Try(ctx context.Context, run Run, t Trial) (measured []Measured, err error) {
	kept, seconds, _ := run.Recalled(t.work(c), func(inside Run) (Yield, error) {
		measured, err = c.fit(ctx, inside, t)
		return Yield{Values: flatten(measured)}, errors.Join(err, failure(measured))
	})
	if measured == nil {
		measured = restored(kept.Values, len(c.Metrics))
	}
	for i := range measured {
		measured[i].Seconds = math.NaN()
	}
	measured[len(measured)-1].Seconds = seconds
	return measured, err
}

// fit does the work of a trial.
func (c Comparison) fit(ctx context.Context, run Run, t Trial) ([]Measured, error) {
	train, held := t.On.Train, t.On.Held
	if t.Columns != nil {
		train, held = train.Narrow(t.Columns), held.Narrow(t.Columns)
	}
	on := run.Inside(train, t.Seed)
	measured := make([]Measured, max(1, len(t.Points.Values)))
	keep := func(i int, m Model) {
		r, ok := m.(Reporter)
		measured[i].Probabilities = ok && r.Fitted().Probabilities
		measured[i].Values, measured[i].Err = c.Measure(m, train, held)
	}
	if t.Points.Parameter != "" {
		return measured, t.Engine.(Pathed).FitPath(ctx, on, t.Points, keep)
	}
	m, err := t.Engine.Fit(ctx, on)
	if err == nil {
		keep(0, m)
		Close(m)
	}
	return measured, err
}

// work describes the trial: it depends on the metrics, and on nothing else of the search that it is part of.
func (t Trial) work(c Comparison) Work {
	what := "trial"
	for _, m := range c.Metrics {
		what += " " + m.Name
	}
	if p := t.Points; p.Parameter != "" {
		what += fmt.Sprintf(" %s %x %t", p.Parameter, p.Values, p.MayEnd)
	}
	return Work{What: what, Engine: t.Engine, On: []*data.View{t.On.Train, t.On.Held}, Columns: t.Columns, Seed: t.Seed}
}

// The words of flatten for a point.
const (
	unmeasured    = 0
	decisions     = 1 // measured, of a model that gives no probabilities
	probabilities = 2
)

// flatten returns what was measured as numbers: for each point a word, and its values.
func flatten(measured []Measured) (out []float64) {
	for _, m := range measured {
		switch {
		case m.Values == nil:
			out = append(out, unmeasured)
			continue
		case m.Probabilities:
			out = append(out, probabilities)
		default:
			out = append(out, decisions)
		}
		out = append(out, m.Values...)
	}
	return out
}

// restored returns what flatten was given.
func restored(values []float64, metrics int) (out []Measured) {
	for len(values) > 0 {
		word := values[0]
		if values = values[1:]; word == unmeasured {
			out = append(out, Measured{})
			continue
		}
		out = append(out, Measured{Values: values[:metrics], Probabilities: word == probabilities})
		values = values[metrics:]
	}
	return out
}

// failure returns the first error of a measurement.
func failure(measured []Measured) error {
	for _, m := range measured {
		if m.Err != nil {
			return m.Err
		}
	}
	return nil
}

// Inside returns a run on some of the rows and columns of this one, with its means and with draws from a seed: what it reports is seen
// by nobody.
func (r Run) Inside(train *data.View, seed [2]uint64) Run {
	return Run{
		Train: train, Rand: rand.New(rand.NewPCG(seed[0], seed[1])), Workers: r.Workers, Cache: r.Cache, Memory: r.Memory,
		Charge: r.Charge, Opened: r.Opened, Inner: r.Inner, Divide: r.Divide, Recall: r.Recall,
	}
}
