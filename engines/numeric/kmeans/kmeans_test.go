package kmeans_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/kmeans"
	"tenfold/engines/numeric/sparse"
)

// directions are the rows of a matrix as points, with their coordinates; centred says whether they sum to 0.
func directions(x *sparse.Matrix, centred bool) (kmeans.Points, [][]float64) {
	rows, dims := x.Dims()
	p := kmeans.Points{At: x.Row, Mean: make([]float64, rows), Scale: make([]float64, rows), Dims: dims}
	dense := make([][]float64, rows)
	for j := range dense {
		v := make([]float64, dims)
		x.Row(j).AddTo(v, 1)
		if centred {
			for _, u := range v {
				p.Mean[j] += u / float64(dims)
			}
		}
		length := 0.0
		for i := range v {
			v[i] -= p.Mean[j]
			length += v[i] * v[i]
		}
		if length > 0 {
			p.Scale[j] = 1 / math.Sqrt(length)
		}
		for i := range v {
			v[i] *= p.Scale[j]
		}
		dense[j] = v
	}
	return p, dense
}

func apart(a, b []float64) (d float64) {
	for i := range a {
		d += (a[i] - b[i]) * (a[i] - b[i])
	}
	return d
}

// Where the search ends, no step gains: centroids are the means of their points (of unit length, where they are spherical), and
// every point is in the cluster of the nearest one.
func TestSettled(t *testing.T) {
	for _, c := range []struct {
		name               string
		centred, spherical bool
		run                func(kmeans.Points, int, func() float64) *kmeans.Clusters
	}{
		{"means of centred points", true, false, kmeans.Means},
		{"means", false, false, kmeans.Means},
		{"spherical", false, true, kmeans.Spherical},
	} {
		for seed := range uint64(10) {
			x := enginetest.Random(seed, 300, 20, 0.3, seed%2 == 0)
			if seed >= 5 {
				x = enginetest.Random(seed, 300, 3, 1, false)
			}
			p, dense := directions(x, c.centred)
			rng := rand.New(rand.NewPCG(seed, 1))
			found := c.run(p, 7, rng.Float64)
			mean, size := make([][]float64, found.K), make([]float64, found.K)
			for k := range mean {
				mean[k] = make([]float64, p.Dims)
			}
			for j, k := range found.Of {
				if (k < 0) != (p.Scale[j] == 0) {
					t.Fatalf("%s: point %d of scale %v is in cluster %d", c.name, j, p.Scale[j], k)
				}
				if k >= 0 {
					size[k]++
					for i, v := range dense[j] {
						mean[k][i] += v
					}
				}
			}
			for k := range mean {
				length := size[k]
				if c.spherical {
					length = math.Sqrt(apart(mean[k], make([]float64, p.Dims)))
				}
				norm := 0.0
				for i := range mean[k] {
					mean[k][i] /= length
					norm += mean[k][i] * mean[k][i]
					if got := found.Coords[i*found.K+k]; !(math.Abs(got-mean[k][i]) <= 1e-12) {
						t.Fatalf("%s: centroid %d along %d is %v, want %v", c.name, k, i, got, mean[k][i])
					}
				}
				if !(math.Abs(found.Norm2[k]-norm) <= 1e-12) {
					t.Errorf("%s: squared length %v, want %v", c.name, found.Norm2[k], norm)
				}
			}
			product := make([]float64, found.K)
			for j, own := range found.Of {
				if own < 0 {
					continue
				}
				second := math.Inf(1)
				for k := range mean {
					d := apart(dense[j], mean[k])
					if d < apart(dense[j], mean[own])-1e-9 {
						t.Fatalf("%s: point %d is nearer to cluster %d than to its own, %d", c.name, j, k, own)
					}
					if k != int(own) {
						second = min(second, d)
					}
				}
				best, nearest, next := found.Nearest(p.At(j), p.Scale[j], product)
				if best != own || !(math.Abs(nearest-apart(dense[j], mean[own])) <= 1e-9) || !(math.Abs(next-second) <= 1e-9) {
					t.Fatalf("%s: point %d: nearest %d at %v, then %v; want %d at %v, then %v", c.name, j, best, nearest, next, own, apart(dense[j], mean[own]), second)
				}
			}
			if found.K != 7 {
				t.Errorf("%s: %d clusters", c.name, found.K)
			}
		}
	}
}

