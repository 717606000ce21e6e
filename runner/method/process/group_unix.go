//go:build unix

package process

import (
	"io/fs"
	"os"
	"syscall"
)

func signalGroup(leader int, s syscall.Signal) { syscall.Kill(-leader, s) }

// isMine reports whether a file belongs to this user.
func isMine(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
