package data

import (
	"math"

	"tenfold/engines/sparse"
)

// points are sparse vectors, centred and scaled: point j is scale[j]·(at(j) − mean[j]), of unit length. Where scale[j] is 0, the
// vector has no direction, and is in no cluster.
type points struct {
	at    func(j int) sparse.Vec
	mean  []float64
	scale []float64
	dims  int
}

// kmeans is the state of one clustering, started as k-means++ is (Arthur & Vassilvitskii 2007). Centroids lie by dimension:
// centroid c along i is centroids[i·k + c].
//
// No point is made dense: for a point u = s(x − μ1), and a centroid c, u·c = s·x·c, since either centroids sum to 0, as centred
// points do, or μ is 0. A round costs O(k·(entries + dimensions)) at most; points whose own centroid is provably the nearest are
// passed over (Hamerly 2010).
type kmeans struct {
	points
	spherical bool // centroids are of unit length, as the points are (Dhillon & Modha 2001)
	random    uint64
	k         int
	centroids []float64
	norm2     []float64 // of the centroids, infinite where a cluster has lost all its points: it gets none again
	class     []int32   // of each point, -1 for none
	near      []float64 // squared distance of each point to the nearest centroid, while these are chosen

	// Of each point, at most the distance to its own centroid, and at least that to any other one.
	own, others []float64
}

// rounds of k-means at most: clusters of real data settle long before.
const rounds = 100

// run divides the points into k clusters, or fewer: where fewer points differ, or clusters lose theirs.
func (m *kmeans) run(k int) {
	m.start(k)
	for range rounds {
		m.centre()
		if !m.assign() {
			break
		}
	}
}

// uniform is the next number in [0, 1).
func (m *kmeans) uniform() float64 {
	u := Uniform(0, m.random)
	m.random += 0x9E3779B97F4A7C15
	return u
}

// start chooses points as centroids, each with a probability in proportion to its squared distance to those before, until
// there are k or no point differs from them.
func (m *kmeans) start(k int) {
	n := len(m.scale)
	m.class, m.near = make([]int32, n), make([]float64, n)
	for j := range m.near {
		if m.class[j] = -1; m.scale[j] > 0 {
			m.near[j] = 1
		}
	}
	centroid := make([]float64, m.dims)
	var chosen []int32
	for len(chosen) < k {
		j := m.draw()
		if j < 0 {
			break
		}
		m.unit(centroid, j)
		for i := range m.near {
			if m.near[i] == 0 {
				continue
			}
			d := 2 - float64(2*float64(m.scale[i]*m.at(i).Dot(centroid)))
			if i == j || d < same {
				d = 0
			}
			if len(chosen) == 0 || d < m.near[i] {
				m.near[i], m.class[i] = d, int32(len(chosen))
			}
		}
		chosen = append(chosen, int32(j))
	}
	m.k = len(chosen)
	m.own, m.others = make([]float64, n), make([]float64, n)
}

// same is a squared distance that rounding alone can make of equal points, and a difference of distances that decides nothing.
const same = 1e-12

// draw a point in proportion to its squared distance; -1 where all are 0.
func (m *kmeans) draw() int {
	total := 0.0
	for _, d := range m.near {
		total += d
	}
	at, sum, last := float64(m.uniform()*total), 0.0, -1
	for j, d := range m.near {
		if d == 0 {
			continue
		}
		last = j
		if sum += d; at < sum {
			return j
		}
	}
	return last
}

// unit sets dst to point j.
func (m *kmeans) unit(dst []float64, j int) {
	scale := m.scale[j]
	for i := range dst {
		dst[i] = -float64(scale * m.mean[j])
	}
	m.at(j).AddTo(dst, scale)
}

// centre moves every centroid to the mean of its points.
func (m *kmeans) centre() {
	before := m.centroids
	m.centroids = make([]float64, m.dims*m.k)
	shift, size := make([]float64, m.k), make([]float64, m.k)
	for j, c := range m.class {
		if c < 0 {
			continue
		}
		size[c]++
		shift[c] += float64(m.scale[j] * m.mean[j])
		x := m.at(j)
		for q, i := range x.Idx {
			m.centroids[int(i)*m.k+int(c)] += float64(m.scale[j] * x.At(q))
		}
	}
	m.norm2 = make([]float64, m.k)
	for at := range m.centroids {
		if c := at % m.k; size[c] > 0 {
			v := (m.centroids[at] - shift[c]) / size[c]
			m.centroids[at] = v
			m.norm2[c] += float64(v * v)
		}
	}
	if m.spherical {
		m.lengthen()
	}
	for c, n := range size {
		if n == 0 {
			m.norm2[c] = math.Inf(1)
		}
	}
	if before != nil {
		m.loosen(before)
	}
}

// lengthen the centroids to unit length; one at 0 stays there.
func (m *kmeans) lengthen() {
	factor := make([]float64, m.k)
	for c, s := range m.norm2 {
		if s > 0 {
			factor[c], m.norm2[c] = 1/math.Sqrt(s), 1
		}
	}
	for at := range m.centroids {
		m.centroids[at] *= factor[at%m.k]
	}
}

// loosen the bounds by how far centroids moved.
func (m *kmeans) loosen(before []float64) {
	moved, most := make([]float64, m.k), 0.0
	for at, v := range m.centroids {
		d := v - before[at]
		moved[at%m.k] += float64(d * d)
	}
	for c, d := range moved {
		moved[c] = math.Sqrt(d)
		most = max(most, moved[c])
	}
	for j, c := range m.class {
		if c >= 0 {
			m.own[j] += moved[c]
			m.others[j] -= most
		}
	}
}

// apart is by how much bounds have to differ for a point to be passed over: far more than rounding, and than same.
const apart = 1e-6

// assign takes every point to its nearest centroid, and tells whether any moved.
func (m *kmeans) assign() (moved bool) {
	product := make([]float64, m.k)
	for j, old := range m.class {
		if old < 0 || m.own[j]+apart < m.others[j] {
			continue
		}
		best, nearest, second := m.nearest(m.at(j), m.scale[j], product)
		m.own[j], m.others[j] = math.Sqrt(max(0, nearest)), math.Sqrt(max(0, second))
		if best != old {
			m.class[j], moved = best, true
		}
	}
	return moved
}

// nearest centroid to a point, the first of them on ties, its squared distance, and that of the nearest other one. product is
// room for k numbers.
func (m *kmeans) nearest(x sparse.Vec, scale float64, product []float64) (best int32, nearest, second float64) {
	clear(product)
	for q, i := range x.Idx {
		v := x.At(q)
		for c, w := range m.centroids[int(i)*m.k : (int(i)+1)*m.k] {
			product[c] += float64(v * w)
		}
	}
	best, nearest, second = -1, math.Inf(1), math.Inf(1)
	for c, p := range product {
		d := 1 + m.norm2[c] - float64(2*float64(scale*p))
		if d < nearest-same {
			best, nearest, second = int32(c), d, nearest
		} else {
			second = min(second, d)
		}
	}
	return best, nearest, second
}

// number the clusters that have points by the first of them: to is the new number of each, -1 of those without.
func (m *kmeans) number() (to []int32, clusters int) {
	to = make([]int32, m.k)
	for c := range to {
		to[c] = -1
	}
	for _, c := range m.class {
		if c >= 0 && to[c] < 0 {
			to[c] = int32(clusters)
			clusters++
		}
	}
	return to, clusters
}
