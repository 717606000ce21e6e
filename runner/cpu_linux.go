package runner

import (
	"math"

	"golang.org/x/sys/unix"
)

// threadSeconds is the processor time of the calling thread, user and system.
func threadSeconds() float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
