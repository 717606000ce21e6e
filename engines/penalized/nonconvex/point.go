package nonconvex

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// point is a model, and what is known there. The residual r_i (of classes, the label less its probability) is kept as v = m∘r and a
// number: r_i = v_i/m_i + shift, so that centring costs one addition a step.
//
// The gradients x̃_j'r are kept too, each with the distance that r had covered when it was computed. Since then it has changed by at
// most ‖x̃_j‖ times the distance covered since, so that most columns need not be looked at for every penalty.
type point struct {
	x        *scaled.Matrix // columns with mean 0 and ‖x̃_j‖² = n, in the formulas
	factor   sparse.Weights // of the penalties, by column
	y        []float64      // of numbers, less their mean
	mean     float64        // what they are less
	logistic bool
	curve    float64 // v
	workers  int

	beta  []float64 // by column
	work  []int32   // columns of the working set, rising: no other has a coefficient
	inSet []bool    // whether a column is one of them
	bias  float64   // of classes, beside columns that are centred
	loss  float64
	null  float64 // loss without columns
	v     []float64
	shift float64

	eta  []float64 // of classes: scores
	head []float64 // and r when they were last computed

	gradient, distanceAt []float64 // −1 before the first time
	distance             float64
	bound                []float64 // |gradient| − ‖x̃_j‖·distanceAt: with ‖x̃_j‖·distance, what |gradient| may be by now; infinite in the working set
	current              []int32   // columns whose gradients are those of last
	wanted               []int32   // columns whose gradients are looked at
	dots                 []float64 // of these, work space
	last                 []float64 // r when gradients were last looked at
}

// newPoint is the model without columns. O(nnz).
func newPoint(ctx context.Context, r *response.Responses, workers int) (*point, error) {
	x, err := scaled.StandardizeFar(ctx, r.Train.FilledMatrix(), r.Train.Weights(), "sd")
	if err != nil {
		return nil, err
	}
	rows, columns := x.X.Dims()
	p := &point{
		x: x, factor: r.Train.Factors(), workers: workers, curve: 1, logistic: r.Loss == response.Logistic, beta: make([]float64, columns), inSet: make([]bool, columns), v: make([]float64, rows),
		gradient: make([]float64, columns), distanceAt: make([]float64, columns), bound: make([]float64, columns), last: make([]float64, rows),
	}
	for j := range p.distanceAt {
		p.distanceAt[j], p.bound[j] = -1, math.Inf(1)
		if x.Scale[j] == 0 {
			p.bound[j] = math.Inf(-1)
		}
	}
	p.y, p.mean, _ = x.Center(r.Each[0].Y)
	if p.logistic {
		p.curve, p.bias, p.y, p.mean = 0.25, elementary.Log(p.mean/(1-p.mean)), r.Each[0].Y, 0
		p.eta, p.head = make([]float64, rows), make([]float64, rows)
	}
	p.recompute()
	p.null = p.loss
	return p, nil
}

// nv is n·v: the curvature of the loss along a column, or its bound.
func (p *point) nv() float64 { return p.x.N * p.curve }

// lambdaMax is the largest gradient of the model without columns. O(nnz).
func (p *point) lambdaMax(ctx context.Context) (float64, error) {
	if err := p.updateGradients(ctx, 0); err != nil {
		return 0, err
	}
	most := 0.0
	for j, g := range p.gradient {
		if f := p.factorOf(j); f > 0 && g*g > 1e-24*p.x.N*p.null { // else there is nothing but rounding
			most = max(most, math.Abs(g)/f)
		}
	}
	return most, nil
}

// factorOf column j in the penalties.
func (p *point) factorOf(j int) float64 { return p.factor.Of(j) }

// join adds a column to the working set, which is to be sorted then.
func (p *point) join(j int32) {
	p.work, p.inSet[j], p.bound[j] = append(p.work, j), true, math.Inf(1)
}

// gradientOf column j from the residual as it is. O(entries of the column).
func (p *point) gradientOf(j int32) float64 {
	return p.x.Scale[j] * (p.x.X.Col(int(j)).Dot4(p.v) + float64(p.shift*p.x.N*p.x.Mean[j]))
}

// move a coefficient, and the residual as the bound of the curvature has it. O(entries of the column).
func (p *point) move(j int32, to float64) {
	by := p.curve * p.x.Scale[j] * (to - p.beta[j])
	p.beta[j] = to
	p.shift += float64(by * p.x.Mean[j])
	col := p.x.X.Col(int(j))
	if p.x.Weight == nil {
		col.AddTo(p.v, -by)
		return
	}
	for k, i := range col.Idx {
		p.v[i] -= float64(by * col.At(k) * p.x.Weight[i])
	}
}

