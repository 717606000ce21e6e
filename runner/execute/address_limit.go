//go:build linux || darwin || freebsd

package execute

import "syscall"

// addressLimit returns the limit of the process's address space (ulimit -v), mapped files included; 0 for no limit. It is checked
// beforehand because Go ends a process that exceeds it with exit code 2, that of an invalid experiment.
func addressLimit() int64 {
	const none = 1 << 60
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || uint64(limit.Cur) >= none {
		return 0
	}
	return int64(limit.Cur)
}
