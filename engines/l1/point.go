package l1

import (
	"context"
	"math"

	"tenfold/engines"
)

// Penalty is C1·Σ|w_k| + C2/2·Σ w_k² over the weights that are not free.
type Penalty struct{ L1, L2 float64 }

// Point is a model with all that is known there: margins and residuals (row-major, rows × Blocks), the gradient of the
// loss, and the loss.
type Point struct {
	p       *Problem
	W       []float64
	Z, R, G []float64
	Loss    float64

	updated bool     // once
	set     *working // what newton keeps from one penalty to the next
}

// NewPoint is the model of the given weights, which it keeps.
func (p *Problem) NewPoint(w []float64) *Point {
	n := p.Rows() * p.Blocks
	return &Point{p: p, W: w, Z: make([]float64, n), R: make([]float64, n), G: make([]float64, p.Width())}
}

// Problem that the point belongs to.
func (pt *Point) Problem() *Problem { return pt.p }

// Update computes everything anew from the weights; free biases are first set to their optimum, which a certificate needs.
// The error is the cause of ctx's end. O(nnz · Blocks).
func (pt *Point) Update(ctx context.Context, workers int) error {
	p := pt.p
	p.Margins(ctx, pt.Z, pt.W, workers)
	return pt.follow(ctx, workers)
}

// follow computes what follows from the margins.
func (pt *Point) follow(ctx context.Context, workers int) error {
	p := pt.p
	pt.centre(ctx, workers)
	p.Gradient(ctx, pt.G, pt.R, workers)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	pt.updated = true
	return nil
}

// dual point α' = (1−t)·onehot(y) + t·p, of which the certificate and safe screening speak: u(α') = −t·gradient.
type dual struct {
	engines.Certificate
	t float64
}

// Certify the model by a dual point between the labels and its own probabilities. With C2 = 0 feasible points have
// |u_k| ≤ C1, and t is the largest that gives one; u is affine in α and zero at the labels. With C2 > 0 every t is feasible,
// at the cost of Σ (|u_k| − C1)₊²/(2 C2): the better of the two ends counts. O(rows · Blocks + Width).
func (pt *Point) Certify(pen Penalty) engines.Certificate { return pt.certify(pen).Certificate }

func (pt *Point) certify(pen Penalty) dual {
	p := pt.p
	bias := p.Columns() * p.Blocks // before it, nothing is free
	largest, value := 0.0, pt.Loss
	for k, w := range pt.W {
		if k >= bias && p.Free(k) {
			continue
		}
		value += float64(pen.L1*math.Abs(w)) + float64(0.5*pen.L2*w*w)
		largest = max(largest, math.Abs(pt.G[k]))
	}
	best := dual{engines.Certificate{Objective: value, Dual: math.Inf(-1)}, 0}
	try := func(t float64) {
		d := pt.entropy(t)
		for k, g := range pt.G {
			if k >= bias && p.Free(k) { // 0 at a feasible point; by rounding it is not quite, and a large bias makes much of it
				d -= float64(t * math.Abs(float64(g*pt.W[k])))
			} else if over := float64(t*math.Abs(g)) - pen.L1; over > 0 && pen.L2 > 0 {
				d -= over * over / (2 * pen.L2)
			}
		}
		if d > best.Dual {
			best.Dual, best.t = d, t
		}
	}
	if largest > pen.L1 {
		try(pen.L1 / largest)
	}
	if largest <= pen.L1 || pen.L2 > 0 {
		try(1)
	}
	return best
}

// entropy is −Σ_i m_i Σ_y α_iy log α_iy of the dual point.
func (pt *Point) entropy(t float64) float64 {
	p, sum := pt.p, 0.0
	for i, y := range p.Y {
		m := p.mult(i)
		row := pt.R[i*p.Blocks : (i+1)*p.Blocks]
		if p.Blocks == 1 {
			q := t * math.Abs(row[0]) / m
			sum += float64(m * (plogp(q) + plogp1(q)))
			continue
		}
		h := 0.0
		for b, r := range row {
			if b == int(y) { // 1 − t·(1 − p_y)
				h += plogp1(-t * r / m)
			} else {
				h += plogp(t * r / m)
			}
		}
		sum += float64(m * h)
	}
	return sum
}

// plogp is −q log q; plogp1 is −(1−q) log(1−q).
func plogp(q float64) float64 {
	if q <= 0 {
		return 0
	}
	return -q * math.Log(q)
}

func plogp1(q float64) float64 {
	if q >= 1 {
		return 0
	}
	return -(1 - q) * math.Log1p(-q)
}

// Reach is, for every column, sqrt(Σ_i m_i·spread_i²) with spread_i = |x_ij|/2: how far a dual value moves for a unit of
// sqrt(2·gap), by Pinsker's inequality for each row and Cauchy's for their sum. O(nnz).
func (p *Problem) Reach() []float64 {
	out := make([]float64, p.Columns())
	for i := range p.Rows() {
		row, m := p.X.Row(i), p.mult(i)
		for k, j := range row.Idx {
			x := row.At(k)
			out[j] += float64(m * x * x)
		}
	}
	for j, s := range out {
		out[j] = math.Sqrt(s) / 2
	}
	return out
}

// Screen keeps the columns that may have a weight at the optimum of the L1 problem (spec of Okanohara's dual, safe screening
// from a gap G): one with |u_k(α')| + sqrt(2G)·reach_k < C1 in all its blocks has none. keep is rising. O(Width).
func (pt *Point) Screen(pen Penalty, reach []float64) (keep []int32) {
	d, k := pt.certify(pen), pt.p.Blocks
	for j, s := range reach {
		if d.allows(pen, pt.G[j*k:(j+1)*k], s) {
			keep = append(keep, int32(j))
		}
	}
	return keep
}

// allows tells whether a column of the given slopes and reach may have a weight at the optimum.
func (d dual) allows(pen Penalty, slopes []float64, reach float64) bool {
	far := float64(math.Sqrt(2*d.Gap()) * reach)
	for _, g := range slopes {
		if float64(d.t*math.Abs(g))+far >= pen.L1*(1-1e-12) {
			return true
		}
	}
	return false
}

// Max is C_max: with no C1 below it the optimum has no weight but free biases. It leaves the point at that model.
// O(nnz · Blocks).
func (pt *Point) Max(ctx context.Context, workers int) (float64, error) {
	clear(pt.W)
	clear(pt.Z)
	if err := pt.follow(ctx, workers); err != nil {
		return 0, err
	}
	largest := 0.0
	for k, g := range pt.G {
		if !pt.p.Free(k) {
			largest = max(largest, math.Abs(g))
		}
	}
	return largest, nil
}

// restricted is the problem of some columns (rising) only. Its weights are those columns', then the biases.
func (p *Problem) restricted(columns []int32) *Problem {
	q := *p
	q.X = p.X.Keep(columns)
	return &q
}

// gather takes the weights of some columns and the biases; scatter puts them back, and leaves the others alone.
func (p *Problem) gather(w []float64, columns []int32) []float64 {
	k := p.Blocks
	out := make([]float64, 0, len(columns)*k+k)
	for _, j := range columns {
		out = append(out, w[int(j)*k:(int(j)+1)*k]...)
	}
	return append(out, p.biases(w)...)
}

func (p *Problem) scatter(w, from []float64, columns []int32) {
	k := p.Blocks
	for q, j := range columns {
		copy(w[int(j)*k:(int(j)+1)*k], from[q*k:])
	}
	copy(p.biases(w), from[len(columns)*k:])
}
