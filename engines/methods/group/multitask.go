package group

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/core/response"
	"tenfold/engines/data"
)

// MultiTask is the lasso of several responses with the same features (BBLasso, the blockwise boosted lasso of Obozinski et al.,
// goes to the same minima by small steps): a column has coefficients for all responses or for none.
type MultiTask struct {
	Parameters `yaml:",inline"`
}

// MultiTaskKind is the engine multitask-lasso.
var MultiTaskKind = engines.Define(engines.Kind{
	Name: "multitask-lasso",
	Doc:  "least squares or logistic regressions of several targets on the same features, with a penalty on the norm of each feature's coefficients, by block coordinate descent with a duality gap as its certificate",
	Cite: "Obozinski, Taskar & Jordan 2010 (BBLasso)",
	Rev:  5, // 5: penalties that only rounding would select at are none; 4: zeros are stored where they are not too many
}, MultiTask{defaults})

// Validate checks the parameters.
func (e MultiTask) Validate() error { return e.validateParameters() }

// Needs is targets on the same rows, numbers or classes of two levels.
func (e MultiTask) Needs() engines.Needs {
	return engines.Needs{Target: response.Type(e.Loss), Levels: 2, Tasks: true, Keeps: true, Factors: true}
}

// Footprint of a fit of one target; every further one takes about as much again but for the columns laid out.
func (e MultiTask) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: bytes(s)}
}

// Fit minimises the objective.
func (e MultiTask) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.fit(ctx, run, singleColumnBlocks)
}

// PathParameters are the penalty, and its share of the smallest that selects nothing.
func (MultiTask) PathParameters() []string { return []string{"lambda", "lambda_ratio"} }

// PathValues are penalties from the null model on.
func (e MultiTask) PathValues(run engines.Run) (engines.PathRange, error) {
	f, err := e.read(context.Background(), run, singleColumnBlocks)
	if err != nil {
		return engines.PathRange{}, err
	}
	return f.values(), nil
}

// FitPath fits at each of the points, every one from the one before.
func (e MultiTask) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	f, err := e.read(ctx, run, singleColumnBlocks)
	if err != nil {
		return err
	}
	return f.along(ctx, points, keep)
}

// AtValue is the engine with the penalty set.
func (e MultiTask) AtValue(lambda float64) engines.Engine {
	e.Lambda, e.Ratio = lambda, 0
	return e
}

// singleColumnBlocks are blocks of one column each, whose weights are the factors of their penalty.
func singleColumnBlocks(v *data.View) (parts, error) {
	n := v.Columns()
	p := parts{columns: make([][]int32, n), weight: make([]float64, n), names: "features"}
	all := make([]int32, n)
	for j := range all {
		all[j] = int32(j)
		p.columns[j], p.weight[j] = all[j:j+1:j+1], 1
	}
	return p, p.multiplyWeights(v)
}
