// Package rowascent maximises the dual of multinomial logistic regression row by row: for the penalised loss
//
//	P(W, b) = Σ_i m_i (log Σ_k e^(s_ik) − s_iy_i) + L2/2·‖W‖² + Σ_k B_k/2·(b_k − c_k)²,  s_i = W x_i + b,
//
// and shares α_i of the levels in row i, which are a point of the simplex, the dual is
//
//	D(α) = Σ_i m_i H(α_i) − L2/2·‖W(α)‖² − Σ_k B_k/2·(b_k(α) − c_k)² + (linear in c),  H the entropy,
//	W(α) = Σ_i m_i (e_y_i − α_i) x_iᵀ / L2,  b(α) = c + Σ_i m_i (e_y_i − α_i) / B.
//
// W(α) and b(α) are kept while one row after the other takes the shares that are best for it alone (Yu, Huang and Lin, "Dual
// coordinate descent methods for logistic regression and maximum entropy models", 2011; Shalev-Shwartz and Zhang 2013). Levels
// of a column lie side by side, so that the inner loops go over levels. A bias without a penalty has a moving centre c, which
// follows it: the method of multipliers, exact in the limit.
package rowascent

import (
	"context"
	"math"
	"math/rand/v2"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// Problem holds rows with labels.
type Problem struct {
	X      *sparse.Matrix
	Y      []int32        // labels by row, 0 up to Levels − 1
	Weight sparse.Weights // m by row, positive; nil counts every row once
	Levels int            // at least two
	L2     float64        // penalty on the weights of columns, positive
	// Bias holds the penalty of each level's bias, 0 for a free one; nil for a model without biases.
	Bias []float64
}

// Shares returns how many numbers an Ascent keeps for the rows: eight bytes each.
func Shares(rows, levels int) int64 { return int64(rows) * int64(levels) }

// Ascent is the state of a maximisation: shares by row, and the weights that belong to them.
type Ascent struct {
	p       Problem
	rng     *rand.Rand
	order   []int32
	length  []float64 // of rows, squared
	shares  []float64 // logarithms of the shares, rows × Levels
	weights []float64 // W, columns × stride
	sparse  sparsity  // how W follows from the shares with an L1 penalty
	stride  int       // numbers from one column to the next
	bias    biases
	started bool // rows have shares: before, all are at their labels
	relaxed bool // steps go beyond the best of their row

	// Of the present row, by level: its scores, its shares before, the direction of its step, trial values of the logarithms of the
	// shares, and the change of the shares.
	score, old, direction, trial, move []float64
}

// biases holds the biases of the levels, with the centres of their penalties.
type biases struct {
	now, centre []float64
	yield       []float64 // 1/penalty: how far a unit of share moves the bias
	sum         []float64 // Σ_i m_i (e_y_i − α_i)
	most        float64   // the largest yield
}

// relaxation is the length of relaxed steps, as a multiple of the best step. Between 1.4 and 1.6 saves about a third of the passes,
// as in successive over-relaxation.
const relaxation = 1.5

// New returns the start: shares at the labels, and no weights. Each pass visits the rows in an order drawn from rng, or from a
// generator with a fixed seed if rng is nil: in the data's order, in which neighbours are similar, progress is slow. O(entries +
// rows·Levels + columns·Levels).
func New(p Problem, rng *rand.Rand) *Ascent {
	rows, columns := p.X.Dims()
	if rng == nil {
		rng = rand.New(rand.NewPCG(1, 1))
	}
	k := p.Levels
	a := &Ascent{p: p, rng: rng, stride: k}
	if k > 8 { // columns begin at a cache line
		a.stride = (k + 7) &^ 7
	}
	a.order, a.length = make([]int32, rows), make([]float64, rows)
	for i := range a.order {
		a.order[i] = int32(i)
		a.length[i] = lengthOf(p.X.Row(i))
	}
	a.shares, a.weights = make([]float64, rows*k), make([]float64, columns*a.stride)
	for _, room := range []*[]float64{&a.score, &a.old, &a.direction, &a.trial, &a.move} {
		*room = make([]float64, a.stride)
	}
	if p.Bias != nil {
		a.bias = a.startBiases()
	}
	return a
}

// lengthOf returns the squared length of a row.
func lengthOf(row sparse.Vec) float64 {
	if row.Val == nil {
		return float64(row.Len())
	}
	return dense.DotInOrder(row.Val, row.Val)
}

// startBiases returns the biases of the levels' frequencies if nothing is penalised. A free bias gets a proximal penalty that makes
// its part of a row's curvature a thirty-second of the columns', and that is at most a tenth of a level's mean weight.
func (a *Ascent) startBiases() biases {
	k := a.p.Levels
	b := biases{now: make([]float64, a.stride), centre: make([]float64, a.stride), yield: make([]float64, k), sum: make([]float64, k)}
	weight, total, reach := make([]float64, k), 0.0, 0.0
	for i, y := range a.p.Y {
		m := a.weightOf(i)
		weight[y] += m
		total += m
		reach += float64(m * a.length[i])
	}
	hold := total / float64(10*k)
	if reach > 0 {
		hold = min(hold, 32*a.p.L2*total/reach)
	}
	for l, strength := range a.p.Bias {
		if strength == 0 {
			strength = hold
			b.centre[l] = elementary.Log((weight[l] + 0.5) / total)
		}
		b.yield[l] = 1 / strength
		b.most = max(b.most, b.yield[l])
	}
	copy(b.now, b.centre)
	return b
}

func (a *Ascent) weightOf(i int) float64 { return a.p.Weight.Of(i) }

// Pass reports on one pass over the rows, each as it was visited: its numbers belong to no single model.
type Pass struct {
	Loss float64 // Σ m_i (log Σ_k e^(s_ik) − s_iy_i)
	Gap  float64 // Σ m_i KL(α_i ‖ softmax(s_i)), which at one model is the duality gap
}

// Pass visits all rows; those that add less than small to the gap are left as they are. The error is the cause of ctx's end.
// O(entries·Levels).
func (a *Ascent) Pass(ctx context.Context, small float64) (Pass, error) {
	a.rng.Shuffle(len(a.order), func(i, j int) { a.order[i], a.order[j] = a.order[j], a.order[i] })
	var pass Pass
	shortened, since := 0, lookEvery
	for _, i := range a.order {
		row := a.p.X.Row(int(i))
		if since += row.Len() + 1; since > lookEvery {
			if since = 0; ctx.Err() != nil {
				return Pass{}, context.Cause(ctx)
			}
		}
		a.scores(row)
		loss, gap := a.measure(int(i))
		pass.Loss += loss
		pass.Gap += gap
		if a.started && gap <= small {
			continue
		}
		moved, short := a.step(int(i))
		if short {
			shortened++
		}
		if moved {
			a.apply(int(i), row)
		}
	}
	a.started = true
	a.relaxed = 100*shortened <= len(a.order)
	a.moveCentres()
	return pass, nil
}

// lookEvery is the number of entries and rows between two polls of a context.
const lookEvery = 4096

// apply applies the change of the row's shares to weights and biases.
func (a *Ascent) apply(i int, row sparse.Vec) {
	m := a.weightOf(i)
	if b := &a.bias; b.sum != nil {
		for l, d := range a.move[:a.p.Levels] {
			b.sum[l] -= float64(m * d)
			b.now[l] = b.centre[l] + float64(b.sum[l]*b.yield[l])
		}
	}
	for l := range a.move {
		a.move[l] *= m / a.p.L2
	}
	if a.sparse.kept != nil {
		a.sparse.takeFromColumns(a.weights, a.move, row)
		return
	}
	takeFromColumns(a.weights, a.move, row)
}

// moveCentres moves the centres of free biases to the biases. Their sums stay, so the biases move on by as much again.
func (a *Ascent) moveCentres() {
	b := &a.bias
	for l, strength := range a.p.Bias {
		if strength == 0 {
			b.centre[l] = b.now[l]
			b.now[l] += float64(b.sum[l] * b.yield[l])
		}
	}
}

// Penalty returns L2/2·‖W‖². O(columns·Levels).
func (a *Ascent) Penalty() float64 {
	return float64(a.p.L2 / 2 * dense.DotInOrder(a.weights, a.weights))
}

// LogShares returns the logarithms of the shares, rows × Levels, read-only: none above 0, and −∞ only for a row at its label. There
// are none before the first pass.
func (a *Ascent) LogShares() []float64 { return a.shares }

// Weights copies W to w, columns × Levels, followed by the biases, if there are any.
func (a *Ascent) Weights(w []float64) {
	_, columns := a.p.X.Dims()
	k := a.p.Levels
	for j := range columns {
		copy(w[j*k:(j+1)*k], a.weights[j*a.stride:])
	}
	if a.p.Bias != nil {
		copy(w[columns*k:], a.bias.now[:k])
	}
}

// scores computes the scores of a row: the sum of its columns' weights, and the biases.
func (a *Ascent) scores(row sparse.Vec) {
	if a.bias.now != nil {
		copy(a.score, a.bias.now)
	} else {
		clear(a.score)
	}
	addColumns(a.score, a.weights, row)
}

// measure returns what the row adds to loss and gap. Its scores become logarithms of the probabilities, and old its shares.
func (a *Ascent) measure(i int) (loss, gap float64) {
	k := a.p.Levels
	s, high := a.score[:k], math.Inf(-1)
	for _, v := range s {
		high = max(high, v)
	}
	norm := high + elementary.Log(elementary.SumExp(a.trial[:k], s, high))
	for l, v := range s {
		s[l] = v - norm
	}
	m := a.weightOf(i)
	loss = -m * s[a.p.Y[i]]
	if !a.started {
		return loss, loss // the share of the label is 1
	}
	u, old := a.shares[i*k:(i+1)*k], a.old[:k]
	elementary.SumExp(old, u, 0)
	for l, v := range u {
		gap += float64(old[l] * (v - s[l]))
	}
	return loss, float64(m * gap)
}
