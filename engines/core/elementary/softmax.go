package elementary

// LogSoftmax turns scores, up to a common constant, into logarithms of probabilities in place: s_k − log Σ exp s_j. Its errors
// are relative to the distances from the largest score, so a probability that is too small for a number has its logarithm, and
// one near 1 the little that it lacks. A score of −∞ stays as it is where another is finite. O(scores), of which there is one
// at least.
func LogSoftmax(scores []float64) {
	best, rest := 0, 0.0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	high := scores[best]
	for k, s := range scores {
		if k != best {
			rest += Exp(s - high)
		}
	}
	rest = Log1p(rest)
	for k, s := range scores {
		scores[k] = s - high - rest
	}
}

// LogSigmoid is the logarithm of 1/(1+e^−s).
func LogSigmoid(s float64) float64 {
	if s < 0 {
		return s - Log1p(Exp(s))
	}
	return -Log1p(Exp(-s))
}
