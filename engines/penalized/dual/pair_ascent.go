package dual

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
)

// pairAscent solves the dual of the L1 problem by steps on pairs of dual variables (Okanohara 2008; docs/engines/log-linear.md#errata):
//
//	max −Σ_i m_i Σ_y α_iy log α_iy  subject to  |u_k| ≤ C,  u = Σ_i m_i Σ_y α_iy (φ(x_i, y_i) − φ(x_i, y)),  α_i in the simplex.
//
// The slides' v is u/C. A step moves mass between two labels of one row, as far towards equal shares as the box lets it.
// Every point on the way is feasible, so its entropy bounds the objective from below; but the box couples rows, and a point
// from which no pair can move need not be the optimum.
type pairAscent struct {
	p     *logits.Problem
	c     float64
	alpha []float64 // rows × Classes
	u     []float64 // laid out as weights
	// witness is, by row, what left no room the last time. Looked at first, it spares a row that is still stuck the way
	// through all its entries.
	witness []blockingWeight
	dir     direction
	ratios  []pairRatio // of the row at hand

	entropy float64 // of α
	passes  int
	// thorough passes try every pair of a row, however far the first has moved: the last has to be one, since steps that get
	// ever smaller can hide room elsewhere. stalled says that one gained nothing to speak of.
	thorough, stalled bool
}

// blockingWeight is a weight at its bound, which blocks a pair of labels.
type blockingWeight struct {
	to, from, weight int32
	by               float64 // m_i σ there; 0: nothing is blocked
}

// pairRatio is a pair of labels and how much more mass the second has.
type pairRatio struct {
	to, from int
	ratio    float64
}

// pairOptions says how pair steps go on.
type pairOptions struct {
	passes  int
	tol     float64    // a pass that gains less than this share of 1 + entropy is the last
	damping float64    // share of a step that is taken in the first four fifths of the passes
	rng     *rand.Rand // order of rows anew for each pass; nil: as they come
}

const (
	minStep            = 1e-14 // a step below is none
	sweepsPerRecompute = 50    // passes after which u is computed anew from α
)

// newPairs starts where every row has all mass on its label: u = 0.
func newPairs(p *logits.Problem, c float64) *pairAscent {
	d := &pairAscent{p: p, c: c, alpha: make([]float64, p.Rows()*p.Classes), u: make([]float64, p.Width()), witness: make([]blockingWeight, p.Rows())}
	for i, y := range p.Y {
		d.alpha[i*p.Classes+int(y)] = 1
	}
	return d
}

