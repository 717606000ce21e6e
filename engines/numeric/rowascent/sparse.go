package rowascent

import (
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// sparsity of weights with an L1 penalty: around a centre V, the proximal point method minimises the loss and
//
//	L1·‖W‖₁ + L2/2·‖W − V‖²,  whose W(α) is U = V + Σ_i m_i (e_y_i − α_i) x_iᵀ / L2, each number L1/L2 closer to 0.
type sparsity struct {
	kept, centre []float64 // U and V, as W
	l1           float64
	threshold    float64 // L1/L2
}

// takeFromColumns takes the row's entries times d from the columns of U, as the function of that name does, and updates W from it.
func (s *sparsity) takeFromColumns(weights, d []float64, row sparse.Vec) {
	n := len(d)
	for q, j := range row.Idx {
		dense.TakeShrunk(s.kept[int(j)*n:][:n], weights[int(j)*n:][:n], d, row.At(q), s.threshold)
	}
}

// Sparsen adds an L1 penalty to an Ascent that has made no pass; L2 becomes the proximal penalty around the centre, which is 0.
func (a *Ascent) Sparsen(l1 float64) {
	n := len(a.weights)
	a.sparse = sparsity{kept: make([]float64, n), centre: make([]float64, n), l1: l1, threshold: l1 / a.p.L2}
}

// shrink returns u soft-thresholded by L1/L2.
func (s *sparsity) shrink(u float64) float64 { return u - max(-s.threshold, min(s.threshold, u)) }

// Recentre moves the centre to the weights, with the proximal penalty l2; the shares stay. O(columns · Levels).
func (a *Ascent) Recentre(l2 float64) {
	s := &a.sparse
	ratio := a.p.L2 / l2
	a.p.L2, s.threshold = l2, s.l1/l2
	for k, w := range a.weights {
		u := w + float64(ratio*(s.kept[k]-s.centre[k]))
		s.kept[k], s.centre[k] = u, w
		a.weights[k] = s.shrink(u)
	}
}
