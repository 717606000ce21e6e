package hazards

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/activeset"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/survival"
	"tenfold/engines/penalized/targets"
)

// keptHessian is the Hessian on the working set where the hazards were as in origin. As long as they stay near, it does for the quadratic model:
// steps remain steps of descent, which the line search sees to, and a step then costs a gradient instead of the products of all columns.
// Columns join as the working set grows.
type keptHessian struct {
	origin []float64
	total  float64 // Σ origin
	root   *survival.Root
	rooted [][]float64 // L'G_j, by place
	q      [][]float64 // products of these
	factor activeset.Factor
}

// nearEnough is the share of Σ h that the changes of hazards may make up together.
const nearEnough = 0.05

// isNear reports whether the Hessian does for other hazards.
func (k *keptHessian) isNear(h []float64) bool {
	if k == nil {
		return false
	}
	change := 0.0
	for i, v := range h {
		change += math.Abs(v - k.origin[i])
	}
	return change <= nearEnough*k.total
}

// followWorkingSet has the Hessian follow the working set, and the point where hazards are no longer near. O(n·|W|²/2) at most.
func (s *partialLikelihood) followWorkingSet() {
	if h := s.point.Hazards(); !s.kept.isNear(h) {
		s.kept = &keptHessian{origin: slices.Clone(h), total: dense.Sum(h), root: s.l.NewRoot(&s.point)}
	}
	k := s.kept
	before, n := len(k.q), len(s.working)
	if before == n {
		return
	}
	k.rooted = append(k.rooted, make([][]float64, n-before)...)
	parallel.Stretches(s.workers, 8, n-before, func(first, last int) {
		for a := before + first; a < before+last; a++ {
			k.rooted[a] = make([]float64, len(s.eta))
			k.root.Product(k.rooted[a], s.working[a].values)
		}
	})
	k.q = dense.ExtendGram(context.Background(), s.workers, k.q, k.rooted[:before], k.rooted[before:], nil)
}

// quadraticModel is the quadratic model of −log PL on the working set with the penalty, by place, at coefficients that have moved from the
// present ones (activeset.Function).
type quadraticModel struct {
	*partialLikelihood
	pen  targets.Penalty
	q    [][]float64
	move []float64
	pull []float64 // Q·move
	none float64   // squares of derivatives over those of columns that are none
}

// newModel returns the model at the present coefficients, with the columns in the working set that may move.
func (s *partialLikelihood) newModel(pen targets.Penalty) *quadraticModel {
	s.leaveIdle()
	for _, j := range s.awake {
		if f := s.factorOf(int(j)); f == 0 || s.beta[j] != 0 || math.Abs(s.gradient[j]) > float64(pen.L1*f) {
			s.join(j)
		}
	}
	if pen == (targets.Penalty{}) {
		s.kept = nil // what the model promises is what the fit ends by
	}
	s.followWorkingSet()
	n := len(s.working)
	return &quadraticModel{
		partialLikelihood: s, pen: pen, q: s.kept.q, move: make([]float64, n), pull: make([]float64, n), none: precise * s.tol * s.null,
	}
}

// slope returns the derivative of the model without the L1 penalty at the present coefficients.
func (m *quadraticModel) slope(a int) float64 {
	c := m.working[a]
	return float64(m.pen.L2*c.factor*m.beta[c.column]) - m.gradient[c.column]
}

// Places returns the number of columns in the working set.
func (m *quadraticModel) Places() int { return len(m.q) }

// Coefficient returns that at place a, and the weights of its penalties.
func (m *quadraticModel) Coefficient(a int) (value, l1, l2 float64) {
	c := m.working[a]
	return m.beta[c.column] + m.move[a], float64(m.pen.L1 * c.factor), float64(m.pen.L2 * c.factor)
}

// Gradient returns that of the model of log PL.
func (m *quadraticModel) Gradient(a int) float64 { return m.gradient[m.working[a].column] - m.pull[a] }

// MoveTo moves the coefficient at place a, and the gradients.
func (m *quadraticModel) MoveTo(a int, value float64) {
	b := m.beta[m.working[a].column]
	by := value - b - m.move[a]
	if m.move[a] = value - b; value == 0 {
		m.move[a] = -b
	}
	dense.AddTo(m.pull, m.q[a], by)
}

// Products sets dst[k] to the entry of the Hessian at places[k] and a.
func (m *quadraticModel) Products(dst []float64, places []int, a int) {
	row := m.q[a]
	for k, p := range places {
		dst[k] = row[p]
	}
}

// Square returns the entry of the Hessian's diagonal at place a.
func (m *quadraticModel) Square(a int) float64 { return m.q[a][a] }

// Negligible reports whether a derivative is none.
func (m *quadraticModel) Negligible(a int, derivative float64) bool {
	return !(derivative*derivative > m.none*m.q[a][a])
}
