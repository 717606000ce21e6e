//go:build linux || darwin || freebsd

package runner

import "syscall"

// addressLimit is how much memory, mapped files among it, the process may have addresses for (ulimit -v); 0 for no limit. Go's own end
// of a process that asks for more is that of an invalid experiment, with pages of stacks.
func addressLimit() int64 {
	const none = 1 << 60
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || uint64(limit.Cur) >= none {
		return 0
	}
	return int64(limit.Cur)
}
