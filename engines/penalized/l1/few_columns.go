package l1

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/scaled"
)

// Two classes on a table of few columns, all cells stored, take Newton steps on all columns at once (Friedman, Hastie & Tibshirani 2010,
// Regularization paths for generalized linear models via coordinate descent, section 3): the quadratic model is that of the Gram matrix of the
// weighted rows, whose minimum coordinate descent finds without the rows, and a line search follows. A step is two passes over the rows. The
// first steps are those of a sample of the rows.

const (
	fewColumns    = 300  // maximum number of columns,
	rowsPerColumn = 4    // and minimum number of rows for each
	modelSweeps   = 1000 // maximum number of sweeps in the quadratic model, of which the last changes it less than
	modelShare    = 1e-8 // this share of what the first does
	maxSteps      = 50   // maximum number of steps: columns that are next to dependent are left to descent on a working set
	sampleSteps   = 8    // maximum number of steps on a sample
	sampleNoise   = 0.05 // decrease of the objective for each weight below which another sample would change more
)

// hasFewColumns reports whether Newton steps on all columns at once solve a problem. Columns far from zero, which a penalised bias leaves so,
// are too close to dependent for descent in the quadratic model.
func hasFewColumns(p *logits.Problem) bool {
	return p.Blocks == 1 && p.X.IsFull() && !p.HasFactors() && p.Columns() <= min(fewColumns, p.Rows()/rowsPerColumn) && !scaled.AnyFarFromZero(p.X)
}

// fewColumnsSolver is one run on a problem with few columns.
type fewColumnsSolver struct {
	pt         *logits.Point
	goal       logits.Goal
	iterations int
	decrease   float64 // of the objective, as the last quadratic model promised it; +Inf before
	stalled    bool    // no step lowers the objective any more
}

// solveFewColumns goes from the weights of pt to the goal's gap, or until rounding hides all progress.
func solveFewColumns(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	s := &fewColumnsSolver{pt: pt, goal: goal, decrease: math.Inf(1)}
	if pt.Selected() == 0 {
		if q := pt.Problem.Sample(); q != nil {
			s.startFrom(ctx, q)
		}
	}
	pt.Evaluate(ctx, pt.W, goal.Workers)
	out, criterion := logits.Outcome{}, goal.Criterion()
	for ctx.Err() == nil {
		last := s.stalled || s.iterations >= min(maxSteps, goal.MaxIter)
		if last || s.gapToExpect() <= goal.Tol*max(1, s.objective(pt.W)) {
			if pt.Problem.AnyFree() {
				pt.OptimizeBias(ctx, goal.Workers)
				pt.Evaluate(ctx, pt.W, goal.Workers)
			}
			out.Certificate, out.Iterations = pt.Certify(goal.Penalty), s.iterations
			if out.Stop = criterion.Stop(out.Certificate, s.iterations, last); out.Stop != "" {
				out.Notes = criterion.Notes(out)
				break
			}
		}
		s.step(ctx)
	}
	return out, context.Cause(ctx)
}

// startFrom moves the point to the minimum of a sample of its rows, up to what another sample would change.
func (s *fewColumnsSolver) startFrom(ctx context.Context, sample *logits.Problem) {
	small := &fewColumnsSolver{pt: sample.NewPoint(s.pt.W), goal: s.goal, decrease: math.Inf(1)}
	share := sample.Total() / s.pt.Problem.Total()
	small.goal.L1, small.goal.L2, small.goal.Trace = s.goal.L1*share, s.goal.L2*share, nil
	small.pt.Evaluate(ctx, small.pt.W, s.goal.Workers)
	done := float64(sampleNoise * float64(sample.Width()))
	for !small.stalled && small.iterations < sampleSteps && small.decrease > done && ctx.Err() == nil {
		small.step(ctx)
	}
}

// objective returns that of the weights, where the point's loss is theirs.
func (s *fewColumnsSolver) objective(w []float64) float64 { return s.pt.Loss + s.penalty(w) }

