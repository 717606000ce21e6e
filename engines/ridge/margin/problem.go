// Package margin fits linear models of two classes: for rows x with signs s = ±1 and weights m > 0, the minimum over w and b of
//
//	P(w, b) = Σ m_i ℓ(s_i (x_i·w + b)) + C2/2 ‖w‖²
//
// for the logistic loss, the hinge and the squared hinge, by dual coordinate descent (Hsieh, Chang, Lin, Keerthi & Sundararajan
// 2008; Yu, Huang & Lin 2011) and by Newton steps of conjugate gradients (Lin, Weng & Keerthi 2008). The dual certifies the result,
//
//	D(a) = Σ e(a_i) − ‖Σ a_i s_i x_i‖² / (2 C2),    a_i ≥ 0, and Σ a_i s_i = 0 where b is free,
//
// which is P at most, and P at the minimum.
package margin

import (
	"context"
	"fmt"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// Bias says how the model treats the bias, the weight of a column of ones.
type Bias int

const (
	NoBias        Bias = iota
	FreeBias           // not penalised; both signs must have rows
	PenalizedBias      // penalised like every weight
)

// Problem holds rows with signs. Its methods do not change it.
type Problem struct {
	X      *sparse.Matrix
	Sign   []float64      // ±1 by row
	Weight sparse.Weights // m by row, positive and finite; nil counts every row once
	Loss   Loss
	C2     float64 // above 0
	Bias   Bias

	smooth *multipliers // in place of the hinge; nil for the loss as it is
}

// lossOf returns the loss of row i at a margin, minus its derivative, and its second derivative.
func (p *Problem) lossOf(i int, z float64) (value, fall, curvature float64) {
	if p.smooth != nil {
		return p.smooth.loss(i, z)
	}
	fall, curvature = p.Loss.negativeDerivative(z)
	return p.Loss.value(z), fall, curvature
}

// Width returns the number of weights; a bias is the last.
func (p *Problem) Width() int {
	_, columns := p.X.Dims()
	if p.Bias != NoBias {
		columns++
	}
	return columns
}

// weightOf returns the weight of row i.
func (p *Problem) weightOf(i int) float64 { return p.Weight.Of(i) }

// sides returns the total weights of the rows of either sign.
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

// check verifies what the solvers rely on.
func (p *Problem) check() error {
	if !(p.C2 > 0) {
		return fmt.Errorf("penalty %v, expected a number above 0", p.C2)
	}
	if positive, negative := p.sides(); p.Bias == FreeBias && !(positive > 0 && negative > 0) {
		return fmt.Errorf("all rows have one sign: a free bias has no finite optimum")
	}
	return nil
}

// squaredNorm returns ‖w‖², including a penalised bias.
func (p *Problem) squaredNorm(w []float64) float64 {
	if p.Bias == FreeBias {
		w = w[:len(w)-1]
	}
	return dense.Dot(w, w)
}

// split separates the weights from the bias.
func (p *Problem) split(w []float64) (weights []float64, bias float64) {
	if p.Bias == NoBias {
		return w, 0
	}
	return w[:len(w)-1], w[len(w)-1]
}

// entriesPerLook is the number of entries between two polls of a context.
const entriesPerLook = 1 << 15

// contextChecker counts work, and polls a context once per entriesPerLook.
type contextChecker struct {
	ctx  context.Context
	left int
	over bool
}

// ended reports whether the context has ended, after work on this many more entries.
func (l *contextChecker) ended(entries int) bool {
	if l.left -= entries + 1; l.left < 0 && !l.over {
		l.left = entriesPerLook
		l.over = l.ctx.Err() != nil
	}
	return l.over
}
