package margin

import (
	"context"
	"math"
	"math/rand/v2"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
)

// Goal is the stopping rule of a solver.
type Goal struct {
	Tol     float64 // duality gap, as a share of max(1, objective)
	MaxIter int     // maximum number of passes and Newton steps
	Workers int
	Rand    *rand.Rand // orders the rows
	// Trace is called for models on the way; may be nil. w is read-only.
	Trace func(iter int, loss float64, w []float64)
}

// Outcome holds a model and how the solver ended.
type Outcome struct {
	engines.Certificate
	W        []float64 // as in Problem.Width
	Stop     string    // "gap" if the goal was met, "max_iter", or "precision" if rounding hides all progress
	Passes   int       // of dual coordinate descent
	Steps    int       // of Newton's method
	Products int       // with the Hessian, of these
}

// Iterations returns the number of passes and steps.
func (o *Outcome) Iterations() int { return o.Passes + o.Steps }

// Solver solves a problem, and keeps its state to solve it again for scaled weights of the rows.
type Solver struct {
	p     Problem
	d     *descent
	after []float64 // the model of later Newton steps; nil if the descent's is the last
}

// NewSolver returns the solver of a problem. The error says why there is no optimum. O(nnz).
func NewSolver(p Problem) (*Solver, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Solver{p: p}
	s.d = s.p.newDescent()
	return s, nil
}

// Scale multiplies the weights of all rows, as a path of penalties does. O(rows + columns).
func (s *Solver) Scale(by float64) {
	weight := make([]float64, len(s.p.Sign))
	for i := range weight {
		weight[i] = by * s.p.weightOf(i)
	}
	s.syncDescent()
	s.p.Weight = weight
	s.d.scale(by)
}

// handover returns the relative gap at which Newton's method takes over from dual coordinate descent, which is quick to get there,
// and slow after; and the number of passes after which it does so anyway: with next to no penalty descent crawls. For the logistic
// loss a Newton step or two reduce the gap to a hundredth; for the squared hinge they need the set of rows beyond its kink to be
// almost settled.
func (l Loss) handover(tol float64) (gap float64, passes int) {
	if l == Logistic {
		return min(max(100*tol, 1e-3), 1e-2), 50
	}
	return 1e-4, 500
}

// begin returns the model without weights but a free bias, which every solution has to improve.
func (s *Solver) begin() Outcome {
	positive, negative := s.p.sides()
	w, bias := make([]float64, s.p.Width()), 0.0
	if s.p.Bias == FreeBias {
		bias = s.p.Loss.bestBias(positive, negative)
		w[len(w)-1] = bias
	}
	return Outcome{W: w, Certificate: engines.Certificate{Objective: float64(positive*s.p.Loss.value(bias)) + float64(negative*s.p.Loss.value(-bias))}}
}

// Solve solves the problem from where the last solution ended. The error is the cause of ctx's end.
func (s *Solver) Solve(ctx context.Context, goal Goal) (Outcome, error) {
	out := s.begin()
	s.syncDescent()
	if s.p.Loss == Hinge {
		s.solveHinge(ctx, goal, &out)
	} else {
		s.solveSmooth(ctx, goal, &out)
	}
	if ctx.Err() != nil {
		return Outcome{}, context.Cause(ctx)
	}
	return out, nil
}

// solveSmooth solves by descent, then by Newton's method, and returns to descent if its steps become small, because too many rows
// cross the squared hinge's kink in each.
func (s *Solver) solveSmooth(ctx context.Context, goal Goal, out *Outcome) {
	until, passes := s.p.Loss.handover(goal.Tol)
	for ; out.Stop == "" && ctx.Err() == nil; until, passes = until/10, 10*passes {
		s.descend(ctx, goal, max(until, goal.Tol), passes, out)
		if ctx.Err() == nil && out.Relative() > goal.Tol {
			out.Stop = ""
			s.newton(ctx, goal, out)
			s.after = out.W
		}
		if out.Stop == "" {
			s.syncDescent()
		}
	}
}

const (
	judgedBy   = 100  // passes by which their speed is judged
	mostPasses = 1000 // remaining passes that are too many
	fewColumns = 500  // maximum number of columns for which Newton steps cost less than the passes that they save,
	fewPasses  = 5    // and passes before them
)

// hasFewColumns reports whether all cells are stored, in more rows than columns, and these are few.
func (p *Problem) hasFewColumns() bool {
	rows, columns := p.X.Dims()
	return p.X.IsFull() && columns <= min(fewColumns, rows)
}

