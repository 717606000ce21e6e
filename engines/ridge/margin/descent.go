package margin

import (
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
)

// row holds the state of a row, together in memory since rows are visited in random order.
type row struct {
	a float64 // its dual variable
	// t is the logarithm of a/(m−a), for the logistic loss alone: near the ends of the range a has no digits left.
	t    float64
	m    float64 // weight
	q    float64 // ‖x‖²/C2, including the column of ones
	sign float64
}

// descent is dual coordinate descent: it keeps w = Σ a_i s_i x_i / C2, and for one row after the other moves a_i beyond the value
// that is best while the others stay (to it, with relaxation 1): half as far again saves a third of the passes (successive
// overrelaxation, Mangasarian & Musicant 1999). A free bias has the penalty ones/2·(b − centre)², and the centre follows it: the
// proximal point method, exact in the limit (see stiffness).
type descent struct {
	p      *Problem
	rows   []row
	w      []float64
	bias   float64
	centre float64 // of a free bias
	ones   float64 // penalty of the bias; 0 without a bias

	order      []int32 // the rows visited: shrinking removes others
	high, low  float64 // largest and smallest projected gradient of the last pass
	relaxation float64 // of the hinges' steps, in (0, 2)
	exactness  float64 // to which steps of the logistic loss are solved
	passes     int
	touched    int32 // see prefetch
}

// newDescent starts at a = 0, and for the logistic loss, whose range excludes 0, at m/1000. O(nnz).
func (p *Problem) newDescent() *descent {
	n, columns := p.X.Dims()
	d := &descent{p: p, rows: make([]row, n), w: make([]float64, columns), order: make([]int32, n), relaxation: 1.5, exactness: 1e-3}
	for i := range d.rows {
		r := &d.rows[i]
		r.m, r.sign = p.weightOf(i), p.Sign[i]
		x := p.X.Row(i)
		r.q = float64(x.Len())
		if x.Val != nil {
			r.q = dense.Dot(x.Val, x.Val)
		}
		if p.Loss == Logistic {
			r.t = least
			r.a = float64(r.m * sigmoid(least))
		}
	}
	switch p.Bias {
	case PenalizedBias:
		d.ones = p.C2
	case FreeBias:
		d.ones = p.C2 * d.stiffness()
		positive, negative := p.sides()
		if p.Loss == Logistic {
			d.centre = elementary.Log(positive / negative)
		}
	}
	for i := range d.rows {
		d.rows[i].q /= p.C2
		if d.ones > 0 {
			d.rows[i].q += 1 / d.ones
		}
	}
	d.recomputeWeights()
	d.unshrink()
	return d
}

// stiff is how much more of a row's step goes into its score by the weights than by a free bias. Where the bias moves as easily as the
// weights, hundreds of passes go into what it and they take from each other; where it hardly moves, it takes as many to arrive. Texts,
// tables and problem C take the fewest passes between 16 and 64.
const stiff = 16

// stiffness returns stiff over the median of the squared norms of the rows that have one, before they are divided by C2: a few long rows
// must not leave the others to a bias that outweighs them. O(rows log rows).
func (d *descent) stiffness() float64 {
	var squares []float64
	for i := range d.rows {
		if q := d.rows[i].q; q > 0 {
			squares = append(squares, q)
		}
	}
	if len(squares) == 0 {
		return 1
	}
	slices.Sort(squares)
	return stiff / squares[len(squares)/2]
}

// least is the initial t for the logistic loss: the logarithm of 0.001/0.999.
const least = -6.906754778648554

func sigmoid(t float64) float64 { return 1 / (1 + elementary.Exp(-t)) }

// recomputeWeights recomputes w and the bias from the dual variables. O(nnz).
func (d *descent) recomputeWeights() {
	clear(d.w)
	total := 0.0
	for i := range d.rows {
		r := &d.rows[i]
		if v := float64(r.a * r.sign); v != 0 {
			total += v
			d.p.X.Row(i).AddTo(d.w, v/d.p.C2)
		}
	}
	if d.ones > 0 {
		d.bias = d.centre + total/d.ones
	}
}

// scale multiplies the weights of all rows, and with them the dual variables and the model. O(rows + columns).
func (d *descent) scale(by float64) {
	for i := range d.rows {
		d.rows[i].m *= by
		d.rows[i].a *= by
	}
	for j := range d.w {
		d.w[j] *= by
	}
	d.bias *= by
	d.centre *= by
	d.unshrink()
}

// setDualVariables sets the dual variables to −m ℓ' at a model. O(nnz).
func (d *descent) setDualVariables(w []float64) {
	weights, bias := d.p.split(w)
	for i := range d.rows {
		r := &d.rows[i]
		z := float64(r.sign * (d.p.X.Row(i).Dot4(weights) + bias))
		fall, _ := d.p.Loss.negativeDerivative(z)
		r.a, r.t = r.m*fall, -z
	}
	if d.p.Bias == FreeBias {
		d.centre = bias
	}
	d.recomputeWeights()
	d.unshrink()
}

