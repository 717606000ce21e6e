package lasso

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/activeset"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/targets"
)

// workingSet is the columns of the working set, by place in order of joining, and their coefficients. Between two looks at the
// rows their gradients follow from the inner products of columns, of which there are few: in data of ones with 28 to a row a
// move costs about what it takes to read its column once, and the gradient of a column that does not move costs nothing. Where
// products are too many, gradients are computed from the rows.
type workingSet struct {
	g      *scaled.Matrix
	v      []float64 // see squares; it follows the moves only where there are no products
	place  []int32   // by column
	column []int32   // by place
	all    []coordinate
	raw    []float64     // x_k'v, by place
	shift  float64       // see squares; it follows the moves
	inner  *sparse.Inner // nil: from the rows
	factor activeset.Factor
	moves  int     // since the rows were last looked at
	far    float64 // the largest norm of a column about zero, as a share of that about its mean
}

// coordinate is one coefficient of the working set.
type coordinate struct {
	beta             float64
	scale            float64 // γ
	total            float64 // Σ m·x
	norm             float64 // ‖G_j‖²
	factor           float64 // of the penalties
	l1Factor         float64 // of the L1 penalty: factor, where no tangent of a concave penalty takes its place
	beta0, gradient0 float64 // coefficient and gradient when the rows were last looked at
}

// rawSquare returns the square of the column's norm about zero, for n rows.
func (c *coordinate) rawSquare(n float64) float64 {
	return c.norm + float64(c.scale*c.scale*c.total*c.total/n)
}

// Places of columns that are in no working set.
const (
	outside  = -1
	repeated = -2 // equal to one that may be
)

func newWorkingSet(g *scaled.Matrix, v []float64) *workingSet {
	s := &workingSet{g: g, v: v, place: make([]int32, len(g.Scale)), inner: sparse.NewInner(g.X, g.Weight)}
	for j := range s.place {
		s.place[j] = outside
	}
	return s
}

// fewProducts is always allowed: 48 MB. Beyond, there may be as many as the matrix has entries.
const fewProducts = 4 << 20

// addColumns adds columns with their gradients; residual and shift have to be up to date.
func (s *workingSet) addColumns(ctx context.Context, columns []int32, p *leastSquares) {
	for _, j := range columns {
		s.place[j] = int32(len(s.column))
		s.column = append(s.column, j)
		f, gradient := p.factorOf(int(j)), p.gradient[j]
		c := coordinate{scale: s.g.Scale[j], total: s.g.N * s.g.Mean[j], norm: s.g.Norm2[j], factor: f, l1Factor: f, gradient0: gradient}
		s.all, s.raw = append(s.all, c), append(s.raw, gradient/c.scale-float64(p.shift*c.total))
		s.far = max(s.far, math.Sqrt(c.rawSquare(s.g.N)/c.norm))
	}
	limit := fewProducts + s.g.X.NNZ()
	if s.g.X.IsFull() && len(s.column)*len(s.column) <= limit && s.inner != nil {
		s.inner.Join(ctx, p.workers, columns...)
		return
	}
	for _, j := range columns {
		if s.inner == nil {
			return
		}
		if s.inner.Join(ctx, p.workers, j); s.inner.Entries() > limit {
			s.inner, s.factor = nil, activeset.Factor{}
		}
	}
}

// recomputeGradient computes the gradient of the working set from the residual.
func (s *workingSet) recomputeGradient(p *leastSquares) {
	s.shift, s.moves = p.shift, 0
	for q, j := range s.column {
		c := &s.all[q]
		c.beta0, c.gradient0 = c.beta, p.gradient[j]
		s.raw[q] = c.gradient0/c.scale - float64(s.shift*c.total)
	}
}

// coefficients returns the coefficients of the working set, by place.
func (s *workingSet) coefficients() []float64 {
	out := make([]float64, len(s.all))
	for q := range out {
		out[q] = s.all[q].beta
	}
	return out
}

// gradient returns G_k'r after the moves, with k the column at place q.
func (s *workingSet) gradient(q int) float64 {
	if s.inner == nil {
		s.raw[q] = s.g.X.Col(int(s.column[q])).Dot4(s.v)
	}
	c := &s.all[q]
	return c.scale * (s.raw[q] + float64(s.shift*c.total))
}

// moveCoefficient changes a coefficient and the gradient of the working set.
func (s *workingSet) moveCoefficient(q int, by float64) {
	c := &s.all[q]
	c.beta += by
	s.moves++
	if s.inner == nil {
		s.moveResidual(int(s.column[q]), by)
	} else {
		s.inner.AddTo(s.raw, -by*c.scale, q)
	}
	s.shift += by * c.scale * c.total / s.g.N
}

// moveResidual changes v by a move of the coefficient of column j.
func (s *workingSet) moveResidual(j int, by float64) {
	x := s.g.X.Col(j)
	by *= s.g.Scale[j]
	if s.g.Weight == nil {
		x.AddTo(s.v, -by)
		return
	}
	for e, i := range x.Idx {
		s.v[i] -= float64(by * x.At(e) * s.g.Weight[i])
	}
}

func equalColumns(a, b sparse.Vec) bool {
	return slices.Equal(a.Idx, b.Idx) && slices.Equal(a.Val, b.Val)
}

