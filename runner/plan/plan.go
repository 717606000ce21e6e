// Package plan turns an experiment file into units of work: it loads the data sets, makes the folds, checks what only the
// data can tell, and gives every unit a key. A unit whose outcome is stored under its key need not run again.
package plan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner"
	"tenfold/runner/folds"
	"tenfold/runner/spec"
)

// maxPredictions is the number of test rows over all units up to which predictions are kept unless the file says so.
const maxPredictions = 10_000_000

// Env is where a plan finds things.
type Env struct {
	Cache   compiled.Cache
	Folders files.Folders
	Store   Store // stored outcomes of earlier runs
	// Memory is the bytes that the lists of rows of all folds may take; 0 for no limit.
	Memory int64
}

// Store tells what is known of stored outcomes.
type Store interface {
	// Head is the status of the outcome stored for a unit, the seconds of its fit and the time limit it had.
	Head(unit string) (h results.Head, ok bool)
}

// Plan is an experiment, ready to run.
type Plan struct {
	File        *spec.File
	Sets        []*Set
	Stages      []*Cell // that cells build on: each before those that build on it
	Cells       []*Cell
	Predictions bool
}

// Set is a data set of the file, loaded, or a task of one that is a family, with its folds.
type Set struct {
	*spec.Dataset
	Name   string        // as results have it: that of the file, or family/task
	Task   string        // "" where it is none
	Data   *data.Dataset // as loaded; the tasks of a family share it
	Digest string        // of the data set, or of the task
	// TrainingDigest is that of the rows given as training alone.
	TrainingDigest string
	Shape          runner.Shape
	Targets        []data.Target
	Cached         bool // it came from the cache of compiled data sets
	// Negative is true where some value of the data, all tasks of a family together, is below 0.
	Negative bool
	Splits   []*runner.Split
}

// Family is the name of the data set of the file that the set is a task of, "" where it is none.
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
	Algorithm *spec.Algorithm // of a stage, the first that builds on it
	Stage     string          // donor or pool; "" for cells of the experiment
	After     []*Cell         // stages that it builds on
	Units     []*Unit
}

// Unit is a unit of work with what its key is made of and what is known of it.
type Unit struct {
	runner.Unit
	Ingredients Ingredients
	Stored      *results.Head // of the outcome stored under the unit's key when it was last looked at; nil when there was none
	Reason      string        // why it would run, in words
}

