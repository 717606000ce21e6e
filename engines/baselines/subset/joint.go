package subset

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// joint is a model of each target on columns of its own.
type joint struct {
	parts   []single
	outputs int
	coefs   []engines.Coef
	fitted  engines.Fitted
}

// single is a model of a target whose columns are some of the data's.
type single struct {
	columns []int32
	model   engines.Model
	scorer  engines.Scorer
}

func newJoint() *joint {
	return &joint{fitted: engines.Fitted{Stop: "done", Best: -1, Probabilities: true}}
}

// add adds the plain model of the next target on some columns, rising.
func (m *joint) add(ctx context.Context, run engines.Run, target int, columns []int32, ridge float64) error {
	run.Train, run.Trace = run.Train.Narrow(columns, target).Alike(), nil
	model, err := For(run.Train, ridge).Fit(ctx, run)
	if err != nil {
		return err
	}
	if r, ok := model.(engines.Reporter); ok {
		m.fitted.Iterations += r.Fitted().Iterations
		m.fitted.Baseline = r.Fitted().Baseline // of survival targets there is one
	}
	if err := m.join(columns, model); err != nil {
		return fmt.Errorf("target %s: %w", run.Train.TargetInfo(0).Name, err)
	}
	return nil
}

// join joins the model of the next target, which is on some columns, rising.
func (m *joint) join(columns []int32, model engines.Model) error {
	scorer, ok := model.(engines.Scorer)
	if !ok {
		return errors.New("its model does not score single rows")
	}
	for _, c := range model.Coefs() {
		c.Feature, c.Output = int(columns[c.Feature]), c.Output+m.outputs
		m.coefs = append(m.coefs, c)
	}
	m.parts = append(m.parts, single{columns, model, scorer})
	m.outputs += model.Outputs()
	return nil
}

// Outputs returns those of all targets.
func (m *joint) Outputs() int { return m.outputs }

// Coefs returns those of all targets.
func (m *joint) Coefs() []engines.Coef { return m.coefs }

// Biases returns the biases of all targets.
func (m *joint) Biases() []float64 {
	parts := make([]engines.Model, len(m.parts))
	for t, p := range m.parts {
		parts[t] = p.model
	}
	return engines.JoinBiases(parts)
}

// Fitted tells how the fit went.
func (m *joint) Fitted() engines.Fitted { return m.fitted }

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *joint) Predict(dst []float64, in data.Inputs) { engines.ScoreRows(dst, in, m) }

// Score fills dst with the outputs for one row.
func (m *joint) Score(dst []float64, row sparse.Vec) {
	for _, p := range m.parts {
		n := p.model.Outputs()
		p.scorer.Score(dst[:n], row.Keep(p.columns))
		dst = dst[n:]
	}
}
