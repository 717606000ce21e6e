//go:build !linux

package runner

import "math"

// threadSeconds is not known here.
func threadSeconds() float64 { return math.NaN() }
