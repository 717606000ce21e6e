// Package plan turns an experiment file into units of work: it loads the data sets, makes the folds, checks what only the
// data can tell, and gives every unit a key. A unit whose outcome is stored under its key does not run again.
//
// The way through the files:
//
//   - plan.go: Plan, Set, Cell, Unit, and Build, which makes them
//   - what Build calls: load.go reads the data sets and makes the folds, family.go divides a data set into tasks, check_engine.go
//     checks engines against the data, imports.go reads predictions made elsewhere (section import of an algorithm), cell.go
//     makes the units of a cell, stages.go the stages that cells build on (donors and pools of engines that learn across tasks)
//   - key.go: the ingredients of a key; explain.go says in which of them two units differ
//   - decide.go: Decide says which units have to run, and why; earlier.go finds the unit of an earlier plan that one
//     corresponds to
//   - frozen.go: the plan as a file in the run's folder; brief.go reads it without its lists of cells
package plan

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/io/compiled"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/imported"
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
	File        *experiment.File
	Sets        []*Set
	Stages      []*Cell // each before the stages that build on it
	Cells       []*Cell
	Skipped     []Skipped // cells of the file that are not fitted
	Unavailable []string  // data sets whose files are not there (failures: {unavailable: skip}); their cells are among those skipped
	Lacking     []string  // methods that cannot run, likewise
	Predictions bool
	imports     map[*algorithm.Algorithm]*imported.Import // predictions made elsewhere, of the algorithms that have them
}

// Skipped is a cell of the file that has no fits: its engine cannot use the data set (failures: {unsuitable: skip}), its data or
// method is missing (failures: {unavailable: skip}), or the file runs its algorithm on other data sets. For a family it stands for
// the cells of all tasks.
type Skipped struct {
	Dataset, Algorithm string
	Grid               []results.Param
	Why                string
	Where              []string // globs of the data sets that the algorithm runs on, if they do not match this one; else nil
}

// skip leaves out the cell of a data set, or those of all its tasks, with an algorithm.
func (p *Plan) skip(s *experiment.Dataset, a *algorithm.Algorithm, why string) {
	p.Skipped = append(p.Skipped, Skipped{Dataset: s.Name, Algorithm: a.Name, Grid: slices.Concat(a.Grid, s.Grid), Why: why})
}

// skipOthers leaves out the cells of algorithms on data sets that their datasets: key does not match.
func (p *Plan) skipOthers() {
	for i := range p.File.Algorithms {
		a := &p.File.Algorithms[i]
		for j := range p.File.Datasets {
			if s := &p.File.Datasets[j]; !a.RunsOn(s) {
				p.skip(s, a, fmt.Sprintf("the experiment file asks for other data sets only (datasets: %s)", strings.Join(a.Where, ", ")))
				p.Skipped[len(p.Skipped)-1].Where = a.Where
			}
		}
	}
}

// Set is a loaded data set of the file, or a task of a family, with its folds.
type Set struct {
	*experiment.Dataset
	Name   string        // in results: the data set's name, or family/task
	Task   string        // "" if it is no task
	Data   *data.Dataset // as loaded; the tasks of a family share it
	Digest string        // of the data set, or of the task
	// TrainingDigest is the digest of the rows given for training alone.
	TrainingDigest string
	Shape          execute.Shape
	Account        account.Account // of the data set, or of all tasks of the family
	Targets        []data.Target
	Cached         bool // read from the cache of compiled data sets
	// Negative is the name in quotes of the column of the first value below 0, over all tasks of a family; "" if there is none.
	Negative string
	Splits   []*execute.Split
	weight   []float64         // of the rows, of the task; nil: 1 each
	oneSided []string          // folds whose training rows have one value of the target
	Protocol map[string]string // as in labels (results.Label)
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
	Algorithm *algorithm.Algorithm // of a stage: the first one that builds on it
	Stage     string               // donor or pool; "" for cells of the experiment
	After     []*Cell              // stages that it builds on
	Units     []*Unit
}

// Unit is a unit of work, with the ingredients of its key and its stored outcome.
type Unit struct {
	execute.Unit
	Ingredients Ingredients
	Stored      *results.Head // of the outcome stored under the key at the last Look; nil if there was none
	Reason      string        // why it has to run, set by Decide; "" if the stored outcome is used
}

// Build plans an experiment. Mistakes in the file are one experiment.Errors with their places, as many as can be found at once.
func Build(ctx context.Context, f *experiment.File, env Env) (*Plan, error) {
	p := &Plan{File: f}
	p.skipOthers()
	if err := p.loadAll(ctx, env); err != nil {
		return nil, err
	}
	unsuitable, err := p.checkEngines()
	if err != nil {
		return nil, err
	}
	if err := p.checkMetrics(); err != nil {
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
			if !a.RunsOn(set.Dataset) || unsuitable[groupKey{set.Dataset, a, ""}] {
				continue
			}
			pool, err := pools.poolFor(set, a)
			if err != nil {
				return nil, err
			}
			p.Cells = append(p.Cells, p.newCell(set, a, pool))
		}
	}
	if n := len(p.Skipped); len(p.Cells) == 0 && n > 0 { // by several reasons together: alone, each of them leaves some
		return nil, fmt.Errorf("%s: all cells are skipped, so that there is nothing to fit; %s × %s: %s", p.File.Path, p.Skipped[n-1].Dataset, p.Skipped[n-1].Algorithm, p.Skipped[n-1].Why)
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

// Divide returns the sets of a plan without units: it loads the data sets of the file that wanted accepts, and makes their folds.
func Divide(ctx context.Context, f *experiment.File, env Env, wanted func(*experiment.Dataset) bool) ([]*Set, error) {
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

// RowsOf returns the rows that the folds divide: those of the data set, or of the task.
func (s *Set) RowsOf() *data.Dataset {
	if task := s.Splits[0].Task; task != nil {
		return task.Of(s.Data)
	}
	return s.Data
}

// checkFitCount returns an error if there are more fits than an experiment may have. Their number is known only after loading,
// because families and columns of folds depend on the data.
func (p *Plan) checkFitCount() error {
	splits, fits := 0, 0
	for _, set := range p.Sets {
		splits += len(set.Splits)
		for i := range p.File.Algorithms {
			if p.File.Algorithms[i].RunsOn(set.Dataset) {
				fits += len(set.Splits)
			}
		}
	}
	if fits > experiment.MaxFits {
		return fmt.Errorf("%s: %d test parts of data sets and tasks × %d algorithms: more than %d fits", p.File.Path, splits, len(p.File.Algorithms), experiment.MaxFits)
	}
	return nil
}

// Look sets Stored to the head of the unit's outcome in the store.
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

// groupKey identifies the cells of all tasks of a data set with one algorithm, or one of their stages.
type groupKey struct {
	set       *experiment.Dataset
	algorithm *algorithm.Algorithm
	stage     string
}

// Groups returns the cells in groups that messages treat as one: cells of a family's tasks with one algorithm; any other
// cell is its own group. Stages come first.
func (p *Plan) Groups() [][]*Cell {
	var out [][]*Cell
	index := map[groupKey]int{}
	for _, c := range slices.Concat(p.Stages, p.Cells) {
		k := groupKey{c.Set.Dataset, c.Algorithm, c.Stage}
		i, ok := index[k]
		if !ok {
			i = len(out)
			index[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// keepPredictions decides whether predictions are stored: as the file says, or up to maxPredictions.
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
	var all reading.Errors
	var others []error
	for _, err := range errs {
		var some reading.Errors
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
