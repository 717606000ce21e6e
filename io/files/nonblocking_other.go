//go:build !unix

package files

// nonblocking is 0: this system has no named pipes among files.
const nonblocking = 0
