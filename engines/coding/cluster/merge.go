package cluster

import (
	"cmp"
	"math"
	"slices"
)

// link is the inner product of a cluster with another.
type link struct {
	to      int
	product float64
}

// linksOf returns the links of every cluster, by the other cluster's number.
func (c *clusters) linksOf() [][]link {
	features := make([]parts, len(c.norm2))
	for f, having := range c.having {
		for _, p := range having {
			features[p.owner] = append(features[p.owner], part{f, p.value})
		}
	}
	links := make([][]link, len(c.norm2))
	for k, mine := range features {
		for _, f := range mine {
			c.sums.addProducts(c.having[f.owner], f.value)
		}
		c.sums.drain(func(other int, product float64) {
			if other != k {
				links[k] = append(links[k], link{other, product})
			}
		})
	}
	return links
}

// mergeNearest merges the two nearest clusters, the second into the first, as long as there are two within the similarity. It
// returns the cluster of each point.
func (c *clusters) mergeNearest(similarity float64) []int {
	n := len(c.norm2)
	m := merger{links: c.linksOf(), norm2: slices.Clone(c.norm2), best: make([]link, n), into: make([]int, n)}
	for k := range m.into {
		m.into[k] = k
		m.findNearest(k)
	}
	for {
		a, b := m.nearestPair()
		if a < 0 || m.best[a].product < similarity-tie {
			break
		}
		m.mergePair(a, b)
	}
	assigned := slices.Clone(c.assigned)
	for i, k := range assigned {
		for k >= 0 && m.into[k] != k {
			k = m.into[k]
		}
		assigned[i] = k
	}
	return assigned
}

// merger keeps the products of clusters while they are merged.
type merger struct {
	links [][]link // none for a cluster that was merged into another
	norm2 []float64
	best  []link // for each cluster, the nearest of higher number and the cosine; to is -1 if there is none
	into  []int
}

// findNearest finds the nearest cluster of higher number for cluster k, on ties the first.
func (m *merger) findNearest(k int) {
	m.best[k] = link{to: -1}
	for _, l := range m.links[k] {
		if l.to < k {
			continue
		}
		cosine := l.product / math.Sqrt(float64(m.norm2[k]*m.norm2[l.to]))
		if best := &m.best[k]; best.to < 0 || cosine > best.product+tie {
			*best = link{l.to, cosine}
		}
	}
}

// nearestPair returns the two nearest clusters, on ties the first; -1 if none share a feature.
func (m *merger) nearestPair() (a, b int) {
	a, b = -1, -1
	for k, l := range m.best {
		if l.to >= 0 && (a < 0 || l.product > m.best[a].product+tie) {
			a, b = k, l.to
		}
	}
	return a, b
}

// mergePair merges b into a. O(links of the two and of those linked to them).
func (m *merger) mergePair(a, b int) {
	m.into[b] = a
	place, _ := findLink(m.links[a], b)
	m.norm2[a] += m.norm2[b] + float64(2*m.links[a][place].product)
	for _, l := range m.links[b] {
		m.links[l.to] = removeLink(m.links[l.to], b)
		if l.to != a {
			m.links[a] = addLink(m.links[a], l)
			m.links[l.to] = addLink(m.links[l.to], link{a, l.product})
		}
	}
	m.links[b], m.best[b] = nil, link{to: -1}
	m.findNearest(a)
	for _, l := range m.links[a] {
		m.findNearest(l.to)
	}
}

func findLink(links []link, to int) (place int, found bool) {
	return slices.BinarySearchFunc(links, to, func(l link, to int) int { return cmp.Compare(l.to, to) })
}

func removeLink(links []link, to int) []link {
	place, _ := findLink(links, to)
	return slices.Delete(links, place, place+1)
}

// addLink adds the product of a link to that with the same cluster, or inserts it.
func addLink(links []link, l link) []link {
	place, found := findLink(links, l.to)
	if found {
		links[place].product += l.product
		return links
	}
	return slices.Insert(links, place, l)
}
