//go:build unix

package files

import "golang.org/x/sys/unix"

// nonblocking keeps the opening of a pipe that took the place of a file from waiting for a writer.
const nonblocking = unix.O_NONBLOCK
