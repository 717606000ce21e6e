package transfer

import (
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/coding/cluster"
	"tenfold/engines/coding/codes"
	"tenfold/engines/data"
	"tenfold/engines/model/bylevel"
)

// fit fits the levels of the task with what their donors tell.
func (e Engine) fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	levels, err := read(ctx, e.simes(), run.Train)
	if err != nil {
		return nil, err
	}
	features := run.Train.Features()
	surrounding, facts, err := e.learn(leave(features, levels, false))
	if err != nil {
		return nil, err
	}
	return bylevel.Fit(ctx, run, func(level int, _ *data.View) (engines.Engine, error) {
		donors := surrounding[level].donors
		if len(donors) == 0 {
			return e.tpc(), nil
		}
		return e.tpc().WithPrior(e.Prior(donors, features)), nil
	}, facts...)
}

// surroundings of a level.
type surroundings struct {
	background bool
	peers      int // members of its cluster that are no siblings
	donors     []codes.Donor
}

// learn clusters the levels of the task, as its training rows show them, with those of the others, and finds their donors.
func (e Engine) learn(here left) ([]surroundings, []data.Fact, error) {
	var facts []data.Fact
	fact := func(name, format string, args ...any) {
		facts = append(facts, data.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
	}
	by := e.pooling()
	if by.Clusters > 0 {
		t, err := e.pool.tune(by, e.task)
		if err != nil {
			return nil, nil, err
		}
		by.Similarity = t.similarity
		fact("similarity", "%.6g: %d clusters of the other tasks", t.similarity, t.clusters)
	}
	all := e.pool.points(by.uses, e.task, e.pool.adopt(here, e.task))
	clusters := cluster.Cluster(all.sets, by.Options)
	first := slices.Index(all.task, int32(e.task))
	out := make([]surroundings, len(here.Levels))
	foreground, alone, smaller := 0, 0, 0
	for k := range out {
		s := e.around(all, clusters, first+k)
		out[k] = s
		switch {
		case s.background:
			continue
		case s.peers == 0:
			alone++
		case len(s.donors) == 0:
			smaller++
		}
		foreground++
	}
	fact("levels in the foreground", "%d of %d", foreground, len(out))
	fact("levels among siblings alone", "%d of %d", alone, len(out))
	if e.Donors == largerDonors {
		fact("levels without larger donors", "%d of %d", smaller, len(out))
	}
	for k, s := range out {
		fact(here.Levels[k].Name+" against the rest: donors", "%d", len(s.donors))
	}
	return out, facts, nil
}

// around returns the surroundings of a level, the i-th point.
func (e Engine) around(all points, clusters []int, i int) surroundings {
	out := surroundings{background: clusters[i] == cluster.Background}
	has := e.had()
	for _, j := range peers(clusters, all.task, i) {
		out.peers++
		if e.Donors == largerDonors && all.level[j].Positive <= all.level[i].Positive {
			continue
		}
		t := &e.pool.tasks[all.task[j]]
		d := codes.Donor{Selected: e.counted(t, all.level[j])}
		if t.columns != nil {
			d.Had = func(name string) bool { return t.columns.has(has(name)) }
		}
		out.donors = append(out.donors, d)
	}
	return out
}

// peers returns the other members of a point's cluster, rising, without its siblings, of the same task, which tell what it is not.
func peers(clusters []int, task []int32, point int) (peers []int) {
	for i, k := range clusters {
		if k != cluster.Background && k == clusters[point] && task[i] != task[point] {
			peers = append(peers, i)
		}
	}
	return peers
}

// had finds the number of a name, -1 for none: once for all donors that are asked in turn whether they had it.
func (e Engine) had() func(name string) int32 {
	last, number := "", int32(-1)
	return func(name string) int32 {
		if name != last || number < 0 {
			k, ok := e.pool.number[name]
			if last, number = name, k; !ok {
				number = -1
			}
		}
		return number
	}
}

// counted returns the features of a donor that count.
func (e Engine) counted(t *task, l *level) (out []codes.Feature) {
	list := l.For
	switch e.Count {
	case countAny:
		list = slices.Concat(l.For, l.Against)
		slices.Sort(list)
		list = slices.Compact(list)
	case countSimes:
		list = l.Simes
	}
	for _, f := range list {
		out = append(out, t.features[f])
	}
	return out
}

// adopt returns what the training rows of a task show, in place of what its donor left. Of the names in the pool, those count that
// another task's levels have; others are numbered after them, as if the task had never been in the pool.
func (p *pool) adopt(here left, k int) *task {
	out := &task{name: p.tasks[k].name, features: here.Features, levels: here.Levels}
	next := int32(len(p.names))
	for _, f := range here.Features {
		number, ok := p.number[f.Name]
		if !ok || p.holder[number] == nobody || p.holder[number] == int32(k) {
			number = next
			next++
		}
		out.number = append(out.number, number)
	}
	return out
}
