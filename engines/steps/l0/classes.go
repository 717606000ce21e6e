package l0

import (
	"context"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
)

// classes is coefficients of logistic regression, whose loss has the curvature ¼ along a column at most: with a step by this bound no coefficient
// goes uphill. The intercept is free.
type classes struct {
	state
	y       []float64
	workers int
	all     []int32 // columns

	bias   float64   // beside columns that are centred
	scores []float64 // of the rows, without the bias
	r      []float64 // m∘(y − p)
	sum    float64   // of r
	now    float64   // loss
	null   float64
}

// newClasses returns the model without columns. O(nnz).
func newClasses(x *scaled.Matrix, y []float64, lambda2 float64, workers int) *classes {
	m := &classes{state: newState(x, lambda2, 0.25), y: y, workers: workers, scores: make([]float64, len(y)), r: make([]float64, len(y))}
	m.all = data.Numbers(len(m.c))
	_, mean, _ := x.Center(y)
	m.bias = elementary.Log(mean / (1 - mean))
	m.evaluate()
	m.null = m.now
	m.gradients()
	return m
}

func (m *classes) loss() float64 { return m.now }

func (m *classes) nullLoss() float64 { return m.null }

func (m *classes) intercept() float64 { return m.bias }

// evaluate loss and residual at the scores. O(rows).
func (m *classes) evaluate() {
	m.now, m.sum = 0, 0
	for i, y := range m.y {
		w := m.x.RowWeight(i)
		loss, r := response.LogLoss(y, m.scores[i]+m.bias)
		m.r[i] = w * r
		m.sum += m.r[i]
		m.now += float64(w * loss)
	}
}

// gradients computes those of all columns. O(nnz).
func (m *classes) gradients() {
	m.looked += int64(len(m.c))
	parallel.Stretches(m.workers, 256, len(m.c), func(first, last int) {
		m.x.DotColumns(m.c[first:last], m.all[first:last], m.r, m.sum)
	})
}

// addTo adds so much of column j to scores.
func (m *classes) addTo(scores []float64, j int32, by float64) {
	m.x.AddColumns(scores, []int32{j}, []float64{by})
}

// move sets the coefficient of column j. O(rows).
func (m *classes) move(j int32, to float64) {
	m.addTo(m.scores, j, m.set(j, to))
	m.evaluate()
}

// refresh scores and gradients from the coefficients.
func (m *classes) refresh() {
	clear(m.scores)
	for _, j := range m.support {
		m.addTo(m.scores, j, m.b[j])
	}
	m.evaluate()
	m.gradients()
}

// objective returns it at a price of λ.
func (m *classes) objective(lambda float64) float64 {
	return m.now + float64(lambda*float64(len(m.support))) + float64(0.5*m.lambda2*m.squares())
}

// stillClasses is by how much a coefficient moves where nothing moves any more, as a share of the largest.
const stillClasses = 1e-9

// descend goes down at a price of λ until no column alone changes the model: passes in order over all columns, and to the optimum of those in the model in
// between. It reports how many passes that took, one more than maxPasses where these were not enough. O(nnz) a pass.
func (m *classes) descend(ctx context.Context, lambda float64, maxPasses int) (passes int) {
	curve := m.curve + m.lambda2
	minCoefficient := math.Sqrt(2 * lambda / curve)
	for passes = 1; passes <= maxPasses && ctx.Err() == nil; passes++ {
		m.optimizeSupport(ctx)
		m.gradients()
		changed, far, largest, stale := false, 0.0, 0.0, false
		for j := range m.b {
			if m.x.Scale[j] == 0 {
				continue
			}
			b, c := m.b[j], m.c[j]
			if stale { // of a column that was looked at before others moved
				c = m.x.DotColumn(int32(j), m.r, m.sum)
			}
			to := b + (c-float64(m.lambda2*b))/curve
			if math.Abs(to) <= minCoefficient {
				to = 0
			}
			largest = max(largest, math.Abs(to))
			if far = max(far, math.Abs(to-b)); (to == 0) != (b == 0) {
				m.move(int32(j), to)
				changed, stale = true, true
			}
		}
		if m.gradients(); !changed && far <= stillClasses*largest || len(m.support) == 0 && !changed {
			break
		}
	}
	return passes
}

