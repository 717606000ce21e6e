package stagewise

import (
	"context"
	"math"
)

// features are what a likelihood has weights for, by position: a column, or a (column, class) pair.
type features struct {
	d      *design
	index  []int32   // the number by which the lowest of several equals wins
	column []int32   // of the data
	class  []int32   // nil where there are no classes
	gamma  []float64 // λ = γ·β: a step on a feature is ε·γ
	first  []int32   // features of the design's column at position a: first[a] up to first[a+1]; nil: one each, the same position
}

// classOf is the class of the feature at position k, 0 where there are none.
func (f *features) classOf(k int) int {
	if f.class == nil {
		return 0
	}
	return int(f.class[k])
}

// featuresOfColumn is the features of the design's column at position a, from up to to.
func (f *features) featuresOfColumn(a int) (from, to int) {
	if f.first == nil {
		return a, a + 1
	}
	return int(f.first[a]), int(f.first[a+1])
}

// gradient of a log-likelihood: for every feature what was observed less what the model expects,
//
//	g_k = N_k − t·S_k,   c_k = γ_k·g_k.
//
// S_k sums x_ik times what the model gives row i, so a step that changes some rows changes the S of what fires there.
// t is 1 but for the exponential family, whose weights have one sum for all rows.
type gradient struct {
	features
	observed []float64 // N
	expected []float64 // S
	t        float64
	blocks   *blocks // kept informed; nil when nobody asks for the maximum over all features
	rows     entriesByPosition

	pending []float64 // of S, in the step under way
	touched []int32   // columns of the features for which it may not be 0, by the design's position
}

// newGradient's result is invalid after ctx is cancelled.
func newGradient(ctx context.Context, f features) gradient {
	p := len(f.column)
	return gradient{
		features: f, observed: make([]float64, p), expected: make([]float64, p), t: 1,
		rows: rowsByPosition(ctx, f.d), pending: make([]float64, p),
	}
}

func (s *gradient) gradientState() *gradient { return s }

func (s *gradient) value(k int) float64 { return s.partial(k, s.t) }

func (s *gradient) partial(k int, t float64) float64 {
	return float64(s.gamma[k] * (s.observed[k] - float64(t*s.expected[k])))
}

func (s *gradient) offset() float64 { return s.t }

func (s *gradient) maxAbs(from, to int) float64 {
	m := 0.0
	for k := from; k < to; k++ {
		if v := math.Abs(s.value(k)); v > m {
			m = v
		}
	}
	return m
}

func (s *gradient) lowestIndexAbove(from, to int, v float64) int {
	best := -1
	for k := from; k < to; k++ {
		if math.Abs(s.value(k)) >= v && (best < 0 || s.index[k] < s.index[best]) {
			best = k
		}
	}
	return best
}

// addExpected records that the probability (or weight) of row i changed by d. O(entries of the row).
func (s *gradient) addExpected(i int, d float64) {
	idx, val := s.rows.row(i)
	if val == nil {
		for _, k := range idx {
			if s.pending[k] == 0 {
				s.touched = append(s.touched, k)
			}
			s.pending[k] += d
		}
		return
	}
	for q, k := range idx {
		if s.pending[k] == 0 {
			s.touched = append(s.touched, k)
		}
		s.pending[k] += float64(d * val[q])
	}
}

// addExpectedByClass records that the probability of each class of row i changed by d. O(features that fire).
func (s *gradient) addExpectedByClass(i int, d []float64) {
	idx, val := s.rows.row(i)
	for q, a := range idx {
		from, to := s.first[a], s.first[a+1]
		if from == to {
			continue
		}
		x := 1.0
		if val != nil {
			x = val[q]
		}
		class, change := s.class[from:to], s.pending[from:to]
		if change[0] == 0 {
			s.touched = append(s.touched, a)
		}
		for f, c := range class {
			change[f] += float64(x * d[c])
		}
	}
}

// applyChanges adds the recorded changes to S, and sets t. A column that was recorded twice has no change left the second time.
func (s *gradient) applyChanges(t float64) {
	for _, a := range s.touched {
		from, to := s.featuresOfColumn(int(a))
		for k := from; k < to; k++ {
			s.expected[k] += s.pending[k]
			s.pending[k] = 0
			if s.blocks != nil {
				s.updateBlockBounds(k)
			}
		}
	}
	s.touched = s.touched[:0]
	s.t = t
}

// updateBlockBounds raises the bounds of the block of feature k, where k exceeds them.
func (s *gradient) updateBlockBounds(k int) {
	b := s.blocks
	i := k >> b.shift
	q := &b.blocks[i]
	q.bound = max(q.bound, math.Abs(s.partial(k, q.ref)))
	b.widths[i] = max(b.widths[i], s.gamma[k]*math.Abs(s.expected[k]))
}

// recomputeExpected computes S from rows, for which give calls addExpected or addExpectedByClass, and sets t. It returns the
// largest change of any c.
func (s *gradient) recomputeExpected(ctx context.Context, t float64, give func(i int)) (drift float64) {
	before := make([]float64, len(s.expected))
	for k := range before {
		before[k] = s.value(k)
	}
	s.applyChanges(t)
	clear(s.expected)
	for i := range s.d.y {
		if i%rowsPerCheck == rowsPerCheck-1 && ctx.Err() != nil {
			return 0
		}
		give(i)
	}
	s.applyChanges(t)
	for k, c := range before {
		drift = max(drift, math.Abs(s.value(k)-c))
	}
	if s.blocks != nil {
		s.blocks.resetBounds()
		s.setBlockWidths()
	}
	return drift
}

// setBlockWidths sets Q_b = max γ_k·|S_k| of every block b.
func (s *gradient) setBlockWidths() {
	b := s.blocks
	clear(b.widths)
	for k, e := range s.expected {
		i := k >> b.shift
		b.widths[i] = max(b.widths[i], s.gamma[k]*math.Abs(e))
	}
}

// rowsPerCheck is how many rows are processed between two checks of ctx: few, since many features may fire in each.
const rowsPerCheck = 1 << 10

// norm is ‖g‖.
func (s *gradient) norm() float64 {
	var squares sum
	for k, n := range s.observed {
		g := n - float64(s.t*s.expected[k])
		squares.add(float64(g * g))
	}
	return math.Sqrt(squares.total)
}

// entriesByPosition of the training data whose entries name positions of the design (in no order) instead of columns.
type entriesByPosition struct {
	ptr []int
	idx []int32
	val []float64
}

func (r *entriesByPosition) row(i int) (idx []int32, val []float64) {
	a, b := r.ptr[i], r.ptr[i+1]
	if r.val == nil {
		return r.idx[a:b], nil
	}
	return r.idx[a:b], r.val[a:b]
}

func rowsByPosition(ctx context.Context, d *design) entriesByPosition {
	start, end, idx, val := d.x.Spans()
	out := entriesByPosition{ptr: make([]int, 1, len(start)+1), idx: make([]int32, 0, d.x.NNZ())}
	for i, a := range start {
		if i%rowsPerCheck == rowsPerCheck-1 && ctx.Err() != nil {
			return out
		}
		for q := a; q < end[i]; q++ {
			if k := d.position[idx[q]]; k >= 0 {
				out.idx = append(out.idx, k)
				if val != nil {
					out.val = append(out.val, val[q])
				}
			}
		}
		out.ptr = append(out.ptr, len(out.idx))
	}
	return out
}
