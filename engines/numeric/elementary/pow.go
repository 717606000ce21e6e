package elementary

import "math"

// Pow returns x^y, with the special cases of math.Pow.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x != x || y != y:
		return math.NaN()
	}
	whole, odd := parity(y)
	sign := 1.0
	if odd && math.Signbit(x) {
		sign = -1
	}
	size := math.Abs(x)
	switch {
	case size == 1 && whole:
		return sign
	case size == 0 || math.IsInf(size, 1) || math.IsInf(y, 0):
		if (size < 1) == (y < 0) {
			return math.Copysign(math.Inf(1), sign)
		}
		return math.Copysign(0, sign)
	case x < 0 && !whole:
		return math.NaN()
	case math.Abs(y) > 0x1p65:
		if (size < 1) == (y < 0) {
			return math.Inf(1)
		}
		return 0
	case math.Abs(y) < 0x1p-65:
		return 1
	}
	high, low := logParts(size)
	yh, lh := upperBits(y), upperBits(high)
	e := float64(yh * lh)
	rest := float64((y-yh)*lh) + float64(y*((high-lh)+low))
	return sign * expOf(e, rest)
}

// parity reports whether y is an integer or infinite, and whether it is an odd one.
func parity(y float64) (whole, odd bool) {
	if math.Abs(y) >= 0x1p53 {
		return true, false
	}
	n := int64(y)
	return float64(n) == y, float64(n) == y && n&1 == 1
}

// Hypot returns √(x² + y²), without overflow.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	if math.IsInf(x, 1) || math.IsInf(y, 1) {
		return math.Inf(1)
	}
	scale := 1.0
	switch top := max(x, y); {
	case top > 0x1p500:
		x, y, scale = x*0x1p-600, y*0x1p-600, 0x1p600
	case top < 0x1p-450:
		x, y, scale = x*0x1p600, y*0x1p600, 0x1p-600
	}
	return math.Sqrt(float64(x*x)+float64(y*y)) * scale
}
