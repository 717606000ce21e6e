// Package boosting is boosted trees (Friedman 2001), grown by second derivatives on histograms of the columns (Chen and Guestrin 2016).
//
// bins.go cuts columns into bins, blocks.go lays their codes out, gradient.go has the losses, histogram.go adds gradients up by bin,
// split.go finds the split of a node by them, grow.go grows a tree, fit.go adds tree after tree, holdout.go keeps rows aside to tell when
// to end, and model.go predicts.
package boosting

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// Boosted is the engine's parameters.
type Boosted struct {
	Trees       int     `yaml:"trees" simpler:"smaller" resource:"yes" doc:"rounds, each of which adds a tree, for three classes and more a tree of each, 1 to 100000"`
	Shrinkage   float64 `yaml:"shrinkage" doc:"factor of what a tree adds (learning rate), above 0, at most 1"`
	MaxDepth    int     `yaml:"max_depth" simpler:"smaller,0 last" doc:"splits on the way to a leaf at most; 0: no limit"`
	MaxLeaves   int     `yaml:"max_leaves" simpler:"smaller,0 last" doc:"leaves of a tree at most, split in order of what they gain; 0: no limit"`
	C1          float64 `yaml:"c1" simpler:"larger" doc:"weight of the sum of absolute values of the leaves, 0 or more"`
	C2          float64 `yaml:"c2" simpler:"larger" doc:"weight of half the sum of squared values of the leaves, 0 or more"`
	Gamma       float64 `yaml:"gamma" simpler:"larger" doc:"what a further leaf costs: splits that gain less are not made, 0 or more"`
	MinWeight   float64 `yaml:"min_weight" doc:"sum of the second derivatives of the loss that both sides of a split have at least, 0 or more: rows, of numbers; expected counts; of classes rows times p(1 − p)"`
	RowShare    float64 `yaml:"row_share" doc:"share of the rows that a round grows its trees on, drawn without replacement, above 0, at most 1"`
	ColumnShare float64 `yaml:"column_share" doc:"share of the columns that a tree may split on, drawn for each, above 0, at most 1"`
	Bins        int     `yaml:"bins" doc:"bins that the values of a column are cut into at most, 2 to 256"`
	Patience    int     `yaml:"patience" doc:"end after so many rounds without a smaller loss on rows held out, and keep the trees up to the smallest; 0: hold none out"`
	Validation  float64 `yaml:"validation" doc:"share of the training rows held out where patience is above 0: of each class alike, whole groups where the folds have such, the latest where folds are in order of time, in (0, 1)"`
	Importance  string  `yaml:"importance" doc:"of a column: gain (what its splits lower the objective by, all trees together) or count (its splits)"`
	Features    int     `yaml:"features" simpler:"smaller,0 last" doc:"select so many columns of highest importance, and grow the trees again on these alone; 0: all that a tree splits on count as selected"`
}

// Words of importance.
const (
	byGain  = "gain"
	byCount = "count"
)

// Kind is the engine boosted-trees.
var Kind = engines.Define(engines.Kind{
	Name: "boosted-trees",
	Doc:  "boosted trees: a sum of small trees, each grown on the gradient of the loss of those before it; columns by what their splits gain",
	Cite: "Friedman 2001; Chen & Guestrin 2016",
	Rev:  5,
}, Boosted{Trees: 100, Shrinkage: 0.1, MaxDepth: 4, C2: 1, MinWeight: 1, RowShare: 1, ColumnShare: 1, Bins: 255, Validation: defaultValidation, Importance: byGain})

const defaultValidation = 0.1

// mostTrees bounds the rounds.
const mostTrees = 100_000

// Validate checks the parameters.
func (e Boosted) Validate() error {
	weight := func(name string, v float64) error {
		return param.Require(name, v >= 0 && elementary.IsFinite(v), "%v, expected 0 or more", v)
	}
	share := func(name string, v float64) error {
		return param.Require(name, v > 0 && v <= 1, "%v, expected a share above 0, at most 1", v)
	}
	return errors.Join(
		param.Require("trees", e.Trees >= 1 && e.Trees <= mostTrees, "%d, expected 1 to %d", e.Trees, mostTrees),
		param.Require("shrinkage", e.Shrinkage > 0 && e.Shrinkage <= 1, "%v, expected a number above 0, at most 1", e.Shrinkage),
		param.Require("max_depth", e.MaxDepth >= 0, "%d, expected at least 1, or 0 for no limit", e.MaxDepth),
		param.Require("max_leaves", e.MaxLeaves == 0 || e.MaxLeaves >= 2, "%d, expected at least 2, or 0 for no limit", e.MaxLeaves),
		weight("c1", e.C1), weight("c2", e.C2), weight("gamma", e.Gamma), weight("min_weight", e.MinWeight),
		share("row_share", e.RowShare), share("column_share", e.ColumnShare),
		param.Require("bins", e.Bins >= 2 && e.Bins <= mostBins, "%d, expected 2 to %d", e.Bins, mostBins),
		param.Require("patience", e.Patience >= 0, "%d, expected at least 1, or 0 to hold no row out", e.Patience),
		param.Require("validation", e.Validation > 0 && e.Validation < 1, "%v, expected a share above 0 and below 1", e.Validation),
		param.Idle("validation", e.Validation, defaultValidation, e.Patience != 0, "it is for patience above 0"),
		param.OneOf("importance", e.Importance, byGain, byCount),
		param.Require("features", e.Features >= 0, "%d, expected at least 1, or 0 for no limit", e.Features),
	)
}

