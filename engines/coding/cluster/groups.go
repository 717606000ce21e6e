package cluster

import (
	"math"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// clusters holds points in groups; the vector of a group is the sum of its points'.
type clusters struct {
	assigned []int     // cluster of each point
	having   []parts   // of the sums, by feature
	norm2    []float64 // of the sums, by cluster
	sums     *sums     // scratch
}

// noClusters returns an empty clustering.
func (p *points) noClusters() *clusters {
	return &clusters{
		assigned: slices.Repeat([]int{Background}, len(p.x)), having: make([]parts, p.features), sums: newSums(len(p.x)),
	}
}

// groupBy makes clusters of the points of the order by the numbers assigned.
func (p *points) groupBy(order, assigned []int) *clusters {
	c := p.noClusters()
	c.norm2 = make([]float64, len(p.x))
	for _, i := range order {
		if assigned[i] >= 0 {
			c.addPoint(assigned[i], i, p.x[i])
		}
	}
	return c
}

// newCluster adds an empty cluster and returns its number.
func (c *clusters) newCluster() int {
	c.norm2 = append(c.norm2, 0)
	return len(c.norm2) - 1
}

// addPoint adds point i, with unit vector u, to cluster k.
func (c *clusters) addPoint(k, i int, u sparse.Vec) {
	c.assigned[i] = k
	for q, f := range u.Idx {
		place := slices.IndexFunc(c.having[f], func(p part) bool { return p.owner == k })
		if place < 0 {
			place = len(c.having[f])
			c.having[f] = append(c.having[f], part{owner: k})
		}
		before := c.having[f][place].value
		after := before + u.Val[q]
		c.having[f][place].value = after
		c.norm2[k] += float64(after*after) - float64(before*before)
	}
}

// nearestCluster returns the cluster nearest to a point, on ties the first, and its cosine; -1 if none shares a feature.
func (c *clusters) nearestCluster(u sparse.Vec) (nearest int, highest float64) {
	for k, f := range u.Idx {
		c.sums.addProducts(c.having[f], u.Val[k])
	}
	nearest = -1
	c.sums.drain(func(k int, product float64) {
		if cosine := product / math.Sqrt(c.norm2[k]); nearest < 0 || cosine > highest+tie {
			nearest, highest = k, cosine
		}
	})
	return nearest, highest
}
