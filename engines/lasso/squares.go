package lasso

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/sparse"
)

// squares is a real target: over coefficients β of centred and, where asked for, scaled columns G it minimises
//
//	½‖ỹ − G·β‖² + λ1·‖β‖₁ + ½·λ2·‖β‖²,
//
// with norms weighted by the rows' m_i. The residual r = ỹ − G·β is kept as v = m∘(ỹ − X·w), w = γ∘β, which changes only in
// the rows of a column that moves, and a number: r_i = v_i/m_i + shift. So centring costs one addition a step.
//
// The slopes G_j'r are kept too, each with how far r had come when it was computed. Since then it has changed by at most
// ‖G_j‖ times the way that r has gone on, so that as long as penalties are large, most columns need not be looked at again.
type squares struct {
	g       *sparse.Scaled
	y       []float64 // ỹ
	mean    float64   // of y
	null    float64   // ½‖ỹ‖²: the objective of the model without columns
	workers int
	stop    Stopping

	beta      []float64 // by column
	v         []float64
	shift     float64
	rss       float64   // ‖r‖²
	explained float64   // ỹ'r
	slopes    []float64 // G_j'r,
	since     []float64 // when r had come so far; −1 before the first time
	way       float64   // how far it has come by now
	strips    []sparse.Strip

	set        *set
	last, prev passed
}

// passed is a minimum on the way.
type passed struct {
	l1   float64
	beta []float64 // by place in the working set
}

// newSquares reads a target that the view has on every row. O(nnz).
func newSquares(ctx context.Context, v *data.View, target int, scale string, stop Stopping, workers int) (*squares, error) {
	g, err := sparse.Standardize(v.Matrix(), v.Weights(), scale)
	if err != nil {
		return nil, err
	}
	_, values := v.Target(target)
	y, mean, tss := g.Center(values)
	if !(tss > 1e-28*float64(g.N*mean)*mean) {
		return nil, fmt.Errorf("target %s has one value in all training rows; leave such responses out with target: {constant: drop}", v.TargetInfo(target).Name)
	}
	columns := v.Columns()
	s := &squares{
		g: g, y: y, mean: mean, null: tss / 2, workers: workers, stop: stop, rss: tss, explained: tss,
		beta: make([]float64, columns), slopes: make([]float64, columns), since: make([]float64, columns),
		v: make([]float64, len(y)),
	}
	for i, r := range y {
		s.v[i] = g.RowWeight(i) * r
	}
	for j := range s.since {
		s.since[j] = -1
	}
	s.set = newSet(g, s.v)
	err = s.look(ctx, 0)
	s.last.l1 = s.largest()
	return s, err
}

// largest is the λ1 from which on no column is selected. It is known at the start, where no column is.
func (s *squares) largest() float64 {
	if s.last.l1 > 0 {
		return s.last.l1
	}
	most := 0.0
	for _, c := range s.slopes {
		most = max(most, math.Abs(c))
	}
	return most
}

