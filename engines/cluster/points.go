package cluster

import (
	"math"
	"slices"

	"tenfold/engines/sparse"
)

// points are sets as vectors of unit length.
type points struct {
	x        []sparse.Vec // features numbered from 0; empty where a set is, or nothing in it counts
	features int
	near     []float64 // cosine to the nearest other point, 0 where none shares a feature
}

func read(sets [][]int32, weights string) *points {
	p := &points{x: make([]sparse.Vec, len(sets)), near: make([]float64, len(sets))}
	var all []int32
	for i, set := range sets {
		set = slices.Compact(slices.Sorted(slices.Values(set)))
		p.x[i].Idx = set
		all = append(all, set...)
	}
	slices.Sort(all)
	names := slices.Compact(slices.Clone(all))
	p.features = len(names)
	sharing := make([]float64, len(names))
	for i := range p.x {
		for k, f := range p.x[i].Idx {
			j, _ := slices.BinarySearch(names, f)
			p.x[i].Idx[k] = int32(j)
			sharing[j]++
		}
	}
	for i := range p.x {
		p.x[i] = unit(p.x[i].Idx, func(f int32) float64 {
			if weights == idfWeights {
				return math.Log(float64(len(sets)) / sharing[f])
			}
			return 1
		})
	}
	p.findNearest()
	return p
}

// Nearest is the cosine of each set to the one most like it, 0 where no other shares a feature. O(Σ df²).
func Nearest(sets [][]int32, o Options) []float64 { return read(sets, o.Weights).near }

// unit vector of the features' weights.
func unit(features []int32, weight func(int32) float64) (v sparse.Vec) {
	square := 0.0
	for _, f := range features {
		w := weight(f)
		square += float64(w * w)
	}
	if square == 0 {
		return sparse.Vec{}
	}
	length := math.Sqrt(square)
	v.Idx = features
	for _, f := range features {
		v.Val = append(v.Val, weight(f)/length)
	}
	return v
}

// findNearest of every point, through the points that share a feature with it.
func (p *points) findNearest() {
	having := make([]parts, p.features)
	for i, u := range p.x {
		for k, f := range u.Idx {
			having[f] = append(having[f], part{i, u.Val[k]})
		}
	}
	s := newSums(len(p.x))
	for i, u := range p.x {
		for k, f := range u.Idx {
			s.add(having[f], u.Val[k])
		}
		s.each(func(other int, cosine float64) {
			if other != i {
				p.near[i] = max(p.near[i], cosine)
			}
		})
	}
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

// parts are the values of one feature, by what has it: points or clusters.
type parts []part

type part struct {
	of    int
	value float64
}

// sums are inner products with everything that shares a feature with a vector.
type sums struct {
	value []float64
	some  []bool
	list  []int
}

func newSums(n int) *sums { return &sums{value: make([]float64, n), some: make([]bool, n)} }

func (s *sums) add(having parts, w float64) {
	for _, q := range having {
		if !s.some[q.of] {
			s.some[q.of] = true
			s.list = append(s.list, q.of)
		}
		s.value[q.of] += float64(q.value * w)
	}
}

// each product, in rising order of what it is with; then there are none.
func (s *sums) each(do func(of int, product float64)) {
	slices.Sort(s.list)
	for _, k := range s.list {
		do(k, s.value[k])
		s.value[k], s.some[k] = 0, false
	}
	s.list = s.list[:0]
}
