package files

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"
)

// Fault reports whether an error is, wraps or joins one of the system: of a disk, a network, or a lack of memory or open files. Errors
// that depend on a name or on what stands there are none, such as that of a file that is missing or may not be read, unless they are
// Unreadable.
func Fault(err error) bool {
	switch e := err.(type) {
	case Unreadable:
		return true
	case syscall.Errno:
		return !slices.Contains(contentErrors, e) && !slices.Contains(nameErrors, e) && !errors.Is(e, fs.ErrNotExist)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), Fault)
	case interface{ Unwrap() error }:
		return Fault(e.Unwrap())
	}
	return false
}

// contentErrors lists errors of the system that depend on the content of a folder or on a name.
var contentErrors = []syscall.Errno{syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP, syscall.EINVAL, syscall.ENAMETOOLONG, syscall.EEXIST, syscall.ENOTEMPTY}

// nameErrors lists further ones that depend on what a user names: a file that is not the user's, no program, a taken address.
var nameErrors = []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.ENOEXEC, syscall.EADDRINUSE, syscall.EADDRNOTAVAIL}
