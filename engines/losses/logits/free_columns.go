package logits

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/proximal"
)

// Factor returns that of weight k in the penalties: that of its column; 1 of a bias.
func (p *Problem) Factor(k int) float64 {
	if p.factor == nil || k >= p.Columns()*p.Blocks {
		return 1
	}
	return p.factor[k/p.Blocks]
}

// HasFactors reports whether the penalties of columns differ by factors.
func (p *Problem) HasFactors() bool { return p.factor != nil }

// WithFactors returns the problem in which the penalty of each column has a factor, 0 for a column without a penalty; nil: 1 each.
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

// times returns the penalty of a weight with a factor.
func (pen Penalty) Times(factor float64) Penalty {
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

// optimizeFreeWithin does what OptimizeFree does in so many steps; endless reports that they were not enough.
func (pt *Point) optimizeFreeWithin(ctx context.Context, workers, steps int) (endless bool, err error) {
	pt.optimizeFreeBiases(ctx, workers)
	if pt.Problem.freeColumns == 0 || ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if pt.free == nil {
		if pt.free, err = pt.Problem.newFreeColumns(ctx, workers); err != nil {
			return false, err
		}
	}
	f := pt.free
	f.steps.Restart()
	for range steps {
		f.gradient(ctx, pt, workers)
		if f.settled(pt) || f.steps.Stalled() || ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		f.steps.Step(ctx, &pt.State, f.coordinates(pt), workers)
	}
	return true, context.Cause(ctx)
}

// freeColumns is the columns without a penalty, laid out, and that of ones, with Newton steps on their weights.
type freeColumns struct {
	*Columns
	places []int32 // all
	steps  *proximal.Newton
}

// newFreeColumns lays them out. O(nnz).
func (p *Problem) newFreeColumns(ctx context.Context, workers int) (*freeColumns, error) {
	var free []int32
	for j := range p.Columns() {
		if p.Free(j * p.Blocks) {
			free = append(free, int32(j))
		}
	}
	columns, err := p.LayOut(ctx, free, workers)
	if err != nil {
		return nil, err
	}
	return &freeColumns{columns, data.Numbers(len(columns.Index)), p.NewSteps()}, nil
}

func (f *freeColumns) gradient(ctx context.Context, pt *Point, workers int) {
	f.Gradient(ctx, f.places, pt.G, pt.R, workers)
}

// coordinates returns the weights without a penalty: of the columns, and biases that are free.
func (f *freeColumns) coordinates(pt *Point) (all []proximal.Coordinate) {
	for _, q := range f.places {
		for b := range f.Problem.Blocks {
			if f.Problem.Free(int(f.Index[q])*f.Problem.Blocks + b) {
				all = append(all, f.Coordinate(pt, q, b, Penalty{}, f.steps.TrustRadius()))
			}
		}
	}
	return all
}

// maxFreeSteps ends steps that go on for ever, where free columns tell rows apart; maxNullSteps, those of the model that C_max goes by.
const maxFreeSteps, maxNullSteps = 100, 10_000

// growing returns the columns without a penalty, rising, whose weights have no finite optimum: however far they are, a further step moves
// margins of the rows that they tell apart by about one.
func (pt *Point) growing(ctx context.Context, workers int) (columns []int32) {
	f := pt.free
	f.gradient(ctx, pt, workers)
	f.steps.Restart()
	work := f.coordinates(pt)
	f.steps.Minimize(ctx, &pt.State, work)
	for _, c := range work {
		if j := c.Index / pt.Problem.Blocks; j < pt.Problem.Columns() && math.Abs(c.Move) >= 0.05*c.MaxMove { // a margin moves by a tenth
			columns = append(columns, int32(j))
		}
	}
	return slices.Compact(columns)
}

// settled reports whether no partial derivative in a free weight is more than rounding.
func (f *freeColumns) settled(pt *Point) bool {
	total := f.Problem.Total()
	for _, q := range f.places {
		limit := freeTolerance * total * max(f.MaxAbs[q], math.SmallestNonzeroFloat64)
		for b, g := range f.Weights(pt.G, q) {
			if f.Problem.Free(int(f.Index[q])*f.Problem.Blocks+b) && math.Abs(g) > limit {
				return false
			}
		}
	}
	return true
}
