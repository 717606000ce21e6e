package plan

import (
	"slices"
	"strings"

	"tenfold/engines"
	"tenfold/engines/prepare/probes"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/folds"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// newCell makes the cell of a data set, or task, with an algorithm, and a unit for each fold. pool is nil unless the engine learns
// across tasks.
func (p *Plan) newCell(set *Set, a *algorithm.Algorithm, pool *pool) *Cell {
	in := Ingredients{
		Schema: keySchema, Dataset: set.Digest, Recipe: set.Recipe(),
		Engine: a.Kind, Revision: a.Rev, Params: a.Canonical, Path: a.Path.Canonical(), Metrics: set.metrics(),
	}
	if in.Path != "" {
		in.Metrics += metric.PathRevision
	}
	given := p.imports[a]
	if given != nil {
		in.Params = importParams(given, set.Name)
	}
	inner := engines.Inner{}
	if a.Engine.Needs().Inner {
		inner = set.innerSplits()
		in.Inner = innerJSON(inner)
	}
	c := &Cell{Set: set, Algorithm: a}
	if pool != nil {
		c.After = []*Cell{pool.cell}
		in.After = pool.cell.unitKeys()
	}
	digests := make([]string, len(set.Splits))
	for i, s := range set.Splits {
		digests[i] = s.Fold.Digest
	}
	c.Key = cellKey(in, digests, p.File.Seed)
	for _, split := range set.Splits {
		u := p.newUnit(c, split.Fold, in)
		u.Label.Params, u.Label.Grid = a.Params, slices.Concat(a.Grid, set.Grid)
		u.At, u.Inner = a.Path, inner
		u.setEngine(a.Engine, split, set)
		if given != nil {
			u.takeImport(given, foldOf(set, split))
		}
		if pool != nil {
			pool.buildInto(u)
		}
		c.Units = append(c.Units, u)
	}
	return c
}

// metrics returns the revision of the metrics of the set's targets, probes and kept columns, which enters keys.
func (set *Set) metrics() (revision int) {
	for _, t := range set.Targets {
		revision = max(revision, metric.Revision(t.Type))
	}
	if set.Recipe().Probes != (probes.Rule{}) {
		revision += metric.ProbesRevision
	}
	if set.Recipe().Treatment.Keeps() {
		revision += metric.KeptRevision
	}
	return revision
}

// innerSplits says how the training rows of the set's folds may be divided further.
func (set *Set) innerSplits() engines.Inner {
	f := set.Folds.Normalised()
	return engines.Inner{By: f.By != "", Ordered: f.Kind == "time",
		Gap: f.Gap.Rows, GapTime: f.Gap.Time, Window: f.Window.Rows, WindowTime: f.Window.Time}
}

// newUnit makes the unit of a cell on a fold, with key, label and seed but no engine. in are the ingredients that the cell's units
// share.
func (p *Plan) newUnit(c *Cell, fold folds.Fold, in Ingredients) *Unit {
	set, a := c.Set, c.Algorithm
	in.Fold = fold.Digest
	in.Seed = fitSeed(p.File.Seed, set.TrainingDigest, fold.Repeat, fold.ID, a.Kind)
	u := &Unit{Ingredients: in}
	u.Defined = p.File.Defined
	u.Label = results.Label{
		Experiment: p.File.Name, Dataset: set.Name, Family: set.Family(), Task: set.Task, Algorithm: a.Name, Engine: a.Kind, Revision: int32(a.Rev),
		Stage: c.Stage, Cell: c.Key, Unit: in.Key(), Params: in.Params,
		Repeat: int32(fold.Repeat), Fold: int32(fold.ID), FoldDigest: fold.Digest, DatasetDigest: in.Dataset, Seed: in.Seed,
		Protocol: set.Protocol, Sizes: strings.Trim(in.Path, "[]"),
	}
	u.Limits = execute.Limits(a.Limits)
	return u
}

// setEngine sets the engine and the rows of a unit, and predicts the memory of the fit.
func (u *Unit) setEngine(engine engines.Engine, split *execute.Split, set *Set) {
	u.Split, u.Engine = split, engine
	rows, outputs, levels := len(split.Fold.Train), 0, 0
	for _, t := range set.Targets {
		outputs += max(1, len(t.Levels))
		levels = max(levels, len(t.Levels))
	}
	evaluation := score.Memory(rows+len(split.Fold.Test), outputs)
	shape := split.PreparedShape()
	training := engines.Shape{
		Rows: rows, Columns: shape.Columns, Entries: int64(shape.Entries), Ones: split.Binary(), Classes: len(set.Data.Features.Classes()), Levels: levels,
	}
	u.Footprint, u.InnerFits = engines.FootprintOf(engine, training).And(evaluation), engines.InnerFits(engine, training)
}

// UnitOnAllRows returns the unit that fits a cell's engine to all rows of its data set, or task, whatever its train_fraction. It
// has the seed of the first fold of the first repeat, builds on what the cell's units build on, and has no limits.
func (p *Plan) UnitOnAllRows(c *Cell) *Unit {
	first, rows, all := c.Units[0], c.Set.Splits[0], folds.AllRows(c.Set.Shape.Rows).LeaveOut(c.Set.weight)
	u := p.newUnit(c, all, first.Ingredients)
	u.Label.Params, u.Label.Grid = c.Algorithm.Params, slices.Concat(c.Algorithm.Grid, c.Set.Grid)
	u.At, u.Inner = c.Algorithm.Path, first.Inner
	u.setEngine(c.Algorithm.Engine, &execute.Split{Set: rows.Set, Task: rows.Task, Recipe: rows.Recipe, Fold: all}, c.Set)
	u.After, u.Build, u.Limits = first.After, first.Build, execute.Limits{}
	return u
}
