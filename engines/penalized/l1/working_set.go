package l1

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
)

// candidateColumns holds the columns that may have a weight at some penalty of the path, laid out by column, and lasts for the whole
// path. Three sets are nested: these columns; those of them that are not screened out at the present penalty (unscreened); and the
// working set of an iteration, the weights that selectWeights returns.
//
// Invariant: Point.G is 0 for a column that is screened out, so Point.Certify is the certificate of the problem without it.
type candidateColumns struct {
	p         *Problem
	lambdaMin float64 // at this penalty and above, only these columns can have a weight
	columns   []int32 // of the columns, rising; the column of ones comes last
	x         *sparse.Selection
	ones      []int32

	reach, maxAbs []float64 // of each column: its reach (Problem.Reach), its largest absolute value

	unscreened []int32 // places, in columns, of those not screened out at the present penalty

	// Along a path of problems with one block, all places that are screened out; nil: no path.
	asleep *convex.Asleep
	woken  []int32 // work space
}

// newCandidateColumns finds and lays out the columns that may have a weight at the penalty least or above it, or that have a weight
// in w. The others have a gradient within the penalty at any weights (gradientBounds): they have no weight at the optimum, and
// their constraint holds at every dual point, so certificates need not look at them.
func (p *Problem) newCandidateColumns(ctx context.Context, w []float64, least float64, workers int) (*candidateColumns, error) {
	s := &candidateColumns{p: p, lambdaMin: least}
	for j, b := range p.gradientBounds(ctx, workers) {
		if p.Free(j*p.Blocks) || b > least*(1-1e-12)*p.Factor(j*p.Blocks) || anyNonzero(w[j*p.Blocks:(j+1)*p.Blocks]) {
			s.columns = append(s.columns, int32(j))
		}
	}
	var err error
	if s.x, err = sparse.Select(ctx, p.strips(workers), s.columns); err != nil {
		return nil, err
	}
	if p.Bias != NoBias {
		s.ones = data.Numbers(p.Rows())
		s.columns = append(s.columns, int32(p.Columns()))
	}
	s.reach, s.maxAbs = make([]float64, len(s.columns)), make([]float64, len(s.columns))
	for q := range s.columns {
		s.reach[q], s.maxAbs[q] = p.reachAndMaxAbs(s.columnAt(int32(q)))
	}
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
		for j := int32(k / s.p.Blocks); q < len(s.columns) && s.columns[q] < j; {
			q++
		}
		if q == len(s.columns) || s.columns[q] != int32(k/s.p.Blocks) {
			return false
		}
	}
	return true
}

func (s *candidateColumns) columnAt(place int32) sparse.Vec {
	if int(place) == s.x.Len() {
		return sparse.Vec{Idx: s.ones}
	}
	return s.x.Col(int(place))
}

// unscreen takes back the columns that were screened out at an earlier penalty. Their gradients are not known.
func (s *candidateColumns) unscreen() {
	s.unscreened, s.asleep = s.unscreened[:0], nil
	for q := range s.columns {
		s.unscreened = append(s.unscreened, int32(q))
	}
}

// isComplete reports whether no column is screened out.
func (s *candidateColumns) isComplete() bool { return len(s.unscreened) == len(s.columns) }

// gradient computes that of the loss for the columns not screened out. O(their entries · Blocks).
func (s *candidateColumns) gradient(ctx context.Context, g, r []float64, workers int) {
	s.gradientOf(ctx, s.unscreened, g, r, workers)
}

func (s *candidateColumns) gradientOf(ctx context.Context, places []int32, g, r []float64, workers int) {
	parallel.Stretches(workers, 256, len(places), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		some := places[first:last]
		if s.p.Blocks == 1 {
			sparse.DotEach(len(some), r, func(k int) sparse.Vec { return s.columnAt(some[k]) },
				func(k int, dot float64) { g[s.columns[some[k]]] = dot })
			return
		}
		for _, q := range some {
			columnGradient(s.weightsOf(g, q), r, s.columnAt(q))
		}
	})
}

// columnGradient is the gradient of the loss along a column, by block.
func columnGradient(g, r []float64, col sparse.Vec) {
	if len(g) > 1 && col.HasAll(len(r)/len(g)) {
		dense.DotRows(g, col.Val, r)
		return
	}
	clear(g)
	for q, i := range col.Idx {
		x, at := col.At(q), int(i)*len(g)
		for b := range g {
			g[b] += float64(x * r[at+b])
		}
	}
}

// firstWeight is the number of a column's first weight.
func (s *candidateColumns) firstWeight(place int32) int { return int(s.columns[place]) * s.p.Blocks }

// factorOf the penalties of a column; 1 of the column of ones.
func (s *candidateColumns) factorOf(place int32) float64 { return s.p.Factor(s.firstWeight(place)) }

// weightsOf is the part of a slice of all weights that belongs to a column.
func (s *candidateColumns) weightsOf(all []float64, place int32) []float64 {
	at := s.firstWeight(place)
	return all[at : at+s.p.Blocks]
}

// weights of the columns not screened out, by number, which certificates go by: all others are 0 and have a gradient within the
// penalty, or have none by the invariant.
func (s *candidateColumns) weights() []int {
	all := make([]int, 0, len(s.unscreened)*s.p.Blocks)
	for _, q := range s.unscreened {
		for b := range s.p.Blocks {
			all = append(all, s.firstWeight(q)+b)
		}
	}
	return all
}

