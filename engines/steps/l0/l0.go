// Package l0 looks for the columns on which least squares is best: with ỹ the centred response, and X columns centred and of unit norm, it goes
// down in
//
//	½‖ỹ − X·b‖² + λ·‖b‖₀ + ½·λ2·‖b‖²
//
// and for two classes in the same with the sum of log-losses in place of half the sum of squares, by coordinate descent and swaps (Hazimeh and
// Mazumder 2020, Operations Research 68; of classes Dedieu, Hazimeh and Mazumder 2021, JMLR 22), along a path of λ. descent.go has the steps for
// squares, classes.go those for classes, path.go the path and the best model of each size.
package l0

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// L0 is the engine's parameters.
type L0 struct {
	Features int     `yaml:"features" simpler:"smaller" doc:"columns at most: of the models of the path with no more columns, the one of the least loss"`
	Loss     string  `yaml:"loss" doc:"squared, which takes two classes as 0 and 1; or logistic, for classes"`
	Lambda   float64 `yaml:"lambda" simpler:"larger" rows:"times" doc:"price of a column, beside half the residual sum of squares or the sum of log-losses, > 0: the path ends there, unless it has more columns than features before; 0: at features"`
	Lambda2  float64 `yaml:"lambda2" simpler:"larger" doc:"L2 penalty (half the sum of squares), on columns of unit norm, ≥ 0; with logistic loss > 0, which keeps coefficients finite where columns tell classes apart"`
	Swaps    bool    `yaml:"swaps" doc:"try, where no column alone changes the model, to put another one in the place of one of its columns; with loss squared, and at most 32 columns, with the others refitted"`
	MaxIter  int     `yaml:"max_iter" doc:"passes over the columns at most, for each penalty"`
}

// Kind is the engine l0.
var Kind = engines.Define(engines.Kind{
	Name: "l0",
	Doc:  "least squares or two-class logistic regression on the best columns of each number, as coordinate descent with a price for each column, and swaps of one column for another, find them",
	Cite: "Hazimeh & Mazumder 2020",
	Rev:  5,
}, L0{Features: 10, Loss: response.Squared, Swaps: true, MaxIter: 10_000})

// Validate checks the parameters.
func (e L0) Validate() error {
	return errors.Join(
		param.OneOf("loss", e.Loss, response.Squared, response.Logistic),
		param.Require("lambda2", e.Loss != response.Logistic || e.Lambda2 != 0, "0, expected a number above it with loss logistic: where columns tell the classes apart, coefficients have no finite optimum"),
		param.Require("features", e.Features >= 1 && e.Features <= maxColumns, "%d, expected 1 to %d", e.Features, maxColumns),
		param.Require("lambda", e.Lambda >= 0 && elementary.IsFinite(e.Lambda), "%v, expected a number above 0, or 0 for a path that ends at features", e.Lambda),
		param.Require("lambda2", e.Lambda2 >= 0 && elementary.IsFinite(e.Lambda2), "%v, expected 0 or more", e.Lambda2),
		param.Require("max_iter", e.MaxIter > 0, "%d, expected 1 or more", e.MaxIter),
	)
}

// maxColumns is that of a model: each keeps its products with all columns.
const maxColumns = 10_000

// Needs returns one target, real or a class of two levels.
func (e L0) Needs() engines.Needs {
	return engines.Needs{Target: response.Type(e.Loss), Levels: 2, Sizes: engines.Sizes{Limit: "features"}}
}

// Footprint returns the memory of a fit: products of the columns of a model with all columns, and a dozen vectors of rows and columns.
func (e L0) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	kept := int64(min(2*e.Features+keptOutside, s.Columns))
	return engines.Footprint{Bytes: filled + 8*kept*int64(s.Columns) + 100*int64(s.Columns) + 40*int64(s.Rows) + s.EntryBytes()*s.Entries}
}

// PathParameters returns the number of columns.
func (L0) PathParameters() []string { return []string{"features"} }

// PathValues returns all numbers of columns to 20, and from there on to 100 in steps of about a tenth, as far as there are columns, and half as many as rows.
func (L0) PathValues(run engines.Run) (r engines.PathRange, err error) {
	limit := min(100, run.Train.Columns(), run.Train.Len()/2)
	for n := 1; n <= max(1, limit); n += 1 + max(0, n-10)/10 {
		r.Values = append(r.Values, float64(n))
	}
	return r, nil
}

// AtValue returns the engine with another number of columns.
func (e L0) AtValue(value float64) engines.Engine {
	e.Features = int(value)
	return e
}

// Fit goes down the path.
func (e L0) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	p, err := e.newPath(ctx, run)
	if err != nil {
		return nil, err
	}
	return p.follow(ctx)
}

// FitPath goes down one path for all numbers of columns, which rise.
func (e L0) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	var sizes []int
	for _, v := range points.Values {
		if v < 1 || v > maxColumns || v != float64(int(v)) {
			return fmt.Errorf("features %v, expected a whole number from 1 to %d", v, maxColumns)
		}
		sizes = append(sizes, int(v))
	}
	ordered := slices.Clone(sizes)
	slices.Sort(ordered)
	ordered = slices.Compact(ordered)
	e.Features = ordered[len(ordered)-1]
	run.Trace, run.At = nil, ordered
	models := map[int]engines.Model{}
	run.Keep = func(size int, m engines.Model) { models[size] = m }
	last, err := e.Fit(ctx, run)
	if err != nil {
		return err
	}
	for i, size := range sizes {
		if m := models[size]; m != nil {
			keep(i, m)
		} else { // the path has no model of so many columns
			keep(i, last)
		}
	}
	return nil
}
