// Package plan turns an experiment file into units of work: it loads the data sets, makes the folds, checks what only the
// data can tell, and gives every unit a key. A unit whose outcome is stored under its key does not run again.
package plan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/folds"
	"tenfold/runner/imported"
	"tenfold/runner/metric"
	"tenfold/runner/spec"
)

// maxPredictions is the number of test rows over all units up to which predictions are kept by default.
const maxPredictions = 10_000_000

// Env holds what a plan needs from its surroundings.
type Env struct {
	Cache   compiled.Cache
	Folders files.Folders
	Store   Store // stored outcomes of earlier runs
	// Memory bounds the bytes of the lists of rows of all folds; 0 for no limit.
	Memory int64
}

// Store gives access to stored outcomes.
type Store interface {
	// Head returns the status of a unit's stored outcome, the seconds of its fit and its time limit.
	Head(unit string) (h results.Head, ok bool)
}

// Plan is an experiment, ready to run.
type Plan struct {
	File        *spec.File
	Sets        []*Set
	Stages      []*Cell // in order: each before those that build on it
	Cells       []*Cell
	Skipped     []Skipped // cells of the file that are not fitted
	Predictions bool
	imports     map[*spec.Algorithm]*imported.Import // of algorithms that are judged by predictions made elsewhere
}

// Skipped is a cell of the file that its engine cannot fit (failures: {unsuitable: skip}); of a family, the cells of all its tasks.
type Skipped struct {
	Dataset, Algorithm string
	Grid               []results.Param
	Why                string
}

// Set is a loaded data set of the file, or a task of a family, with its folds.
type Set struct {
	*spec.Dataset
	Name   string        // in results: the data set's name, or family/task
	Task   string        // "" if it is no task
	Data   *data.Dataset // as loaded; the tasks of a family share it
	Digest string        // of the data set, or of the task
	// TrainingDigest is the digest of the rows given for training alone.
	TrainingDigest string
	Shape          execute.Shape
	Targets        []data.Target
	Cached         bool // read from the cache of compiled data sets
	// Negative is true if any value of the data, over all tasks of a family, is below 0.
	Negative bool
	Splits   []*execute.Split
}

// Family returns the name of the data set that the task belongs to, "" if the set is no task.
func (s *Set) Family() string {
	if s.Task == "" {
		return ""
	}
	return s.Dataset.Name
}

// Cell is a data set with an algorithm at one point of its grid, or a stage that such cells build on.
type Cell struct {
	Key       string
	Set       *Set
	Algorithm *spec.Algorithm // of a stage: the first one that builds on it
	Stage     string          // donor or pool; "" for cells of the experiment
	After     []*Cell         // stages that it builds on
	Units     []*Unit
}

// Unit is a unit of work, with the ingredients of its key and what is known of it.
type Unit struct {
	execute.Unit
	Ingredients Ingredients
	Stored      *results.Head // of the outcome stored under the key when it was last looked up; nil if there was none
	Reason      string        // why it has to run, in words
}

// Build plans an experiment. Errors about the file are spec.Errors with their places; it reports all that it can find.
func Build(ctx context.Context, f *spec.File, env Env) (*Plan, error) {
	p := &Plan{File: f}
	if err := p.loadAll(ctx, env); err != nil {
		return nil, err
	}
	unsuitable, err := p.checkEngines()
	if err != nil {
		return nil, err
	}
	if err := p.checkFitCount(); err != nil {
		return nil, err
	}
	if err := p.readImports(ctx, env); err != nil {
		return nil, err
	}
	pools := newPools(p)
	for _, set := range p.Sets {
		for i := range f.Algorithms {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			a := &f.Algorithms[i]
			if unsuitable[familyCell{set.Dataset, a, ""}] {
				continue
			}
			pool, err := pools.poolFor(set, a)
			if err != nil {
				return nil, err
			}
			p.Cells = append(p.Cells, p.newCell(set, a, pool))
		}
	}
	p.keepPredictions()
	for u := range p.All {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		u.Look(env.Store)
	}
	return p, nil
}

