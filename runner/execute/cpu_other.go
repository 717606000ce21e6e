//go:build !linux

package execute

import "math"

// cpuSeconds is unknown on this system: results show NULL.
func cpuSeconds(bool) float64 { return math.NaN() }