// optimizeSupport goes to the optimum of the columns in the model, and of the intercept, by Newton's steps, of which halves are tried where the objective
// does not fall. O(columns of the model² · rows) a step.
func (m *classes) optimizeSupport(ctx context.Context) {
	const steps = 50
	for range steps {
		step, largest := m.newtonStep(ctx)
		if step == nil || ctx.Err() != nil {
			return
		}
		from, bias, before, start := append([]float64(nil), m.scores...), m.bias, m.objective(0), append([]float64(nil), m.b...)
		along := make([]float64, len(m.scores))
		far := 0.0
		for k, j := range m.support {
			m.addTo(along, j, step[k])
			far = max(far, math.Abs(step[k]))
		}
		share := 1.0
		for ; share > 1e-3; share /= 2 {
			for i := range m.scores {
				m.scores[i] = from[i] + float64(share*along[i])
			}
			for k, j := range m.support {
				m.b[j] = start[j] + float64(share*step[k])
			}
			m.bias = bias + float64(share*step[len(m.support)])
			if m.evaluate(); m.objective(0) <= before+float64(1e-14*math.Abs(before)) {
				break
			}
		}
		if far <= stillClasses/10*largest || share <= 1e-3 {
			return
		}
	}
}

// newtonStep returns that of the coefficients in the model and, last, of the intercept; and the largest of these coefficients, at least 1e-9. nil where there is none.
func (m *classes) newtonStep(ctx context.Context) (step []float64, largest float64) {
	n, rows := len(m.support), len(m.r)
	columns, roots, largest := make([][]float64, n+1), make([]float64, rows), 1e-9
	for i, r := range m.r {
		w := m.x.RowWeight(i)
		other := math.Abs(r) / w // probability of the other label
		roots[i] = math.Sqrt(w * other * (1 - other))
	}
	step = make([]float64, n+1)
	for k, j := range m.support {
		v := make([]float64, rows)
		m.addTo(v, j, 1)
		step[k] = -float64(m.lambda2 * m.b[j])
		for i := range v {
			step[k] += float64(v[i] * m.r[i])
			v[i] *= roots[i]
		}
		columns[k] = v
		largest = max(largest, math.Abs(m.b[j]))
	}
	columns[n], step[n] = roots, m.sum
	h := dense.Gram(ctx, m.workers, columns)
	for k := range n {
		h.Row(k)[k] += m.lambda2
	}
	if ctx.Err() != nil || !h.Factor(ctx) {
		return nil, largest
	}
	h.Solve(step)
	return step, largest
}

// swap replaces the first column of the model, by number, in whose absence another column, the one of the largest gradient there, does better at its own
// optimum. O(nnz) for each column of the model.
func (m *classes) swap(ctx context.Context, lambda float64) (out, in int32, some bool) {
	before := m.objective(lambda)
	for k := 0; k < len(m.support) && ctx.Err() == nil; k++ {
		i := m.support[k]
		b := m.b[i]
		m.move(i, 0)
		m.gradients()
		best, largest := int32(-1), 0.0
		for j, c := range m.c {
			if m.b[j] == 0 && int32(j) != i && m.x.Scale[j] != 0 && math.Abs(c) > largest {
				best, largest = int32(j), math.Abs(c)
			}
		}
		if best >= 0 {
			m.optimize(best)
			if m.objective(lambda) < before-float64(1e-9*math.Abs(before)) {
				m.gradients()
				return i, best, true
			}
			m.move(best, 0)
		}
		m.move(i, b)
	}
	m.refresh()
	return 0, 0, false
}

// exchange returns false: it is for squares alone, since each pair would take the fit of a model.
func (m *classes) exchange(context.Context) bool { return false }

// optimize sets the coefficient of one column to its best value with the others as they are, by Newton's steps, within the bound of the curvature where these go uphill.
func (m *classes) optimize(j int32) {
	const steps = 20
	column := make([]float64, len(m.r))
	m.addTo(column, j, 1)
	for range steps {
		gradient, curvature := -float64(m.lambda2*m.b[j]), m.lambda2
		for i, v := range column {
			w := m.x.RowWeight(i)
			other := math.Abs(m.r[i]) / w
			gradient += float64(v * m.r[i])
			curvature += float64(w * other * (1 - other) * v * v)
		}
		before, b := m.objective(0), m.b[j]
		m.move(j, b+gradient/curvature)
		if m.objective(0) > before {
			m.move(j, b+gradient/(m.curve+m.lambda2))
		}
		if math.Abs(m.b[j]-b) <= stillClasses*math.Abs(m.b[j]) {
			return
		}
	}
}