// penalty returns that of the weights.
func (s *fewColumnsSolver) penalty(w []float64) (sum float64) {
	for k, v := range w {
		if !s.pt.Problem.Free(k) {
			sum += float64(s.goal.L1*math.Abs(v)) + float64(0.5*s.goal.L2*v*v)
		}
	}
	return sum
}

// gapToExpect returns the duality gap at the point's gradient where free biases are at their optimum: of the model's probabilities, and
// where these are not feasible what scaling them costs.
func (s *fewColumnsSolver) gapToExpect() float64 {
	pt, l1, l2 := s.pt, s.goal.L1, s.goal.L2
	norm, slack, over, largest := 0.0, 0.0, 0.0, 0.0
	for k, w := range pt.W {
		if pt.Problem.Free(k) {
			continue
		}
		g := pt.G[k]
		norm += float64(l1 * math.Abs(w))
		slack += float64(l1*math.Abs(w)) + float64(0.5*l2*w*w) + float64(w*g)
		largest = max(largest, math.Abs(g))
		if e := math.Abs(g) - l1; e > 0 {
			over += float64(e * e)
		}
	}
	scaled := float64((1 - l1/max(l1, largest)) * norm)
	if l2 > 0 {
		return math.Abs(slack + over/(2*l2))
	}
	return math.Abs(slack) + scaled
}

// step moves the point towards the minimum of the quadratic model, to where the objective has fallen by a share of what is promised.
func (s *fewColumnsSolver) step(ctx context.Context) {
	pt, p := s.pt, s.pt.Problem
	h := make([]float64, p.Rows())
	for i, r := range pt.R {
		m, wrong := p.Weight.Of(i), math.Abs(r)
		h[i] = float64(wrong * (1 - wrong/m))
	}
	to := s.minimizeModel(p.WeightedGram(ctx, h, 1, s.goal.Workers).Square())
	from, before := slices.Clone(pt.W), s.objective(pt.W)
	slope := s.penalty(to) - s.penalty(from)
	for k, w := range to {
		slope += float64(pt.G[k] * (w - from[k]))
	}
	s.decrease = -slope
	s.iterations++
	if !(slope < -1e-15*before) {
		s.stalled = true
		return
	}
	for t := 1.0; t > 1e-6; t /= 2 {
		for k, w := range to {
			pt.W[k] = w
			if t < 1 {
				pt.W[k] = from[k] + float64(t*(w-from[k]))
			}
		}
		pt.Evaluate(ctx, pt.W, s.goal.Workers)
		if now := s.objective(pt.W); now <= before+float64(0.01*t*slope)+float64(1e-14*before) || ctx.Err() != nil {
			if s.goal.Trace != nil {
				s.goal.Trace(s.iterations, pt.Loss, pt.W)
			}
			return
		}
	}
	copy(pt.W, from)
	pt.Evaluate(ctx, pt.W, s.goal.Workers)
	s.stalled = true
}

// minimizeModel returns the weights of the least value of the quadratic model with Hessian h, by coordinate descent. A sweep is
// O(columns²).
func (s *fewColumnsSolver) minimizeModel(h [][]float64) []float64 {
	pt, l1, l2 := s.pt, s.goal.L1, s.goal.L2
	w, gradient := slices.Clone(pt.W), slices.Clone(pt.G)
	first := 0.0
	for sweep := range modelSweeps {
		change := 0.0
		for k, row := range h {
			curve, to := row[k], w[k]
			switch {
			case pt.Problem.Free(k):
				if curve > 0 {
					to -= gradient[k] / curve
				}
			case curve+l2 > 0:
				to = elementary.SoftThreshold(float64(curve*w[k])-gradient[k], l1) / (curve + l2)
			default:
				to = 0
			}
			if by := to - w[k]; by != 0 {
				w[k] = to
				dense.AddTo(gradient, row, by)
				change += float64(by * by * (curve + l2))
			}
		}
		if sweep == 0 {
			first = change
		}
		if change <= modelShare*first {
			break
		}
	}
	return w
}
