// Package pairs computes the mutual information of the two sides of rows from counts.
package pairs

import "tenfold/engines/numeric/elementary"

// Pairs holds the two sides of each row, for the pointwise mutual information target (Hooker & Weng 2004,
// section 3) with a Dirichlet prior of weight Kappa centred on independence.
type Pairs struct {
	Left, Right []int32 // identity of each side, numbered from 0
	Kappa       float64 // prior weight κ ≥ 0
}

// Information returns the smoothed pointwise mutual information of every row, in nats,
//
//	ρ = N·c(L,R) / (c(L)·c(R)),   MI = log[(N·ρ + κ) / (N + κ)],
//
// with counts over the rows counted (all of them when counted is nil). It is 0 where a side was never counted, and
// log(κ/(N+κ)), for κ = 0 -Inf, for a pair that was not counted of sides that were. O(rows).
func (p *Pairs) Information(counted []int32) []float64 {
	type pair struct{ l, r int32 }
	left, right := map[int32]float64{}, map[int32]float64{}
	both := make(map[pair]float64, len(p.Left))
	count := func(i int) {
		left[p.Left[i]]++
		right[p.Right[i]]++
		both[pair{p.Left[i], p.Right[i]}]++
	}
	n := float64(len(p.Left))
	if counted == nil {
		for i := range p.Left {
			count(i)
		}
	} else {
		n = float64(len(counted))
		for _, i := range counted {
			count(int(i))
		}
	}
	mi := make([]float64, len(p.Left))
	for i := range mi {
		cl, cr := left[p.Left[i]], right[p.Right[i]]
		if cl == 0 || cr == 0 {
			continue
		}
		rho := n * both[pair{p.Left[i], p.Right[i]}] / (cl * cr)
		mi[i] = elementary.Log((float64(n*rho) + p.Kappa) / (n + p.Kappa))
	}
	return mi
}
