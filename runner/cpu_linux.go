package runner

import (
	"golang.org/x/sys/unix"
)

// threadSeconds is the processor time of the calling thread, user and system; 0 where the system does not say.
func threadSeconds() float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
