package mkl

import (
	"math"

	"tenfold/engines/data"
	"tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
)

// loss of responses y, rows counting m times, on the side of the dual: φ*(ρ) = Σ m·ℓ*(−ρ/m), where ρ is minus the gradient of
// the loss by the scores.
type loss interface {
	weightOf(row int) float64
	// nullDual is ρ where there is nothing but an intercept.
	nullDual() []float64
	// conjugate fills the scores z = −dφ*/dρ that have the gradient −ρ, and the second derivatives h of φ*, and returns φ*; z
	// and h may be nil. It is +Inf where no scores have that gradient.
	conjugate(z, h, rho []float64) float64
	// maxStep is the largest step of at most 1 from ρ along d that stays where φ* is finite.
	maxStep(rho, d []float64) float64
	// primal is the loss at scores without an intercept, with the intercept that is best, near the given one.
	primal(scores []float64, near float64) (value, intercept float64)
}

type rows struct {
	y      []float64
	weight data.Weights
}

func (r rows) weightOf(i int) float64 { return r.weight.Of(i) }

func (r rows) mean() float64 {
	n, s := 0.0, 0.0
	for i, y := range r.y {
		n += r.weightOf(i)
		s += float64(r.weightOf(i) * y)
	}
	return s / n
}

// nullDual returns the dual point of the null model, m·(y − ȳ), for both losses.
func (r rows) nullDual() []float64 {
	mean, out := r.mean(), make([]float64, len(r.y))
	for i, y := range r.y {
		out[i] = r.weightOf(i) * (y - mean)
	}
	return out
}

// squaredLoss is ½·Σ m (y − z)², whose φ* is Σ ρ²/(2m) − ρy.
type squaredLoss struct{ rows }

func (l squaredLoss) conjugate(z, h, rho []float64) float64 {
	s := 0.0
	for i, r := range rho {
		m := l.weightOf(i)
		s += float64(r*r)/(2*m) - float64(r*l.y[i])
		if z != nil {
			z[i] = l.y[i] - r/m
		}
		if h != nil {
			h[i] = 1 / m
		}
	}
	return s
}

func (squaredLoss) maxStep([]float64, []float64) float64 { return 1 }

func (l squaredLoss) primal(scores []float64, _ float64) (value, intercept float64) {
	n := 0.0
	for i, y := range l.y {
		n += l.weightOf(i)
		intercept += float64(l.weightOf(i) * (y - scores[i]))
	}
	intercept /= n
	for i, y := range l.y {
		d := y - scores[i] - intercept
		value += float64(float64(l.weightOf(i)*float64(d*d)) / 2)
	}
	return value, intercept
}

// logisticLoss is Σ m·log(1 + e^±z), with the plus where y is 0. Its φ* is Σ m·(a log a + (1 − a) log(1 − a)), where a = ±ρ/m is the
// probability of the other class.
type logisticLoss struct{ rows }

func (l logisticLoss) probability(i int, rho float64) float64 {
	if l.y[i] == 0 {
		rho = -rho
	}
	return rho / l.weightOf(i)
}

func (l logisticLoss) conjugate(z, h, rho []float64) float64 {
	s := 0.0
	for i, r := range rho {
		a, m := l.probability(i, r), l.weightOf(i)
		if a < 0 || a > 1 {
			return math.Inf(1)
		}
		s -= float64(m * (elementary.Entr(a) + elementary.Entr(1-a)))
		if z != nil {
			if z[i] = elementary.Log((1 - a) / a); l.y[i] == 0 {
				z[i] = -z[i]
			}
		}
		if h != nil {
			h[i] = 1 / (m * a * (1 - a))
		}
	}
	return s
}

func (l logisticLoss) maxStep(rho, d []float64) float64 {
	step := 1.0
	for i, r := range rho {
		a, b := l.probability(i, r), l.probability(i, d[i])
		switch {
		case b > 0:
			step = min(step, 0.99*(1-a)/b)
		case b < 0:
			step = min(step, -0.99*a/b)
		}
	}
	return step
}

func (l logisticLoss) primal(scores []float64, b float64) (value, intercept float64) {
	b = response.Intercept(b, func(b float64) (fall, curvature, weight float64) {
		for i, s := range scores {
			p := 1 / (1 + elementary.Exp(-s-b))
			fall += float64(l.weightOf(i) * (l.y[i] - p))
			curvature += float64(l.weightOf(i) * float64(p*(1-p)))
			weight += l.weightOf(i)
		}
		return fall, curvature, weight
	})
	for i, s := range scores {
		t := s + b
		if l.y[i] == 0 {
			t = -t
		}
		value += float64(l.weightOf(i) * (elementary.Log1p(elementary.Exp(-math.Abs(t))) + max(0, -t)))
	}
	return value, b
}
