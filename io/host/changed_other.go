//go:build !linux && !darwin

package host

import "io/fs"

// inodeChanged is unknown on this system.
func inodeChanged(fs.FileInfo) (at stamp, known bool) { return stamp{}, false }