// keepWhere screens out all columns without a weight that a condition does not keep, given their place and their gradient at the
// present point, of which those not screened out have theirs. The invariant of candidateColumns follows.
func (s *candidateColumns) keepWhere(pt *Point, keep func(place int32, gradient []float64) bool) {
	kept := s.unscreened[:0]
	for _, q := range s.unscreened {
		g := s.weightsOf(pt.G, q)
		if int(q) == s.x.Len() || keep(q, g) || anyNonzero(s.weightsOf(pt.W, q)) {
			kept = append(kept, q)
			continue
		}
		if s.asleep != nil {
			s.asleep.Put(q, g[0]/s.factorOf(q))
		}
		clear(g)
	}
	s.unscreened = kept
}

// screenColumns removes the columns that the dual point proves to have no weight at the optimum.
func (s *candidateColumns) screenColumns(d dual, pt *Point, pen Penalty) {
	s.moveTo(pt, pen.L1)
	s.keepWhere(pt, func(q int32, g []float64) bool { return d.keepsColumn(pen.times(s.factorOf(q)), g, s.reach[q]) })
}

// sleep lets columns fall asleep from now on where they are screened out, so that their gradients are computed again only where they
// may matter. All columns have theirs, and one weight each.
func (s *candidateColumns) sleep() {
	norms := make([]float64, s.x.Len())
	for q := range norms {
		if f := s.factorOf(int32(q)); f > 0 {
			norms[q] = 2 * s.reach[q] / f
		}
	}
	s.asleep = convex.NewAsleep(norms, s.p.Rows())
}

// moveTo the residuals of the point.
func (s *candidateColumns) moveTo(pt *Point, penalty float64) {
	switch {
	case s.asleep == nil:
	case s.p.Weight == nil:
		s.asleep.MoveTo(pt.R, penalty)
	default:
		scaled := make([]float64, len(pt.R))
		for i, r := range pt.R {
			scaled[i] = r / math.Sqrt(s.p.Weight[i])
		}
		s.asleep.MoveTo(scaled, penalty)
	}
}

// wake takes back the columns asleep whose gradients at the residuals of the point, where moveTo was called, reach the threshold.
func (s *candidateColumns) wake(ctx context.Context, pt *Point, threshold float64, workers int) {
	s.woken, _ = s.asleep.Wake(s.woken[:0], threshold)
	s.gradientOf(ctx, s.woken, pt.G, pt.R, workers)
	for _, q := range s.woken {
		g, f := s.weightsOf(pt.G, q), s.factorOf(q)
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
func (s *candidateColumns) selectStrong(ctx context.Context, pt *Point, pen Penalty, workers int) {
	largest := pen.L1
	for _, q := range s.unscreened { // columns asleep had less than the penalty before
		w, f := s.weightsOf(pt.W, q), s.factorOf(q)
		if f == 0 || int(q) == s.x.Len() {
			continue
		}
		for b, g := range s.weightsOf(pt.G, q) {
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

// reaches is the condition that a gradient is at or above the threshold times the factor of its column.
func (s *candidateColumns) reaches(threshold float64) func(place int32, gradient []float64) bool {
	return func(q int32, gradient []float64) bool {
		least := threshold * s.factorOf(q)
		return slices.ContainsFunc(gradient, func(v float64) bool { return math.Abs(v) >= least })
	}
}

// anyViolates tells whether a column beside those of the given places, rising, has a gradient above the penalty.
func (s *candidateColumns) anyViolates(places []int32, pt *Point, penalty float64) bool {
	return slices.ContainsFunc(s.unscreened, func(q int32) bool {
		if _, given := slices.BinarySearch(places, q); given || int(q) == s.x.Len() {
			return false
		}
		return maxAbs(s.weightsOf(pt.G, q)) > penalty*s.factorOf(q)
	})
}

func anyNonzero(w []float64) bool {
	return slices.ContainsFunc(w, func(v float64) bool { return v != 0 })
}

// minAdded is how many violating weights a working set may add, however few weights are required.
const minAdded = 100

// selectWeights returns the weights of an iteration, in rising order: those that are not zero, and as many again at most of those
// whose gradient exceeds the penalty most (ties: the lowest index). None may change a margin by more than trust.
func (s *candidateColumns) selectWeights(pt *Point, pen Penalty, trust float64) (set []coordinate) {
	required := 0
	for _, q := range s.unscreened {
		for b := range s.p.Blocks {
			c := s.coordinate(pt, pen, q, b)
			if c.isRequired() {
				required++
			} else if c.violation(c.gradient) == 0 {
				continue
			}
			c.x, c.maxMove = s.columnAt(q), trust/s.maxAbs[q]
			c.minCurvature = max(4e-30*s.reach[q]*s.reach[q], math.SmallestNonzeroFloat64)
			set = append(set, c)
		}
	}
	maxSize := required + max(required, minAdded)
	if len(set) <= maxSize {
		return set
	}
	slices.SortFunc(set, func(a, b coordinate) int {
		if a.isRequired() != b.isRequired() {
			if a.isRequired() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.violation(b.gradient), a.violation(a.gradient)), cmp.Compare(a.weightIndex, b.weightIndex))
	})
	set = set[:maxSize]
	slices.SortFunc(set, func(a, b coordinate) int { return cmp.Compare(a.weightIndex, b.weightIndex) })
	return set
}

// coordinate returns the weight of a column and block at the point, with its penalty.
func (s *candidateColumns) coordinate(pt *Point, pen Penalty, place int32, block int) coordinate {
	n := s.firstWeight(place) + block
	c := coordinate{weightIndex: n, column: int(s.columns[place]), block: block, weight: pt.W[n], gradient: pt.G[n]}
	if !s.p.Free(n) {
		pen = pen.times(s.factorOf(place))
		c.l1, c.l2 = pen.L1, pen.L2
	}
	return c
}

// isRequired reports whether the weight belongs to every working set: it is not zero, or free.
func (c *coordinate) isRequired() bool { return c.weight != 0 || c.l1 == 0 }
