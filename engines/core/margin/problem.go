// Package margin fits linear models of two classes: for rows x with signs s = ±1 and weights m > 0, the minimum over w and b of
//
//	P(w, b) = Σ m_i ℓ(s_i (x_i·w + b)) + C2/2 ‖w‖²
//
// for the logistic loss, the hinge and the squared hinge, by dual coordinate descent (Hsieh, Chang, Lin, Keerthi & Sundararajan 2008;
// Yu, Huang & Lin 2011) and by Newton steps of conjugate gradients (Lin, Weng & Keerthi 2008). What they reach is proved by the dual,
//
//	D(a) = Σ e(a_i) − ‖Σ a_i s_i x_i‖² / (2 C2),    a_i ≥ 0, and Σ a_i s_i = 0 where b is free,
//
// which is P at most, and P at the minimum.
package margin

import (
	"context"
	"fmt"

	"tenfold/engines/core/dense"
	"tenfold/engines/core/sparse"
)

// Bias says what the model has beside the columns: a column of ones.
type Bias int

const (
	NoBias        Bias = iota
	FreeBias           // not penalised; both signs must have rows
	PenalizedBias      // as every weight
)

// Problem is rows with signs. Its methods do not change it.
type Problem struct {
	X      *sparse.Matrix
	Sign   []float64      // ±1 by row
	Weight sparse.Weights // m by row, positive and finite; nil counts every row once
	Loss   Loss
	C2     float64 // above 0
	Bias   Bias

	smooth *multipliers // in place of the hinge; nil for the loss as it is
}

// lossOf row i at a margin: its value, how fast it falls, and its second derivative.
func (p *Problem) lossOf(i int, z float64) (value, fall, curvature float64) {
	if p.smooth != nil {
		return p.smooth.at(i, z)
	}
	fall, curvature = p.Loss.negativeDerivative(z)
	return p.Loss.value(z), fall, curvature
}

// Width is the number of weights; where there is a bias, it is the last.
func (p *Problem) Width() int {
	_, columns := p.X.Dims()
	if p.Bias != NoBias {
		columns++
	}
	return columns
}

// weightOf row i.
func (p *Problem) weightOf(i int) float64 { return p.Weight.Of(i) }

// sides are the weights of the rows of either sign.
func (p *Problem) sides() (positive, negative float64) {
	for i, s := range p.Sign {
		if s > 0 {
			positive += p.weightOf(i)
		} else {
			negative += p.weightOf(i)
		}
	}
	return positive, negative
}

// check what the solvers rely on.
func (p *Problem) check() error {
	if !(p.C2 > 0) {
		return fmt.Errorf("penalty %v, expected a number above 0", p.C2)
	}
	if positive, negative := p.sides(); p.Bias == FreeBias && !(positive > 0 && negative > 0) {
		return fmt.Errorf("all rows have one sign: a free bias has no finite optimum")
	}
	return nil
}

// squaredNorm is ‖w‖², with the bias where that is penalised.
func (p *Problem) squaredNorm(w []float64) float64 {
	if p.Bias == FreeBias {
		w = w[:len(w)-1]
	}
	return dense.Dot(w, w)
}

// split the weights from the bias.
func (p *Problem) split(w []float64) (weights []float64, bias float64) {
	if p.Bias == NoBias {
		return w, 0
	}
	return w[:len(w)-1], w[len(w)-1]
}

// entriesPerLook is how many entries are worked on between two looks at a context.
const entriesPerLook = 1 << 15

// contextChecker counts work, and looks at a context as often as that asks for.
type contextChecker struct {
	ctx  context.Context
	left int
	over bool
}

// ended tells whether the context has ended, after work on so many entries more.
func (l *contextChecker) ended(entries int) bool {
	if l.left -= entries + 1; l.left < 0 && !l.over {
		l.left = entriesPerLook
		l.over = l.ctx.Err() != nil
	}
	return l.over
}
