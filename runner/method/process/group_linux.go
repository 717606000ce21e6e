package process

import (
	"os"
	"syscall"
)

// ownGroup returns attributes of a process that leads a group of its own, in namespaces of its own if these are asked for.
func ownGroup(namespaces bool) (*syscall.SysProcAttr, error) {
	a := &syscall.SysProcAttr{Setpgid: true}
	if namespaces {
		a.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return a, nil
}
