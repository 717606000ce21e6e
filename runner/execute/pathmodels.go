package execute

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/runner/score"
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
	end     int // where the path ended, if that is before the size; else the size
}

// attach sets the callbacks of a run that report its steps and models.
func (p *pathModels) attach(run *engines.Run, sizes []int, path *recorder) {
	if len(sizes) == 0 {
		return
	}
	p.path, p.lastEvent = path, path.begun
	run.At, run.Trace, run.Keep = sizes, p.recordStep, p.keepModel
}

func (p *pathModels) recordStep(s engines.Step) {
	p.path.recordStep(s)
	p.lastEvent = time.Now()
	p.elapsed = p.lastEvent.Sub(p.path.begun)
}

// keepModel keeps a model. The path's clock leaves out the time spent for this model alone.
func (p *pathModels) keepModel(size int, m engines.Model) {
	now := time.Now()
	spent := now.Sub(p.lastEvent)
	p.path.begun = p.path.begun.Add(spent)
	p.lastEvent = now
	p.models = append(p.models, sizedModel{size, m, (p.elapsed + spent).Seconds(), size})
}

// carryOn keeps the last model for the sizes that the path did not reach, and returns a note that says which; "" if there are none.
func (p *pathModels) carryOn(sizes []int, last engines.Model, kind engines.Sizes, train *data.View) string {
	beyond := sizes[len(p.models):]
	if len(beyond) == 0 {
		return ""
	}
	end := sizeOf(last, kind, train)
	for _, size := range beyond {
		p.keepModel(size, last)
		p.models[len(p.models)-1].end = end
	}
	return fmt.Sprintf("the path ends at %d features: its last model stands for %v", end, beyond)
}

// sizeOf returns the size of a model as its path counts it: coefficients, or columns, of several responses the most that one has.
func sizeOf(m engines.Model, kind engines.Sizes, train *data.View) int {
	nonzero, selected := realSizes(m, train, featureNames(m, train))
	switch {
	case kind.Coefficients:
		return nonzero
	case train.Targets() == 1:
		return selected
	}
	each := make([]int, m.Outputs())
	for _, c := range m.Coefs() {
		each[c.Output]++
	}
	return slices.Max(each)
}

// scoreModels adds the scores of every model, and those notes that the last one lacks.
func (p *pathModels) scoreModels(ctx context.Context, o *results.Outcome, train, test *data.View, workers int) error {
	for _, m := range p.models {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		outputs, err := score.Predict(m.model, train, test, workers)
		if err != nil {
			return fmt.Errorf("at %d features: %w", m.size, err)
		}
		point := int32(m.size)
		if r, ok := m.model.(engines.Reporter); ok {
			f := r.Fitted()
			for _, n := range f.Notes {
				if !slices.Contains(o.Notes, n) {
					o.Notes = append(o.Notes, fmt.Sprintf("at %d features: %s", m.size, n))
				}
			}
			o.Scores = append(o.Scores, workScores(f, point)...)
		}
		nonzero, selected := realSizes(m.model, train, featureNames(m.model, train))
		o.Scores = append(o.Scores, sizeScores(nonzero, selected, point)...)
		o.Scores = append(o.Scores, workScore("seconds_fit", point, m.seconds), workScore(results.PathEndMetric, point, float64(m.end)))
		score.Add(o, outputs, point)
	}
	return nil
}
