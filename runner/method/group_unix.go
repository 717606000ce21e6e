//go:build unix

package method

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

func terminateGroup(group int) { syscall.Kill(-group, syscall.SIGTERM) }
func endGroup(group int)       { syscall.Kill(-group, syscall.SIGKILL) }

// isMine reports whether a file belongs to this user.
func isMine(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// wasEnded reports whether a process was ended from outside: by itself it ends with other signals.
func wasEnded(exit *exec.ExitError) bool {
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && slices.Contains([]syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}, status.Signal())
}

// endOf says how a process ended.
func endOf(exit *exec.ExitError) string {
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("it was ended by signal %d (%s)", status.Signal(), status.Signal())
	}
	return fmt.Sprintf("exit code %d", exit.ExitCode())
}
