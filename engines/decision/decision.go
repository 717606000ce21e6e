// Package decision says which level of a class a model predicts from its outputs.
package decision

import (
	"math"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/exact"
)

// Rule says how a level is predicted from the outputs of a class target, where that is not the level of the largest output. Of two
// levels it is the positive one where its margin, its output less the other's, is at least Cut. With Costs [true][predicted], the outputs
// are logarithms of probabilities, and it is the level of the least expected cost.
type Rule struct {
	Positive int         `json:"positive"`
	Cut      exact.Float `json:"cut"`
	Costs    [][]float64 `json:"costs,omitempty"`
}

// Level returns the level that is predicted from the outputs for one row, the lowest on ties. A nil rule takes the largest output.
func (d *Rule) Level(outputs []float64) int {
	switch {
	case d == nil:
		return largest(outputs)
	case d.Costs != nil:
		return d.cheapest(outputs)
	}
	if d.Margin(outputs) >= float64(d.Cut) {
		return d.Positive
	}
	return 1 - d.Positive
}

// Margin returns how far the output of the positive level is above that of the other.
func (d *Rule) Margin(outputs []float64) float64 {
	return outputs[d.Positive] - outputs[1-d.Positive]
}

// cheapest returns the level k with the least Σ p_j·C[j][k] (Elkan 2001, equation 1), the lowest on ties.
func (d *Rule) cheapest(logProbabilities []float64) int {
	best, least := 0, math.Inf(1)
	for k := range d.Costs {
		expected := 0.0
		for j, log := range logProbabilities {
			expected += float64(elementary.Exp(log) * d.Costs[j][k])
		}
		if expected < least {
			best, least = k, expected
		}
	}
	return best
}

// CostCut returns the margin from which on the positive level of two is the cheaper prediction, as logarithms of probabilities have it:
// log(p/(1 − p)) at p = (C₀₁ − C₀₀)/((C₀₁ − C₀₀) + (C₁₀ − C₁₁)), with 1 the positive one (Elkan 2001, equation 2). It is infinite where one
// prediction is never the cheaper.
func CostCut(costs [][]float64, positive int) float64 {
	falsePositive := costs[1-positive][positive] - costs[1-positive][1-positive]
	falseNegative := costs[positive][1-positive] - costs[positive][positive]
	switch {
	case falsePositive <= 0:
		return math.Inf(-1)
	case falseNegative <= 0:
		return math.Inf(1)
	}
	return elementary.Log(falsePositive / falseNegative)
}

// largest returns the index of the largest number, the lowest on ties.
func largest(outputs []float64) int {
	best, most := 0, math.Inf(-1)
	for l, x := range outputs {
		if x > most {
			best, most = l, x
		}
	}
	return best
}
