package engines

import (
	"context"
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
	Err           error     // of the measurement
}

// Try fits and measures, with a result for each point. If the fit fails, the results are those of the points before, with its error.
func (c Comparison) Try(ctx context.Context, run Run, t Trial) ([]Measured, error) {
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

// Inside returns a run on some of the rows and columns of this one, with its means and with draws from a seed: what it reports is seen
// by nobody.
func (r Run) Inside(train *data.View, seed [2]uint64) Run {
	return Run{
		Train: train, Rand: rand.New(rand.NewPCG(seed[0], seed[1])), Workers: r.Workers, Cache: r.Cache, Memory: r.Memory,
		Charge: r.Charge, Opened: r.Opened, Inner: r.Inner, Divide: r.Divide,
	}
}
