package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"tenfold/engines"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/folds"
)

// Stages of algorithms that learn across the tasks of a family (engines.Across): a donor stage fits all rows of each task, and one
// pool stage combines their artefacts. Each cell of a task builds on the pool.
const (
	donorStage = "donor"
	poolStage  = "pool"
)

// pools plans the stages that cells build on. Algorithms whose stages have equal keys share them.
type pools struct {
	plan       *Plan
	tasks      map[*experiment.Dataset][]*Set
	byGroup    map[groupKey]*pool
	stageByKey map[string]*Cell
	poolByKey  map[string]*pool
}

// pool is the pool stage of a family, with what engines learn from its outcome.
type pool struct {
	cell *Cell

	mu      sync.Mutex
	learned engines.Learned // nil until learnOnce
}

func newPools(p *Plan) *pools {
	s := &pools{plan: p, tasks: map[*experiment.Dataset][]*Set{}, byGroup: map[groupKey]*pool{}, stageByKey: map[string]*Cell{}, poolByKey: map[string]*pool{}}
	for _, set := range p.Sets {
		s.tasks[set.Dataset] = append(s.tasks[set.Dataset], set)
	}
	return s
}

// poolFor returns the pool of a set with an algorithm: nil if the engine does not learn across tasks.
func (s *pools) poolFor(set *Set, a *algorithm.Algorithm) (*pool, error) {
	across, ok := a.Engine.(engines.Across)
	if !ok {
		return nil, nil
	}
	group := groupKey{set.Dataset, a, poolStage}
	if s.byGroup[group] == nil {
		var donors []*Cell
		for _, task := range s.tasks[set.Dataset] {
			donors = append(donors, s.addStage(s.plan.donorCell(task, a, across)))
		}
		cell, err := s.plan.poolCell(set, a, across, donors)
		if err != nil {
			return nil, s.plan.File.Blame(a.Entry, param.Errorf("engine", "%v", err))
		}
		cell = s.addStage(cell)
		if s.poolByKey[cell.Key] == nil {
			s.poolByKey[cell.Key] = &pool{cell: cell}
		}
		s.byGroup[group] = s.poolByKey[cell.Key]
	}
	return s.byGroup[group], nil
}

// addStage adds a stage to the plan and returns it. If a stage with the same key exists, it returns that one, with the looser
// limits of the two.
func (s *pools) addStage(c *Cell) *Cell {
	if same := s.stageByKey[c.Key]; same != nil {
		limits, other := &same.Units[0].Limits, c.Units[0].Limits
		if looserLimit(other.Time, limits.Time) {
			limits.Time = other.Time
		}
		if looserLimit(other.Memory, limits.Memory) {
			limits.Memory = other.Memory
		}
		return same
	}
	s.stageByKey[c.Key] = c
	s.plan.Stages = append(s.plan.Stages, c)
	return c
}

// donorCell makes the stage that fits all rows of a task.
func (p *Plan) donorCell(set *Set, a *algorithm.Algorithm, across engines.Across) *Cell {
	engine, rows, whole := across.Donor(), set.Splits[0], folds.AllRows(set.Shape.Rows).LeaveOut(set.weight)
	in := Ingredients{
		Schema: keySchema, Dataset: set.Digest, Recipe: set.Recipe(), Engine: a.Kind, Revision: a.Rev,
		Params: registry.Canonical(engine, a.Defaults.(engines.Across).Donor()), Stage: fmt.Sprintf("%s %d", donorStage, across.StageRevision()),
	}
	c := &Cell{Key: cellKey(in, []string{whole.Digest}, p.File.Seed), Set: set, Algorithm: a, Stage: donorStage}
	u := p.newUnit(c, whole, in)
	u.setEngine(engine, &execute.Split{Set: rows.Set, Task: rows.Task, Recipe: rows.Recipe, Fold: whole}, set)
	c.Units = []*Unit{u}
	return c
}

// poolCell makes the stage that pools the artefacts of the donors.
func (p *Plan) poolCell(set *Set, a *algorithm.Algorithm, across engines.Across, donors []*Cell) (*Cell, error) {
	pooling := across.Pooling()
	params, err := json.Marshal(pooling)
	if err != nil {
		return nil, err
	}
	in := Ingredients{
		Schema: keySchema, Dataset: set.Data.Digest, Engine: a.Kind, Revision: a.Rev, Params: string(params),
		Stage: fmt.Sprintf("%s %d", poolStage, across.StageRevision()),
	}
	family := &Set{Dataset: set.Dataset, Name: set.Dataset.Name, Data: set.Data, Digest: set.Data.Digest, TrainingDigest: set.Data.TrainingDigest, Shape: execute.ShapeOf(set.Data)}
	c := &Cell{Set: family, Algorithm: a, Stage: poolStage, After: donors}
	var tasks []string
	for _, d := range donors {
		in.After, tasks = append(in.After, d.unitKeys()...), append(tasks, d.Set.Task)
	}
	c.Key = cellKey(in, nil, p.File.Seed)
	u := p.newUnit(c, folds.Fold{}, in)
	for _, d := range donors {
		u.After = append(u.After, &d.Units[0].Unit)
	}
	u.Pool = func(ctx context.Context, after execute.Before) (engines.Pooled, error) {
		artefacts := make([][]byte, len(tasks))
		for i := range artefacts {
			o, err := after(i)
			if err != nil {
				return engines.Pooled{}, err
			}
			artefacts[i] = o.Artefact
		}
		return pooling.Pool(ctx, tasks, artefacts)
	}
	c.Units = []*Unit{u}
	return c, nil
}

// buildInto makes a unit build on the pool: its engine is made when the pool's outcome is there.
func (p *pool) buildInto(u *Unit) {
	across, task := u.Engine.(engines.Across), u.Label.Task
	u.After = []*execute.Unit{&p.cell.Units[0].Unit}
	u.Build = func(after execute.Before) (engines.Engine, error) {
		learned, err := p.learnOnce(across, after)
		if err != nil {
			return nil, err
		}
		return learned.On(across, task)
	}
}

// learnOnce returns what the engine learns from the pool's outcome, which it reads at the first call.
func (p *pool) learnOnce(across engines.Across, after execute.Before) (engines.Learned, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.learned == nil {
		o, err := after(0)
		if err == nil {
			p.learned, err = across.Learn(o.Artefact)
		}
		if err != nil {
			return nil, err
		}
	}
	return p.learned, nil
}

func (c *Cell) unitKeys() (keys []string) {
	for _, u := range c.Units {
		keys = append(keys, u.Label.Unit)
	}
	return keys
}

// Outcomes gives access to stored outcomes.
type Outcomes interface {
	Get(unit string) (*results.Outcome, bool, error)
}

// Clusterings returns the clusterings of all stages with a stored outcome.
func (p *Plan) Clusterings(store Outcomes) (all []results.Clustering, err error) {
	for _, c := range freezeCells(p.Stages) {
		found, err := c.Clusterings(store)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Clusterings returns the clustering that a pool stage found; none for other cells.
func (c *FrozenCell) Clusterings(store Outcomes) (all []results.Clustering, err error) {
	if c.Stage != poolStage {
		return nil, nil
	}
	for _, u := range c.Units {
		o, ok, err := store.Get(u.Unit)
		if err != nil {
			return nil, err
		}
		if ok && len(o.Clusters) > 0 {
			all = append(all, results.Clustering{Dataset: c.Dataset, Algorithm: c.Algorithm, Cell: c.Key, Params: c.Params, Clusters: o.Clusters})
		}
	}
	return all, nil
}
