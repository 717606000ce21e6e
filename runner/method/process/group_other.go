//go:build unix && !linux

package process

import (
	"errors"
	"syscall"
)

func ownGroup(namespaces bool) (*syscall.SysProcAttr, error) {
	if namespaces {
		return nil, errors.New("this system has none")
	}
	return &syscall.SysProcAttr{Setpgid: true}, nil
}
