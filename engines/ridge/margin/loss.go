package margin

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// Loss is a convex function of the margin z = s (x·w + b).
type Loss int

const (
	Logistic     Loss = iota // log(1 + e^−z); e(a) = −m (r log r + (1−r) log(1−r)) with r = a/m ≤ 1
	Hinge                    // max(0, 1 − z); e(a) = a ≤ m
	SquaredHinge             // max(0, 1 − z)²; e(a) = a − a²/(4m)
)

// value returns the loss at a margin.
func (l Loss) value(z float64) float64 {
	switch l {
	case Logistic:
		return elementary.Log1p(elementary.Exp(-math.Abs(z))) + max(0, -z)
	case Hinge:
		return max(0, 1-z)
	}
	v := max(0, 1-z)
	return v * v
}

// bestBias returns the bias of least loss where there is nothing else, for the weights of the two sides, both above 0.
func (l Loss) bestBias(positive, negative float64) float64 {
	switch l {
	case Logistic:
		return elementary.Log(positive / negative)
	case Hinge:
		if positive < negative {
			return -1
		}
		return 1
	}
	return (positive - negative) / (positive + negative)
}

// negativeDerivative returns minus the derivative of the loss by the margin, and the second derivative; that of the hinge is 0.
func (l Loss) negativeDerivative(z float64) (fall, curvature float64) {
	switch l {
	case Logistic:
		e := elementary.Exp(-math.Abs(z))
		right := 1 / (1 + e)
		curvature = e * right * right
		if z >= 0 {
			return e * right, curvature
		}
		return right, curvature
	case Hinge:
		if z < 1 {
			return 1, 0
		}
		return 0, 0
	}
	if z < 1 {
		return 2 * (1 - z), 2
	}
	return 0, 0
}

// dual returns e(a) of a row of weight m.
func (l Loss) dual(a, m float64) float64 {
	switch l {
	case Logistic:
		return float64(m * (elementary.Entr(a/m) + elementary.Entr1m(a/m)))
	case Hinge:
		return a
	}
	return a - float64(a*a)/(4*m)
}