// There are no more clusters than different points; a point without a direction is in none.
func TestFewPoints(t *testing.T) {
	x := enginetest.Matrix([]float64{0, 0}, []float64{2, 0}, []float64{0, 3}, []float64{5, 0}, []float64{0, 1}, []float64{0, 0})
	p, _ := directions(x, false)
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 2))
		found := kmeans.Spherical(p, 4, rng.Float64)
		to, n := found.Number()
		of := make([]int32, len(found.Of))
		for j, k := range found.Of {
			if of[j] = -1; k >= 0 {
				of[j] = to[k]
			}
		}
		if n != 2 || found.K != 2 || !slices.Equal(of, []int32{-1, 0, 1, 0, 1, -1}) {
			t.Errorf("seed %d: %d clusters, %v", seed, n, of)
		}
	}
	empty := kmeans.Means(kmeans.Points{At: x.Row, Mean: make([]float64, 6), Scale: make([]float64, 6), Dims: 2}, 3, rand.New(rand.NewPCG(1, 2)).Float64)
	if to, n := empty.Number(); empty.K != 0 || n != 0 || len(to) != 0 || slices.Max(empty.Of) != -1 {
		t.Errorf("of nothing: %+v", empty)
	}
}

// The first centroid is any point, each as likely; any further one is a point in proportion to its squared distance. Of three points
// at right angles, the one that is in neither stays with the first.
func TestStart(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1})
	p, _ := directions(x, false)
	for _, c := range []struct {
		draws [2]float64
		of    []int32
	}{
		{[2]float64{0.1, 0.3}, []int32{0, 1, 0}}, {[2]float64{0.1, 0.7}, []int32{0, 0, 1}}, {[2]float64{0.1, 0.5}, []int32{0, 0, 1}},
		{[2]float64{0.5, 0.3}, []int32{1, 0, 0}}, {[2]float64{0.5, 0.7}, []int32{0, 0, 1}},
		{[2]float64{0.9, 0.3}, []int32{1, 0, 0}}, {[2]float64{0.9, 0.7}, []int32{0, 1, 0}},
	} {
		n := 0
		found := kmeans.Means(p, 2, func() float64 { n++; return c.draws[n-1] })
		if n != 2 || !slices.Equal(found.Of, c.of) {
			t.Errorf("%v: %d draws, clusters %v, want %v", c.draws, n, found.Of, c.of)
		}
	}
	if found := kmeans.Means(p, 1, func() float64 { return 0 }); !slices.Equal(found.Of, []int32{0, 0, 0}) || found.K != 1 {
		t.Errorf("one cluster: %v", found.Of)
	}
}

// Of equally near centroids the first is taken.
func TestTies(t *testing.T) {
	c := kmeans.Centroids{K: 3, Coords: []float64{0, 1, 1, 1, 0, 0}, Norm2: []float64{1, 1, 1}}
	best, nearest, second := c.Nearest(sparse.Vec{Idx: []int32{0}}, 1, make([]float64, 3))
	if best != 1 || nearest != 0 || second != 0 {
		t.Errorf("nearest %d at %v, then %v", best, nearest, second)
	}
	c.Norm2[1] = math.Inf(1) // it lost its points
	if best, _, second = c.Nearest(sparse.Vec{Idx: []int32{0}}, 1, make([]float64, 3)); best != 2 || second != 2 {
		t.Errorf("nearest %d, then at %v", best, second)
	}
}