// solveHinge solves by descent, and by the method of multipliers: at once where columns are few, else if, at the rate of the last passes,
// the goal is too many passes away.
func (s *Solver) solveHinge(ctx context.Context, goal Goal, out *Outcome) {
	if s.p.hasFewColumns() {
		s.descend(ctx, goal, goal.Tol, fewPasses, out)
		if out.Stop == "" && ctx.Err() == nil {
			s.multiply(ctx, goal, out)
		}
	}
	for before := math.Inf(1); out.Stop == "" && ctx.Err() == nil; before = out.Relative() {
		s.descend(ctx, goal, goal.Tol, judgedBy, out)
		now := out.Relative()
		if out.Stop == "" && elementary.Log(now/goal.Tol)*judgedBy > mostPasses*elementary.Log(before/now) {
			s.multiply(ctx, goal, out)
		}
	}
}

// syncDescent moves the descent to the model of the Newton steps.
func (s *Solver) syncDescent() {
	if s.after != nil {
		s.d.setDualVariables(s.after)
		s.after = nil
	}
}

// met reports whether the solver ends here, and sets Stop: the relative gap is at most tol, or a limit is reached.
func (o *Outcome) met(goal Goal, tol float64) bool {
	switch {
	case o.Relative() <= goal.Tol:
		o.Stop = "gap"
	case o.Iterations() >= goal.MaxIter:
		o.Stop = "max_iter"
	}
	return o.Stop != "" || o.Relative() <= tol
}

// tell passes the outcome so far to goal.Trace.
func (s *Solver) tell(goal Goal, out *Outcome) {
	if goal.Trace != nil {
		goal.Trace(out.Iterations(), out.Objective-float64(0.5*s.p.C2*s.p.squaredNorm(out.W)), out.W)
	}
}

// idleMost is the maximum number of Newton steps without progress of the gap.
const idleMost = 20

// newton takes Newton steps from the outcome's weights, until the goal is met, or two consecutive steps were short.
func (s *Solver) newton(ctx context.Context, goal Goal, out *Outcome) {
	k := s.p.newNewton(ctx, out.W, goal.Workers)
	k.setScores(k.f, k.w)
	k.evaluate()
	short, idle, least := 0, 0, math.Inf(1)
	for {
		now := k.certify()
		out.Objective, out.Dual = now.Objective, max(out.Dual, now.Dual)
		if ctx.Err() != nil || out.met(goal, goal.Tol) {
			break
		}
		if idle++; now.Gap() < least/2 {
			least, idle = now.Gap(), 0
		}
		length := k.step()
		out.Steps++
		if length == 0 || idle == idleMost {
			out.Stop = "precision"
			break
		}
		if short++; length >= 1.0/8 {
			short = 0
		}
		if s.tell(goal, out); short == 2 {
			break
		}
	}
	out.Products += k.products
}

// averaged is the number of passes in the mean of models.
const averaged = 10

// descend makes at most most passes, until the relative gap is small enough. For the hinge the models of single passes oscillate
// about the optimum; their mean is closer to it.
func (s *Solver) descend(ctx context.Context, goal Goal, until float64, most int, out *Outcome) {
	d, look := s.d, &contextChecker{ctx: ctx}
	f := make([]float64, len(s.p.Sign))
	var mean []float64
	if s.p.Loss == Hinge {
		mean = make([]float64, len(d.w)+1)
	}
	next, quiet := 5, 0.1 // the next pass at which to compute the gap; the violation at which to unshrink
	for pass := 1; ; pass++ {
		violation := d.pass(look, goal.Rand)
		out.Passes++
		if mean != nil {
			d.average(mean, 1/float64(min(pass, averaged)))
		}
		if violation <= quiet {
			if len(d.order) == len(d.rows) {
				quiet, next = quiet/4, pass
			}
			d.unshrink()
		}
		if pass < min(next, most) && out.Iterations() < goal.MaxIter && !look.over {
			continue
		}
		next = pass + max(5, pass/6)
		s.certify(look, f, mean, out)
		if look.over {
			return
		}
		if out.Relative() <= goal.Tol { // once more, with weights free of accumulated rounding
			d.recomputeWeights()
			s.certify(look, f, mean, out)
		}
		s.tell(goal, out)
		if look.over || out.met(goal, until) || pass >= most {
			return
		}
		d.exactness = min(d.exactness, 1e-2*out.Relative())
	}
}

// certify sets the outcome to the present model of the descent.
func (s *Solver) certify(look *contextChecker, f, mean []float64, out *Outcome) {
	now := s.d.certify(look, f, mean)
	if look.over {
		return
	}
	if now.Objective < out.Objective {
		out.W, out.Objective = now.w, now.Objective
	}
	out.Dual = max(out.Dual, now.Dual)
}

// average moves the mean by a share of its distance to the model.
func (d *descent) average(mean []float64, share float64) {
	for j, v := range d.w {
		mean[j] += float64(share * (v - mean[j]))
	}
	last := len(d.w)
	mean[last] += float64(share * (d.bias - mean[last]))
}
