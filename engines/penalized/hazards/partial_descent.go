package hazards

import (
	"context"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/targets"
)

// precise is the share of the tolerance of the gap below which steps win nothing.
const precise = 1e-10

// minimize goes to the minimum of the model, and returns the moves of the coefficients: by coordinate descent, and where passes have taken as
// long as equations for the selected columns do, by these.
func (m *quadraticModel) minimize() (move []float64) {
	const passes, coarse, share = 1000, 1e-7, 1e-6 // of what the gap may be, of the largest change in the first pass
	if m.pen == (targets.Penalty{}) && len(m.q) >= len(m.eta) {
		slope := make([]float64, len(m.q))
		for a := range slope {
			slope[a] = m.slope(a)
		}
		return dampedNewton(m.q, slope)
	}
	first, spent := 0.0, 0.0
	for pass := range passes {
		n := 0
		for a := range m.q {
			if b, _, _ := m.Coefficient(a); b != 0 {
				n++
			}
		}
		if cost := m.kept.factor.Cost(m, n, m.pen.L2); n > 0 && cost <= spent+float64(2*n*len(m.q)) {
			spent = max(0, spent-cost)
			m.kept.factor.Minimize(context.Background(), m, m.pen.L2)
		}
		largest, moves := m.sweep()
		spent += float64(moves * len(m.q))
		if pass == 0 {
			first = largest
		}
		if gap := m.tol * m.null; largest <= max(precise*gap, min(coarse*gap, share*first)) {
			break
		}
	}
	return m.move
}

// sweep minimises over each coefficient once, and returns the largest change, in what the model wins by it, and how many moved.
func (m *quadraticModel) sweep() (largest float64, moves int) {
	for a, row := range m.q {
		square := row[a]
		if !(square > 0) {
			continue
		}
		b, l1, l2 := m.Coefficient(a)
		next := elementary.SoftThreshold(float64(square*b)+m.Gradient(a), l1) / (square + l2)
		if d := next - b; d != 0 {
			m.MoveTo(a, next)
			largest = max(largest, float64(square*d*d))
			moves++
		}
	}
	return largest, moves
}

// dampedNewton returns Newton's step where Q is singular, as it is with as many columns as rows: a little of a ridge picks one of its
// minima, towards which the likelihood rises all the same. O(columns³).
func dampedNewton(q [][]float64, slope []float64) (move []float64) {
	const share = 1e-8 // of the mean of the diagonal
	h, ridge := dense.NewTriangle(len(q)), 0.0
	for a := range q {
		copy(h.Row(a), q[a][:a+1])
		ridge += float64(q[a][a] * (share / float64(len(q))))
	}
	move = make([]float64, len(q))
	for a := range q {
		h.Row(a)[a] += ridge
		move[a] = -slope[a]
	}
	if !h.Factor(context.Background()) {
		return make([]float64, len(q)) // no curvature is left at all
	}
	h.Solve(move)
	return move
}
