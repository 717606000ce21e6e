package cluster

import (
	"math"
	"slices"

	"tenfold/engines/core/sparse"
)

// clusters are points in groups; the vector of a group is the sum of its points'.
type clusters struct {
	of     []int     // cluster of each point
	having []parts   // of the sums, by feature
	norm2  []float64 // of the sums, by cluster
	sums   *sums     // scratch
}

// none is no cluster yet.
func (p *points) none() *clusters {
	return &clusters{
		of: slices.Repeat([]int{Background}, len(p.x)), having: make([]parts, p.features), sums: newSums(len(p.x)),
	}
}

// group the points of the order into the clusters that they are in.
func (p *points) group(order, of []int) *clusters {
	c := p.none()
	c.norm2 = make([]float64, len(p.x))
	for _, i := range order {
		if of[i] >= 0 {
			c.add(of[i], i, p.x[i])
		}
	}
	return c
}

// open a cluster.
func (c *clusters) open() int {
	c.norm2 = append(c.norm2, 0)
	return len(c.norm2) - 1
}

// add point i to a cluster.
func (c *clusters) add(k, i int, u sparse.Vec) {
	c.of[i] = k
	for q, f := range u.Idx {
		at := slices.IndexFunc(c.having[f], func(p part) bool { return p.of == k })
		if at < 0 {
			at = len(c.having[f])
			c.having[f] = append(c.having[f], part{of: k})
		}
		before := c.having[f][at].value
		after := before + u.Val[q]
		c.having[f][at].value = after
		c.norm2[k] += float64(after*after) - float64(before*before)
	}
}

// nearest cluster to a point, the first of equal ones, and its cosine; -1 where none shares a feature.
func (c *clusters) nearest(u sparse.Vec) (nearest int, most float64) {
	for k, f := range u.Idx {
		c.sums.add(c.having[f], u.Val[k])
	}
	nearest = -1
	c.sums.each(func(k int, product float64) {
		if cosine := product / math.Sqrt(c.norm2[k]); nearest < 0 || cosine > most+tie {
			nearest, most = k, cosine
		}
	})
	return nearest, most
}