// descent is coordinate descent in a working set, from where it is. A pass goes through the places in order and moves the
// coefficients that violate their condition by more than a share of the worst violation of the pass before. The duality gap
// is about λ1·‖β‖₁ times the worst violation, a few of which exceed all others by far: to move these alone takes a tenth of
// the work that full passes would.
type descent struct {
	*workingSet
	pen    targets.Penalty
	least  float64 // violations of less are none
	rss    float64 // ‖r‖² when the rows were last looked at
	size   float64 // ‖ỹ‖
	passes int
	spent  float64 // multiplications of passes that solveSelected may still take, about

	rounded  float64   // the noise when solveSelected began
	products []float64 // work space
}

const (
	violationShare = 0.3 // share of the worst violation from which on a pass moves a coefficient
	// relaxation is how far a step goes, where no sign changes, in steps to the minimum along the coefficient: more than 1,
	// since neighbours will want it to go further (Young's successive over-relaxation). The objective falls up to 2.
	relaxation   = 1.4
	passesPerGap = 4     // passes between two looks at the gap
	rounding     = 1e-13 // share of λ1 below which a violation, or a coefficient's part of a gradient, is none
)

// run descends until the gap within the working set is at most goal, there is nothing to move any more, or so many passes are over. It
// reports whether anything moved.
func (d *descent) run(ctx context.Context, goal float64, passes int) (moved bool) {
	least := max(d.least, rounding*d.pen.L1)
	threshold := least
	if moved = d.solveSelected(ctx); moved {
		if d.dualityGap() <= goal {
			return moved
		}
		threshold = max(least, violationShare*d.violation(d.pen))
	}
	for d.passes < passes && ctx.Err() == nil {
		worst := d.sweep(threshold)
		d.passes++
		moved = moved || worst > 0
		switch {
		case worst > 0:
			threshold = max(least, violationShare*worst)
		case threshold > least:
			threshold = max(least, violationShare*threshold)
		default:
			return moved
		}
		if d.passes%passesPerGap == 0 && d.dualityGap() <= goal {
			return moved
		}
		if d.solveSelected(ctx) {
			if d.dualityGap() <= goal {
				return true
			}
			threshold = max(least, violationShare*d.violation(d.pen))
		}
	}
	return moved
}

// sweep moves the coefficients that violate their condition by more than a threshold, and returns the worst violation of these.
func (d *descent) sweep(threshold float64) (worst float64) {
	d.spent += float64(len(d.all))
	noise := d.noise()
	for q := range d.all {
		c := &d.all[q]
		l1, l2 := float64(c.l1Factor*d.pen.L1), float64(c.factor*d.pen.L2)
		gradient := d.gradient(q)
		violation := 0.0
		switch b := c.beta; {
		case b > 0:
			violation = math.Abs(gradient - float64(l2*b) - l1)
		case b < 0:
			violation = math.Abs(gradient - float64(l2*b) + l1)
		default:
			violation = math.Abs(gradient) - l1
		}
		if violation <= max(threshold, noise*math.Sqrt(c.norm)) {
			continue
		}
		worst = max(worst, violation)
		b := c.beta
		to := elementary.SoftThreshold(gradient+float64(c.norm*b), l1) / (c.norm + l2)
		if to*b > 0 {
			if further := b + float64(relaxation*(to-b)); further*b > 0 {
				to = further
			}
		}
		if math.Abs(to)*c.norm <= rounding*l1 {
			to = 0
		}
		d.MoveTo(q, to)
		d.spent += float64(len(d.all))
	}
	return worst
}

// noise returns how large rounding may make the gradient of a column that is 0, divided by the column's norm: about 50 units in the last
// place of all that its inner product with the residual is a sum of. O(places).
func (d *descent) noise() float64 {
	sum := d.size
	for q := range d.all {
		sum += float64(math.Abs(d.all[q].beta) * math.Sqrt(d.all[q].norm))
	}
	return 1e-14 * sum
}

// dualityGap returns the gap of the problem that has the columns of the working set alone.
func (d *descent) dualityGap() float64 {
	c, _, _ := d.certify()
	return c.Gap()
}

// certify returns the certificate of the problem that has the columns of the working set alone, ‖r‖² and ỹ'r. ‖r‖² is what it was, less
// Δ'(c + c') for the moves Δ and the gradients c before and c' after them; and ỹ'r = ‖r‖² + β'c'.
func (d *descent) certify() (certified engines.Certificate, rss, explained float64) {
	rss = d.rss
	maxGradient, l1, l2, along := d.pen.L1, 0.0, 0.0, 0.0
	for q := range d.all {
		c := &d.all[q]
		gradient := d.gradient(q)
		if c.factor > 0 {
			maxGradient = max(maxGradient, math.Abs(gradient-float64(d.pen.L2*c.factor*c.beta))/c.factor)
		}
		if c.beta == 0 && c.beta0 == 0 {
			continue
		}
		rss -= float64((c.beta - c.beta0) * (c.gradient0 + gradient))
		along += float64(c.beta * gradient)
		l1 += float64(c.factor * math.Abs(c.beta))
		l2 += float64(c.factor * c.beta * c.beta)
	}
	return certificate(d.pen, rss, rss+along, maxGradient, l1, l2), rss, rss + along
}
