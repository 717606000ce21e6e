package ranks

import "math"

// rangeTail returns P(Q > q) for the range Q of k independent standard normal variables: the studentized range with infinite
// degrees of freedom. With the smallest of them at z (Hartley 1942, Biometrika 32),
//
//	P(Q > q) = k ∫ φ(z) · [Φ̄(z)^(k−1) − (Φ̄(z) − Φ̄(z+q))^(k−1)] dz,   Φ̄ = 1 − Φ,
//
// where the bracket is written so that far tails keep their digits. The trapezoidal rule converges geometrically for such
// an integrand (Trefethen & Weideman 2014, SIAM Review 56): with this step the error is that of rounding.
func rangeTail(q float64, k int) float64 {
	if q <= 0 {
		return 1
	}
	const step = 1.0 / 16
	others := float64(k - 1)
	sum := 0.0
	for z := -q - 10; z <= 10; z += step {
		above := normalTail(z)
		ratio := normalTail(z+q) / above
		sum += float64(math.Exp(float64(-z*z/2)+float64(others*math.Log(above))) * -math.Expm1(others*math.Log1p(-ratio)))
	}
	return math.Min(1, float64(k)*step*sum/math.Sqrt(2*math.Pi))
}

// normalTail returns the upper tail of the standard normal distribution.
func normalTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// rangeQuantile returns the q that is exceeded with probability alpha, by bisection.
func rangeQuantile(alpha float64, k int) float64 {
	low, high := 0.0, 100.0
	for range 60 {
		if middle := (low + high) / 2; rangeTail(middle, k) > alpha {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
