package proximal

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
)

// selection is the model as package activeset has it: divided by the scale of the Hessian, over all places, of which those that are not active
// have no weight. Its moves are not in the gradient yet.
type selection struct {
	*hessian
	placed []*Coordinate // by place
	moved  []float64     // by place
	small  float64       // violations of less are none
}

// solveSelected goes to the minimum over the weights that are not zero, as long as none changes its sign, where there is a factor for that which
// takes no longer than the Hessian and passes have. It reports whether nothing is left to do: no other weight violates its condition by more than
// small. Where a weight would move too far, sweeps are left to hold back each by itself, as they are where several have no penalty.
func (g *hessian) solveSelected(ctx context.Context, small float64) (done bool) {
	k := g.kept
	if k == nil || countFree(g.active) > 1 {
		return false
	}
	s := &selection{g, make([]*Coordinate, len(g.h)), make([]float64, len(g.h)), small}
	selected := 0
	for a, c := range g.active {
		s.placed[g.place[a]] = c
		if c.Weight+c.Move != 0 || c.L1 == 0 {
			selected++
		}
	}
	cost := k.factor.Cost(s, selected, 0)
	if cost > k.credit+float64(2*selected*len(g.h)) {
		return false
	}
	k.credit = max(0, k.credit-cost)
	k.factor.Minimize(ctx, s, 0)
	if slices.ContainsFunc(g.active, func(c *Coordinate) bool { return !(math.Abs(c.Move) <= c.MaxMove) }) {
		for a, c := range g.active {
			c.Move -= s.moved[g.place[a]]
		}
		g.kept = nil
		return false
	}
	done = true
	for a, c := range g.active {
		if p := g.place[a]; c.Weight+c.Move == 0 && c.Violation(g.gradient[p]+float64(g.scale*dense.Dot(g.h[p], s.moved))) > small {
			done = false
			break
		}
	}
	for p, by := range s.moved {
		if !done {
			g.updateGradient(p, by)
		}
	}
	return done
}

// Places returns the number of columns that have joined.
func (s *selection) Places() int { return len(s.h) }

// Coefficient returns the weight at place q, and those of its penalties.
func (s *selection) Coefficient(q int) (value, l1, l2 float64) {
	c := s.placed[q]
	if c == nil {
		return 0, 1, 0
	}
	return c.Weight + c.Move, c.L1 / s.scale, s.kept.l2[q]
}

// Gradient returns minus that of the model's loss at place q.
func (s *selection) Gradient(q int) float64 { return -s.gradient[q] / s.scale }

// MoveTo sets the weight at place q.
func (s *selection) MoveTo(q int, value float64) {
	c := s.placed[q]
	s.moved[q] += value - c.Weight - c.Move
	c.Move = value - c.Weight
}

// Products sets dst[k] to the entry of the Hessian at places[k] and q.
func (s *selection) Products(dst []float64, places []int, q int) {
	for k, p := range places {
		dst[k] = s.h[q][p]
	}
}

// Square returns the entry of the diagonal at place q.
func (s *selection) Square(q int) float64 { return s.h[q][q] }

// Negligible reports whether a derivative is a violation too small to matter.
func (s *selection) Negligible(_ int, derivative float64) bool {
	return math.Abs(derivative)*s.scale <= s.small
}
