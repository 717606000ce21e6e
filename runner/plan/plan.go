// Package plan turns an experiment file into units of work: it loads the data sets, makes the folds, checks what only the
// data can tell, and gives every unit a key. A unit whose outcome is stored under its key need not run again.
package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner"
	"tenfold/runner/spec"
)

// maxPredictions is the number of test rows over all units up to which predictions are kept unless the file says so.
const maxPredictions = 10_000_000

// Env is where a plan finds things.
type Env struct {
	Cache   compiled.Cache
	Folders files.Folders
	Store   Store // stored outcomes of earlier runs
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
	Cells       []*Cell
	Predictions bool
}

// Set is a data set of the file, loaded, with its folds.
type Set struct {
	*spec.Dataset
	Data   *data.Dataset
	Cached bool // it came from the cache of compiled data sets
	Splits []*runner.Split
}

// Cell is a data set with an algorithm at one point of its grid.
type Cell struct {
	Key       string
	Set       *Set
	Algorithm *spec.Algorithm
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
	var errs []error
	for _, set := range p.Sets {
		for i := range f.Algorithms {
			a := &f.Algorithms[i]
			if err := suits(a, set.Data); err != nil {
				errs = append(errs, f.Blame(a.Entry, kind.Errorf("engine", "%s cannot use data set %s: %v", a.Kind, set.Name, err)))
				continue
			}
			p.Cells = append(p.Cells, p.cell(set, a))
		}
	}
	if err := merge(errs); err != nil {
		return nil, err
	}
	p.keepPredictions()
	for u := range p.Units {
		u.Look(env.Store)
	}
	return p, nil
}

// Look at what is stored for the unit now.
func (u *Unit) Look(store Store) {
	u.Stored = nil
	if h, ok := store.Head(u.Label.Unit); ok {
		u.Stored = &h
	}
}

// Units of the plan, in order.
func (p *Plan) Units(yield func(*Unit) bool) {
	for _, c := range p.Cells {
		for _, u := range c.Units {
			if !yield(u) {
				return
			}
		}
	}
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
	loaded := map[string]*data.Dataset{}
	for i := range p.File.Datasets {
		s := &p.File.Datasets[i]
		set, err := loadSet(ctx, s, opened[i], env.Cache, loaded, p.File.Seed)
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			errs = append(errs, p.File.Blame(s.Entry, fmt.Errorf("data set %s: %w", s.Name, err)))
			continue
		}
		p.Sets = append(p.Sets, set)
	}
	return merge(errs)
}

func loadSet(ctx context.Context, s *spec.Dataset, in *files.Set, cache compiled.Cache, loaded map[string]*data.Dataset, seed int64) (*Set, error) {
	reader := compiled.Reader{Name: s.Format, Rev: s.Rev, Options: s.Options}
	digest, err := reader.Digest(in)
	if err != nil {
		return nil, err
	}
	set := &Set{Dataset: s, Data: loaded[digest], Cached: true}
	if set.Data == nil {
		if set.Data, set.Cached, err = cache.Load(ctx, reader, s.Source, in); err != nil {
			return nil, err
		}
		loaded[digest] = set.Data
	}
	if err := s.Source.Recipe().Check(set.Data); err != nil {
		return nil, err
	}
	division, err := s.Folds.Split(set.Data, seed)
	if err != nil {
		return nil, err
	}
	rows := *set.Data
	if s.Folds.Kind == "given" && s.Folds.Column != "" { // its values name folds, and are no groups inside one
		rows.Groups = nil
	}
	for _, f := range division {
		f = f.Reduce(set.Data, s.TrainFraction, s.Folds.By, seed)
		if len(f.Train) == 0 {
			return nil, kind.Errorf("train_fraction", "%v leaves no training rows in fold %d of repeat %d", s.TrainFraction, f.ID, f.Repeat)
		}
		set.Splits = append(set.Splits, &runner.Split{
			Set: &rows, Recipe: s.Source.Recipe(), Fold: f,
		})
	}
	return set, nil
}

// suits tells what stands between an engine and a loaded data set; the file alone could not say.
func suits(a *spec.Algorithm, d *data.Dataset) error {
	need := a.Engine.Needs()
	for _, t := range d.Targets {
		if need.Target != data.Any && t.Type != need.Target {
			return fmt.Errorf("it needs a %s target, %s is %s%s", need.Target, t.Name, t.Type, levelsOf(t))
		}
		if t.Type == data.Class && need.Levels > 0 && len(t.Levels) != need.Levels {
			return fmt.Errorf("it needs a target of %d levels, %s has %d%s", need.Levels, t.Name, len(t.Levels), levelsOf(t))
		}
	}
	switch {
	case len(d.Targets) > 1 && !need.Tasks:
		return fmt.Errorf("it takes one target, there are %d", len(d.Targets))
	case need.Binary && !d.X.Binary():
		return errors.New("it needs 0/1 values, these are others")
	case need.FeatureClasses && !d.Features.HasClasses():
		return errors.New("it needs classes of features, there are none")
	}
	return nil
}

// levelsOf shows the levels of a class target, among which may be the cell that was meant to be a number.
func levelsOf(t data.Target) string {
	if t.Type != data.Class {
		return ""
	}
	return fmt.Sprintf(" (levels %s)", source.Abridge(t.Levels))
}

func (p *Plan) cell(set *Set, a *spec.Algorithm) *Cell {
	in := Ingredients{
		Schema: keySchema, Dataset: set.Data.Digest, Recipe: set.Source.Recipe(),
		Engine: a.Kind, Revision: a.Rev, Params: a.Canonical, Path: a.Path.Canonical(),
	}
	digests := make([]string, len(set.Splits))
	for i, s := range set.Splits {
		digests[i] = s.Fold.Digest
	}
	c := &Cell{Key: cellKey(in, digests, p.File.Seed), Set: set, Algorithm: a}
	for _, split := range set.Splits {
		c.Units = append(c.Units, p.unit(c, split, in))
	}
	return c
}

func (p *Plan) unit(c *Cell, split *runner.Split, in Ingredients) *Unit {
	fold, set, a := split.Fold, c.Set, c.Algorithm
	in.Fold = fold.Digest
	in.Seed = fitSeed(p.File.Seed, set.Data.Digest, fold.Repeat, fold.ID, a.Kind)
	u := &Unit{Ingredients: in}
	u.Label = results.Label{
		Experiment: p.File.Name, Dataset: set.Name, Algorithm: a.Name, Engine: a.Kind, Revision: int32(a.Rev),
		Cell: c.Key, Unit: in.Key(), Params: a.Params, Grid: slices.Concat(a.Grid, set.Grid),
		Repeat: int32(fold.Repeat), Fold: int32(fold.ID), FoldDigest: fold.Digest, DatasetDigest: set.Data.Digest, Seed: in.Seed,
	}
	u.Split, u.Engine, u.At, u.Limits = split, a.Engine, a.Path, a.Limits
	if sized, ok := a.Engine.(engines.Sized); ok {
		_, columns := set.Data.X.Dims()
		u.Bytes = sized.Footprint(len(fold.Train), columns, int64(set.Data.X.NNZ()))
	}
	return u
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
