//go:build !unix

package enginetest

import "math"

// CPU is not known on this system.
func CPU() float64 { return math.NaN() }
