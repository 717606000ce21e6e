//go:build !unix

package method

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
)

// On this system a group is its leader alone: processes that it starts and leaves behind are not ended.

func ownGroup(_ *exec.Cmd, sandbox bool) error {
	if sandbox {
		return errors.New("this system has none")
	}
	return nil
}

func terminateGroup(group int) { endGroup(group) }

func endGroup(group int) {
	if p, err := os.FindProcess(group); err == nil {
		p.Kill()
	}
}

func isMine(fs.FileInfo) bool { return true }

func isBrokenPipe(error) bool { return false }

func wasEnded(*exec.ExitError) bool { return false }

func endOf(exit *exec.ExitError) string { return fmt.Sprintf("exit code %d", exit.ExitCode()) }
