package cluster

import "slices"

// parts holds the values of one feature in points or clusters.
type parts []part

type part struct {
	owner int // point or cluster
	value float64
}

// sums computes the inner products of a vector with everything that shares a feature with it.
type sums struct {
	value []float64
	some  []bool
	list  []int
}

func newSums(n int) *sums { return &sums{value: make([]float64, n), some: make([]bool, n)} }

func (s *sums) addProducts(having parts, w float64) {
	for _, q := range having {
		if !s.some[q.owner] {
			s.some[q.owner] = true
			s.list = append(s.list, q.owner)
		}
		s.value[q.owner] += float64(q.value * w)
	}
}

// drain calls do for each product, in rising order of the other factor's number, and clears the sums.
func (s *sums) drain(do func(factor int, product float64)) {
	slices.Sort(s.list)
	for _, k := range s.list {
		do(k, s.value[k])
		s.value[k], s.some[k] = 0, false
	}
	s.list = s.list[:0]
}