// unshrink makes passes visit all rows again.
func (d *descent) unshrink() {
	d.order = d.order[:len(d.rows)]
	for i := range d.order {
		d.order[i] = int32(i)
	}
	d.high, d.low = math.Inf(1), math.Inf(-1)
}

// pass visits the rows that are not shrunk away, in random order. O(their entries).
func (d *descent) pass(look *contextChecker, rng *rand.Rand) (violation float64) {
	rng.Shuffle(len(d.order), func(i, j int) { d.order[i], d.order[j] = d.order[j], d.order[i] })
	return d.sweep(look)
}

// sweep visits the rows in their present order, and returns the largest violation of the optimality conditions seen.
func (d *descent) sweep(look *contextChecker) (violation float64) {
	high, low := math.Inf(-1), math.Inf(1)
	kept := d.order[:0]
	for k, i := range d.order {
		if k%ahead == 0 {
			d.prefetch(d.order[k:min(len(d.order), k+ahead)])
		}
		r, x := &d.rows[i], d.p.X.Row(int(i))
		if look.ended(x.Len()) {
			return math.Inf(1)
		}
		z := float64(r.sign * (x.Dot4(d.w) + d.bias))
		move, gradient, out := d.step(r, z)
		if out {
			continue
		}
		kept = append(kept, i)
		high, low = max(high, gradient), min(low, gradient)
		if move == 0 {
			continue
		}
		move *= r.sign
		x.AddTo(d.w, move/d.p.C2)
		if d.ones > 0 {
			d.bias += move / d.ones
		}
	}
	d.order = kept
	d.passes++
	d.high, d.low = high, low
	if !(high > 0) {
		d.high = math.Inf(1)
	}
	if !(low < 0) {
		d.low = math.Inf(-1)
	}
	if d.p.Bias == FreeBias && d.passes%2 == 0 {
		by := d.bias - d.centre
		d.centre += by
		d.bias += by
	}
	return max(high, -low, 0)
}

// ahead is the number of rows that are prefetched together.
const ahead = 16

// prefetch reads a little of each of some rows. They are far apart in memory, and waiting for them would be most of a pass: so all
// are read at once, before any of them is needed.
func (d *descent) prefetch(rows []int32) {
	const line = 16 // entries in a cache line
	start, end, idx, _ := d.p.X.Spans()
	sum := int32(0)
	for _, i := range rows {
		for q := start[i]; q < end[i]; q += line {
			sum += idx[q]
		}
		if d.rows[i].a != 0 {
			sum++
		}
	}
	d.touched = sum // keeps the compiler from removing the reads
}

// step updates a row's dual variable given its margin z, and returns the change and the projected gradient before it. out reports
// that the row is at an end of its range and will stay there, as far as the last pass can tell: then no step is made.
func (d *descent) step(r *row, z float64) (move, gradient float64, out bool) {
	before := r.a
	switch d.p.Loss {
	case Logistic:
		gradient = r.t + z
		var share float64
		r.t, share = logisticStep(r, z, d.exactness)
		r.a = float64(r.m * share)
		return r.a - before, gradient, false
	case Hinge:
		gradient = z - 1
		switch {
		case r.a == 0 && gradient > d.high, r.a == r.m && gradient < d.low:
			return 0, 0, true
		case r.q == 0:
			r.a = r.m
		default:
			r.a = min(max(r.a-float64(d.relaxation*gradient)/r.q, 0), r.m)
		}
		if before == r.m && r.a == before && gradient < 0 {
			gradient = 0
		}
	case SquaredHinge:
		gradient = z - 1 + r.a/(2*r.m)
		if r.a == 0 && gradient > d.high {
			return 0, 0, true
		}
		r.a = max(0, r.a-float64(d.relaxation*gradient)/(r.q+1/(2*r.m)))
	}
	if before == 0 && r.a == 0 && gradient > 0 {
		gradient = 0
	}
	return r.a - before, gradient, false
}

// logisticStep returns the root t of t + z + q (m σ(t) − a), to the given exactness, and σ(t), by Newton's method safeguarded by a
// bracket.
func logisticStep(r *row, z, exactness float64) (t, share float64) {
	from, to := -z-float64(r.q*(r.m-r.a)), -z+float64(r.q*r.a)
	t, share = r.t, r.a/r.m
	for range 100 {
		g := t + z + float64(r.q*(float64(r.m*share)-r.a))
		if math.Abs(g) <= exactness {
			break
		}
		if g > 0 {
			to = min(t, to)
		} else {
			from = max(t, from)
		}
		next := t - g/(1+float64(r.q*r.m*share*(1-share)))
		if next == t {
			break
		}
		if !(next > from && next < to) {
			next = from + float64((to-from)/2)
		}
		t, share = next, sigmoid(next)
	}
	return t, share
}
