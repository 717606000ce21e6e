package data

import (
	"fmt"
	"math"

	"tenfold/engines/sparse"
)

// None is the class of columns that have no other.
const None = "_none"

// fitClasses makes classes of columns that are alike in the training rows.
func (r Recipe) fitClasses(p *Prepared, train []int32) {
	if r.Clusters == 0 {
		return
	}
	class, n, constant := cluster(trainingRows(p.x, train), r.Clusters, uint64(r.ClusterSeed))
	names := make([]string, n, n+1)
	for c := range names {
		names[c] = fmt.Sprintf("cluster %d", c+1)
	}
	p.Facts = append(p.Facts, Fact{fmt.Sprintf("classes of columns by k-means on the training rows (k: %d)", r.Clusters), fmt.Sprint(n)})
	if constant > 0 {
		names = append(names, None)
		p.Facts = append(p.Facts, Fact{"columns constant in the training rows, in the class " + None, fmt.Sprint(constant)})
	}
	p.features = p.features.reclassed(class, names)
}

// rounds of k-means at most: clusters of real data settle long before.
const rounds = 100

// cluster divides columns by k-means, started as k-means++ is (Arthur & Vassilvitskii 2007). Columns are centred and of unit
// length, so squared distances are twice one minus the correlation. Classes are numbered by their first column; a cluster
// that lost all its columns is none, so there may be fewer than k. Constant columns, which have no direction, get the number
// after the last.
//
// No column is made dense: for a unit column u of x, and a centroid c (which sums to 0), u·c = x·c / ‖x̃‖. A round costs
// O(k·(entries + rows)) at most; columns whose own centroid is provably the nearest are passed over (Hamerly 2010).
func cluster(x *sparse.Matrix, k int, seed uint64) (class []int32, classes, constant int) {
	g, err := sparse.Standardize(x, nil, "unit")
	if err != nil { // of a word that it knows, and without weights, there is no error
		panic(err)
	}
	m := kmeans{x: x, g: g, random: seed}
	m.start(k)
	for range rounds {
		m.centre()
		if !m.assign() {
			break
		}
	}
	return m.number()
}

// kmeans is the state of one clustering. Centroids lie by row: centroid c at row i is centroids[i·k + c].
type kmeans struct {
	x         *sparse.Matrix
	g         *sparse.Scaled
	random    uint64
	k         int
	centroids []float64
	norm2     []float64 // of the centroids
	class     []int32   // of each column, -1 where it is constant
	near      []float64 // squared distance of each column to the nearest centroid, while these are chosen

	// Of each column, at most the distance to its own centroid, and at least that to any other one.
	own, others []float64
}

// uniform is the next number in [0, 1).
func (m *kmeans) uniform() float64 {
	u := Uniform(0, m.random)
	m.random += 0x9E3779B97F4A7C15
	return u
}

// start chooses columns as centroids, each with a probability in proportion to its squared distance to those before, until
// there are k or no column differs from them.
func (m *kmeans) start(k int) {
	rows, cols := m.x.Dims()
	m.class, m.near = make([]int32, cols), make([]float64, cols)
	for j := range m.near {
		if m.class[j] = -1; m.g.Scale[j] > 0 {
			m.near[j] = 1
		}
	}
	centroid := make([]float64, rows)
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
			d := 2 - float64(2*float64(m.g.Scale[i]*m.x.Col(i).Dot(centroid)))
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
	m.own, m.others = make([]float64, cols), make([]float64, cols)
}

// same is a squared distance that rounding alone can make of equal columns, and a difference of distances that decides nothing.
const same = 1e-12

// draw a column in proportion to its squared distance; -1 where all are 0.
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

// unit sets dst to column j, centred and of unit length.
func (m *kmeans) unit(dst []float64, j int) {
	scale := m.g.Scale[j]
	for i := range dst {
		dst[i] = -float64(scale * m.g.Mean[j])
	}
	m.x.Col(j).AddTo(dst, scale)
}

// centre moves every centroid to the mean of its columns. A cluster without columns keeps none: its centroid is at 0, further
// from any column than a centroid at an angle below 90 degrees.
func (m *kmeans) centre() {
	rows, _ := m.x.Dims()
	before := m.centroids
	m.centroids = make([]float64, rows*m.k)
	shift, size := make([]float64, m.k), make([]float64, m.k)
	for j, c := range m.class {
		if c < 0 {
			continue
		}
		size[c]++
		shift[c] += float64(m.g.Scale[j] * m.g.Mean[j])
		col := m.x.Col(j)
		for q, i := range col.Idx {
			m.centroids[int(i)*m.k+int(c)] += float64(m.g.Scale[j] * col.At(q))
		}
	}
	m.norm2 = make([]float64, m.k)
	moved := make([]float64, m.k)
	for at := range m.centroids {
		c := at % m.k
		if size[c] > 0 {
			v := (m.centroids[at] - shift[c]) / size[c]
			m.centroids[at] = v
			m.norm2[c] += float64(v * v)
		}
		if before != nil {
			d := m.centroids[at] - before[at]
			moved[c] += float64(d * d)
		}
	}
	m.loosen(moved)
}

// loosen the bounds by how far centroids moved, given the squares.
func (m *kmeans) loosen(moved []float64) {
	most := 0.0
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

// apart is by how much bounds have to differ for a column to be passed over: far more than rounding, and than same.
const apart = 1e-6

// assign takes every column to its nearest centroid, the first of them on ties, and tells whether any moved.
func (m *kmeans) assign() (moved bool) {
	product := make([]float64, m.k)
	for j, old := range m.class {
		if old < 0 || m.own[j]+apart < m.others[j] {
			continue
		}
		clear(product)
		col := m.x.Col(j)
		for q, i := range col.Idx {
			v := col.At(q)
			for c, w := range m.centroids[int(i)*m.k : (int(i)+1)*m.k] {
				product[c] += float64(v * w)
			}
		}
		best, nearest, second := -1, math.Inf(1), math.Inf(1)
		for c, p := range product {
			d := 1 + m.norm2[c] - float64(2*float64(m.g.Scale[j]*p))
			if d < nearest-same {
				best, nearest, second = c, d, nearest
			} else {
				second = min(second, d)
			}
		}
		m.own[j], m.others[j] = math.Sqrt(max(0, nearest)), math.Sqrt(max(0, second))
		if int32(best) != old {
			m.class[j], moved = int32(best), true
		}
	}
	return moved
}

// number the clusters that have columns by the first of them.
func (m *kmeans) number() (class []int32, classes, constant int) {
	to := make(map[int32]int32)
	class = make([]int32, len(m.class))
	for j, c := range m.class {
		if c < 0 {
			constant++
			continue
		}
		n, ok := to[c]
		if !ok {
			n = int32(len(to))
			to[c] = n
		}
		class[j] = n
	}
	for j, c := range m.class {
		if c < 0 {
			class[j] = int32(len(to))
		}
	}
	return class, len(to), constant
}
