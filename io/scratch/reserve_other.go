//go:build !linux

package scratch

import "os"

// reserve makes a file n bytes long, with room on the disk for all of them: without it, a write to mapped memory could end
// the process.
func reserve(f *os.File, n int64) error { return zeros(f, n) }
