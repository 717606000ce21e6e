package elementary

import (
	"math"

	"golang.org/x/sys/cpu"
)

var hasVectors = cpu.X86.HasAVX2

// sumExpConstants are those of sumExpVector, four times each, in the order in which it needs them.
var sumExpConstants = func() (c [11][4]float64) {
	for k, v := range [11]float64{normal, -normal, toSteps, shift, stepHigh, stepLow, math.Float64frombits(steps - 1), 1.0 / 6, 0.5, 1.0 / 120, 1.0 / 24} {
		c[k] = [4]float64{v, v, v, v}
	}
	return c
}()

// sumExpVector does what SumExp does for n numbers, a multiple of 4, until four of which one is too large or too small: done is how many
// it has passed, and sum goes on from the sum that it is given.
//
//go:noescape
func sumExpVector(out, x *float64, n int, high, from float64, constants *[11][4]float64, powers *[steps]power) (done int, sum float64)
