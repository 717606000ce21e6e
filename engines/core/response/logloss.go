package response

import (
	"math"

	"tenfold/engines/core/elementary"
)

// LogLoss is −log of the probability that a score z gives to a label, 0 or 1, and the residual: the label less the probability of 1.
func LogLoss(label, z float64) (loss, residual float64) {
	e := elementary.Exp(-math.Abs(z))
	wrong := e / (1 + e) // probability of the less likely label
	residual = label - wrong
	if z >= 0 {
		residual = label - 1 + wrong
	}
	if z = -z; label == 0 {
		z = -z
	}
	return elementary.Log1p(e) + max(0, z), residual
}
