package group

import (
	"math"

	"tenfold/engines/model/response"
	"tenfold/engines/numeric/elementary"
)

// responses row by row, so many tasks a row, and the multiplicities m_i of the rows (nil: 1 each).
type responses struct {
	y      []float64
	weight []float64
	tasks  int
}

// m returns the multiplicity of the row of entry k.
func (r responses) m(k int) float64 {
	if r.weight == nil {
		return 1
	}
	return r.weight[k/r.tasks]
}

// loss of scores η, laid out as responses are. A dual point θ has one number for each of them; where it sums to 0 in every task
// and ‖X̃_g'θ‖ ≤ λω_g in every block, its value is below that of all models.
type loss interface {
	// center adds to the scores of every task the intercept that is best, near the given ones, which it replaces.
	center(eta, bias []float64)
	// gradient sets θ = −∂loss/∂η, and returns the loss.
	gradient(theta, eta []float64) float64
	// curve is ∂²loss/∂η², nil for 1 everywhere, and its largest share of m. It fills dst where it needs to.
	curve(dst, eta []float64) (h []float64, top float64)
	// dual is the value of the dual point s·θ, for s in [0, 1].
	dual(s float64, theta []float64) float64
	// concavity is κ: with rows of weight m, −dual − κ/2·Σ θ²/m is convex.
	concavity() float64
}

// squares is ½·Σ m (y − η)².
type squares struct{ responses }

func (l squares) center(eta, bias []float64) {
	for t := range bias {
		n, sum := 0.0, 0.0
		for k := t; k < len(eta); k += l.tasks {
			n += l.m(k)
			sum += float64(l.m(k) * (l.y[k] - eta[k]))
		}
		bias[t] = sum / n
	}
	shift(eta, bias)
}

func (l squares) gradient(theta, eta []float64) float64 {
	sum := 0.0
	for k, y := range l.y {
		d := y - eta[k]
		theta[k] = l.m(k) * d
		sum += float64(theta[k] * d)
	}
	return sum / 2
}

func (l squares) curve(dst, _ []float64) ([]float64, float64) {
	if l.weight == nil {
		return nil, 1
	}
	for k := range dst {
		dst[k] = l.m(k)
	}
	return dst, 1
}

// dual returns Σ θy − ½·Σ θ²/m. (That θ sums to 0 makes the mean of y play no part.)
func (l squares) dual(s float64, theta []float64) float64 {
	cross, size := 0.0, 0.0
	for k, v := range theta {
		cross += float64(v * l.y[k])
		size += float64(v*v) / l.m(k)
	}
	return float64(s*cross) - float64(float64(float64(s*s)*size)/2)
}

func (squares) concavity() float64 { return 1 }

// logits is Σ m·log(1 + e^±η), with the plus where y is 0.
type logits struct{ responses }

func (l logits) center(eta, bias []float64) {
	for t := range bias {
		bias[t] = response.Intercept(bias[t], func(b float64) (fall, curvature, weight float64) {
			for k := t; k < len(eta); k += l.tasks {
				p := probability(eta[k] + b)
				fall += float64(l.m(k) * (l.y[k] - p))
				curvature += float64(l.m(k) * float64(p*(1-p)))
				weight += l.m(k)
			}
			return fall, curvature, weight
		})
	}
	shift(eta, bias)
}

func (l logits) gradient(theta, eta []float64) float64 {
	sum := 0.0
	for k, y := range l.y {
		t := eta[k] // how much the score speaks for the class that it is
		if y == 0 {
			t = -t
		}
		e := elementary.Exp(-math.Abs(t))
		wrong := 1 / (1 + e)
		if t >= 0 {
			wrong = e / (1 + e)
		}
		if theta[k] = l.m(k) * wrong; y == 0 {
			theta[k] = -theta[k]
		}
		sum += float64(l.m(k) * (elementary.Log1p(e) + max(0, -t)))
	}
	return sum
}

// flattest keeps second derivatives away from 0, where a quadratic would have no minimum.
const flattest = 1e-8

func (l logits) curve(dst, eta []float64) ([]float64, float64) {
	top := 0.0
	for k, v := range eta {
		p := probability(v)
		h := max(float64(p*(1-p)), flattest)
		top = max(top, h)
		dst[k] = l.m(k) * h
	}
	return dst, top
}

// dual returns the entropy −Σ m·(a log a + (1 − a) log(1 − a)), with a = |θ|/m.
func (l logits) dual(s float64, theta []float64) float64 {
	sum := 0.0
	for k, v := range theta {
		m := l.m(k)
		a := math.Abs(s*v) / m
		sum += float64(m * (elementary.Entr(a) + elementary.Entr(1-a)))
	}
	return sum
}

func (logits) concavity() float64 { return 4 }

func probability(eta float64) float64 {
	e := elementary.Exp(-math.Abs(eta))
	if eta >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}

// shift adds the bias of its task to every score.
func shift(eta, bias []float64) {
	k := len(bias)
	for i := 0; i < len(eta); i += k {
		for t, b := range bias {
			eta[i+t] += b
		}
	}
}
