package logistic

import (
	"context"
	"slices"

	"tenfold/engines/losses/logits"
)

// reference is where solveFewColumns starts from on some rows, whatever the penalty: the minimum of a sample of the rows for a penalty of its own,
// and the Hessian there, itself estimated on a part of the rows (Byrd, Chin, Neveitt & Nocedal 2011, On the use of stochastic Hessian information
// in optimization methods for machine learning). Minima for other penalties have another Hessian, but one so near that quasi-Newton steps
// make up for it sooner than it is computed.
type reference struct {
	point   *logits.Point // evaluated
	hessian *hessian
	passes  int // over all rows that it took
}

// referrer returns the reference of a point's problem, of which it changes nothing.
type referrer func(ctx context.Context, pt *logits.Point, workers int) (*reference, error)

const (
	hessianShare   = 16  // rows for each row from which the Hessian is estimated, at most,
	hessianRows    = 80  // and minimum number of these, for each weight of a class
	referenceSteps = 100 // on the sample, at most
)

// newReference finds the reference from the weights of the point, where it is if there are too few rows for a sample. O(pairs of entries).
func newReference(ctx context.Context, from *logits.Point, workers int) (*reference, error) {
	p := from.Problem
	pt, r := p.NewPoint(slices.Clone(from.W)), new(reference)
	if sample := p.Sample(); sample != nil {
		penalty, err := varianceOfTen(sample)
		if err != nil {
			return nil, err
		}
		// To what another sample would change.
		done := float64(0.05 * float64(sample.Width()))
		s := fewColumnsSolver{pt: sample.NewPoint(pt.W), share: firstShare(sample), goal: logits.Goal{
			Penalty: logits.Penalty{L2: penalty * sample.Total() / p.Total()}, Stopping: logits.Stopping{MaxIter: referenceSteps}, Workers: workers,
		}}
		if _, err := s.descend(ctx, func(_, decrease, _ float64) bool { return decrease <= done }); err != nil {
			return nil, err
		}
		r.passes = (s.passes*sample.Rows() + p.Rows() - 1) / p.Rows()
	}
	pt.Evaluate(ctx, pt.W, workers)
	r.point, r.hessian = pt, newHessian(ctx, pt, firstShare(p), workers)
	r.passes++
	return r, context.Cause(ctx)
}

// firstShare returns of how many rows each the first Hessian takes one.
func firstShare(p *logits.Problem) int {
	return max(1, p.Rows()/max(hessianRows*p.Width()/p.Blocks, p.Rows()/hessianShare))
}
