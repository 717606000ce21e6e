package host

import (
	"io/fs"
	"syscall"
)

// inodeChanged returns when the inode of a file was last changed, a time that no program can set back.
func inodeChanged(info fs.FileInfo) (at stamp, known bool) {
	s, known := info.Sys().(*syscall.Stat_t)
	if known {
		at = stamp{uint32(s.Ctimespec.Sec), uint32(s.Ctimespec.Nsec)}
	}
	return at, known
}
