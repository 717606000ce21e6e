package l1

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/data"
)

// Factor weight k in the penalties: that of its column; 1 of a bias.
func (p *Problem) Factor(k int) float64 {
	if p.factor == nil || k >= p.Columns()*p.Blocks {
		return 1
	}
	return p.factor[k/p.Blocks]
}

// HasFactors reports whether the penalties of columns differ by factors.
func (p *Problem) HasFactors() bool { return p.factor != nil }

// WithFactors is the problem in which the penalty of each column has a factor, 0 for a column without a penalty; nil: 1 each.
func (p *Problem) WithFactors(factor []float64) *Problem {
	q := *p
	q.factor, q.freeColumns = factor, 0
	for _, f := range factor {
		if f == 0 {
			q.freeColumns++
		}
	}
	return &q
}

// OfView returns the problem with the names of a view's columns, and their factors of the penalty.
func (p *Problem) OfView(v *data.View) *Problem {
	q := p.WithFactors(v.Factors())
	q.features = v.Features()
	return q
}

// times is the penalty of a weight with a factor.
func (pen Penalty) times(factor float64) Penalty {
	return Penalty{L1: float64(pen.L1 * factor), L2: float64(pen.L2 * factor)}
}

// freeTolerance is the largest partial derivative in a free weight, as a share of the rows' weight times the column's largest value,
// that counts as none.
const freeTolerance = 1e-13

// OptimizeFree sets the free biases, and the weights of columns without a penalty, to their optimum for fixed other weights; margins,
// residuals and loss follow. There is a certificate only where it is: a dual point has to be orthogonal to these columns. The steps
// are those of newton on the free weights alone.
func (pt *Point) OptimizeFree(ctx context.Context, workers int) error {
	_, err := pt.optimizeFreeWithin(ctx, workers, maxFreeSteps)
	return err
}

// optimizeFreeWithin is optimizeFree with so many steps; endless reports that they were not enough.
func (pt *Point) optimizeFreeWithin(ctx context.Context, workers, steps int) (endless bool, err error) {
	pt.optimizeFreeBiases(ctx, workers)
	if pt.Problem.freeColumns == 0 || ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	s := pt.freeSteps
	if s == nil {
		free, err := pt.Problem.newCandidateColumns(ctx, make([]float64, pt.Problem.Width()), math.MaxFloat64, workers)
		if err != nil {
			return false, err
		}
		n := len(pt.Z)
		s = &proximalNewton{
			pt: pt, candidates: free, model: pt.Problem.quadraticModel(),
			marginChange: make([]float64, n), trialMargins: make([]float64, n), trialResiduals: make([]float64, n),
		}
		pt.freeSteps = s
	}
	s.goal.Workers, s.trustRadius = workers, 2
	s.resume()
	for range steps {
		s.candidates.gradient(ctx, pt.G, pt.R, workers)
		if s.freeSettled() || s.stalled || ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		work := s.candidates.selectWeights(pt, Penalty{}, s.trustRadius)
		s.model.expandAt(pt)
		s.lineSearch(ctx, work, (&descent{model: s.model, coordinates: work}).run(ctx))
		if s.stalled && s.model.dropKept() {
			s.resume()
		}
	}
	return true, context.Cause(ctx)
}

// maxFreeSteps ends steps that go on for ever, where free columns tell rows apart; maxNullSteps, those of the model that C_max goes by.
const maxFreeSteps, maxNullSteps = 100, 10_000

// growing returns the columns without a penalty, rising, whose weights have no finite optimum: however far they are, a further step moves
// margins of the rows that they tell apart by about one.
func (pt *Point) growing(ctx context.Context, workers int) (columns []int32) {
	s := pt.freeSteps
	s.candidates.gradient(ctx, pt.G, pt.R, workers)
	work := s.candidates.selectWeights(pt, Penalty{}, 2)
	s.model.expandAt(pt)
	(&descent{model: s.model, coordinates: work}).run(ctx)
	for _, c := range work {
		if j := c.weightIndex / pt.Problem.Blocks; j < pt.Problem.Columns() && math.Abs(c.move) >= 0.05*c.maxMove { // a margin moves by a tenth
			columns = append(columns, int32(j))
		}
	}
	return slices.Compact(columns)
}

// freeSettled tells whether no partial derivative in a free weight is more than rounding.
func (s *proximalNewton) freeSettled() bool {
	total := s.pt.Problem.Total()
	for q := range s.candidates.columns {
		if maxAbs(s.candidates.weightsOf(s.pt.G, int32(q))) > freeTolerance*total*max(s.candidates.maxAbs[q], math.SmallestNonzeroFloat64) {
			return false
		}
	}
	return true
}
