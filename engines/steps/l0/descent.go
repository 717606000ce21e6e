package l0

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/scaled"
)

// model is coefficients, and what is known of all columns there. Products of a column with all columns are kept once it has had a coefficient, so
// that a step costs an addition a column, and nothing goes through the rows but what enters.
type model struct {
	state
	total    float64             // ‖ỹ‖²
	start    []float64           // X'ỹ
	products map[int32][]float64 // X'x_j
}

// keptOutside is how many columns outside a model keep their products.
const keptOutside = 64

// newModel returns the one without columns. O(nnz).
func newModel(x *scaled.Matrix, y []float64, lambda2 float64) *model {
	m := &model{state: newState(x, lambda2, 1), start: make([]float64, len(x.Scale)), products: map[int32][]float64{}}
	for i, v := range y {
		m.total += float64(x.RowWeight(i) * float64(v*v))
	}
	m.multiply(m.start, y)
	m.c = slices.Clone(m.start)
	return m
}

// multiply sets dst to X'v. O(nnz).
func (m *model) multiply(dst, v []float64) {
	weighed := make([]float64, len(v))
	m.x.MulTVec(dst, weighed, m.x.Weighted(weighed, v))
	m.looked += int64(len(dst))
}

// product returns that of column j with all columns.
func (m *model) product(j int32) []float64 {
	if p := m.products[j]; p != nil {
		return p
	}
	rows, columns := m.x.X.Dims()
	v, p := make([]float64, rows), make([]float64, columns)
	m.x.AddColumns(v, []int32{j}, []float64{1})
	m.multiply(p, v)
	m.products[j] = p
	return p
}

// move sets the coefficient of column j. O(columns).
func (m *model) move(j int32, to float64) {
	by := m.set(j, to)
	for k, p := range m.product(j) {
		m.c[k] -= float64(by * p)
	}
}

// refresh X'r, which moves leave with their rounding, and forget the products of columns that have long been out.
func (m *model) refresh() {
	copy(m.c, m.start)
	for _, j := range m.support {
		for k, p := range m.products[j] {
			m.c[k] -= float64(m.b[j] * p)
		}
	}
	if len(m.products) <= 2*len(m.support)+keptOutside {
		return
	}
	for j := range m.products {
		if m.b[j] == 0 {
			delete(m.products, j)
		}
	}
}

// rss returns ‖r‖², at least 0.
func (m *model) rss() float64 {
	fitted := 0.0
	for _, j := range m.support {
		fitted += float64(m.b[j] * (m.start[j] + m.c[j]))
	}
	return max(0, m.total-fitted)
}

func (m *model) loss() float64 { return m.rss() }

func (m *model) nullLoss() float64 { return m.total }

func (m *model) intercept() float64 { return 0 }

// unmoved is the share of ‖ỹ‖ by which a coefficient moves where nothing moves any more.
const unmoved = 1e-13

// patience is how many passes over a settled set of columns go before their coefficients are computed, which are what passes tend to.
const patience = 50

// descend goes down at a price of λ until no column alone changes the model: in order, each gets the coefficient that is best for it, or none. It
// reports how many passes that took, one more than maxPasses where these were not enough.
//
// A pass looks at the columns outside the model only where one of them may enter: of unit norm, none has a product with r that changes by
// more than coefficients have moved. O(columns · those that move), or O(columns of the model²) where none may.
func (m *model) descend(ctx context.Context, lambda float64, maxPasses int) (passes int) {
	d := descending{model: m, minCoefficient: math.Sqrt(2 * lambda / (1 + m.lambda2)), pending: map[int32]float64{}}
	d.slack = -1
	settled := 0
	for passes = 1; passes <= maxPasses && ctx.Err() == nil; passes++ {
		d.moved = 0
		from := 0
		if d.slack > 0 {
			from = d.passWithin()
		}
		if from >= 0 {
			d.flush()
			d.passAll(int32(from))
			settled = 0
		} else {
			settled++
		}
		if d.moved <= unmoved*math.Sqrt(m.total) {
			break
		}
		if settled == patience {
			d.flush()
			m.solve(ctx)
			d.slack = -1
		}
	}
	d.flush()
	return passes
}

// descending is a model during a descent. Products with r are up to date for its columns; for others what is pending is missing.
type descending struct {
	*model
	minCoefficient float64 // the smallest coefficient that is worth the price
	moved          float64 // the furthest that a coefficient moved in this pass
	slack          float64 // how far coefficients may move, all together, before a column may enter; not positive: it is not known
	pending        map[int32]float64
}

// target returns the coefficient that is best for column j.
func (d *descending) target(j int32) float64 {
	to := (d.c[j] + d.b[j]) / (1 + d.lambda2)
	if math.Abs(to) <= d.minCoefficient {
		return 0
	}
	return to
}

// passAll goes through all columns from one on.
func (d *descending) passAll(from int32) {
	for j := from; int(j) < len(d.b); j++ {
		if d.x.Scale[j] == 0 {
			continue
		}
		if to := d.target(j); to != d.b[j] {
			d.moved = max(d.moved, math.Abs(to-d.b[j]))
			d.move(j, to)
		}
	}
	largest := 0.0
	for j, c := range d.c {
		if d.b[j] == 0 && d.x.Scale[j] != 0 {
			largest = max(largest, math.Abs(c))
		}
	}
	d.slack = float64(d.minCoefficient*(1+d.lambda2)) - largest
}

