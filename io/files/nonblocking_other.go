//go:build !unix

package files

// nonblocking is of no use where files are no pipes.
const nonblocking = 0
