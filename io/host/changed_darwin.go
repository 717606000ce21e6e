package host

import (
	"io/fs"
	"syscall"
)

// inodeChanged returns when the inode of a file was last changed, a time that no program can set back.
func inodeChanged(info fs.FileInfo) (changed stamp, known bool) {
	s, known := info.Sys().(*syscall.Stat_t)
	if known {
		changed = stamp{uint32(s.Ctimespec.Sec), uint32(s.Ctimespec.Nsec)}
	}
	return changed, known
}
