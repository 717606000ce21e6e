package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

func TestFault(t *testing.T) {
	path := func(err error) error { return &fs.PathError{Op: "open", Path: "x", Err: err} }
	for _, err := range []error{
		path(syscall.EIO), path(syscall.ENXIO), path(syscall.ENOMEM), path(syscall.EMFILE), path(syscall.ENFILE), path(syscall.ENOSPC), syscall.EIO,
		fmt.Errorf("x: %w", path(syscall.EIO)), errors.Join(errors.New("y"), path(fs.ErrNotExist), path(syscall.EIO)), Unreadable{path(syscall.EACCES)}, &os.LinkError{Op: "rename", Err: syscall.EIO},
	} {
		if !Fault(err) {
			t.Errorf("%v is no fault of the system", err)
		}
	}
	for _, err := range []error{
		nil, errors.New("x"), io.ErrUnexpectedEOF, path(syscall.ENOENT), path(fs.ErrNotExist), path(syscall.EISDIR), path(syscall.ENOTDIR), path(syscall.EACCES), path(syscall.ENAMETOOLONG), path(syscall.ELOOP),
		&net.OpError{Op: "listen", Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}, &exec.Error{Name: "x", Err: exec.ErrNotFound}, path(errOutside),
	} {
		if Fault(err) {
			t.Errorf("%v is a fault of the system", err)
		}
	}
}