// Build plans an experiment. Errors about the file are spec.Errors, with their places; all that can be found are found.
func Build(ctx context.Context, f *spec.File, env Env) (*Plan, error) {
	p := &Plan{File: f}
	if err := p.load(ctx, env); err != nil {
		return nil, err
	}
	if err := p.suit(); err != nil {
		return nil, err
	}
	if err := p.few(); err != nil {
		return nil, err
	}
	pools := newPools(p)
	for _, set := range p.Sets {
		for i := range f.Algorithms {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			a := &f.Algorithms[i]
			pool, err := pools.of(set, a)
			if err != nil {
				return nil, err
			}
			p.Cells = append(p.Cells, p.cell(set, a, pool))
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

// few refuses more fits than an experiment may have: of families and columns of folds the data alone could tell how many they are.
func (p *Plan) few() error {
	splits := 0
	for _, set := range p.Sets {
		splits += len(set.Splits)
	}
	if splits > spec.MaxFits/len(p.File.Algorithms) {
		return fmt.Errorf("%s: %d test parts of data sets and tasks × %d algorithms: more than %d fits", p.File.Path, splits, len(p.File.Algorithms), spec.MaxFits)
	}
	return nil
}

// suit refuses algorithms that cannot use a data set.
func (p *Plan) suit() error {
	var errs []error
	refused := map[whole]bool{} // of the tasks of a family the first speaks for all
	for _, set := range p.Sets {
		for i := range p.File.Algorithms {
			a := &p.File.Algorithms[i]
			if of := (whole{set.Dataset, a, ""}); !refused[of] {
				if err := suits(a, set); err != nil {
					refused[of] = true
					errs = append(errs, p.File.Blame(a.Entry, kind.Errorf("engine", "%s cannot use data set %s: %v", a.Kind, set.Name, err)))
				}
			}
		}
	}
	return merge(errs)
}

// Look at what is stored for the unit now.
func (u *Unit) Look(store Store) {
	u.Stored = nil
	if h, ok := store.Head(u.Label.Unit); ok {
		u.Stored = &h
	}
}

// Units of the experiment's cells, in order.
func (p *Plan) Units(yield func(*Unit) bool) { each(p.Cells)(yield) }

// All units of the plan, those of stages first.
func (p *Plan) All(yield func(*Unit) bool) { each(slices.Concat(p.Stages, p.Cells))(yield) }

func each(cells []*Cell) iter.Seq[*Unit] {
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

// whole is a data set of the file with an algorithm, however many tasks it has, or a stage of theirs.
type whole struct {
	set       *spec.Dataset
	algorithm *spec.Algorithm
	stage     string
}

// Groups are the cells that are told of together: those of a family's tasks with one algorithm; others stand alone. Stages
// are among them, and come first.
func (p *Plan) Groups() [][]*Cell {
	var out [][]*Cell
	at := map[whole]int{}
	for _, c := range slices.Concat(p.Stages, p.Cells) {
		k := whole{c.Set.Dataset, c.Algorithm, c.Stage}
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

// load reads the data sets and splits them. Data sets that differ in their preparation only are read once.
func (p *Plan) load(ctx context.Context, env Env) error {
	var errs []error
	opened := make([]*files.Set, len(p.File.Datasets))
	for i := range p.File.Datasets {
		s := &p.File.Datasets[i]
		in, err := files.Open(s.Files, env.Folders, env.Cache.Dir)
		opened[i] = in
		if err != nil {
			errs = append(errs, p.File.Blame(s.Entry, err))
		}
	}
	if err := merge(errs); err != nil {
		return err
	}
	r := reading{cache: env.Cache, loaded: map[string]*Set{}, room: env.Memory}
	for i := range p.File.Datasets {
		s := &p.File.Datasets[i]
		sets, err := p.loadSets(ctx, s, opened[i], &r)
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			errs = append(errs, p.File.Blame(s.Entry, fmt.Errorf("data set %s: %w", s.Name, err)))
			continue
		}
		p.Sets = append(p.Sets, sets...)
	}
	return merge(errs)
}

// reading is what data sets that are loaded one after the other have in common.
type reading struct {
	cache  compiled.Cache
	loaded map[string]*Set // by what they were made from: Data, Cached and Negative
	room   int64           // bytes that lists of rows may still take; 0 for no limit
}

// load a data set, once.
func (r *reading) load(ctx context.Context, s *spec.Dataset, in *files.Set) (*Set, error) {
	reader := compiled.Reader{Name: s.Format, Rev: s.Rev, Options: s.Options}
	digest, err := reader.Digest(in)
	if err != nil {
		return nil, err
	}
	if set := r.loaded[digest]; set != nil {
		set.Cached = true
		return set, nil
	}
	d, cached, err := r.cache.Load(ctx, reader, s.Source, in)
	if err != nil {
		return nil, err
	}
	_, _, values := d.X.Rows()
	negative := slices.ContainsFunc(values, func(v float64) bool { return v < 0 })
	set := &Set{Data: d, Cached: cached, Negative: negative}
	r.loaded[digest] = set
	return set, nil
}

// loadSets are a data set of the file, or its tasks.
func (p *Plan) loadSets(ctx context.Context, s *spec.Dataset, in *files.Set, r *reading) ([]*Set, error) {
	read, err := r.load(ctx, s, in)
	if err != nil {
		return nil, err
	}
	if err := s.Source.Recipe().Check(read.Data); err != nil {
		return nil, err
	}
	tasks, err := tasksOf(s.Family, read.Data)
	if err != nil {
		return nil, err
	}
	var sets []*Set
	for _, t := range tasks {
		set := &Set{Dataset: s, Name: s.Name, Data: read.Data, Cached: read.Cached, Negative: read.Negative}
		if err := set.split(ctx, t, p.File.Seed, r); err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, ctx.Err()
}

// take room for the lists of rows of a division before it is made. The error is a kind.FieldError.
func (r *reading) take(f folds.Spec, rows int) error {
	const each = 4 // bytes a row and fold
	parts, _ := f.Tests()
	takes := int64(parts) * int64(rows) * each // both are below 2⁴⁰
	if r.room == 0 {
		return nil
	}
	if takes >= r.room {
		return kind.Errorf("folds", "the lists of rows of %d test parts of %d rows take %s, and with those before them that is more than the memory there is", parts, rows, source.Size(takes))
	}
	r.room -= takes
	return nil
}

// split makes the folds of a data set, or of one of its tasks.
func (set *Set) split(ctx context.Context, t task, seed int64, r *reading) error {
	d := set.Data
	var within *runner.Task
	if t.name != "" {
		d = t.Of(set.Data)
		within = &runner.Task{Subset: t.Subset, Shape: runner.ShapeOf(d)}
		set.Name, set.Task = set.Name+"/"+t.name, t.name
	}
	set.Digest, set.TrainingDigest, set.Shape, set.Targets = d.Digest, d.TrainingDigest, runner.ShapeOf(d), slices.Clone(d.Targets)
	for i := range set.Targets { // nothing here looks at them, and of many tasks they are much
		set.Targets[i].Values = nil
	}
	if err := r.take(set.Folds.Normalised(), d.Rows()); err != nil {
		return set.about(err)
	}
	division, err := set.Folds.Split(ctx, d, seed)
	if err != nil {
		return set.about(err)
	}
	rows := *set.Data
	if set.Folds.Kind == "given" && set.Folds.Column != "" { // its values name folds, and are no groups inside one
		rows.Groups = nil
	}
	for _, f := range division {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f = f.Reduce(d, set.TrainFraction, set.Folds.By, seed)
		if len(f.Train) == 0 {
			return set.about(kind.Errorf("train_fraction", "%v leaves no training rows in fold %d of repeat %d", set.TrainFraction, f.ID, f.Repeat))
		}
		recipe := set.Source.Recipe()
		if err := recipe.CheckFold(d, f.Train); err != nil {
			return set.about(err)
		}
		set.Splits = append(set.Splits, &runner.Split{Set: &rows, Task: within, Recipe: recipe, Fold: f})
	}
	return nil
}

// about says which task an error is about.
func (set *Set) about(err error) error {
	if set.Task == "" {
		return err
	}
	return fmt.Errorf("task %s: %w", set.Task, err)
}

// suits tells what stands between an engine and a loaded data set; the file alone could not say.
func suits(a *spec.Algorithm, set *Set) error {
	need, d := a.Engine.Needs(), set.Data
	if _, ok := a.Engine.(engines.Across); ok && set.Task == "" {
		return errors.New("it learns from the other tasks of a family, and this is no family (family: folder makes one data set of each word, or folder)")
	}
	for _, t := range set.Targets {
		if need.Target != data.Any && t.Type != need.Target {
			return fmt.Errorf("it needs a %s target, %s is %s%s", need.Target, t.Name, t.Type, levelsOf(t))
		}
		if t.Type == data.Class && need.Levels > 0 && len(t.Levels) != need.Levels {
			return fmt.Errorf("it needs a target of %d levels, %s has %d%s%s", need.Levels, t.Name, len(t.Levels), levelsOf(t), orAnyLevels(a, set))
		}
	}
	switch {
	case len(set.Targets) > 1 && !need.Tasks:
		return fmt.Errorf("it takes one target, there are %d", len(set.Targets))
	case need.Truth && d.Truth == nil:
		return errors.New("it needs true coefficients, here they are not known (generated data has them)")
	case need.Binary && !set.Source.Recipe().Binary(d.X.Binary()):
		if d.X.Binary() {
			return errors.New("it needs 0/1 values, which scaling makes others")
		}
		return errors.New("it needs 0/1 values, these are others; prepare: {discretize: 2} cuts numbers at the median of the training rows, features: {values: binary} leaves counts of words out")
	case need.Counts && set.Negative && set.Source.Recipe().Discretize == 0:
		return errors.New("it needs counts, and some value is below 0")
	case need.FeatureClasses && !d.Features.HasClasses() && !set.Source.Recipe().Classes():
		return errors.New("it needs classes of features, there are none")
	}
	return nil
}

// orAnyLevels tells of the way to classes of more levels, where there is one.
func orAnyLevels(a *spec.Algorithm, set *Set) string {
	if len(set.Targets) > 1 || len(set.Targets[0].Levels) < 3 || a.AnyLevels == "" {
		return ""
	}
	return "; " + a.AnyLevels + " takes any number"
}

// levelsOf shows the levels of a class target, among which may be the cell that was meant to be a number.
func levelsOf(t data.Target) string {
	if t.Type != data.Class {
		return ""
	}
	return fmt.Sprintf(" (levels %s)", source.Abridge(t.Levels))
}

// cell of a data set, or task, with an algorithm; pool is nil for all but those that learn across tasks.
func (p *Plan) cell(set *Set, a *spec.Algorithm, pool *pool) *Cell {
	in := Ingredients{
		Schema: keySchema, Dataset: set.Digest, Recipe: set.Source.Recipe(),
		Engine: a.Kind, Revision: a.Rev, Params: a.Canonical, Path: a.Path.Canonical(),
	}
	inner := engines.Inner{}
	if a.Engine.Needs().Inner {
		inner = set.inner()
		in.Inner = ingredient(inner)
	}
	c := &Cell{Set: set, Algorithm: a}
	if pool != nil {
		c.After = []*Cell{pool.cell}
		in.After = pool.cell.keys()
	}
	digests := make([]string, len(set.Splits))
	for i, s := range set.Splits {
		digests[i] = s.Fold.Digest
	}
	c.Key = cellKey(in, digests, p.File.Seed)
	for _, split := range set.Splits {
		u := p.unit(c, split.Fold, in)
		u.Label.Params, u.Label.Grid = a.Params, slices.Concat(a.Grid, set.Grid)
		u.At, u.Inner = a.Path, inner
		u.fits(a.Engine, split, set)
		if pool != nil {
			pool.precedes(u)
		}
		c.Units = append(c.Units, u)
	}
	return c
}

// inner is how the training rows of the set's folds may be divided further.
func (set *Set) inner() engines.Inner {
	f := set.Folds.Normalised()
	return engines.Inner{By: f.By != "", Ordered: f.Kind == "time",
		Gap: f.Gap.Rows, GapTime: f.Gap.Time, Window: f.Window.Rows, WindowTime: f.Window.Time}
}

// unit of a cell on a fold.
func (p *Plan) unit(c *Cell, fold folds.Fold, in Ingredients) *Unit {
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

// fits an engine to rows of a data set.
func (u *Unit) fits(engine engines.Engine, split *runner.Split, set *Set) {
	u.Split, u.Engine = split, engine
	rows, outputs, levels := len(split.Fold.Train), 0, 0
	for _, t := range set.Targets {
		outputs += max(1, len(t.Levels))
		levels = max(levels, len(t.Levels))
	}
	evaluation := runner.Evaluation(rows+len(split.Fold.Test), outputs)
	u.Footprint = engines.FootprintOf(engine, engines.Shape{
		Rows: rows, Columns: set.Shape.Columns, Entries: int64(set.Shape.Entries), Ones: split.Binary(), Classes: len(set.Data.Features.Classes()), Levels: levels,
	}).And(evaluation)
}

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

// merge joins the mistakes of an experiment file into one list; other errors are joined.
func merge(errs []error) error {
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
