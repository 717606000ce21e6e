//go:build unix && !solaris && !aix

package fetch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock a file for this process as long as it is open; an error where another has it.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// closeWith does something to the name of a locked file, and closes it: in this order, so that no other process gets hold of
// the file in between.
func closeWith(f *os.File, do func() error) error { return errors.Join(do(), f.Close()) }
