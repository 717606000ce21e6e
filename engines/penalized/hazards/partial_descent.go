package hazards

import (
	"context"
	"math"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/targets"
)

// descend minimises slope·d + ½d'Qd + λ1·‖β + d‖₁, norms with factors, by coordinate descent; where passes have taken as long as a
// factor of Q over the selected columns does, it solves for these.
func (s *partialLikelihood) descend(pen targets.Penalty, q [][]float64, slope []float64) (move []float64) {
	const passes, precise, coarse, share = 1000, 1e-10, 1e-7, 1e-6 // of what the gap may be, that as well, of the largest change in the first pass
	if pen == (targets.Penalty{}) && len(q) >= len(s.eta) {
		return dampedNewton(q, slope)
	}
	first, tried := 0.0, 0
	move, pull := make([]float64, len(q)), make([]float64, len(q)) // pull: Q·d
	for pass := range passes {
		most := 0.0
		for a := range q {
			if !(q[a][a] > 0) {
				continue
			}
			b := s.beta[s.working[a].column] + move[a]
			next := elementary.SoftThreshold(float64(q[a][a]*b)-slope[a]-pull[a], float64(pen.L1*s.working[a].factor)) / q[a][a]
			d := next - b
			if d == 0 {
				continue
			}
			if move[a] = next - s.beta[s.working[a].column]; next == 0 {
				move[a] = -s.beta[s.working[a].column]
			}
			dense.AddTo(pull, q[a], d)
			most = max(most, float64(q[a][a]*d*d))
		}
		if pass == 0 {
			first = most
		}
		if gap := s.tol * s.null; most <= max(precise*gap, min(coarse*gap, share*first)) {
			break
		}
		if selected := s.selectedBy(move); pass-tried > 2+len(selected)/6 {
			s.solveFor(pen, q, slope, move, pull, selected)
			tried = pass
		}
	}
	return move
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

// selectedBy returns the places of the columns that have a coefficient, or no penalty, after a move.
func (s *partialLikelihood) selectedBy(move []float64) (selected []int) {
	for a, c := range s.working {
		if s.beta[c.column]+move[a] != 0 || c.factor == 0 {
			selected = append(selected, a)
		}
	}
	return selected
}

// solveFor moves to the minimum over the selected columns with the signs that their coefficients have, as far as none gets to 0.
func (s *partialLikelihood) solveFor(pen targets.Penalty, q [][]float64, slope, move, pull []float64, selected []int) {
	h, to := dense.NewTriangle(len(selected)), make([]float64, len(selected))
	for k, a := range selected {
		row := h.Row(k)
		for l, b := range selected[:k+1] {
			row[l] = q[a][b]
		}
		l1 := pen.L1 * s.working[a].factor
		to[k] = -(slope[a] + pull[a] + math.Copysign(l1, s.beta[s.working[a].column]+move[a]))
	}
	if !h.Factor(context.Background()) {
		return
	}
	h.Solve(to)
	share, first := 1.0, -1
	for k, a := range selected {
		if b := s.beta[s.working[a].column] + move[a]; pen.L1*s.working[a].factor > 0 && -b/to[k] > 0 && -b/to[k] < share {
			share, first = -b/to[k], k
		}
	}
	for k, a := range selected {
		d := share * to[k]
		if k == first {
			d = -(s.beta[s.working[a].column] + move[a])
		}
		move[a] += d
		dense.AddTo(pull, q[a], d)
	}
	if first >= 0 {
		move[selected[first]] = -s.beta[s.working[selected[first]].column]
	}
}
