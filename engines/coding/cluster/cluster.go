// Package cluster finds groups of similar points, the foreground, among points that are like no other, the background. Points are
// sets of features; their similarity is the cosine of their vectors.
//
// The algorithm stands in for one that Dhillon's thesis (2009, section 7.2) cites without its text (Kandylas, Upham & Ungar 2007,
// Finding cohesive clusters for analyzing knowledge communities): a leader pass, merging, and a few rounds of assignment, all of it
// deterministic.
package cluster

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"tenfold/engines/param"
)

// Background is the cluster number of points in no cluster.
const Background = -1

// Options holds the parameters of a clustering.
type Options struct {
	Similarity float64 `yaml:"similarity" json:"similarity" doc:"cosine from which on points belong together, in (0, 1]"`
	Share      float64 `yaml:"background" json:"background" doc:"share of the points that is put in the background at least, those whose nearest other point is the furthest away, in [0, 1)"`
	MinSize    int     `yaml:"min_size" json:"min_size" doc:"points that a cluster has at least, ≥ 2"`
	Rounds     int     `yaml:"rounds" json:"rounds" doc:"rounds at most in which points move to the nearest cluster, ≥ 0"`
	Weights    string  `yaml:"weights" json:"weights" doc:"what features count: equal, or idf (the logarithm of points over points that have it)"`
}

// Values of the parameters.
const (
	equalWeights = "equal"
	idfWeights   = "idf"
)

// Defaults returns the values of the published experiments, as far as they are given.
func Defaults() Options {
	return Options{Similarity: 0.3, Share: 0.2, MinSize: 2, Rounds: 10, Weights: equalWeights}
}

// Validate checks the options.
func (o Options) Validate() error {
	return errors.Join(
		param.Require("similarity", o.Similarity > 0 && o.Similarity <= 1, "%v, expected a number above 0, at most 1", o.Similarity),
		param.Require("background", o.Share >= 0 && o.Share < 1, "%v, expected a share of at least 0, below 1", o.Share),
		param.Require("min_size", o.MinSize >= 2, "%d, expected 2 or more", o.MinSize),
		param.Require("rounds", o.Rounds >= 0, "%d, expected 0 or more", o.Rounds),
		param.OneOf("weights", o.Weights, equalWeights, idfWeights),
	)
}

// tie is the difference of cosines up to which they count as equal.
const tie = 1e-12

// Cluster returns the cluster of each set, numbered by their first members; sets in none get Background. Repeated features of a set
// count once. The options must be valid. O(Σ df²) for features in df sets, and as much for every round.
func Cluster(sets [][]int32, o Options) []int {
	return readSets(sets, o.Weights).leadAndMerge(o)
}

// leadAndMerge makes clusters by leaders, merges them, and reassigns the points until none moves or all rounds are over. It returns
// the cluster of each point, or Background.
func (p *points) leadAndMerge(o Options) []int {
	order := p.foregroundOrder(o)
	assigned := p.leaderClusters(order, o.Similarity).mergeNearest(o.Similarity)
	for range o.Rounds {
		next := p.groupBy(order, assigned).assignPoints(p, order, o.Similarity)
		if slices.Equal(next, assigned) {
			break
		}
		assigned = next
	}
	return renumber(assigned, o.MinSize)
}

// foregroundOrder returns the points to cluster, those nearest to another one first: all but empty sets, points with no other
// within the similarity, and then the furthest ones, on ties the later, up to the background's share.
func (p *points) foregroundOrder(o Options) []int {
	rank := ranksOf(p.near)
	var order []int
	for i, near := range p.near {
		if p.x[i].Len() > 0 && near >= o.Similarity-tie {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[b], rank[a]) })
	share := int(math.Floor(float64(o.Share*float64(len(p.x))) + tie))
	return order[:min(len(order), len(p.x)-share)]
}

// ranksOf ranks values; those within the tolerance of ties share a rank.
func ranksOf(value []float64) []int {
	order := make([]int, len(value))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(value[a], value[b]) })
	rank := make([]int, len(value))
	for k, i := range order[min(1, len(order)):] {
		before := order[k]
		rank[i] = rank[before]
		if value[i]-value[before] > tie {
			rank[i]++
		}
	}
	return rank
}

// leaderClusters visits the points: each joins the nearest cluster within the similarity, or becomes the first point of a new one
// (leader algorithm).
func (p *points) leaderClusters(order []int, similarity float64) *clusters {
	c := p.noClusters()
	for _, i := range order {
		k, cosine := c.nearestCluster(p.x[i])
		if k < 0 || cosine < similarity-tie {
			k = c.newCluster()
		}
		c.addPoint(k, i, p.x[i])
	}
	return c
}

// assignPoints returns the nearest of the present clusters for each point. Points near none are in the background until the next
// round.
func (c *clusters) assignPoints(p *points, order []int, similarity float64) []int {
	assigned := slices.Repeat([]int{Background}, len(c.assigned))
	for _, i := range order {
		if k, cosine := c.nearestCluster(p.x[i]); cosine >= similarity-tie {
			assigned[i] = k
		}
	}
	return assigned
}

// renumber numbers the clusters by their first members, from 0; those of fewer than least points are dissolved into the
// background.
func renumber(assigned []int, minSize int) []int {
	size, name := map[int]int{}, map[int]int{}
	for _, k := range assigned {
		size[k]++
	}
	out := make([]int, len(assigned))
	for i, k := range assigned {
		out[i] = Background
		if k < 0 || size[k] < minSize {
			continue
		}
		if _, ok := name[k]; !ok {
			name[k] = len(name)
		}
		out[i] = name[k]
	}
	return out
}
