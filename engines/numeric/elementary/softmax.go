package elementary

import "math"

// SumExp sets out_k to e^(x_k − high), with the bits of Exp, and returns their sum, in order. out may be x itself, and has its
// length. One call for many numbers takes half the time of calls of Exp; vector instructions halve that again. O(numbers).
func SumExp(out, x []float64, high float64) (sum float64) {
	out = out[:len(x)]
	k := 0
	for hasVectors && len(x)-k >= 4 {
		n, s := sumExpVector(&out[k], &x[k], (len(x)-k)&^3, high, sum, &sumExpConstants, &powers)
		k, sum = k+n, s
		rest := min(4, len(x)-k) // those that are no normal numbers, or the last
		sum = sumExpPlain(out[k:k+rest], x[k:k+rest], high, sum)
		k += rest
	}
	return sumExpPlain(out[k:], x[k:], high, sum)
}

// sumExpPlain does what SumExp does, and continues a given sum.
func sumExpPlain(out, x []float64, high, sum float64) float64 {
	out = out[:len(x)]
	for k, v := range x {
		v -= high
		if !(v > -normal && v < normal) {
			out[k] = expOf(v, 0)
			sum += out[k]
			continue
		}
		// Exp, written out: calls cost as much as they do.
		n := float64(v*toSteps) + shift
		bits := int64(math.Float64bits(n) - math.Float64bits(shift))
		n -= shift
		r := v - float64(n*stepHigh) - float64(n*stepLow)
		r2 := float64(r * r)
		p := &powers[bits&(steps-1)]
		grow := p.rest + (r + (float64(r2*(0.5+float64(r*(1.0/6)))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))))
		s := scaleByPower(p.value, bits>>7)
		e := s + float64(s*grow)
		out[k] = e
		sum += e
	}
	return sum
}

// LogSoftmax turns scores, up to a common constant, into logarithms of probabilities in place: s_k − log Σ exp s_j. Its errors are
// relative to the distances from the largest score, so probabilities that underflow still have their logarithms, and those near 1
// keep the digits of their small negative ones. A score of −∞ stays as it is if another is finite. There must be at least one
// score. O(scores).
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

// LogSigmoid returns the logarithm of 1/(1+e^−s).
func LogSigmoid(s float64) float64 {
	if s < 0 {
		return s - Log1p(Exp(s))
	}
	return -Log1p(Exp(-s))
}
