package l1

import (
	"context"
	"math"
)

// newton is a Solver: proximal Newton steps on a working set (Yuan, Ho and Lin, "An improved GLMNET for L1-regularized
// logistic regression", 2012; working sets as in Massias, Gramfort and Salmon, "Celer", 2018). An iteration
//
//  1. computes the slopes of all columns that the penalty could give a weight, which are found and laid out once,
//  2. certifies the point where that may end the search, and leaves out columns proven to have no weight (Point.Screen),
//  3. works on the weights that are not zero and those that violate their conditions most, at most as many again,
//  4. minimises the loss's quadratic model plus the penalty over them (descent),
//  5. and goes there, or part of the way.
//
// An iteration is O(rows·Blocks + entries alive·Blocks) and the descent. The certificate it ends with is that of all columns.
func newton(ctx context.Context, pt *Point, goal Goal) (Outcome, error) {
	s, err := newSearch(ctx, pt, goal)
	if err != nil {
		return Outcome{}, err
	}
	for {
		s.set.gradient(ctx, pt.G, pt.R, goal.Workers)
		if err := s.judge(ctx); err != nil {
			return Outcome{}, err
		}
		if s.out.Stop != "" {
			return s.out, nil
		}
		work := s.set.choose(pt, goal.Penalty, s.trust)
		s.model.at(pt)
		over := (&descent{model: s.model, all: work}).run(ctx)
		s.walk(ctx, work, over)
		s.set.settle(pt, goal.Penalty)
		if ctx.Err() != nil {
			return Outcome{}, context.Cause(ctx)
		}
		s.out.Iterations++
		if goal.Trace != nil {
			goal.Trace(s.out.Iterations, pt.Loss, pt.W)
		}
	}
}

// patience is how many steps that promise less than rounding may go by without halving the violations. (Free biases are
// centred in between, which may raise them.)
const patience = 2

// search is one run of newton.
type search struct {
	pt    *Point
	goal  Goal
	set   *working
	model quadratic
	tol   float64
	trust float64 // how much a margin may change by one weight
	out   Outcome
	stuck bool    // no step gets any further
	over  float64 // the least violations together at steps that promised less than rounding,
	idle  int     // and such steps since they halved

	d, z, r []float64 // change of the margins along a step; margins and residuals tried
}

func newSearch(ctx context.Context, pt *Point, goal Goal) (*search, error) {
	if !pt.updated {
		if err := pt.Update(ctx, goal.Workers); err != nil {
			return nil, err
		}
	}
	least := goal.L1
	if goal.Least > 0 {
		least = min(least, goal.Least)
	}
	if pt.set == nil || !pt.set.covers(pt.W, least) {
		set, err := pt.p.layOut(ctx, pt.W, least, goal.Workers)
		if err != nil {
			return nil, err
		}
		pt.set = set
	}
	pt.set.revive()
	n := len(pt.Z)
	return &search{
		pt: pt, goal: goal, set: pt.set, model: pt.p.quadratic(), tol: goal.Tol, trust: 2, over: math.Inf(1),
		d: make([]float64, n), z: make([]float64, n), r: make([]float64, n),
	}, nil
}

// judge ends the search where a certificate, or that there is no way on, says so.
func (s *search) judge(ctx context.Context) error {
	last := s.stuck || s.out.Iterations >= s.goal.MaxIter
	if !last && !s.promising() && s.out.Iterations%4 != 3 {
		return nil
	}
	if s.pt.p.anyFree() {
		s.pt.centre(ctx, s.goal.Workers)
		s.set.gradient(ctx, s.pt.G, s.pt.R, s.goal.Workers)
	}
	d := s.pt.certify(s.goal.Penalty)
	if !last && d.Relative() > s.tol {
		s.set.screen(d, s.pt, s.goal.Penalty)
		return nil
	}
	s.out.Certificate = d.Certificate
	if s.goal.Least == 0 || !s.set.whole() {
		if err := s.complete(ctx); err != nil {
			return err
		}
		s.out.Certificate = s.pt.Certify(s.goal.Penalty)
	}
	switch {
	case s.out.Relative() <= s.goal.Tol:
		s.out.Stop = "gap"
	case s.stuck:
		s.out.Stop = "precision"
	case last:
		s.out.Stop = "max_iter"
	default: // rounding parted the two certificates
		s.tol /= 2
	}
	if s.out.Stop != "" && s.out.Stop != "gap" {
		s.out.Notes = []string{s.out.unconverged()}
	}
	return nil
}

