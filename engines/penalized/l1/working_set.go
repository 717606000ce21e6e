package l1

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/penalized/convex"
)

// candidateColumns holds the columns that may have a weight at some penalty of the path, laid out by column, and lasts for the whole
// path. Three sets are nested: these columns; those of them that are not screened out at the present penalty (unscreened); and the
// working set of an iteration, the weights that selectWeights returns.
//
// Invariant: Point.G is 0 for a column that is screened out, so Point.Certify is the certificate of the problem without it.
type candidateColumns struct {
	*logits.Columns
	lambdaMin float64 // at this penalty and above, only these columns can have a weight

	unscreened []int32 // places, in columns, of those not screened out at the present penalty

	// Along a path of problems with one block, all places that are screened out; nil: no path.
	asleep *convex.Asleep
	woken  []int32 // work space
}

// newCandidateColumns finds and lays out the columns that may have a weight at the penalty least or above it, or that have a weight
// in w. The others have a gradient within the penalty at any weights (gradientBounds): they have no weight at the optimum, and
// their constraint holds at every dual point, so certificates need not look at them.
func newCandidateColumns(ctx context.Context, p *logits.Problem, w []float64, least float64, workers int) (*candidateColumns, error) {
	var columns []int32
	for j, b := range p.GradientBounds(ctx, workers) {
		if p.Free(j*p.Blocks) || b > least*(1-1e-12)*p.Factor(j*p.Blocks) || anyNonzero(w[j*p.Blocks:(j+1)*p.Blocks]) {
			columns = append(columns, int32(j))
		}
	}
	laidOut, err := p.LayOut(ctx, columns, workers)
	if err != nil {
		return nil, err
	}
	s := &candidateColumns{Columns: laidOut, lambdaMin: least}
	s.unscreen()
	return s, nil
}

// coversPenalty reports whether these columns suffice for a penalty and contain all columns with a weight in w.
func (s *candidateColumns) coversPenalty(w []float64, penalty float64) bool {
	if penalty < s.lambdaMin {
		return false
	}
	q := 0
	for k, v := range w {
		if v == 0 {
			continue
		}
		for j := int32(k / s.Problem.Blocks); q < len(s.Index) && s.Index[q] < j; {
			q++
		}
		if q == len(s.Index) || s.Index[q] != int32(k/s.Problem.Blocks) {
			return false
		}
	}
	return true
}

// unscreen takes back the columns that were screened out at an earlier penalty. Their gradients are not known.
func (s *candidateColumns) unscreen() {
	s.unscreened, s.asleep = s.unscreened[:0], nil
	for q := range s.Index {
		s.unscreened = append(s.unscreened, int32(q))
	}
}

// isComplete reports whether no column is screened out.
func (s *candidateColumns) isComplete() bool { return len(s.unscreened) == len(s.Index) }

// gradient computes that of the loss for the columns not screened out. O(their entries · Blocks).
func (s *candidateColumns) gradient(ctx context.Context, g, r []float64, workers int) {
	s.Columns.Gradient(ctx, s.unscreened, g, r, workers)
}

// weights returns those of the columns not screened out, by number, which certificates go by: all others are 0 and have a gradient within the
// penalty, or have none by the invariant.
func (s *candidateColumns) weights() []int {
	all := make([]int, 0, len(s.unscreened)*s.Problem.Blocks)
	for _, q := range s.unscreened {
		for b := range s.Problem.Blocks {
			all = append(all, s.FirstWeight(q)+b)
		}
	}
	return all
}

// keepWhere screens out all columns without a weight that a condition does not keep, given their place and their gradient at the
// present point, of which those not screened out have theirs. The invariant of candidateColumns follows.
func (s *candidateColumns) keepWhere(pt *logits.Point, keep func(place int32, gradient []float64) bool) {
	kept := s.unscreened[:0]
	for _, q := range s.unscreened {
		g := s.Weights(pt.G, q)
		if s.IsOnes(q) || keep(q, g) || anyNonzero(s.Weights(pt.W, q)) {
			kept = append(kept, q)
			continue
		}
		if s.asleep != nil {
			s.asleep.Put(q, g[0]/s.Factor(q))
		}
		clear(g)
	}
	s.unscreened = kept
}

// screenColumns removes the columns that the dual point proves to have no weight at the optimum.
func (s *candidateColumns) screenColumns(d logits.Dual, pt *logits.Point, pen logits.Penalty) {
	s.moveTo(pt, pen.L1)
	s.keepWhere(pt, func(q int32, g []float64) bool { return d.KeepsColumn(pen.Times(s.Factor(q)), g, s.Reach[q]) })
}

// sleep lets columns fall asleep from now on where they are screened out, so that their gradients are computed again only where they
// may matter. All columns have theirs, and one weight each.
func (s *candidateColumns) sleep() {
	norms := make([]float64, s.Len())
	for q := range norms {
		if f := s.Factor(int32(q)); f > 0 {
			norms[q] = 2 * s.Reach[q] / f
		}
	}
	s.asleep = convex.NewAsleep(norms, s.Problem.Rows())
}

