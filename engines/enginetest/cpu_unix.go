//go:build unix

package enginetest

import (
	"math"
	"syscall"
)

// CPU returns the user and system time of the process, in seconds: what benchmarks on shared machines report.
func CPU() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + 1e-6*float64(u.Utime.Usec+u.Stime.Usec)
}
