package slope

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
)

// point is a model, and what is known there. The intercept is always the best one beside the coefficients, so that everything is a function of
// these alone, and residuals sum to 0.
type point struct {
	x        *scaled.Matrix // columns with mean 0, in the formulas
	y        []float64      // of numbers, less their mean
	mean     float64        // what they are less
	logistic bool
	curve    float64 // 1, or ¼: no second derivative of the loss along a score exceeds it times the row's weight
	workers  int
	all      []int32 // columns

	beta     []float64 // by column
	scores   []float64 // X̃·β
	bias     float64   // beside columns that are centred
	r        []float64 // m∘r, r of classes the label less its probability
	sum      float64   // of r: 0 but for rounding
	loss     float64
	null     float64   // loss without columns
	gradient []float64 // x̃_j'r, by column
}

// newPoint returns the model without columns. O(nnz).
func newPoint(ctx context.Context, r *response.Responses, standardize bool, workers int) (*point, error) {
	scale := "none"
	if standardize {
		scale = "sd"
	}
	x, err := scaled.StandardizeFar(ctx, r.Train.FilledMatrix(), r.Train.Weights(), scale)
	if err != nil {
		return nil, err
	}
	rows, columns := x.X.Dims()
	p := &point{
		x: x, workers: workers, all: data.Numbers(columns), curve: 1, logistic: r.Loss == response.Logistic,
		beta: make([]float64, columns), scores: make([]float64, rows), r: make([]float64, rows), gradient: make([]float64, columns),
	}
	p.y, p.mean, _ = x.Center(r.Each[0].Y)
	if p.logistic {
		p.curve, p.bias, p.y, p.mean = 0.25, elementary.Log(p.mean/(1-p.mean)), r.Each[0].Y, 0
	}
	p.evaluate(p.scores)
	p.null = p.loss
	return p, nil
}

// evaluate loss, residual and best intercept at scores, which it does not keep. O(rows), of classes times Newton's steps for the intercept.
func (p *point) evaluate(scores []float64) {
	if !p.logistic {
		p.evaluateNumbers(scores)
		return
	}
	const steps = 50
	for range steps {
		curvature := p.evaluateClasses(scores)
		if math.Abs(p.sum) <= 1e-13*p.x.N || curvature == 0 {
			return
		}
		p.bias += max(-1, min(1, p.sum/curvature)) // the loss is near its second order as far as that
	}
}

func (p *point) evaluateNumbers(scores []float64) {
	p.bias, p.loss, p.sum = 0, 0, 0
	for i, y := range p.y {
		p.bias += float64(p.x.RowWeight(i) * (y - scores[i]))
	}
	p.bias /= p.x.N
	for i, y := range p.y {
		m, r := p.x.RowWeight(i), y-scores[i]-p.bias
		p.r[i] = m * r
		p.sum += p.r[i]
		p.loss += float64(p.r[i] * r / 2)
	}
}

// evaluateClasses returns the second derivative by the intercept.
func (p *point) evaluateClasses(scores []float64) (curvature float64) {
	p.loss, p.sum = 0, 0
	for i, y := range p.y {
		m := p.x.RowWeight(i)
		loss, r := response.LogLoss(y, scores[i]+p.bias)
		p.r[i] = m * r
		p.sum += p.r[i]
		p.loss += float64(m * loss)
		other := math.Abs(r) // probability of the other label
		curvature += float64(m * other * (1 - other))
	}
	return curvature
}

// curvatureOf returns the second derivative of the loss along the score of row i, where it was last evaluated.
func (p *point) curvatureOf(i int) float64 {
	m := p.x.RowWeight(i)
	if !p.logistic {
		return m
	}
	share := math.Abs(p.r[i]) / m // probability of the other label
	return m * share * (1 - share)
}

// gradients sets dst to those of some columns. O(entries of the columns).
func (p *point) gradients(ctx context.Context, dst []float64, columns []int32) {
	parallel.Stretches(p.workers, 256, len(columns), func(first, last int) {
		if ctx.Err() == nil {
			p.x.DotColumns(dst[first:last], columns[first:last], p.r, p.sum)
		}
	})
}

// updateAll computes everything from the scores. O(nnz).
func (p *point) updateAll(ctx context.Context) error {
	p.evaluate(p.scores)
	p.gradients(ctx, p.gradient, p.all)
	return context.Cause(ctx)
}

// anyCorrelated reports whether |x_j·r| exceeds 1e-12·‖x_j‖·‖r‖ for some column j. O(rows + columns).
func (p *point) anyCorrelated() bool {
	size := 0.0
	for i, r := range p.r {
		size += float64(r*r) / p.x.RowWeight(i)
	}
	for j, g := range p.gradient {
		if g*g > 1e-24*size*p.x.Norm2[j] {
			return true
		}
	}
	return false
}

// falling returns the sizes of the gradients of the columns that vary, the largest first. Where order is not nil, it gets their columns,
// ties by number.
func (p *point) falling(order []int32) []float64 {
	sizes := make([]float64, 0, len(p.gradient))
	if order == nil {
		for j, g := range p.gradient {
			if p.x.Scale[j] != 0 {
				sizes = append(sizes, math.Abs(g))
			}
		}
		slices.Sort(sizes)
		slices.Reverse(sizes)
		return sizes
	}
	sortBySize(order, p.gradient)
	for _, j := range order {
		sizes = append(sizes, math.Abs(p.gradient[j]))
	}
	return sizes
}

// certify certifies the model by the dual point s·r of numbers, with s the best for which gradients are in the dual ball; of classes by
// shares that are moved from the labels to the probabilities as far as that lets them. sizes of gradients and of coefficients fall.
func (p *point) certify(gradients, coefficients, penalties []float64, scale float64) engines.Certificate {
	s := min(1, scale*dualScale(gradients, penalties))
	c := engines.Certificate{Objective: p.loss + float64(scale*norm(coefficients, penalties))}
	if p.logistic {
		for i, r := range p.r {
			m := p.x.RowWeight(i)
			share := s * math.Abs(r) / m
			c.Dual += float64(m * (elementary.Entr(share) + elementary.Entr1m(share)))
		}
		return c
	}
	explained := dense.DotInOrder(p.r, p.y)
	if square := 2 * p.loss; square > 0 {
		s = max(0, min(s, explained/square))
	}
	c.Dual = float64(s*explained) - float64(s*s*p.loss)
	return c
}