// run goes over the rows until a pass changes nothing to speak of. The error is the cause of ctx's end.
// O(nnz · Classes) a pass, more where rows are blocked in their first pair.
func (d *pairAscent) run(ctx context.Context, a pairOptions, workers int) error {
	var order []int32
	if a.rng != nil {
		order = data.Numbers(d.p.Rows())
	}
	damped := a.damping < 1
	for d.passes < a.passes && !d.stalled {
		share := 1.0
		if damped = damped && 5*d.passes < 4*a.passes; damped {
			share = a.damping
		}
		if a.rng != nil {
			a.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		gain := d.sweep(ctx, order, share)
		d.passes++
		d.entropy += gain
		small := gain < a.tol*(1+d.entropy)
		switch {
		case small && damped:
			damped = false // what is left is for whole steps
		case small && (d.thorough || d.p.Classes == 2):
			d.stalled = true
		default:
			d.thorough = small
		}
		if d.passes%sweepsPerRecompute == 0 { // free of the rounding of many steps
			dualGradient(d.p, ctx, d.u, d.alpha, workers)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// sweep updates every row, in the given order (nil: as they come), and returns how much entropy it gained.
func (d *pairAscent) sweep(ctx context.Context, order []int32, share float64) (gain float64) {
	for k := range d.p.Rows() {
		if k%256 == 0 && ctx.Err() != nil {
			break
		}
		i := k
		if order != nil {
			i = int(order[k])
		}
		gain += d.updateRow(i, share)
	}
	return gain
}

// updateRow moves mass from the heaviest to the lightest label of a row; where that pair is blocked, between the first that is
// not, by falling ratio. A thorough sweep tries all pairs.
func (d *pairAscent) updateRow(i int, share float64) (gain float64) {
	a := d.alpha[i*d.p.Classes : (i+1)*d.p.Classes]
	to, from := 0, 0
	for y, v := range a {
		if v < a[to] {
			to = y
		}
		if v > a[from] {
			from = y
		}
	}
	gain, ok := d.moveMass(i, to, from, share)
	if len(a) == 2 || ok && !d.thorough {
		return gain
	}
	d.ratios = d.ratios[:0]
	for y, v := range a {
		for z := y + 1; z < len(a); z++ {
			switch w := a[z]; {
			case w < v:
				d.ratios = append(d.ratios, pairRatio{z, y, v / w})
			case v < w:
				d.ratios = append(d.ratios, pairRatio{y, z, w / v})
			}
		}
	}
	slices.SortStableFunc(d.ratios, func(a, b pairRatio) int { return cmp.Compare(b.ratio, a.ratio) })
	for _, r := range d.ratios {
		more, ok := d.moveMass(i, r.to, r.from, share)
		if gain += more; ok && !d.thorough {
			break
		}
	}
	return gain
}

// moveMass moves mass from a heavier to a lighter label: half the difference, or what room there is. ok is false where there is
// none.
func (d *pairAscent) moveMass(i, to, from int, share float64) (gain float64, ok bool) {
	a := d.alpha[i*d.p.Classes : (i+1)*d.p.Classes]
	delta := float64((a[from] - a[to]) / 2)
	if w := d.witness[i]; w.by != 0 && int(w.to) == to && int(w.from) == from && d.feasibleAmount(delta, w.weight, w.by) < minStep {
		return 0, false
	}
	d.dir.setBetween(d.p, i, to, from)
	for q, k := range d.dir.weights {
		if delta = d.feasibleAmount(delta, k, d.dir.by[q]); delta < minStep {
			d.witness[i] = blockingWeight{int32(to), int32(from), k, d.dir.by[q]}
			return 0, false
		}
	}
	if delta < minStep { // shares are equal
		return 0, false
	}
	delta = float64(delta * share)
	before := elementary.Entr(a[to]) + elementary.Entr(a[from])
	a[to] += delta
	a[from] -= delta
	d.dir.addTo(d.u, delta)
	return d.p.Weight.Of(i) * (elementary.Entr(a[to]) + elementary.Entr(a[from]) - before), true
}

// feasibleAmount returns the share of an amount that keeps |u_k + amount·by| ≤ C.
func (d *pairAscent) feasibleAmount(amount float64, k int32, by float64) float64 {
	u := d.u[k]
	if by < 0 {
		u, by = -u, -by
	}
	if left := max(0, d.c-u); left < float64(amount*by) {
		return left / by
	}
	return amount
}

// dualGradient sets u = Σ_i m_i Σ_y α_iy (φ(x_i, y_i) − φ(x_i, y)), and returns the residuals m (α − [label]) of which it is the
// negative gradient. O(nnz · Blocks).
func dualGradient(p *logits.Problem, ctx context.Context, u, alpha []float64, workers int) (r []float64) {
	r = make([]float64, p.Rows()*p.Blocks)
	for i, y := range p.Y {
		for b := range p.Blocks {
			c := p.Class(b)
			v := alpha[i*p.Classes+c]
			if c == int(y) {
				v--
			}
			r[i*p.Blocks+b] = p.Weight.Of(i) * v
		}
	}
	p.Gradient(ctx, u, r, workers)
	for k, g := range u {
		u[k] = -g
	}
	return r
}

// lowerBound recomputes u and returns the entropy of a point that is feasible to the last bit: no model's objective is below.
func (d *pairAscent) lowerBound(ctx context.Context, workers int) float64 {
	r := dualGradient(d.p, ctx, d.u, d.alpha, workers)
	t := 1.0
	for _, u := range d.u {
		if a := math.Abs(u); t*a > d.c {
			t = d.c / a
		}
	}
	return d.p.Entropy(r, t)
}

// selectedWeights returns the weights with |v_k| ≥ threshold, rising; a threshold of 1 means at the bound, up to rounding.
func (d *pairAscent) selectedWeights(threshold float64) (weights []int32) {
	least := d.c * min(threshold, 1-1e-6)
	for k, u := range d.u {
		if math.Abs(u) >= least {
			weights = append(weights, int32(k))
		}
	}
	return weights
}

// scaleVector returns a·v.
func scaleVector(v []float64, a float64) []float64 {
	out := make([]float64, len(v))
	for k, x := range v {
		out[k] = float64(a * x)
	}
	return out
}

// direction in which u moves when mass of a row goes from one label to another: the entries of m_i σ,
// σ = φ(x_i, from) − φ(x_i, to).
type direction struct {
	weights []int32   // weight k
	by      []float64 // m_i σ_k
}

// setBetween sets the direction to that of mass of row i which goes from one label to another. O(entries of the row).
func (d *direction) setBetween(p *logits.Problem, i, to, from int) {
	row, m := p.X.Row(i), p.Weight.Of(i)
	d.weights, d.by = d.weights[:0], d.by[:0]
	for q, j := range row.Idx {
		d.add(p.Blocks, j, m*row.At(q), to, from)
	}
	if p.Bias != logits.NoBias {
		d.add(p.Blocks, int32(p.Columns()), m, to, from)
	}
}

func (d *direction) add(blocks int, column int32, by float64, to, from int) {
	switch {
	case blocks > 1:
		k := column * int32(blocks)
		d.weights, d.by = append(d.weights, k+int32(from), k+int32(to)), append(d.by, by, -by)
	case from == 0: // the weights are those of class 1
		d.weights, d.by = append(d.weights, column), append(d.by, -by)
	default:
		d.weights, d.by = append(d.weights, column), append(d.by, by)
	}
}

func (d *direction) addTo(u []float64, amount float64) {
	for q, k := range d.weights {
		u[k] += float64(amount * d.by[q])
	}
}
