//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"syscall"
)

// nobody makes a process one of a user who may not do everything.
func nobody(cmd *exec.Cmd) error {
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return nil
}
