//go:build !unix

package enginetest

import "math"

// CPU returns NaN: the time of the processor is not known on this system.
func CPU() float64 { return math.NaN() }