// Needs returns what the engine asks of data: a target of either type.
func (e Boosted) Needs() engines.Needs {
	return engines.Needs{Rates: true, Inner: e.Patience > 0, Entry: true, Keeps: true, Missing: true}
}

// Footprint returns the memory of a fit: codes, a byte a cell of dense columns and four an entry of others, scores and derivatives, histograms, trees.
func (e Boosted) Footprint(s engines.Shape) engines.Footprint {
	const row, node = 64, 96
	outputs := int64(1)
	if s.Levels > 2 {
		outputs = int64(s.Levels)
	}
	bins := min(int64(e.Bins)*int64(s.Columns), s.Entries+2*int64(s.Columns))
	deep, leaves := int64(e.MaxDepth), int64(s.Rows)
	if e.MaxDepth == 0 || e.MaxDepth > 20 {
		deep = 20
	}
	leaves = min(leaves, 1<<deep)
	if e.MaxLeaves > 0 {
		leaves = min(leaves, int64(e.MaxLeaves))
	}
	histograms := min(leaves, nodesAtOnce*deep)
	return engines.Footprint{Bytes: 4*s.Entries + int64(s.Rows)*(row+32*outputs) + 8*bins*(histograms+1) + int64(e.Trees)*outputs*leaves*node}
}

// Fit adds trees. O(trees · depth · entries), on dense columns rows times columns in place of entries.
func (e Boosted) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.Features > 0 {
		whole := e
		whole.Features = 0
		return narrowed.Selected(ctx, e, whole, run)
	}
	f, err := e.boost(ctx, run)
	if err != nil {
		return nil, err
	}
	return f.model(e.Trees), nil
}

// Choose chooses the columns that are kept, and others by importance: those that a tree splits on, or so many of the highest.
func (e Boosted) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	if open := run.Train.Columns() - len(run.Train.Kept()); e.Features > open {
		return nil, engines.Fitted{}, fmt.Errorf("features %d, and the data has %d columns to select", e.Features, open)
	}
	f, err := e.boost(ctx, run)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	m := f.model(e.Trees)
	return f.important(m.fitted.Best, e.Features), m.fitted, nil
}

// PathParameters returns the number of trees.
func (Boosted) PathParameters() []string { return []string{"trees"} }

// PathValues returns a dozen numbers of rounds to 100, and on to 2000 while the last is the best.
func (Boosted) PathValues(engines.Run) (engines.PathRange, error) {
	return engines.PathRange{
		Values: []float64{1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100},
		Onward: []engines.PathPiece{{Values: []float64{150, 200, 300}, Near: 1}, {Values: []float64{500, 700, 1000}, Near: 1}, {Values: []float64{1500, 2000}, Near: 1}},
		Open:   true,
	}, nil
}

// AtValue returns the engine with another number of trees.
func (e Boosted) AtValue(value float64) engines.Engine {
	e.Trees = int(value)
	return e
}

// FitPath adds trees once, up to the largest number: the first of them are the models of the others.
func (e Boosted) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	e.Trees = 1
	for _, v := range points.Values {
		if !(v >= 1 && v <= mostTrees && v == math.Trunc(v)) {
			return fmt.Errorf("trees %v, expected a whole number from 1 to %d", v, mostTrees)
		}
		e.Trees = max(e.Trees, int(v))
	}
	if e.Features > 0 { // columns are chosen by all trees of each model
		for i, v := range points.Values {
			m, err := e.AtValue(v).Fit(ctx, run)
			if err != nil {
				return err
			}
			keep(i, m)
		}
		return nil
	}
	f, err := e.boost(ctx, run)
	if err != nil {
		return err
	}
	for i, v := range points.Values {
		keep(i, f.model(int(v)))
	}
	return nil
}