// Divide loads the data sets of a file that are wanted and makes their folds: a plan's sets, without any units.
func Divide(ctx context.Context, f *spec.File, env Env, wanted func(*spec.Dataset) bool) ([]*Set, error) {
	some := *f
	some.Datasets = nil
	for i := range f.Datasets {
		if wanted(&f.Datasets[i]) {
			some.Datasets = append(some.Datasets, f.Datasets[i])
		}
	}
	p := &Plan{File: &some}
	err := p.loadAll(ctx, env)
	return p.Sets, err
}

// RowsOf are the rows that the folds divide: those of the data set, or of the task.
func (s *Set) RowsOf() *data.Dataset {
	if task := s.Splits[0].Task; task != nil {
		return task.Of(s.Data)
	}
	return s.Data
}

// checkFitCount refuses more fits than an experiment may have. The file alone cannot tell: families and columns of folds
// depend on the data.
func (p *Plan) checkFitCount() error {
	splits := 0
	for _, set := range p.Sets {
		splits += len(set.Splits)
	}
	if splits > spec.MaxFits/len(p.File.Algorithms) {
		return fmt.Errorf("%s: %d test parts of data sets and tasks × %d algorithms: more than %d fits", p.File.Path, splits, len(p.File.Algorithms), spec.MaxFits)
	}
	return nil
}

// checkEngines refuses algorithms that cannot use a data set, or lists what they cannot use, and returns that: all tasks of a family are
// refused together.
func (p *Plan) checkEngines() (refused map[familyCell]bool, err error) {
	var errs []error
	refused = map[familyCell]bool{}
	for _, set := range p.Sets {
		for i := range p.File.Algorithms {
			a := &p.File.Algorithms[i]
			if of := (familyCell{set.Dataset, a, ""}); !refused[of] {
				if err := checkEngine(a, set); err != nil {
					refused[of] = true
					errs = append(errs, p.File.Blame(a.Entry, param.Errorf("engine", "%s cannot use data set %s: %v%s", a.Kind, set.Name, err, p.File.SkipHint())))
					p.Skipped = append(p.Skipped, Skipped{set.Dataset.Name, a.Name, slices.Concat(a.Grid, set.Grid), fmt.Sprintf("%s cannot use it: %v", a.Kind, err)})
				}
			}
		}
	}
	if p.File.Failures.Unsuitable == spec.Skip && len(refused) < len(p.File.Datasets)*len(p.File.Algorithms) {
		return refused, nil
	}
	return refused, joinErrors(errs)
}

// Look reads from the store what is stored for the unit now.
func (u *Unit) Look(store Store) {
	u.Stored = nil
	if h, ok := store.Head(u.Label.Unit); ok {
		u.Stored = &h
	}
}

// Units iterates over the units of the experiment's cells, in order.
func (p *Plan) Units(yield func(*Unit) bool) { unitsOf(p.Cells)(yield) }

// All iterates over all units of the plan, those of stages first.
func (p *Plan) All(yield func(*Unit) bool) { unitsOf(slices.Concat(p.Stages, p.Cells))(yield) }

func unitsOf(cells []*Cell) iter.Seq[*Unit] {
	return func(yield func(*Unit) bool) {
		for _, c := range cells {
			for _, u := range c.Units {
				if !yield(u) {
					return
				}
			}
		}
	}
}

// familyCell identifies the cells of all tasks of a data set with one algorithm, or a stage of theirs.
type familyCell struct {
	set       *spec.Dataset
	algorithm *spec.Algorithm
	stage     string
}