// promising tells whether the gap may be small enough. The certificate has to scale the slopes down to the penalty, by t;
// near the optimum, where the entropy exceeds the loss by C1·Σ|w|, that alone costs a share 1−t of the difference.
func (s *search) promising() bool {
	pt, pen := s.pt, s.goal.Penalty
	value, norm, steepest := pt.Loss, 0.0, 0.0
	for _, q := range s.set.alive {
		w := s.set.of(pt.W, q)
		for b, g := range s.set.of(pt.G, q) {
			if !pt.p.Free(s.set.weight(q) + b) {
				norm += math.Abs(w[b])
				steepest = max(steepest, math.Abs(g))
			}
		}
	}
	norm = float64(norm * pen.L1)
	value += norm
	return pen.L2 > 0 || steepest <= pen.L1 || (1-pen.L1/steepest)*norm <= 4*s.tol*max(1, value)
}

// complete brings everything at the point up to date, but for what nobody will look at.
func (s *search) complete(ctx context.Context) error {
	s.set.revive()
	if s.goal.Least == 0 {
		return s.pt.Update(ctx, s.goal.Workers)
	}
	s.set.gradient(ctx, s.pt.G, s.pt.R, s.goal.Workers)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// walk goes along the moves, made because of violations that sum to over, as far as the objective falls as the model promises:
// the first of the steps 1, ½, ¼, … with a hundredth of the slope (Armijo's rule as in Tseng and Yun 2009). Differences below
// rounding count as falling.
func (s *search) walk(ctx context.Context, work []coordinate, over float64) {
	pt, p := s.pt, s.pt.p
	clear(s.d)
	slope, far := 0.0, 0.0 // far: of the way that was trusted
	for k := range work {
		c := &work[k]
		if c.move != 0 {
			far = max(far, math.Abs(c.move)/c.limit)
			slope += c.promise()
			addTo(s.d, c, p.Blocks)
		}
	}
	noise := 1e-15 * max(1, pt.Loss)
	if slope >= -noise { // values tell nothing any more; violations of the conditions, being slopes, still do
		if s.idle++; over <= s.over/2 {
			s.over, s.idle = over, 0
		}
		if s.stuck = !(slope < 0) || s.idle > patience; s.stuck {
			return
		}
	}
	for t := 1.0; t > 1e-12; t /= 2 {
		for i, d := range s.d {
			s.z[i] = pt.Z[i] + float64(t*d)
		}
		loss := p.Residuals(ctx, s.r, s.z, s.goal.Workers)
		change := loss - pt.Loss
		for k := range work {
			change += work[k].toll(t)
		}
		if change <= float64(0.01*t*slope)+float64(10*noise) {
			for _, c := range work {
				pt.W[c.number] = c.weight + float64(t*c.move)
			}
			pt.Z, s.z, pt.R, s.r, pt.Loss = s.z, pt.Z, s.r, pt.R, loss
			if t < 1 {
				s.trust *= far * max(t, 1.0/8)
			} else {
				s.trust = min(4*s.trust, 1e9)
			}
			return
		}
	}
	s.stuck = true
}

// promise is what the model's slope and the penalty say that the whole move adds to the objective.
func (c *coordinate) promise() float64 {
	return float64((c.slope+float64(c.l2*c.weight))*c.move) + float64(c.l1*(math.Abs(c.weight+c.move)-math.Abs(c.weight)))
}

// toll is what a share t of the move adds to the penalty.
func (c *coordinate) toll(t float64) float64 {
	to := c.weight + float64(t*c.move)
	return float64(c.l1*(math.Abs(to)-math.Abs(c.weight))) + float64(0.5*c.l2*(to-c.weight)*(to+c.weight))
}

// addTo adds what the coordinate's move changes to the margins.
func addTo(z []float64, c *coordinate, blocks int) {
	if blocks == 1 {
		c.x.AddTo(z, c.move)
		return
	}
	for e, i := range c.x.Idx {
		z[int(i)*blocks+c.block] += float64(c.x.At(e) * c.move)
	}
}
