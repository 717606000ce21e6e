package response

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// LogLoss returns −log of the probability that score z gives to a label, 0 or 1, and the residual: the label minus the probability
// of 1.
func LogLoss(label, z float64) (loss, residual float64) {
	e := elementary.Exp(-math.Abs(z))
	residual = residualOf(label, z, e)
	if z = -z; label == 0 {
		z = -z
	}
	return elementary.Log1p(e) + max(0, z), residual
}

// LogResidual returns the residual of LogLoss alone.
func LogResidual(label, z float64) float64 {
	return residualOf(label, z, elementary.Exp(-math.Abs(z)))
}

// residualOf returns the residual of a score z, given e = exp(−|z|).
func residualOf(label, z, e float64) float64 {
	wrong := e / (1 + e) // probability of the less likely label
	if z >= 0 {
		return label - 1 + wrong
	}
	return label - wrong
}
