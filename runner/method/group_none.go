//go:build !unix

package method

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
)

// Here a group is its leader alone: what this starts and leaves behind goes on.

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