// passWithin goes through the columns of the model, and returns −1, or the column at which all have to be looked at.
func (d *descending) passWithin() int {
	for _, j := range d.support {
		to := d.target(j)
		if to == 0 {
			return int(j)
		}
		by := to - d.b[j]
		if by == 0 {
			continue
		}
		d.moved = max(d.moved, math.Abs(by))
		d.b[j] = to
		d.pending[j] += by
		products := d.products[j]
		for _, k := range d.support {
			d.c[k] -= float64(by * products[k])
		}
		if d.slack -= math.Abs(by); d.slack <= 0 {
			return int(j) + 1
		}
	}
	return -1
}

// flush applies what is pending.
func (d *descending) flush() {
	for _, j := range d.support { // which nothing has left since
		by := d.pending[j]
		if by == 0 {
			continue
		}
		for k, p := range d.products[j] {
			if d.b[k] == 0 {
				d.c[k] -= float64(by * p)
			}
		}
	}
	clear(d.pending)
}

// solve computes the coefficients of the columns in the model; of dependent ones they stay as they are. O(columns³ of the model + columns · those of the model).
func (m *model) solve(ctx context.Context) {
	factor, right := m.gram(), data.ValuesAt(m.start, m.support)
	if !factor.Factor(ctx) {
		return
	}
	factor.Solve(right)
	for a, j := range slices.Clone(m.support) {
		if right[a] != 0 {
			m.move(j, right[a])
		}
	}
}

// gram returns X'X + λ2·I of the columns in the model.
func (m *model) gram() dense.Triangle {
	g := dense.NewTriangle(len(m.support))
	for a, j := range m.support {
		row, p := g.Row(a), m.products[j]
		for k := range row {
			row[k] = p[m.support[k]]
		}
		row[a] += m.lambda2
	}
	return g
}

// swap replaces the first column of the model, by number, for which another one would do better, for the best of these.
func (m *model) swap(context.Context, float64) (out, in int32, some bool) {
	for _, i := range m.support {
		p, best := m.products[i], -1
		largest := math.Abs(m.b[i]) * (1 + m.lambda2) * (1 + 1e-9)
		for j, scale := range m.x.Scale {
			if scale == 0 || m.b[j] != 0 {
				continue
			}
			if v := math.Abs(m.c[j] + float64(m.b[i]*p[j])); v > largest {
				largest, best = v, j
			}
		}
		if best >= 0 {
			m.move(i, 0)
			m.move(int32(best), m.c[best]/(1+m.lambda2))
			return i, int32(best), true
		}
	}
	return 0, 0, false
}

// refitted is how many columns a model has at most for which exchange goes over all pairs: beyond, that costs more than descents do.
const refitted = 32

// exchange replaces the column of the model by the one outside for which the objective falls the most, with the coefficients of the others refitted.
// Without column i, whose coefficient is b_i, it rises by half of b_i²/h_ii, where h is the inverse of X'X + λ2·I of the model; column k then
// brings half of c²/d, of its product with what is left, c = c_k + w_i·b_i/h_ii, and the square of its part outside the others,
// d = 1 + λ2 − g'w + w_i²/h_ii, where g are its products with the model's columns, and w = h·g. O(columns · those of the model²).
func (m *model) exchange(ctx context.Context) bool {
	n := len(m.support)
	if n > refitted {
		return false
	}
	in := slices.Clone(m.support)
	factor := m.gram()
	if !factor.Factor(ctx) {
		return false
	}
	h, products := make([][]float64, n), make([][]float64, n)
	for a, j := range in {
		h[a], products[a] = make([]float64, n), m.products[j]
		h[a][a] = 1
		factor.Solve(h[a])
	}
	const minOutside = 1e-9 // part of a column outside others that is not rounding
	out, best, largest := -1, -1, 1e-9*m.total
	w := make([]float64, n)
	for k, scale := range m.x.Scale {
		if scale == 0 || m.b[k] != 0 {
			continue
		}
		part := 1 + m.lambda2
		for a := range in {
			w[a] = 0
			for c, v := range h[a] {
				w[a] += float64(v * products[c][k])
			}
			part -= float64(w[a] * products[a][k])
		}
		for a, j := range in {
			c, d := m.c[k]+float64(w[a]*m.b[j]/h[a][a]), part+float64(w[a]*w[a]/h[a][a])
			if d < minOutside {
				continue
			}
			if gain := float64(c*c/d) - float64(m.b[j]*m.b[j]/h[a][a]); gain > largest {
				out, best, largest = a, k, gain
			}
		}
	}
	if out < 0 {
		return false
	}
	before, b := m.fit(), data.ValuesAt(m.b, in)
	m.move(in[out], 0)
	m.move(int32(best), m.c[best]/(1+m.lambda2))
	if m.solve(ctx); m.fit() < before {
		return true
	}
	m.move(int32(best), 0)
	for a, j := range in {
		m.move(j, b[a])
	}
	return false
}

// fit returns the objective without the price of columns.
func (m *model) fit() float64 { return float64(0.5*m.rss()) + float64(0.5*m.lambda2*m.squares()) }
