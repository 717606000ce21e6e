package execute

import (
	"math"

	"golang.org/x/sys/unix"
)

// cpuSeconds returns the processor time, user and system, of the calling thread, or of the whole process for a fit that
// runs alone; NaN if the system does not say.
func cpuSeconds(alone bool) float64 {
	who := unix.RUSAGE_THREAD
	if alone {
		who = unix.RUSAGE_SELF
	}
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
