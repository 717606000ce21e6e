package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/coding/cluster"
)

// pooling is the second stage: what all donors left, and how their levels are clustered.
type pooling struct {
	cluster.Options
	Clusters int      `json:"clusters"`           // to aim at; 0: the similarity is given
	Compared string   `json:"compared"`           // features that levels are compared by: all, semantic, syntactic
	Semantic []string `json:"semantic,omitempty"` // where that matters

	uses func(class string) bool
}

func (o Options) pooling() pooling {
	p := pooling{Options: o.Clustering, Clusters: o.Clusters, Compared: o.Compared(), uses: o.Uses}
	if p.Clusters > 0 {
		p.Similarity = 0 // it is not looked at
	}
	if p.Compared != "all" {
		p.Semantic = o.Semantic
	}
	return p
}

// pooled is what the second stage leaves.
type pooled struct {
	Tasks []pooledTask `json:"tasks"` // by name
}

type pooledTask struct {
	Name string `json:"name"`
	left
}

// Pool puts together what the donors left, and clusters all levels by all rows. Tasks of which nothing is left have no levels.
func (p pooling) Pool(ctx context.Context, tasks []string, lefts [][]byte) (engines.Pooled, error) {
	if len(tasks) != len(lefts) {
		return engines.Pooled{}, fmt.Errorf("%d tasks, but %d donors", len(tasks), len(lefts))
	}
	var all pooled
	for k, name := range tasks {
		t := pooledTask{Name: name}
		if len(bytes.TrimSpace(lefts[k])) > 0 {
			if err := json.Unmarshal(lefts[k], &t.left); err != nil {
				return engines.Pooled{}, fmt.Errorf("task %s: what its donor left cannot be read: %w", name, err)
			}
		}
		all.Tasks = append(all.Tasks, t)
	}
	slices.SortStableFunc(all.Tasks, func(a, b pooledTask) int { return cmp.Compare(a.Name, b.Name) })
	known, err := newPool(all)
	if err != nil {
		return engines.Pooled{}, err
	}
	if ctx.Err() != nil {
		return engines.Pooled{}, context.Cause(ctx)
	}
	text, err := json.Marshal(all)
	return engines.Pooled{Artefact: text, Clusters: p.clusters(known)}, err
}

// group clusters the sets, at the similarity given or the one tuned.
func (p pooling) group(sets [][]int32) []int {
	if p.Clusters > 0 {
		_, clusters := cluster.Tune(sets, p.Clusters, p.Options)
		return clusters
	}
	return cluster.Cluster(sets, p.Options)
}

// maxShared is how many features of a cluster are listed.
const maxShared = 20

// clusters returns those of all levels of all tasks, the background last.
func (p pooling) clusters(known *pool) []engines.TaskCluster {
	points := known.points(p.uses, nobody, nil)
	clusters, near := p.group(points.sets), cluster.Nearest(points.sets, p.Options)
	found := make([]engines.TaskCluster, cluster.Count(clusters)+1)
	having := make([]map[int32]int, len(found)) // members, by feature
	for i, k := range clusters {
		if k == cluster.Background {
			k = len(found) - 1
		} else if having[k] == nil {
			having[k] = map[int32]int{}
		}
		l := points.level[i]
		found[k].Members = append(found[k].Members, engines.ClusterMember{
			Task: known.tasks[points.task[i]].name, Output: l.Name, Rows: l.Positive, Features: len(points.sets[i]), Nearest: near[i],
		})
		for _, f := range points.sets[i] {
			if having[k] != nil {
				having[k][f]++
			}
		}
	}
	for k := range found {
		found[k].Shared = known.shared(having[k])
	}
	last := &found[len(found)-1]
	if last.Background = true; len(last.Members) == 0 {
		found = found[:len(found)-1]
	}
	return found
}

// shared returns the features of several members, the most frequent first.
func (p *pool) shared(having map[int32]int) []engines.SharedFeature {
	var out []engines.SharedFeature
	for f, members := range having {
		if members > 1 {
			out = append(out, engines.SharedFeature{Name: p.names[f], Members: members})
		}
	}
	slices.SortFunc(out, func(a, b engines.SharedFeature) int {
		return cmp.Or(cmp.Compare(b.Members, a.Members), cmp.Compare(a.Name, b.Name))
	})
	return slices.Clip(out[:min(maxShared, len(out))])
}
