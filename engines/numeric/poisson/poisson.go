// Package poisson has what a Poisson distribution says of counts.
package poisson

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// Deviance returns the deviance of a count y ≥ 0 from its expected value mu ≥ 0: 2(y log(y/mu) − y + mu), with y log y = 0 at 0. It is
// +∞ for a count above 0 that is expected to be 0.
func Deviance(y, mu float64) float64 {
	switch {
	case y == 0:
		return 2 * mu
	case mu == 0:
		return math.Inf(1)
	}
	return 2 * (float64(y*elementary.Log(y/mu)) - (y - mu))
}

// LogProbability returns the logarithm of the probability of a count y ≥ 0 whose expected value is mu ≥ 0: y log mu − mu − log y!.
func LogProbability(y, mu float64) float64 {
	switch {
	case y == 0:
		return -mu
	case mu == 0:
		return math.Inf(-1)
	}
	return float64(y*elementary.Log(mu)) - mu - LogFactorial(y)
}

// exactly is the number up to which factorials are multiplied out.
const exactly = 64

// LogFactorial returns log y! of a whole number y ≥ 0: a sum of logarithms, or Stirling's series, whose error is below 1e-17 there.
func LogFactorial(y float64) float64 {
	if y <= exactly {
		sum := 0.0
		for k := 2.0; k <= y; k++ {
			sum += elementary.Log(k)
		}
		return sum
	}
	const halfLog2Pi = 0.918938533204672741780329736406
	s := 1 / (y * y)
	series := (1.0/12 - float64(s*(1.0/360-float64(s*(1.0/1260-float64(s/1680)))))) / y
	return float64((y+0.5)*elementary.Log(y)) - y + halfLog2Pi + series
}