// moveTo takes the gradients of columns asleep to the residuals of the point.
func (s *candidateColumns) moveTo(pt *logits.Point, penalty float64) {
	switch {
	case s.asleep == nil:
	case s.Problem.Weight == nil:
		s.asleep.MoveTo(pt.R, penalty)
	default:
		scaled := make([]float64, len(pt.R))
		for i, r := range pt.R {
			scaled[i] = r / math.Sqrt(s.Problem.Weight[i])
		}
		s.asleep.MoveTo(scaled, penalty)
	}
}

// wake takes back the columns asleep whose gradients at the residuals of the point, where moveTo was called, reach the threshold.
func (s *candidateColumns) wake(ctx context.Context, pt *logits.Point, threshold float64, workers int) {
	s.woken, _ = s.asleep.Wake(s.woken[:0], threshold)
	s.Columns.Gradient(ctx, s.woken, pt.G, pt.R, workers)
	for _, q := range s.woken {
		g, f := s.Weights(pt.G, q), s.Factor(q)
		if math.Abs(g[0]) >= threshold*f {
			s.unscreened = append(s.unscreened, q)
			continue
		}
		s.asleep.Put(q, g[0]/f)
		clear(g)
	}
	slices.Sort(s.unscreened)
}

// selectStrong leaves out the columns that the sequential strong rule discards on the way from the minimum for a larger penalty,
// whose gradients pt has: with λ0 the largest of them, those below 2λ − λ0 (Tibshirani and others, "Strong rules for discarding
// predictors in lasso-type problems", 2012). Where it errs, anyViolates detects it. O(columns · Blocks), or that of Asleep.Wake.
func (s *candidateColumns) selectStrong(ctx context.Context, pt *logits.Point, pen logits.Penalty, workers int) {
	largest := pen.L1
	for _, q := range s.unscreened { // columns asleep had less than the penalty before
		w, f := s.Weights(pt.W, q), s.Factor(q)
		if f == 0 || s.IsOnes(q) {
			continue
		}
		for b, g := range s.Weights(pt.G, q) {
			largest = max(largest, math.Abs(g+float64(pen.L2*f*w[b]))/f)
		}
	}
	threshold := max(0, 2*pen.L1-largest)
	s.moveTo(pt, pen.L1)
	s.keepWhere(pt, s.reaches(threshold))
	if s.asleep != nil {
		s.wake(ctx, pt, threshold, workers)
	}
}

// reaches returns the condition that a gradient is at or above the threshold times the factor of its column.
func (s *candidateColumns) reaches(threshold float64) func(place int32, gradient []float64) bool {
	return func(q int32, gradient []float64) bool {
		least := threshold * s.Factor(q)
		return slices.ContainsFunc(gradient, func(v float64) bool { return math.Abs(v) >= least })
	}
}

// anyViolates reports whether a column beside those of the given places, rising, has a gradient above the penalty.
func (s *candidateColumns) anyViolates(places []int32, pt *logits.Point, penalty float64) bool {
	return slices.ContainsFunc(s.unscreened, func(q int32) bool {
		if _, given := slices.BinarySearch(places, q); given || s.IsOnes(q) {
			return false
		}
		limit := penalty * s.Factor(q)
		return slices.ContainsFunc(s.Weights(pt.G, q), func(g float64) bool { return math.Abs(g) > limit })
	})
}

func anyNonzero(w []float64) bool {
	return slices.ContainsFunc(w, func(v float64) bool { return v != 0 })
}

// minAdded is how many violating weights a working set may add, however few weights are required.
const minAdded = 100

// selectWeights returns the weights of an iteration, in rising order: those that are not zero, and as many again at most of those
// whose gradient exceeds the penalty most (ties: the lowest index). None may change a margin by more than trust.
func (s *candidateColumns) selectWeights(pt *logits.Point, pen logits.Penalty, trust float64) (set []proximal.Coordinate) {
	required := 0
	for _, q := range s.unscreened {
		l1 := pen.Times(s.Factor(q)).L1
		for b, w := range s.Weights(pt.W, q) {
			n := s.FirstWeight(q) + b
			if w == 0 && l1 != 0 && math.Abs(pt.G[n]) <= l1 && !s.Problem.Free(n) {
				continue
			}
			c := s.Coordinate(pt, q, b, pen, trust)
			if isRequired(&c) {
				required++
			}
			set = append(set, c)
		}
	}
	maxSize := required + max(required, minAdded)
	if len(set) <= maxSize {
		return set
	}
	slices.SortFunc(set, func(a, b proximal.Coordinate) int {
		if isRequired(&a) != isRequired(&b) {
			if isRequired(&a) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Violation(b.Gradient), a.Violation(a.Gradient)), cmp.Compare(a.Index, b.Index))
	})
	set = set[:maxSize]
	slices.SortFunc(set, func(a, b proximal.Coordinate) int { return cmp.Compare(a.Index, b.Index) })
	return set
}

// isRequired reports whether the weight belongs to every working set: it is not zero, or free.
func isRequired(c *proximal.Coordinate) bool { return c.Weight != 0 || c.L1 == 0 }
