// Package elementary implements exp, log, powers and the error function, with the same bits on every processor.
//
// The standard library's are not: some are assembly that uses fused multiply-add where the processor has it, and the others
// are fused by the compiler for arm64 and for GOAMD64=v3. Here every product that is added is rounded first, by an explicit
// conversion. Errors are below one unit in the last place; the tests measure them against 200 bits.
//
// Exponentials and logarithms reduce their argument with a table of 128 entries and end in a short Taylor polynomial (Tang
// 1989 and 1990, ACM TOMS 15:144-157 and 16:378-400). O(1), no allocation.
package elementary

import "math"

const (
	steps    = 128              // entries of a table
	toSteps  = steps / math.Ln2 // steps in 1
	stepHigh = 0x1.62e42fefp-8  // log 2/128 to 33 bits: exact times a number of steps
	stepLow  = math.Ln2/steps - stepHigh
	shift    = 0x1.8p52 // added and taken away, it rounds to an integer, which stands in the low bits
	exact    = 1 << 27  // low bits of a double that are cut off, so that products of two heads are exact
	normal   = 708      // |x| up to which exp(x) is normal
)

// power is 2^(j/128) as a double, and what it lacks, relative to it.
type power struct{ value, rest float64 }

// reduceExp writes x + low as (128 m + j)·log 2/128 + r and returns m, 2^(j/128) and e^r − 1, |x| < 2000, |low| far
// below |x|.
func reduceExp(x, low float64) (m int64, value, grow float64) {
	k := float64(x*toSteps) + shift
	n := int64(math.Float64bits(k) - math.Float64bits(shift))
	k -= shift
	r := x - float64(k*stepHigh) - float64(k*stepLow) + low
	p := &powers[n&(steps-1)]
	return n >> 7, p.value, p.rest + expm1Taylor(r)
}

// expm1Taylor returns e^r − 1 for |r| ≤ log 2/256, by Taylor's polynomial: the next term is below 2^-60.
func expm1Taylor(r float64) float64 {
	r2 := float64(r * r)
	return r + (float64(r2*(0.5+float64(r*(1.0/6)))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120)))))
}

// scaleByPower returns value·2^m, for a result that is normal.
func scaleByPower(value float64, m int64) float64 {
	return math.Float64frombits(math.Float64bits(value) + uint64(m)<<52)
}

// Exp returns e^x.
func Exp(x float64) float64 {
	if x > -normal && x < normal {
		k := float64(x*toSteps) + shift
		n := int64(math.Float64bits(k) - math.Float64bits(shift))
		k -= shift
		r := x - float64(k*stepHigh) - float64(k*stepLow)
		r2 := float64(r * r)
		p := &powers[n&(steps-1)]
		grow := p.rest + (r + (float64(r2*(0.5+float64(r*(1.0/6)))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))))
		s := scaleByPower(p.value, n>>7)
		return s + float64(s*grow)
	}
	return expOf(x, 0)
}

// expOf returns e^(x + low), also where it is not a normal number.
func expOf(x, low float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	m, value, grow := reduceExp(x, low)
	if x > -normal && x < normal {
		s := scaleByPower(value, m)
		return s + float64(s*grow)
	}
	return math.Ldexp(value+float64(value*grow), int(m))
}

// Exp2 returns 2^x.
func Exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1080:
		return 0
	}
	k := float64(x*steps) + shift
	n := int64(math.Float64bits(k) - math.Float64bits(shift))
	p := &powers[n&(steps-1)]
	grow := p.rest + expm1Taylor(float64((x-float64((k-shift)/steps))*math.Ln2))
	if x > -1022 && x < 1023 {
		s := scaleByPower(p.value, n>>7)
		return s + float64(s*grow)
	}
	return math.Ldexp(p.value+float64(p.value*grow), int(n>>7))
}

// Expm1 returns e^x − 1, accurate near 0 too.
func Expm1(x float64) float64 {
	switch {
	case x != x || x == 0:
		return x
	case x > 500:
		return Exp(x)
	case x < -60:
		return -1
	case x > -0.25 && x < 0.25:
		if x > -0x1p-54 && x < 0x1p-54 {
			return x
		}
		x2 := float64(x * x)
		sum := 1.0 / 6227020800
		for _, c := range &factorials {
			sum = float64(sum*x) + c
		}
		return x + float64(x2*sum)
	}
	m, value, grow := reduceExp(x, 0)
	s := scaleByPower(value, m)
	d := s - 1
	back := d - s // what d lacks, by the sum of two (Knuth, TAOCP 2, 4.2.2)
	rest := (s - (d - back)) + (-1 - back)
	return d + (float64(s*grow) + rest)
}

// factorials is 1/12! … 1/2!.
var factorials = [...]float64{1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
	1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2}
