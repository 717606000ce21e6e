package transfer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tenfold/engines"
	"tenfold/engines/coding/cluster"
	"tenfold/engines/coding/codes"
)

// pool is what the donors of all tasks left, with every name once. But for what is tuned it does not change.
type pool struct {
	names  []string         // of features, and of columns where they were left, in order
	number map[string]int32 // of each name
	holder []int32          // by name: the only task with a level that has it, nobody for none, several for more
	tasks  []task           // by name

	mu    sync.Mutex
	tuned map[string]func() tuned // by task and clustering
}

// Holders of a name other than a single task.
const (
	nobody  = -1
	several = -2
)

// task is one that the pool is of.
type task struct {
	name     string
	features []codes.Feature
	number   []int32 // of the names of features
	columns  bitset  // of all its columns, by number; nil where they were not left
	levels   []level
}

// bitset of numbers.
type bitset []uint64

func (b bitset) has(k int32) bool { return k >= 0 && b[k>>6]>>(k&63)&1 == 1 }

func readPool(text []byte) (*pool, error) {
	var all pooled
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("what the pool left cannot be read: %w", err)
	}
	return newPool(all)
}

// newPool reads tasks in order.
func newPool(all pooled) (*pool, error) {
	p := &pool{number: map[string]int32{}, tuned: map[string]func() tuned{}}
	for k, t := range all.Tasks {
		if k > 0 && t.Name <= all.Tasks[k-1].Name {
			return nil, fmt.Errorf("task %s is there twice, or the tasks are out of order", t.Name)
		}
		for _, f := range t.Features {
			p.names = append(p.names, f.Name)
		}
		p.names = append(p.names, t.Columns...)
	}
	slices.Sort(p.names)
	p.names = slices.Clip(slices.Compact(p.names))
	p.holder = slices.Repeat([]int32{nobody}, len(p.names))
	for k, name := range p.names {
		p.number[name] = int32(k)
	}
	for k, t := range all.Tasks {
		interned, err := p.intern(t)
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
		for _, f := range interned.number {
			if p.holder[f] == nobody || p.holder[f] == int32(k) {
				p.holder[f] = int32(k)
			} else {
				p.holder[f] = several
			}
		}
		p.tasks = append(p.tasks, interned)
	}
	return p, nil
}

// intern reads a task, with names as they stand in the pool.
func (p *pool) intern(t pooledTask) (task, error) {
	out := task{name: t.Name, levels: t.Levels, features: make([]codes.Feature, len(t.Features)), number: make([]int32, len(t.Features))}
	for k, f := range t.Features {
		out.number[k] = p.number[f.Name]
		out.features[k] = codes.Feature{Name: p.names[out.number[k]], Class: f.Class}
	}
	if t.Columns != nil {
		out.columns = make(bitset, len(p.names)/64+1)
		for _, name := range t.Columns {
			out.columns[p.number[name]>>6] |= 1 << (p.number[name] & 63)
		}
	}
	for _, l := range t.Levels {
		for _, list := range [][]int32{l.Simes, l.For, l.Against} {
			if slices.ContainsFunc(list, func(f int32) bool { return f < 0 || int(f) >= len(t.Features) }) {
				return task{}, fmt.Errorf("level %s has a feature outside 0..%d", l.Name, len(t.Features)-1)
			}
		}
	}
	return out, nil
}

// On returns the engine for one task of the pool. What it takes from the pool are the other tasks, and where in their order this one
// stands.
func (p *pool) On(e engines.Across, name string) (engines.Engine, error) {
	engine, ok := e.(Engine)
	if !ok {
		return nil, fmt.Errorf("the pool is for engine mdl with code %s, not for a %T", codes.TransferTPC, e)
	}
	place, ok := slices.BinarySearchFunc(p.tasks, name, func(t task, name string) int { return cmp.Compare(t.name, name) })
	switch {
	case !ok:
		return nil, fmt.Errorf("task %q is none of the %d tasks whose donors there are", name, len(p.tasks))
	case engine.Skips() && p.lacksColumns(place):
		return nil, errors.New("absent: skip asks which columns each task has, but the donors did not leave them")
	}
	engine.pool, engine.task = p, place
	return engine, nil
}

// lacksColumns reports whether a task other than the given one has levels, but no columns.
func (p *pool) lacksColumns(but int) bool {
	for k, t := range p.tasks {
		if k != but && len(t.levels) > 0 && t.columns == nil {
			return true
		}
	}
	return false
}

// points are levels as sets of features, in the order of tasks.
type points struct {
	sets  [][]int32
	task  []int32
	level []*level
}

// points returns those of all tasks, by the features of classes in use. In place of one of the tasks there is another one, or with nil none.
func (p *pool) points(uses func(class string) bool, but int, instead *task) (out points) {
	for k := range p.tasks {
		t := &p.tasks[k]
		if k == but {
			t = instead
		}
		if t != nil {
			out.add(int32(k), t, t.used(uses))
		}
	}
	return out
}

// used returns the numbers of a task's features, -1 where their class is not in use.
func (t *task) used(uses func(class string) bool) []int32 {
	out, in := slices.Clone(t.number), map[string]bool{}
	for k, f := range t.features {
		use, ok := in[f.Class]
		if !ok {
			use = uses(f.Class)
			in[f.Class] = use
		}
		if !use {
			out[k] = -1
		}
	}
	return out
}

// add adds the levels of a task, whose features have these numbers.
func (s *points) add(k int32, t *task, number []int32) {
	for i := range t.levels {
		l := &t.levels[i]
		set := make([]int32, 0, len(l.Simes))
		for _, f := range l.Simes {
			if number[f] >= 0 {
				set = append(set, number[f])
			}
		}
		s.sets, s.task, s.level = append(s.sets, set), append(s.task, k), append(s.level, l)
	}
}

// tuned is a similarity, and the number of clusters that it makes of the other tasks.
type tuned struct {
	similarity float64
	clusters   int
}

// tune tunes the similarity on all tasks but one, once.
func (p *pool) tune(by pooling, but int) (tuned, error) {
	text, err := json.Marshal(by)
	if err != nil {
		return tuned{}, err
	}
	key := fmt.Sprint(but, string(text))
	p.mu.Lock()
	once := p.tuned[key]
	if once == nil {
		once = sync.OnceValue(func() tuned {
			s, clusters := cluster.Tune(p.points(by.uses, but, nil).sets, by.Clusters, by.Options)
			return tuned{s, cluster.Count(clusters)}
		})
		p.tuned[key] = once
	}
	p.mu.Unlock()
	return once(), nil
}
