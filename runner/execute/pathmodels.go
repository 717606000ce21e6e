package execute

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
)

// pathModels collects the models that a fit returns along its path. They are scored when the fit has ended.
type pathModels struct {
	path      *recorder
	elapsed   time.Duration // up to the last step, without the work for single models
	lastEvent time.Time     // time of the last step or model
	models    []sizedModel
}

// sizedModel is a model on the path. seconds is what a fit of this model alone would have taken.
type sizedModel struct {
	size    int
	model   engines.Model
	seconds float64
}

// attach sets the callbacks of a run that report its steps and models.
func (p *pathModels) attach(run *engines.Run, at []int, path *recorder) {
	if len(at) == 0 {
		return
	}
	p.path, p.lastEvent = path, path.begun
	run.At, run.Trace, run.Keep = at, p.recordStep, p.keepModel
}

func (p *pathModels) recordStep(s engines.Step) {
	p.path.recordStep(s)
	p.lastEvent = time.Now()
	p.elapsed = p.lastEvent.Sub(p.path.begun)
}

// keepModel keeps a model. The path's clock leaves out the time spent for this model alone.
func (p *pathModels) keepModel(size int, m engines.Model) {
	now := time.Now()
	own := now.Sub(p.lastEvent)
	p.path.begun = p.path.begun.Add(own)
	p.lastEvent = now
	p.models = append(p.models, sizedModel{size, m, (p.elapsed + own).Seconds()})
}

// scoreModels adds the scores of every model, and those notes that the last one lacks.
func (p *pathModels) scoreModels(ctx context.Context, o *results.Outcome, train, test *data.View, workers int) error {
	for _, m := range p.models {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		outputs, err := predictTargets(m.model, train, test, workers)
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
			o.Scores = append(o.Scores, workScores(f, at)...)
		}
		nonzero, selected := realSizes(m.model, train, featureNames(m.model, train))
		o.Scores = append(o.Scores, sizeScores(nonzero, selected, at)...)
		o.Scores = append(o.Scores, workScore("seconds_fit", at, m.seconds))
		addScores(o, outputs, at)
	}
	return nil
}
