package runner

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
)

// points collects the models that a fit hands out along its path; they are scored when it has ended.
type points struct {
	path      *recorder
	selecting time.Duration // taken until the last step, without what was work for single models
	since     time.Time     // of the last step or model
	models    []sized
}

// sized is a model on the path. Seconds are what a fit of this model alone would have taken.
type sized struct {
	size    int
	model   engines.Model
	seconds float64
}

// follow makes a run tell of its steps and models.
func (p *points) follow(run *engines.Run, at []int, path *recorder) {
	if len(at) == 0 {
		return
	}
	p.path, p.since = path, path.begun
	run.At, run.Trace, run.Keep = at, p.step, p.keep
}

func (p *points) step(s engines.Step) {
	p.path.record(s)
	p.since = time.Now()
	p.selecting = p.since.Sub(p.path.begun)
}

// keep a model. The clock of the path does not count what was done for it alone.
func (p *points) keep(size int, m engines.Model) {
	now := time.Now()
	own := now.Sub(p.since)
	p.path.begun = p.path.begun.Add(own)
	p.since = now
	p.models = append(p.models, sized{size, m, (p.selecting + own).Seconds()})
}

// score adds the scores of every model, and what they have to say that the last one does not.
func (p *points) score(ctx context.Context, o *results.Outcome, train, test *data.View, workers int) error {
	for _, m := range p.models {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		outputs, err := predict(m.model, train, test, workers)
		if err != nil {
			return fmt.Errorf("at %d features: %w", m.size, err)
		}
		at := int32(m.size)
		if r, ok := m.model.(engines.Reporter); ok {
			f := r.Fitted()
			for _, n := range f.Notes {
				if !slices.Contains(o.Notes, n) {
					o.Notes = append(o.Notes, fmt.Sprintf("at %d features: %s", m.size, n))
				}
			}
			o.Scores = append(o.Scores, workOf(f, at)...)
		}
		o.Scores = append(o.Scores, sizeScores(len(m.model.Coefs()), len(featureNames(m.model, train)), at)...)
		o.Scores = append(o.Scores, workScore("seconds_fit", at, m.seconds))
		score(o, outputs, at)
	}
	return nil
}
