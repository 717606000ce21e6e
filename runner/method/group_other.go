//go:build unix && !linux

package method

import (
	"errors"
	"os/exec"
	"syscall"
)

func ownGroup(c *exec.Cmd, sandbox bool) error {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if sandbox {
		return errors.New("this system has none")
	}
	return nil
}