// moveBias moves the intercept of classes to the best value that the bound of the curvature has for it, and tells how far.
func (p *point) moveBias() float64 {
	by := p.residualSum() / p.nv()
	p.bias += by
	p.shift -= float64(p.curve * by)
	return math.Abs(by)
}

// residualSum is minus the derivative of the loss by the intercept.
func (p *point) residualSum() float64 {
	sum := float64(p.shift * p.x.N)
	for _, v := range p.v {
		sum += v
	}
	return sum
}

// residualAt row i.
func (p *point) residualAt(i int) float64 { return p.v[i]/p.x.RowWeight(i) + p.shift }

// applyMoves brings the scores of classes to where moves since the last refresh have them: by these the residual changed as if its
// curvature were v.
func (p *point) applyMoves() {
	for i := range p.eta {
		p.eta[i] += (p.head[i] - p.residualAt(i)) / p.curve
	}
}

// refresh computes residuals and loss, of classes from the scores. O(rows).
func (p *point) refresh() {
	p.loss = 0
	if !p.logistic {
		for i := range p.y {
			r := p.residualAt(i)
			p.loss += float64(p.x.RowWeight(i) * r * r / 2)
		}
		return
	}
	p.shift = 0
	for i, y := range p.y {
		m := p.x.RowWeight(i)
		loss, r := response.LogLoss(y, p.eta[i])
		p.head[i], p.v[i] = r, m*r
		p.loss += float64(m * loss)
	}
}

// refreshResiduals of classes from the scores, with the loss only where the model may be saturated, else infinite: the log-loss of a
// row is at least the size of its residual, which takes no logarithm.
func (p *point) refreshResiduals() {
	p.shift, p.loss = 0, math.Inf(1)
	least := 0.0
	for i, y := range p.y {
		r := response.LogResidual(y, p.eta[i])
		p.head[i], p.v[i] = r, p.x.RowWeight(i)*r
		least += math.Abs(p.v[i])
	}
	if engines.Saturated(least*(1-1e-9), p.null) {
		p.refresh()
	}
}

// recompute the residual, scores and loss from the coefficients. O(entries of the selected columns).
func (p *point) recompute() {
	scores, offset := make([]float64, len(p.y)), -p.bias
	for _, j := range p.work {
		if b := p.x.Scale[j] * p.beta[j]; b != 0 {
			p.x.X.Col(int(j)).AddTo(scores, b)
			offset += float64(b * p.x.Mean[j])
		}
	}
	p.shift = 0
	for i, s := range scores {
		if p.logistic {
			p.eta[i] = s - offset
		} else {
			p.v[i] = p.x.RowWeight(i) * (p.y[i] - s + offset)
		}
	}
	p.refresh()
}

// selected columns, rising.
func (p *point) selected() (columns []int32) {
	for _, j := range p.work {
		if p.beta[j] != 0 {
			columns = append(columns, j)
		}
	}
	return columns
}

// updateGradients of the working set, and of columns whose gradients may have come to the threshold.
func (p *point) updateGradients(ctx context.Context, threshold float64) error {
	moved := 0.0
	for i, before := range p.last {
		r := p.residualAt(i)
		moved += float64(p.x.RowWeight(i) * float64((r-before)*(r-before)))
		p.last[i] = r
	}
	before := p.distance
	p.distance += float64((1 + 1e-9) * math.Sqrt(moved))
	if p.distance > before { // else gradients are current up to rounding
		p.current = p.current[:0]
	}
	most := float64(math.Sqrt(p.x.N) * p.distance)
	p.wanted = p.wanted[:0]
	for j, g := range p.bound {
		if g+most >= threshold*p.factorOf(j) && !p.isCurrent(j) {
			p.wanted = append(p.wanted, int32(j))
		}
	}
	p.current = append(p.current, p.wanted...)
	p.dots = slices.Grow(p.dots[:0], len(p.wanted))[:len(p.wanted)]
	parallel.Stretches(p.workers, 256, len(p.wanted), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		some := p.wanted[first:last]
		p.x.X.DotColumns(p.dots[first:last], some, p.v)
		for k, j := range some {
			p.gradient[j], p.distanceAt[j] = p.x.Scale[j]*(p.dots[first+k]+float64(p.shift*p.x.N*p.x.Mean[j])), p.distance
			if !p.inSet[j] {
				p.bound[j] = math.Abs(p.gradient[j]) - most
			}
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// isCurrent tells whether the gradient of a column is that of the residual when gradients were last looked at.
func (p *point) isCurrent(j int) bool { return p.distanceAt[j] == p.distance }
