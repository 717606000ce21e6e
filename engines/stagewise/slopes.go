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

// of is the features of the design's column at position a, from up to to.
func (f *features) of(a int) (from, to int) {
	if f.first == nil {
		return a, a + 1
	}
	return int(f.first[a]), int(f.first[a+1])
}

// slopes is the gradient of a log-likelihood: for every feature what was observed less what the model expects,
//
//	g_k = N_k − t·S_k,   c_k = γ_k·g_k.
//
// S_k sums x_ik times what the model gives row i, so a step that changes some rows changes the S of what fires there.
// t is 1 but for the exponential family, whose weights have one sum for all rows.
type slopes struct {
	features
	observed []float64 // N
	expected []float64 // S
	t        float64
	blocks   *blocks // kept informed; nil when nobody asks for the maximum over all features
	rows     rows

	change  []float64 // of S, in the step under way
	touched []int32   // columns of the features for which it may not be 0, by the design's position
}

// newSlopes is good for nothing where ctx ends.
func newSlopes(ctx context.Context, f features) slopes {
	p := len(f.column)
	return slopes{
		features: f, observed: make([]float64, p), expected: make([]float64, p), t: 1,
		rows: rowsByPosition(ctx, f.d), change: make([]float64, p),
	}
}

func (s *slopes) gradient() *slopes { return s }

func (s *slopes) at(k int) float64 { return s.c(k, s.t) }

func (s *slopes) c(k int, t float64) float64 {
	return float64(s.gamma[k] * (s.observed[k] - float64(t*s.expected[k])))
}

func (s *slopes) offset() float64 { return s.t }

func (s *slopes) largest(from, to int) float64 {
	m := 0.0
	for k := from; k < to; k++ {
		if v := math.Abs(s.at(k)); v > m {
			m = v
		}
	}
	return m
}

func (s *slopes) lowest(from, to int, v float64) int {
	best := -1
	for k := from; k < to; k++ {
		if math.Abs(s.at(k)) >= v && (best < 0 || s.index[k] < s.index[best]) {
			best = k
		}
	}
	return best
}

// add notes that what the model gives row i changed by d. O(entries of the row).
func (s *slopes) add(i int, d float64) {
	idx, val := s.rows.at(i)
	if val == nil {
		for _, k := range idx {
			if s.change[k] == 0 {
				s.touched = append(s.touched, k)
			}
			s.change[k] += d
		}
		return
	}
	for q, k := range idx {
		if s.change[k] == 0 {
			s.touched = append(s.touched, k)
		}
		s.change[k] += float64(d * val[q])
	}
}

// addClasses notes that what the model gives each class of row i changed by d. O(features that fire).
func (s *slopes) addClasses(i int, d []float64) {
	idx, val := s.rows.at(i)
	for q, a := range idx {
		from, to := s.first[a], s.first[a+1]
		if from == to {
			continue
		}
		x := 1.0
		if val != nil {
			x = val[q]
		}
		class, change := s.class[from:to], s.change[from:to]
		if change[0] == 0 {
			s.touched = append(s.touched, a)
		}
		for f, c := range class {
			change[f] += float64(x * d[c])
		}
	}
}

// settle makes the changes that add noted, and sets t. A column may have been noted twice: then there is nothing left to
// do the second time.
func (s *slopes) settle(t float64) {
	for _, a := range s.touched {
		from, to := s.of(int(a))
		for k := from; k < to; k++ {
			s.expected[k] += s.change[k]
			s.change[k] = 0
			if s.blocks != nil {
				s.raise(k)
			}
		}
	}
	s.touched = s.touched[:0]
	s.t = t
}

// raise keeps the bounds of a block above one of its features.
func (s *slopes) raise(k int) {
	b := s.blocks
	i := k >> b.shift
	q := &b.list[i]
	q.bound = max(q.bound, math.Abs(s.c(k, q.ref)))
	b.wide[i] = max(b.wide[i], s.gamma[k]*math.Abs(s.expected[k]))
}

// renew computes S anew, and t is set: give calls add or addClasses for a row. It returns the largest change of any c.
func (s *slopes) renew(ctx context.Context, t float64, give func(i int)) (drift float64) {
	before := make([]float64, len(s.expected))
	for k := range before {
		before[k] = s.at(k)
	}
	s.settle(t)
	clear(s.expected)
	for i := range s.d.y {
		if i%checkRows == checkRows-1 && ctx.Err() != nil {
			return 0
		}
		give(i)
	}
	s.settle(t)
	for k, c := range before {
		drift = max(drift, math.Abs(s.at(k)-c))
	}
	if s.blocks != nil {
		s.blocks.forget()
		s.widen()
	}
	return drift
}

// widen sets Q_b = max γ_k·|S_k| of every block.
func (s *slopes) widen() {
	b := s.blocks
	clear(b.wide)
	for k, e := range s.expected {
		i := k >> b.shift
		b.wide[i] = max(b.wide[i], s.gamma[k]*math.Abs(e))
	}
}

// checkRows is how many rows are passed between two looks at a context: under 10 ms even where many features fire.
const checkRows = 1 << 10

// norm is ‖g‖.
func (s *slopes) norm() float64 {
	var squares sum
	for k, n := range s.observed {
		g := n - float64(s.t*s.expected[k])
		squares.add(float64(g * g))
	}
	return math.Sqrt(squares.total)
}

// rows of the training data whose entries name positions of the design (in no order) instead of columns.
type rows struct {
	ptr []int
	idx []int32
	val []float64
}

func (r *rows) at(i int) (idx []int32, val []float64) {
	a, b := r.ptr[i], r.ptr[i+1]
	if r.val == nil {
		return r.idx[a:b], nil
	}
	return r.idx[a:b], r.val[a:b]
}

func rowsByPosition(ctx context.Context, d *design) rows {
	start, end, idx, val := d.x.Spans()
	out := rows{ptr: make([]int, 1, len(start)+1), idx: make([]int32, 0, d.x.NNZ())}
	for i, a := range start {
		if i%checkRows == checkRows-1 && ctx.Err() != nil {
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
