package main

import (
	"os"
	"os/exec"
	"syscall"
)

// peak returns the largest resident memory of a process that ended, or of one of its children, in bytes.
func peak(ended *os.ProcessState) int64 {
	if u, ok := ended.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss * 1024
	}
	return 0
}

// inGroup gives a command a group of processes of its own, which end ends.
func inGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func end(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
