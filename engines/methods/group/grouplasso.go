package group

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/core/response"
	"tenfold/engines/data"
)

// Lasso is group lasso with the classes of features as groups, or units of columns that are selected together: a class has coefficients or it has none. Groups cannot overlap,
// because a column is of one class (a data set whose sets of features overlap says how they are divided: overlap in its
// classes); columns without a class are a group of their own, _none. The penalty weighs a group by the root of its columns.
type Lasso struct {
	Parameters `yaml:",inline"`
}

// LassoKind is the engine group-lasso.
var LassoKind = engines.Define(engines.Kind{
	Name: "group-lasso",
	Doc:  "least squares or logistic regression with a penalty that selects whole classes of features, by block coordinate descent with a duality gap as its certificate",
	Cite: "Yuan & Lin 2006; Meier, van de Geer & Bühlmann 2008",
	Rev:  5, // 5: penalties that only rounding would select at are none; 4: zeros are stored where they are not too many
}, Lasso{defaults})

// Validate checks the parameters.
func (e Lasso) Validate() error { return e.validateParameters() }

// Needs is one target, a number or a class of two levels, and classes of features.
func (e Lasso) Needs() engines.Needs {
	return engines.Needs{Target: response.Type(e.Loss), Levels: 2, FeatureClasses: true, Keeps: true, Factors: true, Together: true}
}

// Footprint of a fit.
func (e Lasso) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: bytes(s)}
}

// Fit minimises the objective.
func (e Lasso) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.fit(ctx, run, classes)
}

// PathParameters are the penalty, and its share of the smallest that selects nothing.
func (Lasso) PathParameters() []string { return []string{"lambda", "lambda_ratio"} }

// PathValues are penalties from the null model on.
func (e Lasso) PathValues(run engines.Run) (engines.PathRange, error) {
	f, err := e.read(context.Background(), run, classes)
	if err != nil {
		return engines.PathRange{}, err
	}
	return f.values(), nil
}

// FitPath fits at each of the points, every one from the one before.
func (e Lasso) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	f, err := e.read(ctx, run, classes)
	if err != nil {
		return err
	}
	return f.along(ctx, points, keep)
}

// AtValue is the engine with the penalty set.
func (e Lasso) AtValue(lambda float64) engines.Engine {
	e.Lambda, e.Ratio = lambda, 0
	return e
}

// units of the columns as blocks.
func units(v *data.View) (parts, error) {
	of, n := v.Units()
	p := parts{names: "units", columns: make([][]int32, n)}
	for j, u := range of {
		p.columns[u] = append(p.columns[u], int32(j))
	}
	for _, list := range p.columns {
		p.weight = append(p.weight, math.Sqrt(float64(len(list))))
	}
	p.name = func(g int) string { return v.Features().Name(int(p.columns[g][0])) }
	return p, p.multiplyWeights(v)
}

// multiplyWeights by the factors of the columns, which those of a block have in common.
func (p *parts) multiplyWeights(v *data.View) error {
	factor := v.Factors()
	if factor == nil {
		return nil
	}
	for g, list := range p.columns {
		for _, j := range list {
			if factor[j] != factor[list[0]] {
				return fmt.Errorf("columns %q and %q are selected together, and the factors of their penalty (features: {penalty: …}, or keep, which is 0) are %v and %v; give all columns of a group one",
					v.Features().Name(int(list[0])), v.Features().Name(int(j)), factor[list[0]], factor[j])
			}
		}
		p.weight[g] *= factor[list[0]]
	}
	return nil
}

// classes of the columns as blocks, and those without one as the last; units, where these are to be selected.
func classes(v *data.View) (parts, error) {
	if v.Together() {
		return units(v)
	}
	features := v.Features()
	if !features.HasClasses() {
		return parts{}, fmt.Errorf("group lasso selects classes of features, there are none")
	}
	names := features.Classes()
	columns := make([][]int32, len(names)+1)
	for j := range int32(features.Len()) {
		c := features.Class(int(j))
		if c < 0 {
			c = len(names)
		}
		columns[c] = append(columns[c], j)
	}
	p := parts{names: "classes"}
	if n := len(columns[len(names)]); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d of %d columns have no class; they are one of their own, %s", n, features.Len(), data.None))
	}
	var number []int
	for c, list := range columns {
		if len(list) > 0 {
			p.columns, p.weight, number = append(p.columns, list), append(p.weight, math.Sqrt(float64(len(list)))), append(number, c)
		}
	}
	p.name = func(g int) string {
		if number[g] == len(names) {
			return data.None
		}
		return names[number[g]]
	}
	return p, p.multiplyWeights(v)
}