// Groups returns the cells in groups that messages treat as one: cells of a family's tasks with one algorithm; any other
// cell is its own group. Stages come first.
func (p *Plan) Groups() [][]*Cell {
	var out [][]*Cell
	at := map[familyCell]int{}
	for _, c := range slices.Concat(p.Stages, p.Cells) {
		k := familyCell{c.Set.Dataset, c.Algorithm, c.Stage}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// newCell makes the cell of a data set, or task, with an algorithm. pool is nil unless the engine learns across tasks.
func (p *Plan) newCell(set *Set, a *spec.Algorithm, pool *pool) *Cell {
	in := Ingredients{
		Schema: keySchema, Dataset: set.Digest, Recipe: set.Source.Recipe(),
		Engine: a.Kind, Revision: a.Rev, Params: a.Canonical, Path: a.Path.Canonical(), Metrics: set.metrics(),
	}
	elsewhere := p.imports[a]
	if elsewhere != nil {
		in.Params = importParams(elsewhere)
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
		if elsewhere != nil {
			u.takeImport(elsewhere, foldOf(set, split))
		}
		if pool != nil {
			pool.buildInto(u)
		}
		c.Units = append(c.Units, u)
	}
	return c
}

// metrics is the revision of those of the set's targets.
func (set *Set) metrics() (revision int) {
	for _, t := range set.Targets {
		revision = max(revision, metric.Revision(t.Type))
	}
	return revision
}

// innerSplits says how the training rows of the set's folds may be divided further.
func (set *Set) innerSplits() engines.Inner {
	f := set.Folds.Normalised()
	return engines.Inner{By: f.By != "", Ordered: f.Kind == "time",
		Gap: f.Gap.Rows, GapTime: f.Gap.Time, Window: f.Window.Rows, WindowTime: f.Window.Time}
}

// newUnit makes the unit of a cell on a fold.
func (p *Plan) newUnit(c *Cell, fold folds.Fold, in Ingredients) *Unit {
	set, a := c.Set, c.Algorithm
	in.Fold = fold.Digest
	in.Seed = fitSeed(p.File.Seed, set.TrainingDigest, fold.Repeat, fold.ID, a.Kind)
	u := &Unit{Ingredients: in}
	u.Label = results.Label{
		Experiment: p.File.Name, Dataset: set.Name, Family: set.Family(), Task: set.Task, Algorithm: a.Name, Engine: a.Kind, Revision: int32(a.Rev),
		Stage: c.Stage, Cell: c.Key, Unit: in.Key(), Params: in.Params,
		Repeat: int32(fold.Repeat), Fold: int32(fold.ID), FoldDigest: fold.Digest, DatasetDigest: in.Dataset, Seed: in.Seed,
	}
	u.Limits = a.Limits
	return u
}

// setEngine sets what the unit fits and predicts its memory.
func (u *Unit) setEngine(engine engines.Engine, split *execute.Split, set *Set) {
	u.Split, u.Engine = split, engine
	rows, outputs, levels := len(split.Fold.Train), 0, 0
	for _, t := range set.Targets {
		outputs += max(1, len(t.Levels))
		levels = max(levels, len(t.Levels))
	}
	evaluation := execute.Evaluation(rows+len(split.Fold.Test), outputs)
	each := split.Recipe.MaxColumns()
	u.Footprint = engines.FootprintOf(engine, engines.Shape{
		Rows: rows, Columns: each * set.Shape.Columns, Entries: int64(each) * int64(set.Shape.Entries), Ones: split.Binary(), Classes: len(set.Data.Features.Classes()), Levels: levels,
	}).And(evaluation)
}

// keepPredictions decides whether predictions are stored.
func (p *Plan) keepPredictions() {
	rows := 0
	for u := range p.Units {
		rows += len(u.Split.Fold.Test) * len(u.Split.Set.Targets)
	}
	p.Predictions = rows <= maxPredictions
	if p.File.Predictions != nil {
		p.Predictions = *p.File.Predictions
	}
	for u := range p.Units {
		u.Predictions = p.Predictions
	}
}

// joinErrors joins errors; the mistakes of an experiment file become one list.
func joinErrors(errs []error) error {
	var all spec.Errors
	var others []error
	for _, err := range errs {
		var some spec.Errors
		if errors.As(err, &some) {
			all = append(all, some...)
		} else if err != nil {
			others = append(others, err)
		}
	}
	if len(all) > 0 {
		others = append(others, all)
	}
	return errors.Join(others...)
}
