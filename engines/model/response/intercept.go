package response

import "math"

// Intercept returns the minimiser of a loss that is convex in the intercept, by Newton's method from b, safeguarded by a shrinking
// interval. derivatives returns, at an intercept, minus the first derivative of the loss, the second, and the total weight of the
// rows.
func Intercept(b float64, derivatives func(b float64) (fall, curvature, weight float64)) float64 {
	low, high := math.Inf(-1), math.Inf(1)
	for range 100 {
		fall, curvature, weight := derivatives(b)
		if math.Abs(fall) <= 1e-14*weight {
			break
		}
		if fall > 0 {
			low = b
		} else {
			high = b
		}
		next := b + fall/curvature
		if !(next > low && next < high) || math.Abs(next-b) > 10 {
			next = between(low, high, b)
		}
		if next == b {
			break
		}
		b = next
	}
	return b
}

// between returns a number inside an interval of which at most one end is infinite, near b.
func between(low, high, b float64) float64 {
	switch {
	case math.IsInf(low, -1):
		return b - 1 - math.Abs(b)
	case math.IsInf(high, 1):
		return b + 1 + math.Abs(b)
	}
	return low + float64((high-low)/2)
}
