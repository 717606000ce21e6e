package cluster

import (
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// points holds sets as vectors of unit length.
type points struct {
	x        []sparse.Vec // features numbered from 0; empty for sets without features of positive weight
	features int
	near     []float64 // cosine to the nearest other point, 0 if none shares a feature
}

func readSets(sets [][]int32, weights string) *points {
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
		p.x[i] = unitVector(p.x[i].Idx, func(f int32) float64 {
			if weights == idfWeights {
				return elementary.Log(float64(len(sets)) / sharing[f])
			}
			return 1
		})
	}
	p.findNearest()
	return p
}

// Nearest returns the cosine of each set to the one most similar to it, 0 if no other shares a feature. O(Σ df²).
func Nearest(sets [][]int32, o Options) []float64 { return readSets(sets, o.Weights).near }

// unitVector returns the vector of the features' weights, scaled to length 1.
func unitVector(features []int32, weight func(int32) float64) (v sparse.Vec) {
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

// findNearest computes near of every point, through the points that share a feature with it.
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
			s.addProducts(having[f], u.Val[k])
		}
		s.drain(func(other int, cosine float64) {
			if other != i {
				p.near[i] = max(p.near[i], cosine)
			}
		})
	}
}
