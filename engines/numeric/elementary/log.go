package elementary

import "math"

const (
	ln2High  = 0x1.62e42fefa38p-1 // log 2 to a multiple of 2^-42: times an exponent it is exact
	ln2Low   = math.Ln2 - ln2High
	logFrom  = 0x3fe6000000000000 // bits of 0.6875: reduced arguments are from here to its double
	exponent = 0xfff << 52
	most     = 0x7ff0000000000000 // bits of infinity
	least    = 0x0010000000000000 // bits of the least normal number
)

// inverse has a value near 1/z for the z of its part, with at most ten bits, and −log of it in two parts, the first a multiple of 2^-42.
// It is 1 on both sides of z = 1.
type inverse struct{ value, high, low float64 }

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	bits := math.Float64bits(x)
	if bits-least >= most-least {
		return logSpecial(x)
	}
	return logOf(bits, 0, 0)
}

// logSpecial returns the logarithm of a number that is not positive and normal.
func logSpecial(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	return logOf(math.Float64bits(x*0x1p52), -52, 0)
}

// logOf returns the logarithm of a positive normal number of these bits, times 2^extra, plus low.
func logOf(bits uint64, extra, low float64) float64 {
	from := bits - logFrom
	k := float64(int64(from)>>52) + extra
	zBits := bits - from&exponent
	z, head := math.Float64frombits(zBits), math.Float64frombits(zBits&^(exact-1))
	t := &inverses[from>>45&(steps-1)]
	a, b := float64(head*t.value)-1, float64((z-head)*t.value) // exact: r is their sum
	r := a + b
	w := float64(k*ln2High) + t.high
	h := w + r
	low += (w - h) + r + (float64(k*ln2Low) + t.low + ((a - r) + b))
	r2 := float64(r * r)
	return h + (low + (log1pTail(r, r2) - float64(0.5*r2)))
}

// log1pTail returns log(1 + r) − r + r²/2 for |r| < 2^-7, by Taylor's polynomial: the next term is below 2^-58 r.
func log1pTail(r, r2 float64) float64 {
	p := 1.0/7 - float64(r*(1.0/8))
	p = 1.0/5 - float64(r*(1.0/6)) + float64(r2*p)
	p = 1.0/3 - float64(r*(1.0/4)) + float64(r2*p)
	return float64(float64(r*r2) * p)
}

// Log1p returns log(1 + x), accurate near 0 too.
func Log1p(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64 || x > -0x1p-54 && x < 0x1p-54:
		return x
	case x < -1:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	}
	u := 1 + x
	lost := x - (u - 1)
	if x > 1 {
		lost = 1 - (u - x)
	}
	return logOf(math.Float64bits(u), 0, lost/u)
}

// logParts returns log x as the sum of two numbers, to some 2^-66 of it, for x > 0 and finite.
func logParts(x float64) (high, low float64) {
	k := 0.0
	if x < 0x1p-1022 {
		x *= 0x1p52
		k = -52
	}
	bits := math.Float64bits(x)
	from := bits - logFrom
	k += float64(int64(from) >> 52)
	zBits := bits - from&exponent
	z, head := math.Float64frombits(zBits), math.Float64frombits(zBits&^(exact-1))
	t := &inverses[from>>45&(steps-1)]
	a, b := float64(head*t.value)-1, float64((z-head)*t.value)
	r := a + b
	lost := (a - r) + b
	w := float64(k*ln2High) + t.high
	h := w + r
	low = (w - h) + r
	rh := upperBits(r) // −r²/2 in two parts
	sq, sqLow := float64(-0.5*float64(rh*rh)), float64(-0.5*float64((r-rh)*(r+rh)))
	high = h + sq
	low += (h - high) + sq
	low += float64(k*ln2Low) + t.low + (lost - float64(lost*r)) + sqLow + log1pTail(r, float64(r*r))
	s := high + low
	return s, (high - s) + low
}

// upperBits keeps the upper 26 bits of the significand of x.
func upperBits(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (exact - 1)) }

// multiplyPairs returns (high + low)·(fh + fl), where fh has at most 26 bits.
func multiplyPairs(high, low, fh, fl float64) float64 {
	head := upperBits(high)
	return float64(head*fh) + (float64(head*fl) + float64(((high-head)+low)*(fh+fl)))
}

const (
	lb2High  = 0x1.715476p0 // 1/log 2 to 25 bits
	lb2Low   = 1/math.Ln2 - lb2High
	lb10High = 0x1.bcb7b0p-2 // 1/log 10 to 25 bits
	lb10Low  = 1/math.Ln10 - lb10High
)

// Log2 returns the logarithm of x to base 2, exact for powers of 2.
func Log2(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return Log(x)
	}
	high, low := logParts(x)
	return multiplyPairs(high, low, lb2High, lb2Low)
}

// Log10 returns the logarithm of x to base 10, exact for powers of 10 that are doubles.
func Log10(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64) {
		return Log(x)
	}
	high, low := logParts(x)
	return multiplyPairs(high, low, lb10High, lb10Low)
}
