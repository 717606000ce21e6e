package baseline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/engines/sparse"
)

// Oracle knows which features each response depends on, and estimates their weights: by least squares, or for classes by
// logistic regression. No selection can do better, but by luck.
type Oracle struct {
	Ridge float64 `yaml:"ridge" doc:"weight of half the sum of squared slopes in the logistic regression of classes, > 0: keeps weights finite where classes are separable"`
}

// OracleKind is the baseline from above, for generated data.
var OracleKind = engines.Define(engines.Kind{
	Name: "oracle",
	Doc:  "least squares or logistic regression on the true features, where the data knows them",
	Cite: "Dhillon, Foster & Ungar 2011, Table 2: true model",
	Rev:  1,
}, Oracle{Ridge: 1e-3})

// Validate checks the parameter.
func (e Oracle) Validate() error {
	if !(e.Ridge > 0) {
		return kind.Errorf("ridge", "%v, expected a number above 0", e.Ridge)
	}
	return nil
}

// Needs is any targets with a known truth.
func (Oracle) Needs() engines.Needs { return engines.Needs{Tasks: true, Truth: true} }

// Fit is one regression a target, on its true columns. Those that the preparation of the fold left out are lost.
func (e Oracle) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	truth := run.Train.Truth()
	if truth == nil {
		return nil, fmt.Errorf("the true features are not known")
	}
	m := &joint{fitted: engines.Fitted{Stop: "done", Best: -1, Probabilities: true}}
	lost := 0
	for t := range run.Train.Targets() {
		var columns []int32
		for _, c := range truth {
			switch {
			case int(c.Target) != t:
			case c.Feature < 0:
				lost++
			default:
				columns = append(columns, c.Feature)
			}
		}
		slices.Sort(columns)
		if err := m.add(ctx, run, t, slices.Compact(columns), e.Ridge); err != nil {
			return nil, err
		}
	}
	if lost > 0 {
		m.fitted.Notes = append(m.fitted.Notes, fmt.Sprintf("%d true coefficients are of columns that the fold does not have", lost))
	}
	return m, nil
}

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

func (m *joint) add(ctx context.Context, run engines.Run, target int, columns []int32, ridge float64) error {
	run.Train, run.Trace = run.Train.Narrow(columns, target), nil
	model, err := Plain(run.Train, ridge).Fit(ctx, run)
	if err != nil {
		return err
	}
	if r, ok := model.(engines.Reporter); ok {
		m.fitted.Iterations += r.Fitted().Iterations
	}
	if err := m.join(columns, model); err != nil {
		return fmt.Errorf("target %s: %w", run.Train.TargetInfo(0).Name, err)
	}
	return nil
}

// join the model of the next target, which is on some columns, rising.
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

// Outputs is those of all targets.
func (m *joint) Outputs() int { return m.outputs }

// Coefs are those of all targets.
func (m *joint) Coefs() []engines.Coef { return m.coefs }

// Fitted tells how the fit went.
func (m *joint) Fitted() engines.Fitted { return m.fitted }

// Predict fills dst, row-major, in.Len() × Outputs().
func (m *joint) Predict(dst []float64, in data.Inputs) {
	for i := range in.Len() {
		m.Score(dst[i*m.outputs:(i+1)*m.outputs], in.Row(i))
	}
}

// Score fills dst with the outputs for one row.
func (m *joint) Score(dst []float64, row sparse.Vec) {
	for _, p := range m.parts {
		n := p.model.Outputs()
		p.scorer.Score(dst[:n], p.narrow(row))
		dst = dst[n:]
	}
}

// narrow is the row's entries in the columns of the target.
func (p single) narrow(row sparse.Vec) sparse.Vec {
	v := sparse.Vec{Val: []float64{}}
	for k, j := range p.columns {
		at := sort.Search(row.Len(), func(q int) bool { return row.Idx[q] >= j })
		if at < row.Len() && row.Idx[at] == j {
			v.Idx, v.Val = append(v.Idx, int32(k)), append(v.Val, row.At(at))
		}
	}
	return v
}
