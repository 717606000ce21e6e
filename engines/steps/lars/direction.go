package lars

import (
	"context"
	"math"
	"slices"
)

// The direction w of a step lets the correlations of the columns that move, the support S, fall by one for each unit of the
// step, so that they stay the largest, and all equal to λ:
//
//	G_S'G_S·w = s_S,   s_j = sign(c_j),   w = 0 elsewhere.
//
// Of the columns that have the largest correlation, T, some may have to rest. Least angle regression lets all of them move. For
// the lasso, a column whose coefficient is 0 may only move the way its correlation points, or its sign would be wrong; for
// stagewise, none may move the other way. So w is the solution of least squares with signs (Lawson & Hanson 1974)
//
//	min ½‖G_T·w‖² − s'w   where s_j·w_j ≥ 0 for every column that is not free,
//
// whose condition s_j·G_j'G·w ≥ 1 for the columns that rest is what keeps their correlations from rising above λ. It is the
// same for one column or several that come to T at once, and for columns that depend on others.

const (
	// equal is the relative tolerance of what counts as equal.
	equal = 1e-9
	// dependent is the share of its square that a column must have outside the support.
	dependent = 1e-10
	// exact is how far from 1 the products of the support with G·w may be, beside the signs.
	exact = 1e-12
	// rounded is the share below which that is computed from the column itself, since a difference has lost digits.
	rounded = 1e-6
)

// isFree reports whether a column of the support may move either way.
func (w *larsPath) isFree(j int32) bool {
	switch w.e.Method {
	case methodLAR:
		return true
	case methodLasso:
		return w.beta[j] != 0
	}
	return false
}

// findDirection finds the direction: the support, and its weights. The result is invalid after ctx is cancelled.
func (w *larsPath) findDirection(ctx context.Context) {
	if w.stale {
		w.solveWeights()
	}
	rests := map[int32]bool{} // those that entered in vain
	for {
		j := w.mostViolated(rests)
		if j < 0 || ctx.Err() != nil {
			return
		}
		if !w.enterSupport(j) {
			rests[j] = true
			continue
		}
		before := append(slices.Clone(w.weight), 0)
		w.solveFeasible(before)
		if !w.in[j] {
			rests[j] = true
		}
	}
}

// mostViolated returns the column at rest whose correlation would fall most slowly, by less than one; −1 where there is none. Ties go
// to the lowest index.
func (w *larsPath) mostViolated(rests map[int32]bool) int32 {
	worst, slowest := int32(-1), 1-equal
	for _, j := range w.tied {
		if w.in[j] || rests[j] {
			continue
		}
		if fall := w.signOf(j) * w.productWith(j); fall < slowest-equal {
			worst, slowest = j, fall
		}
	}
	return worst
}

// productWith returns G_j'G·w.
func (w *larsPath) productWith(j int32) float64 {
	if w.gram != nil {
		return w.fall[j]
	}
	return w.g.DotColumn(j, w.mu, w.muSum)
}

// solveFeasible solves for the weights of the support, from feasible ones; columns that may not move as the solution says leave, the
// first that the way there meets first.
func (w *larsPath) solveFeasible(feasible []float64) {
	for {
		w.solveWeights()
		way := 1.0
		for k, j := range w.support {
			if s := w.signOf(j); !w.isFree(j) && s*w.weight[k] <= 0 {
				way = min(way, max(0, s*feasible[k])/max(s*(feasible[k]-w.weight[k]), math.SmallestNonzeroFloat64))
			}
		}
		if way == 1 {
			return
		}
		left := false
		for k := len(w.support) - 1; k >= 0; k-- {
			j := w.support[k]
			feasible[k] += float64(way * (w.weight[k] - feasible[k]))
			if s := w.signOf(j); !w.isFree(j) && s*w.weight[k] <= 0 && s*feasible[k] <= equal*math.Abs(w.weight[k]) {
				w.leaveSupport(k)
				feasible = slices.Delete(feasible, k, k+1)
				left = true
			}
		}
		if !left {
			return
		}
	}
}

// enterSupport adds a column to the support, unless the column depends on it. O(entries of the support + rows + s²), or with the Gram
// matrix O(s²).
func (w *larsPath) enterSupport(j int32) bool {
	var z []float64
	products := make([]float64, len(w.support))
	if w.gram != nil {
		for k, i := range w.support {
			products[k] = w.gram[j][i]
		}
	} else {
		z = make([]float64, len(w.r))
		w.g.AddColumns(z, []int32{j}, []float64{1})
		weighed := make([]float64, len(z))
		sum := w.g.Weighted(weighed, z)
		for k, i := range w.support {
			products[k] = w.g.DotColumn(i, weighed, sum)
		}
	}
	l := w.factor.SolveTransposed(products)
	outside := w.g.Norm2[j]
	for _, v := range l {
		outside -= float64(v * v)
	}
	if outside < rounded*w.g.Norm2[j] {
		if w.gram != nil {
			w.leaveGram()
			w.solveWeights()
			return w.enterSupport(j)
		}
		part := w.factor.SolveUpper(slices.Clone(l))
		for k := range part {
			part[k] = -part[k]
		}
		w.g.AddColumns(z, w.support, part)
		outside = w.g.Inner(z, z)
	}
	if outside <= dependent*w.g.Norm2[j] {
		return false
	}
	w.factor.Append(l, outside)
	w.support, w.in[j], w.stale = append(w.support, j), true, true
	return true
}

// leaveSupport removes the k-th column of the support.
func (w *larsPath) leaveSupport(k int) {
	w.in[w.support[k]], w.stale = false, true
	w.support = slices.Delete(w.support, k, k+1)
	w.factor.Remove(k)
	w.signs = w.signs[:min(k, len(w.signs))]
}

// solveWeights solves for the weights of the support, and for u = G·w. Of the two triangles, the first is solved from the first column on that
// was not there before: O(s) where a column has come. A round of refinement takes back what the Gram matrix lost, where it did.
func (w *larsPath) solveWeights() {
	s := len(w.support)
	known := min(s, len(w.signs))
	for k, j := range w.support {
		sign := w.signOf(j)
		if k < known && w.signs[k] == sign {
			continue
		}
		known = min(known, k)
		w.signs = append(w.signs[:k], sign)
	}
	w.signs = w.signs[:s]
	w.half = append(w.half[:known], w.signs[known:]...)
	w.factor.SolveTransposedFrom(w.half, w.signs, known)
	w.weight = w.factor.SolveUpper(slices.Clone(w.half))
	if w.stale = false; w.applyDirection() > exact {
		for k, v := range w.factor.Solve(w.short) {
			w.weight[k] += v
		}
		w.applyDirection()
	}
}

// applyDirection computes u = G·w, or with the Gram matrix G'u, and returns how far the products of u with the support are from the signs
// at most.
func (w *larsPath) applyDirection() (worst float64) {
	if w.gram != nil {
		w.fallByGram()
	} else {
		clear(w.u)
		w.g.AddColumns(w.u, w.support, w.weight)
		w.muSum = w.g.Weighted(w.mu, w.u)
	}
	w.short = w.short[:0]
	for k, j := range w.support {
		w.short = append(w.short, w.signs[k]-w.productWith(j))
		worst = max(worst, math.Abs(w.short[k]))
	}
	return worst
}

// signOf returns the sign of a column's correlation.
func (w *larsPath) signOf(j int32) float64 { return math.Copysign(1, w.c[j]) }
