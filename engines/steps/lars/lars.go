// Package lars follows least angle regression and its relatives along their piecewise linear paths.
//
// Efron, Hastie, Johnstone & Tibshirani, "Least Angle Regression" (2004). With G the columns, centred and scaled, r the
// residual of the coefficients β, and c = G'r: the largest |c|, λ, falls from its start to 0, and all columns that have it
// move together. The three methods differ in the direction alone (direction.go).
package lars

import (
	"context"
	"errors"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/param"
)

// LARS is the engine's parameters.
type LARS struct {
	Method      string  `yaml:"method" doc:"lar (least angle regression), lasso (columns whose coefficient comes back to 0 leave: the minimum of ½·RSS + λ·Σ|β| for every λ), or stagewise (the limit of forward stagewise for ever smaller steps: coefficients only move the way their correlation points)"`
	Scale       string  `yaml:"scale" doc:"what columns are divided by, once centred: unit (their Euclidean norm, as R's lars does), sd (standard deviation), none"`
	Steps       int     `yaml:"steps" simpler:"smaller,0 last" doc:"steps at most, from one turn of the path to the next; 0: eight times the number of columns, or of rows less one where that is less, as R's lars has it, and at most 2000"`
	MaxFeatures int     `yaml:"max_features" doc:"end the path before more columns than this have a coefficient; 0: no limit"`
	Lambda      float64 `yaml:"lambda" simpler:"larger" doc:"end the path where the largest correlation of a scaled column with the residual has fallen to this, ≥ 0 (for lasso the weight of Σ|β| beside ½·RSS)"`
	Fraction    float64 `yaml:"fraction" simpler:"smaller" doc:"the model of the path where Σ|β| is this share of what it is at the end, in [0, 1]"`
}

// Words of the parameters.
const (
	methodLAR       = "lar"
	methodLasso     = "lasso"
	methodStagewise = "stagewise"
)

// Kind is the engine lars.
var Kind = engines.Define(engines.Kind{
	Name: "lars",
	Doc:  "least angle regression, the lasso and the limit of forward stagewise, along the whole path; classes of two levels as 0 and 1",
	Cite: "Efron, Hastie, Johnstone & Tibshirani 2004",
	Rev:  6,
}, LARS{Method: methodLasso, Scale: "unit", Fraction: 1})

// maxSteps bounds a path that nobody bounds. Of thousands of rows and columns its end, where as many columns as rows have a coefficient,
// fits noise, at a cost of the cube of their number.
const maxSteps = 2000

// limit returns the number of steps at most.
func (e LARS) limit(rows, columns int) int {
	if e.Steps > 0 {
		return e.Steps
	}
	return min(8*min(columns, rows-1), maxSteps)
}

// Validate checks the parameters.
func (e LARS) Validate() error {
	return errors.Join(
		param.OneOf("method", e.Method, methodLAR, methodLasso, methodStagewise),
		param.OneOf("scale", e.Scale, scaled.Scales...),
		param.Require("steps", e.Steps >= 0, "%d, expected 0 or more", e.Steps),
		param.Require("max_features", e.MaxFeatures >= 0, "%d, expected 0 or more", e.MaxFeatures),
		param.Require("lambda", e.Lambda >= 0 && !math.IsInf(e.Lambda, 0), "%v, expected 0 or more", e.Lambda),
		param.Require("fraction", e.Fraction >= 0 && e.Fraction <= 1, "%v, expected a share from 0 to 1", e.Fraction),
	)
}

// Needs returns one target, real or a class of two levels.
func (LARS) Needs() engines.Needs {
	return engines.Needs{Target: data.Any, Levels: 2, Sizes: engines.Sizes{Limit: "max_features"}, Entry: true}
}

// Footprint returns the memory of a fit: the columns laid out, vectors, the triangular factor of the columns that move, and the turns of the
// path where one of them is asked for afterwards.
func (e LARS) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	likely := max(0, min(s.Rows, s.Columns, e.limit(s.Rows, s.Columns)))
	if e.MaxFeatures > 0 {
		likely = min(likely, e.MaxFeatures)
	}
	factor := 8 * int64(likely) * int64(likely) / 2
	if e.Fraction < 1 {
		factor *= 3
	}
	if s.Rows*s.Columns == int(s.Entries) && hasGram(s.Rows, s.Columns) {
		factor += 12 * int64(s.Columns) * int64(s.Columns)
	}
	return engines.Footprint{Bytes: filled + 12*s.Entries + 72*int64(s.Columns) + 56*int64(s.Rows) + factor}
}

// Fit walks the path to its end. O(nnz + rows + columns) a step, and O(k²) where k columns move; O(rows · columns²) in all, and
// O(columns · k) a step, where all entries are stored, rows exceed columns, and these are at most gramColumns.
func (e LARS) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	w, err := e.newPath(ctx, run)
	if err != nil {
		return nil, err
	}
	if e.Fraction < 1 {
		w.record = &turningPoints{}
	}
	if err := w.follow(ctx); err != nil {
		return nil, err
	}
	if e.Fraction < 1 {
		return w.modelBetween(w.record.atFraction(e.Fraction)), nil
	}
	return w.currentModel(), nil
}

// PathParameters returns one parameter, the share of the path's Σ|β|.
func (LARS) PathParameters() []string { return []string{"fraction"} }

// PathValues returns the hundredths (Efron et al.'s choice for cross-validation), from the empty model to the end.
func (LARS) PathValues(engines.Run) (engines.PathRange, error) {
	values := make([]float64, 101)
	for k := range values {
		values[k] = float64(k) / 100
	}
	return engines.PathRange{Values: values}, nil
}

// AtValue returns the engine with another fraction.
func (e LARS) AtValue(value float64) engines.Engine {
	e.Fraction = value
	return e
}

// FitPath walks the path once for all fractions.
func (e LARS) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	w, err := e.newPath(ctx, run)
	if err != nil {
		return err
	}
	w.record = &turningPoints{}
	if err := w.follow(ctx); err != nil {
		return err
	}
	for i, value := range points.Values {
		if value < 1 {
			keep(i, w.modelBetween(w.record.atFraction(value)))
		} else {
			keep(i, w.currentModel())
		}
	}
	return nil
}