// look computes the slopes of the working set, and of all columns whose slope may exceed the threshold: by column where they
// are few, else all by row, which is faster. O(nnz) at most.
func (s *squares) look(ctx context.Context, threshold float64) error {
	var wanted []int32
	entries := 0
	for j := range s.slopes {
		if s.wanted(j, threshold) {
			wanted = append(wanted, int32(j))
			entries += s.g.X.Col(j).Len()
		}
	}
	if 4*entries > 3*s.g.X.NNZ() {
		if s.strips == nil {
			s.strips = s.g.X.Strips(s.workers)
		}
		sparse.Together(s.strips, func(strip *sparse.Strip) { strip.MulTVec(s.slopes, s.v) })
		for j, xv := range s.slopes {
			s.learn(j, xv)
		}
	} else {
		share(ctx, s.workers, len(wanted), func(k int) {
			j := int(wanted[k])
			s.learn(j, s.g.X.Col(j).Dot4(s.v))
		})
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// wanted tells whether the slope of a column has to be computed: a column that varies, of the working set, or whose slope may
// have come to the threshold.
func (s *squares) wanted(j int, threshold float64) bool {
	switch {
	case s.since[j] == s.way || s.g.Scale[j] == 0:
		return false
	case s.since[j] < 0 || s.set.place[j] >= 0:
		return true
	}
	return math.Abs(s.slopes[j])+float64(math.Sqrt(s.g.Norm2[j])*(s.way-s.since[j])) >= threshold
}

// learn the slope of column j from x_j'v.
func (s *squares) learn(j int, xv float64) {
	s.slopes[j] = s.g.Scale[j] * (xv + float64(s.shift*s.g.N*s.g.Mean[j]))
	s.since[j] = s.way
}

// near is the share of λ1 that a slope must have at the minimum for a larger penalty before its column is worked on, at
// least. The sequential strong rule, 2·λ1 less the larger penalty, lets too many in where the two are far apart.
const near = 0.9

// solve goes from the last minimum to that for another penalty. Where that is much smaller, minima in between, which need
// not be precise, tell which columns to work on.
func (s *squares) solve(ctx context.Context, pen penalty) (outcome, error) {
	const (
		far    = 0.7 // of the last λ1
		coarse = 1e-2
	)
	passes := 0
	if l1 := s.last.l1; pen.l1 < far*l1 {
		steps := math.Ceil(math.Log(pen.l1/l1) / math.Log(far))
		for k := 1.0; k < steps; k++ {
			between := penalty{l1 * math.Pow(pen.l1/l1, k/steps), pen.l2}
			out, err := s.reach(ctx, between, Stopping{max(coarse, s.stop.Tol), s.stop.MaxIter})
			if err != nil {
				return out, err
			}
			passes += out.iterations
		}
	}
	out, err := s.reach(ctx, pen, s.stop)
	out.iterations += passes
	return out, err
}

// reach the minimum for a penalty, until the duality gap is a small enough share of the null model's objective.
//
//  1. Columns that the sequential strong rule cannot rule out join the working set (Tibshirani and others, "Strong rules for
//     discarding predictors in lasso-type problems", 2012).
//  2. The coefficients go on as they went from the penalty before last to the last: between changes of the selection the
//     path is straight.
//  3. Coordinate descent in the working set until the gap is small enough there.
//  4. The residual, all slopes that matter, and the gap for all columns. Columns that violate their condition join; go to 3.
func (s *squares) reach(ctx context.Context, pen penalty, stop Stopping) (outcome, error) {
	var out outcome
	threshold := pen.l1
	if pen.l1 < s.last.l1 {
		threshold = max(2*pen.l1-s.last.l1, near*pen.l1)
	}
	if err := s.look(ctx, threshold); err != nil {
		return out, err
	}
	if _, err := s.admit(ctx, threshold, pen); err != nil {
		return out, err
	}
	s.predict(pen)
	goal := stop.Tol * s.null
	for inner := goal; ; inner /= 2 { // the two gaps differ by rounding
		d := descent{set: s.set, pen: pen, rss: s.rss}
		moved := d.run(ctx, 0.8*inner, stop.MaxIter-out.iterations)
		out.iterations += d.passes
		s.settle()
		if err := s.look(ctx, pen.l1); err != nil {
			return out, err
		}
		s.set.refresh(s)
		out.Certificate = s.certify(pen)
		joined, err := s.admit(ctx, pen.l1, pen)
		if err != nil {
			return out, err
		}
		switch {
		case out.Gap() <= goal:
			out.stop = "gap"
		case out.iterations >= stop.MaxIter:
			out.stop = "max_iter"
		case !moved && joined == 0:
			out.stop = "precision"
		default:
			continue
		}
		break
	}
	if out.stop != "gap" {
		out.notes = append(out.notes, fmt.Sprintf("not converged: after %d passes (stop: %s) the duality gap is %.3g of the null model's objective", out.iterations, out.stop, out.Gap()/s.null))
	}
	s.prev = s.last
	s.last = passed{pen.l1, s.set.coefficients()}
	return out, nil
}

// admit the columns whose slopes exceed the threshold, in order. Where only the sum of coefficients of equal columns counts,
// the first has it all.
func (s *squares) admit(ctx context.Context, threshold float64, pen penalty) (joined int, err error) {
	first := map[float64][]int32{} // by slope
	for j, c := range s.slopes {
		if s.set.place[j] != outside || s.since[j] != s.way || math.Abs(c) <= threshold {
			continue
		}
		if ctx.Err() != nil {
			return joined, context.Cause(ctx)
		}
		if pen.l2 == 0 {
			if s.repeats(j, first[c]) {
				s.set.place[j] = repeated
				continue
			}
			first[c] = append(first[c], int32(j))
		}
		s.set.join(j, c, s.shift)
		joined++
	}
	return joined, nil
}

// repeats tells whether column j equals one of others. Equal columns have equal slopes, so that they ask to join together.
func (s *squares) repeats(j int, others []int32) bool {
	for _, k := range others {
		if equal(s.g.X.Col(j), s.g.X.Col(int(k))) {
			return true
		}
	}
	return false
}

// predict where the coefficients go from the last minimum, by where they came from. None changes its sign.
func (s *squares) predict(pen penalty) {
	share := (s.last.l1 - pen.l1) / (s.prev.l1 - s.last.l1)
	if !(share > 0 && share <= 2) {
		return
	}
	for q, before := range s.prev.beta {
		b := s.last.beta[q]
		if before == 0 || b == 0 {
			continue
		}
		if to := b + float64(share*(b-before)); to*b > 0 {
			s.set.move(q, to-b)
		} else {
			s.set.move(q, -b)
		}
	}
}

// settle brings the residual to where the working set is.
func (s *squares) settle() {
	g, moved := s.g, 0.0 // moved: squared distance
	for q := range s.set.all {
		c := &s.set.all[q]
		d := c.beta - c.start
		if d == 0 {
			continue
		}
		moved += float64(d * (c.slope - s.set.slope(q)))
		if s.set.inner != nil {
			s.set.shiftRows(q, d)
		}
		s.beta[s.set.column[q]] = c.beta
	}
	if moved != 0 {
		s.way = math.Nextafter(s.way+float64((1+1e-9)*math.Sqrt(max(0, moved))), math.Inf(1))
	}
	sum := 0.0
	for _, v := range s.v {
		sum += v
	}
	s.shift = -sum / g.N
	s.rss, s.explained = 0, 0
	if g.Weight == nil {
		for i, v := range s.v {
			r := v + s.shift
			s.rss += float64(r * r)
			s.explained += float64(r * s.y[i])
		}
		return
	}
	for i, v := range s.v {
		r := v + float64(g.Weight[i]*s.shift) // m·r
		s.rss += float64(r * r / g.Weight[i])
		s.explained += float64(r * s.y[i])
	}
}

// certify the coefficients by the dual point t·r, with t the best of those for which no slope exceeds λ1. With λ2 > 0, which
// is as if there were further rows √λ2·I, slopes are G_j'r − λ2·β_j. O(columns).
func (s *squares) certify(pen penalty) engines.Certificate {
	steepest, l1, l2 := pen.l1, 0.0, 0.0
	for j, b := range s.beta {
		if s.since[j] == s.way { // those of the others are smaller
			steepest = max(steepest, math.Abs(s.slopes[j]-float64(pen.l2*b)))
		}
		l1 += math.Abs(b)
		l2 += float64(b * b)
	}
	return certificate(pen, s.rss, s.explained, steepest, l1, l2)
}

// certificate for ‖r‖², ỹ'r, the steepest slope, ‖β‖₁ and ‖β‖².
func certificate(pen penalty, rss, explained, steepest, l1, l2 float64) engines.Certificate {
	c := engines.Certificate{Objective: rss/2 + float64(pen.l1*l1) + float64(pen.l2*l2/2)}
	square := rss + float64(pen.l2*l2)
	if square > 0 {
		t := max(0, explained/square)
		if steepest > pen.l1 {
			t = min(t, pen.l1/steepest)
		}
		t = min(t, 1)
		c.Dual = float64(t*explained) - float64(t*t*square/2)
	}
	return c
}

// size is the number of columns with a coefficient.
func (s *squares) size() int {
	n := 0
	for _, b := range s.beta {
		if b != 0 {
			n++
		}
	}
	return n
}

// trainError is the mean squared error.
func (s *squares) trainError() float64 { return s.rss / s.g.N }

// model on the scale of the data: b_j = γ_j·β_j, and the intercept ȳ − Σ b_j·μ_j.
func (s *squares) model(f engines.Fitted) engines.Model {
	var coefs []engines.Coef
	bias := s.mean
	for j, v := range s.beta {
		if b := s.g.Scale[j] * v; b != 0 {
			coefs = append(coefs, engines.Coef{Feature: j, Value: b, Rank: -1})
			bias -= float64(b * s.g.Mean[j])
		}
	}
	if n := len(s.g.Constant()); n > 0 {
		f.Facts = append(f.Facts, data.Fact{Name: "constant columns", Value: fmt.Sprint(n)})
	}
	return engines.NewLinear(len(s.beta), []float64{bias}, coefs, f)
}
