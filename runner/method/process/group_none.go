//go:build !unix

package process

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// On this system a group is its leader alone: processes that it starts and leaves behind are not ended.

func ownGroup(namespaces bool) (*syscall.SysProcAttr, error) {
	if namespaces {
		return nil, errors.New("this system has none")
	}
	return nil, nil
}

func signalGroup(leader int, _ syscall.Signal) {
	if p, err := os.FindProcess(leader); err == nil {
		p.Kill()
	}
}

func isMine(fs.FileInfo) bool { return true }
