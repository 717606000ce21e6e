//go:build !linux

package runner

import "math"

// cpuSeconds is not known here: results show NULL.
func cpuSeconds(bool) float64 { return math.NaN() }
