// Package kmeans partitions sparse vectors of unit length into clusters: each belongs to the one whose centroid is nearest.
package kmeans

import (
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// Points holds sparse vectors, centred and scaled: point j is Scale[j]·(At(j) − Mean[j]), of unit length. If Scale[j] is 0, the
// vector has no direction, and is in no cluster.
type Points struct {
	At    func(j int) sparse.Vec
	Mean  []float64
	Scale []float64
	Dims  int
}

// Centroids holds the centroids of K clusters by dimension: centroid c along i is Coords[i·K + c].
type Centroids struct {
	K      int
	Coords []float64
	// Norm2 holds squared lengths, infinite for a cluster that has lost all its points: it gets none again.
	Norm2 []float64
}

// Clusters is a partition of the points.
type Clusters struct {
	Centroids
	Of []int32 // cluster of each point, -1 for none
}

// Means minimises the sum of the squared distances of points to the means of their clusters, from the start of k-means++
// (Arthur & Vassilvitskii 2007), by turns: to a point at which neither step gains. There are k clusters, or fewer where fewer
// points differ; clusters may lose all their points. uniform gives random numbers in [0, 1).
//
// No point is made dense: for a point u = s(x − μ1), and a centroid c, u·c = s·x·c, since either centroids sum to 0, as centred
// points do, or μ is 0. A round costs O(k·(entries + dimensions)) at most; points whose own centroid is provably the nearest are
// passed over (Hamerly 2010).
func Means(p Points, k int, uniform func() float64) *Clusters { return cluster(p, k, uniform, false) }

// Spherical returns what Means does, with centroids of unit length, as the points are (Dhillon & Modha 2001): the angle alone counts.
func Spherical(p Points, k int, uniform func() float64) *Clusters {
	return cluster(p, k, uniform, true)
}

// search is the state of one clustering.
type search struct {
	Points
	Clusters
	spherical bool
	near      []float64 // squared distance of each point to the nearest centroid, while these are chosen

	// Of each point, an upper bound of the distance to its own centroid, and a lower bound of that to any other.
	upper, lower []float64
}

// rounds is the maximum number of rounds: clusters of real data settle long before.
const rounds = 100

func cluster(p Points, k int, uniform func() float64, spherical bool) *Clusters {
	m := &search{Points: p, spherical: spherical}
	m.seedCentroids(k, uniform)
	for range rounds {
		m.moveCentroids()
		if !m.assignPoints() {
			break
		}
	}
	return &m.Clusters
}

// seedCentroids chooses points as centroids (k-means++): each with a probability in proportion to its squared distance to
// the nearest one before, until there are k or no point differs from them.
func (m *search) seedCentroids(k int, uniform func() float64) {
	n := len(m.Scale)
	m.Of, m.near = make([]int32, n), make([]float64, n)
	for j := range m.near {
		if m.Of[j] = -1; m.Scale[j] > 0 {
			m.near[j] = 1
		}
	}
	centroid := make([]float64, m.Dims)
	var chosen []int32
	for len(chosen) < k {
		j := m.drawPoint(uniform)
		if j < 0 {
			break
		}
		m.copyPoint(centroid, j)
		for i := range m.near {
			if m.near[i] == 0 {
				continue
			}
			d := 2 - float64(2*float64(m.Scale[i]*m.At(i).Dot(centroid)))
			if i == j || d < same {
				d = 0
			}
			if len(chosen) == 0 || d < m.near[i] {
				m.near[i], m.Of[i] = d, int32(len(chosen))
			}
		}
		chosen = append(chosen, int32(j))
	}
	m.K = len(chosen)
	m.upper, m.lower = make([]float64, n), make([]float64, n)
}

// same is the squared distance up to which points may be equal but for rounding, and the difference of distances that counts as a
// tie.
const same = 1e-12

// drawPoint draws a point in proportion to its squared distance; -1 if all are 0.
func (m *search) drawPoint(uniform func() float64) int {
	total := dense.Sum(m.near)
	threshold, sum, last := float64(uniform()*total), 0.0, -1
	for j, d := range m.near {
		if d == 0 {
			continue
		}
		last = j
		if sum += d; threshold < sum {
			return j
		}
	}
	return last
}

// copyPoint sets dst to point j.
func (m *search) copyPoint(dst []float64, j int) {
	scale := m.Scale[j]
	for i := range dst {
		dst[i] = -float64(scale * m.Mean[j])
	}
	m.At(j).AddTo(dst, scale)
}

// moveCentroids moves every centroid to the mean of its points.
func (m *search) moveCentroids() {
	before := m.Coords
	m.Coords = make([]float64, m.Dims*m.K)
	shift, size := make([]float64, m.K), make([]float64, m.K)
	for j, c := range m.Of {
		if c < 0 {
			continue
		}
		size[c]++
		shift[c] += float64(m.Scale[j] * m.Mean[j])
		x := m.At(j)
		for q, i := range x.Idx {
			m.Coords[int(i)*m.K+int(c)] += float64(m.Scale[j] * x.At(q))
		}
	}
	m.Norm2 = make([]float64, m.K)
	for entry := range m.Coords {
		if c := entry % m.K; size[c] > 0 {
			v := (m.Coords[entry] - shift[c]) / size[c]
			m.Coords[entry] = v
			m.Norm2[c] += float64(v * v)
		}
	}
	if m.spherical {
		m.normaliseCentroids()
	}
	for c, n := range size {
		if n == 0 {
			m.Norm2[c] = math.Inf(1)
		}
	}
	if before != nil {
		m.updateBounds(before)
	}
}

// normaliseCentroids scales the centroids to unit length; one at 0 stays there.
func (m *search) normaliseCentroids() {
	factor := make([]float64, m.K)
	for c, s := range m.Norm2 {
		if s > 0 {
			factor[c], m.Norm2[c] = 1/math.Sqrt(s), 1
		}
	}
	for entry := range m.Coords {
		m.Coords[entry] *= factor[entry%m.K]
	}
}

// updateBounds loosens the bounds on distances by how far centroids moved.
func (m *search) updateBounds(before []float64) {
	moved, most := make([]float64, m.K), 0.0
	for entry, v := range m.Coords {
		d := v - before[entry]
		moved[entry%m.K] += float64(d * d)
	}
	for c, d := range moved {
		moved[c] = math.Sqrt(d)
		most = max(most, moved[c])
	}
	for j, c := range m.Of {
		if c >= 0 {
			m.upper[j] += moved[c]
			m.lower[j] -= most
		}
	}
}

// boundTolerance is the minimum difference of bounds for a point to be skipped: far more than rounding, and than same.
const boundTolerance = 1e-6

// assignPoints assigns every point to its nearest centroid, and reports whether any moved.
func (m *search) assignPoints() (moved bool) {
	product := make([]float64, m.K)
	for j, old := range m.Of {
		if old < 0 || m.upper[j]+boundTolerance < m.lower[j] {
			continue
		}
		best, nearest, second := m.Nearest(m.At(j), m.Scale[j], product)
		m.upper[j], m.lower[j] = math.Sqrt(max(0, nearest)), math.Sqrt(max(0, second))
		if best != old {
			m.Of[j], moved = best, true
		}
	}
	return moved
}

// Nearest returns the nearest centroid to a point, on ties the first, its squared distance, and that of the nearest other one.
// product is work space for K numbers.
func (m *Centroids) Nearest(x sparse.Vec, scale float64, product []float64) (best int32, nearest, second float64) {
	clear(product)
	for q, i := range x.Idx {
		v := x.At(q)
		for c, w := range m.Coords[int(i)*m.K : (int(i)+1)*m.K] {
			product[c] += float64(v * w)
		}
	}
	best, nearest, second = -1, math.Inf(1), math.Inf(1)
	for c, p := range product {
		d := 1 + m.Norm2[c] - float64(2*float64(scale*p))
		if d < nearest-same {
			best, nearest, second = int32(c), d, nearest
		} else {
			second = min(second, d)
		}
	}
	return best, nearest, second
}

// Number numbers the clusters that have points by the first of them: to is the new number of each, -1 of those without.
func (m *Clusters) Number() (to []int32, clusters int) {
	to = make([]int32, m.K)
	for c := range to {
		to[c] = -1
	}
	for _, c := range m.Of {
		if c >= 0 && to[c] < 0 {
			to[c] = int32(clusters)
			clusters++
		}
	}
	return to, clusters
}
