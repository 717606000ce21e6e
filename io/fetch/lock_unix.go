//go:build unix && !solaris && !aix

package fetch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock locks a file for this process as long as it is open; it returns an error if another process has it.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// closeWith changes the name of a locked file, and then closes it, so that no other process gets the file in between.
func closeWith(f *os.File, do func() error) error { return errors.Join(do(), f.Close()) }
